//! Checks on the messages themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::bus::thread::messages_in;
use crate::bus::trace::{ReplyIndex, all_copies};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Delivery, Diagnostic, Message, MessageId, Place, Severity, Timestamp};

/// Finds what is wrong with the messages that are kept.
pub(super) fn check(snapshot: &MailSnapshot, now: Timestamp) -> Vec<Diagnostic> {
    let messages = messages_in(snapshot);
    let known = BTreeSet::from_iter(messages.iter().map(|message| &message.id));
    let mut findings: Vec<Diagnostic> = messages.iter().filter_map(deadline_before_sent).collect();
    findings.extend(messages.iter().filter_map(|message| reply_to_unknown(message, &known)));
    findings.extend(same_ids(snapshot));
    let replies = ReplyIndex::of(snapshot);
    findings.extend(snapshot.deliveries.iter().filter_map(|copy| overdue(copy, &replies, now)));
    findings
}

/// Lists what senders logged and recipients do not have.
pub(super) fn without_copy(snapshot: &MailSnapshot) -> Vec<(&Message, &AgentName)> {
    let copies = snapshot.deliveries.iter().map(|copy| (&copy.message.id, &copy.recipient));
    let copies = BTreeSet::from_iter(copies);
    let gone = snapshot.sent.iter().filter(|(message, recipient)| !copies.contains(&(&message.id, recipient)));
    gone.map(|(message, recipient)| (message, recipient)).collect()
}

pub(super) fn lost(message: &Message, recipient: &AgentName) -> Diagnostic {
    let Message { id, from, subject, .. } = message;
    Diagnostic {
        severity: Severity::Error,
        code: "lost-message",
        place: format!("message {id}"),
        message: format!("{from} sent it to {recipient}, and {recipient} has no copy of it anywhere"),
        hint: format!("send it again: huddle send {recipient} {subject:?} --as {from}"),
    }
}

fn deadline_before_sent(message: &Message) -> Option<Diagnostic> {
    let deadline = message.deadline.filter(|deadline| *deadline < message.sent_at)?;
    Some(Diagnostic {
        severity: Severity::Warning,
        code: "deadline-before-sent",
        place: format!("message {}", message.id),
        message: format!("an answer was due at {deadline}, before it was sent at {}", message.sent_at),
        hint: format!(
            "ask again with a deadline to come: huddle send {} … --deadline 2h --as {}",
            message.to, message.from
        ),
    })
}

fn reply_to_unknown(message: &Message, known: &BTreeSet<&MessageId>) -> Option<Diagnostic> {
    let original = message.in_reply_to.as_ref().filter(|id| !known.contains(id))?;
    Some(Diagnostic {
        severity: Severity::Info,
        code: "reply-to-unknown",
        place: format!("message {}", message.id),
        message: format!("it answers {original}, which nobody has"),
        hint: format!("nothing is lost of the answer itself: huddle thread {}", message.id),
    })
}

/// Finds ids that stand for more than one message.
fn same_ids(snapshot: &MailSnapshot) -> Vec<Diagnostic> {
    let mut first: BTreeMap<&MessageId, &Message> = BTreeMap::new();
    let mut twice: BTreeSet<&MessageId> = BTreeSet::new();
    for copy in all_copies(snapshot) {
        if !says_the_same(first.entry(&copy.id).or_insert(copy), copy) {
            twice.insert(&copy.id);
        }
    }
    let findings = twice.into_iter().map(|id| Diagnostic {
        severity: Severity::Error,
        code: "conflicting-copies",
        place: format!("message {id}"),
        message: "copies of it say different things".to_owned(),
        hint: format!("compare them (huddle trace {id} lists who has one) and ask the sender to send it again"),
    });
    findings.collect()
}

/// Compares what two copies say; whom they name and how they were delivered may differ from copy to copy.
fn says_the_same(a: &Message, b: &Message) -> bool {
    a.kind == b.kind
        && a.from == b.from
        && a.subject == b.subject
        && a.body == b.body
        && a.sent_at == b.sent_at
        && a.priority == b.priority
        && a.thread == b.thread
        && a.in_reply_to == b.in_reply_to
        && a.requires_response == b.requires_response
        && a.deadline == b.deadline
        && a.metadata == b.metadata
}

fn overdue(copy: &Delivery, replies: &ReplyIndex<'_>, now: Timestamp) -> Option<Diagnostic> {
    let Delivery { recipient, message, place, .. } = copy;
    let deadline = message.deadline.filter(|deadline| *deadline < now)?;
    let given_up = matches!(place, Place::DeadLetters { .. });
    if !message.requires_response || given_up || replies.answered(message, recipient).is_some() {
        return None;
    }
    Some(Diagnostic {
        severity: Severity::Warning,
        code: "overdue-answer",
        place: format!("message {}", message.id),
        message: format!("{recipient} has not answered {}, due at {deadline}", message.from),
        hint: format!("answer: huddle reply {} --as {recipient}; or remind it: huddle sweep", message.id),
    })
}
