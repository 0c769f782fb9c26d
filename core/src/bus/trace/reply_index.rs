//! What came back for a message: acknowledgments and answers, by whom and when.

use std::collections::BTreeMap;

use crate::engine::MailSnapshot;
use crate::model::{AgentName, Json, Message, MessageId, MessageType, Recipient, Timestamp};

/// When each recipient acknowledged and answered each message.
#[derive(Debug, Default)]
pub struct ReplyIndex<'a> {
    replies: BTreeMap<(&'a MessageId, &'a AgentName), ReplyTimes>,
    /// Agents on shell scripts acknowledge a decision by its id and do not say which message announced it.
    decisions: BTreeMap<(&'a AgentName, String), Vec<&'a Message>>,
}

#[derive(Debug, Default)]
struct ReplyTimes {
    acked: Option<Timestamp>,
    answered: Option<Timestamp>,
}

impl<'a> ReplyIndex<'a> {
    /// Indexes all stored replies.
    pub fn of(snapshot: &'a MailSnapshot) -> Self {
        let mut index = Self::default();
        for message in all_copies(snapshot) {
            index.note(message);
        }
        index
    }

    /// Returns when `by` first acknowledged a message.
    pub fn acked(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        let reply = self.replies.get(&(&message.id, by)).and_then(|replied| replied.acked);
        earliest(reply, self.decision_acked(message, by))
    }

    /// Returns when `by` first answered a message with more than an acknowledgment.
    pub fn answered(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        self.replies.get(&(&message.id, by)).and_then(|replied| replied.answered)
    }

    /// Returns when the first sign of either kind came from `by`.
    pub fn first(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        earliest(self.acked(message, by), self.answered(message, by))
    }

    fn note(&mut self, message: &'a Message) {
        let acknowledges = message.kind.is_acknowledgment();
        // A notice of failure refers to a message without being an answer to it, even when the recipient sends it.
        if let Some(original) = &message.in_reply_to
            && message.kind.as_str() != MessageType::DELIVERY_FAILED
        {
            let replied = self.replies.entry((original, &message.from)).or_default();
            let sign = if acknowledges { &mut replied.acked } else { &mut replied.answered };
            *sign = earliest(*sign, Some(message.sent_at));
        }
        if acknowledges && let Some(decision) = decision_in(&message.body) {
            self.decisions.entry((&message.from, decision)).or_default().push(message);
        }
    }

    fn decision_acked(&self, message: &Message, by: &AgentName) -> Option<Timestamp> {
        if message.kind.is_acknowledgment() {
            return None;
        }
        let acks = self.decisions.get(&(by, decision_in(&message.body)?))?;
        let to_sender = |ack: &&&Message| matches!(&ack.to, Recipient::Agents(to) if to.contains(&message.from));
        let times = acks.iter().filter(to_sender).map(|ack| ack.sent_at);
        times.filter(|at| *at >= message.sent_at).min()
    }
}

/// Iterates over everything in a snapshot; a message comes up as often as it is kept.
pub(crate) fn all_copies(snapshot: &MailSnapshot) -> impl Iterator<Item = &Message> {
    let copies = snapshot.deliveries.iter().map(|delivery| &delivery.message);
    snapshot.records.iter().chain(snapshot.sent.iter().map(|(message, _)| message)).chain(copies)
}

/// Reads from a body the id that people use for the decision that it is about.
pub(crate) fn decision_in(body: &Json) -> Option<String> {
    match body.get("decision_id")? {
        Json::String(id) if !id.is_empty() => Some(id.clone()),
        Json::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

fn earliest(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.into_iter().chain(b).min()
}
