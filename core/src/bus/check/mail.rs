//! Checks on the messages themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::bus::body;
use crate::bus::thread::messages_in;
use crate::bus::trace::{ReplyIndex, all_copies};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Delivery, Diagnostic, Message, MessageId, Place, Remedy, Severity, Timestamp};
use crate::wire::orchestrator::query::{QUERY, is_withdrawn};

/// Finds what is wrong with the messages that are kept.
pub(super) fn check(snapshot: &MailSnapshot, now: Timestamp) -> Vec<Diagnostic> {
    let messages = messages_in(snapshot);
    let known = BTreeSet::from_iter(messages.iter().map(|message| &message.id));
    let mut findings: Vec<Diagnostic> = messages.iter().filter_map(deadline_before_sent).collect();
    findings.extend(messages.iter().filter_map(|message| reply_to_unknown(message, &known)));
    findings.extend(messages.iter().filter_map(odd_body));
    findings.extend(same_ids(snapshot));
    let replies = ReplyIndex::of(snapshot);
    findings.extend(snapshot.deliveries.iter().filter_map(|copy| overdue(copy, &replies, now)));
    findings
}

/// Lists what was sent and recipients do not have, as the senders' log and the records of broadcasts and events say.
pub(super) fn without_copy(snapshot: &MailSnapshot) -> Vec<(&Message, AgentName)> {
    let copies = snapshot.deliveries.iter().map(|copy| (&copy.message.id, &copy.recipient));
    let copies = BTreeSet::from_iter(copies);
    let sent = snapshot.sent.iter().map(|(message, recipient)| (message, recipient.clone()));
    let recorded = snapshot.records.iter().flat_map(|record| {
        let names = record.delivered_to().into_iter();
        names.map(move |recipient| (record, recipient))
    });
    sent.chain(recorded).filter(|(message, recipient)| !copies.contains(&(&message.id, recipient))).collect()
}

/// Lists the copies that do not say what the sender sent, each with what was sent: what the sender's log has, or the record
/// of a broadcast or an event.
pub(super) fn changed_copies(snapshot: &MailSnapshot) -> Vec<(&Delivery, &Message)> {
    let sent = snapshot.sent.iter().map(|(message, recipient)| ((&message.id, Some(recipient)), message));
    let records = snapshot.records.iter().map(|record| ((&record.id, None), record));
    let originals = BTreeMap::from_iter(sent.chain(records));
    let changed = snapshot.deliveries.iter().filter_map(|copy| {
        let id = &copy.message.id;
        let original = originals.get(&(id, Some(&copy.recipient))).or_else(|| originals.get(&(id, None)))?;
        (!says_the_same(original, &copy.message)).then_some((copy, *original))
    });
    changed.collect()
}

pub(super) fn lost(message: &Message, recipient: &AgentName) -> Diagnostic {
    let Message { id, from, .. } = message;
    Diagnostic {
        severity: Severity::Error,
        code: "lost-message",
        place: format!("message {id}"),
        message: format!("{from} sent it to {recipient}, and {recipient} has no copy of it anywhere"),
        remedy: Remedy::RestoreCopy,
    }
}

/// Finds a body that is not as its type has it: its sender did not use Huddle, which refuses to send it.
fn odd_body(message: &Message) -> Option<Diagnostic> {
    let fault = body::fault(&message.kind, &message.body)?;
    Some(Diagnostic {
        severity: Severity::Warning,
        code: "odd-body",
        place: format!("message {}", message.id),
        message: format!(
            "the body of this {} from {} is not as its type has it: {fault}",
            message.kind.as_str(),
            message.from
        ),
        remedy: format!("ask {} what is meant", message.from).into(),
    })
}

fn deadline_before_sent(message: &Message) -> Option<Diagnostic> {
    let deadline = message.deadline.filter(|deadline| *deadline < message.sent_at)?;
    Some(Diagnostic {
        severity: Severity::Warning,
        code: "deadline-before-sent",
        place: format!("message {}", message.id),
        message: format!("an answer was due at {deadline}, before it was sent at {}", message.sent_at),
        remedy: Remedy::AskAgain { from: message.from.clone(), to: message.to.clone() },
    })
}

fn reply_to_unknown(message: &Message, known: &BTreeSet<&MessageId>) -> Option<Diagnostic> {
    let original = message.in_reply_to.as_ref().filter(|id| !known.contains(id))?;
    Some(Diagnostic {
        severity: Severity::Info,
        code: "reply-to-unknown",
        place: format!("message {}", message.id),
        message: format!("it answers {original}, which nobody has"),
        remedy: Remedy::ReadThread(message.id.clone()),
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
        remedy: Remedy::RestoreSentCopies,
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
    if !message.requires_response
        || given_up
        || is_withdrawn(message, now)
        || replies.answered(message, recipient).is_some()
    {
        return None;
    }
    // Whoever asks a query waits for it, and has given up by then; a late answer is welcome all the same.
    let severity = if message.kind.as_str() == QUERY { Severity::Info } else { Severity::Warning };
    Some(Diagnostic {
        severity,
        code: "overdue-answer",
        place: format!("message {}", message.id),
        message: format!("{recipient} has not answered {}, due at {deadline}", message.from),
        remedy: match copy.is_unread() {
            true => Remedy::AnswerOrRemind { agent: recipient.clone(), id: message.id.clone() },
            // What was read is not delivered anew.
            false => Remedy::Answer { agent: recipient.clone(), id: message.id.clone() },
        },
    })
}
