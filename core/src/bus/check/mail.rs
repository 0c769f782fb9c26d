//! Checks on the messages themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::bus::thread::messages_in;
use crate::bus::trace::{Signs, every_copy};
use crate::engine::Survey;
use crate::model::{AgentName, Delivery, Finding, Message, MessageId, Place, Severity, Timestamp};

/// Finds what is wrong with the messages that are kept.
pub(super) fn check(survey: &Survey, now: Timestamp) -> Vec<Finding> {
    let messages = messages_in(survey);
    let known = BTreeSet::from_iter(messages.iter().map(|message| &message.id));
    let mut findings: Vec<Finding> = messages.iter().filter_map(deadline_before_sent).collect();
    findings.extend(messages.iter().filter_map(|message| reply_to_unknown(message, &known)));
    findings.extend(same_ids(survey));
    let signs = Signs::of(survey);
    findings.extend(survey.deliveries.iter().filter_map(|copy| overdue(copy, &signs, now)));
    findings
}

/// Lists what senders logged and recipients do not have.
pub(super) fn without_copy(survey: &Survey) -> Vec<(&Message, &AgentName)> {
    let copies = survey.deliveries.iter().map(|copy| (&copy.message.id, &copy.recipient));
    let copies = BTreeSet::from_iter(copies);
    let gone = survey.sent.iter().filter(|(message, recipient)| !copies.contains(&(&message.id, recipient)));
    gone.map(|(message, recipient)| (message, recipient)).collect()
}

pub(super) fn lost(message: &Message, recipient: &AgentName) -> Finding {
    let Message { id, from, subject, .. } = message;
    Finding {
        severity: Severity::Error,
        code: "lost-message",
        place: format!("message {id}"),
        message: format!("{from} sent it to {recipient}, and {recipient} has no copy of it anywhere"),
        hint: format!("send it again: huddle send {recipient} {subject:?} --as {from}"),
    }
}

fn deadline_before_sent(message: &Message) -> Option<Finding> {
    let deadline = message.deadline.filter(|deadline| *deadline < message.sent_at)?;
    Some(Finding {
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

fn reply_to_unknown(message: &Message, known: &BTreeSet<&MessageId>) -> Option<Finding> {
    let original = message.in_reply_to.as_ref().filter(|id| !known.contains(id))?;
    Some(Finding {
        severity: Severity::Info,
        code: "reply-to-unknown",
        place: format!("message {}", message.id),
        message: format!("it answers {original}, which nobody has"),
        hint: format!("nothing is lost of the answer itself: huddle thread {}", message.id),
    })
}

/// Finds ids that stand for more than one message.
fn same_ids(survey: &Survey) -> Vec<Finding> {
    let mut first: BTreeMap<&MessageId, &Message> = BTreeMap::new();
    let mut twice: BTreeSet<&MessageId> = BTreeSet::new();
    for copy in every_copy(survey) {
        if !says_the_same(first.entry(&copy.id).or_insert(copy), copy) {
            twice.insert(&copy.id);
        }
    }
    let findings = twice.into_iter().map(|id| Finding {
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

fn overdue(copy: &Delivery, signs: &Signs<'_>, now: Timestamp) -> Option<Finding> {
    let Delivery { recipient, message, place, .. } = copy;
    let deadline = message.deadline.filter(|deadline| *deadline < now)?;
    let given_up = matches!(place, Place::DeadLetters { .. });
    if !message.requires_response || given_up || signs.answered(message, recipient).is_some() {
        return None;
    }
    Some(Finding {
        severity: Severity::Warning,
        code: "overdue-answer",
        place: format!("message {}", message.id),
        message: format!("{recipient} has not answered {}, due at {deadline}", message.from),
        hint: format!("answer: huddle reply {} --as {recipient}; or remind it: huddle sweep", message.id),
    })
}
