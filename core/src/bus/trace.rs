//! Tracing a message: how far each recipient's copy has come, and what it waits for.

mod reply_index;

pub use reply_index::ReplyIndex;
pub(crate) use reply_index::{all_copies, decision_in};

use super::{Bus, Error, Result};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Delivery, Directory, Message, MessageId, Place, Timestamp, WithDiagnostics};

/// A message and the state of its deliveries.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The message.
    pub message: Message,
    /// Each recipient's copy, by name; empty for an event that nobody had subscribed to.
    pub deliveries: Vec<TracedDelivery>,
}

/// How far one recipient's copy has come. Agents on shell scripts leave out steps, so an earlier time may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedDelivery {
    /// The recipient.
    pub recipient: AgentName,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// When an inbox check listed it.
    pub offered_at: Option<Timestamp>,
    /// When it was read.
    pub seen_at: Option<Timestamp>,
    /// When the recipient acknowledged it.
    pub acked_at: Option<Timestamp>,
    /// When the recipient answered it.
    pub answered_at: Option<Timestamp>,
    /// How often it was redelivered.
    pub redelivered: u32,
    /// Its folder; none when only the sender's log has it.
    pub place: Option<Place>,
    /// The latest delivery stage.
    pub step: DeliveryStage,
    /// What it is waiting for, in words.
    pub waits_for: String,
}

/// A stage of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeliveryStage {
    /// It is there to be found.
    Stored,
    /// The recipient was told of it.
    Offered,
    /// The recipient has read it.
    Seen,
    /// The recipient has said so.
    Acked,
    /// The recipient has answered.
    Answered,
    /// It was dead-lettered.
    Dead,
}

impl DeliveryStage {
    /// Returns the word for the step.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Offered => "offered",
            Self::Seen => "seen",
            Self::Acked => "acked",
            Self::Answered => "answered",
            Self::Dead => "dead",
        }
    }
}

impl std::fmt::Display for DeliveryStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl Bus<'_> {
    /// Returns how far a message has come with each of its recipients.
    pub fn trace(&self, id: &MessageId) -> Result<WithDiagnostics<Trace>> {
        let directory = self.directory()?;
        let trace = |snapshot: &MailSnapshot| {
            let trace = trace_in(snapshot, &directory, id, self.now());
            trace.ok_or_else(|| Error::UnknownMessage { id: id.clone() }.into())
        };
        let WithDiagnostics { value: about, findings } = self.engine.message_snapshot(id)?;
        // A decision is acknowledged by its own id, in messages that do not name the one that announced it.
        if all_copies(&about).any(|message| message.id == *id && decision_in(&message.body).is_some()) {
            return self.derived(trace);
        }
        Ok(WithDiagnostics { value: trace(&about)?, findings })
    }
}

/// Traces a message as of `now`; none when nothing of it is kept.
pub fn trace_in(snapshot: &MailSnapshot, directory: &Directory, id: &MessageId, now: Timestamp) -> Option<Trace> {
    let message = all_copies(snapshot).find(|message| message.id == *id)?.clone();
    let context = TraceContext { replies: ReplyIndex::of(snapshot), directory, now };
    let copies = snapshot.deliveries.iter().filter(|delivery| delivery.message.id == *id);
    let mut deliveries: Vec<TracedDelivery> = copies.map(|copy| context.copy(copy)).collect();
    for (_, recipient) in snapshot.sent.iter().filter(|(sent, _)| sent.id == *id) {
        if !deliveries.iter().any(|traced| traced.recipient == *recipient) {
            deliveries.push(context.missing(&message, recipient));
        }
    }
    deliveries.sort_by(|a, b| a.recipient.cmp(&b.recipient));
    Some(Trace { message, deliveries })
}

/// The context of a trace.
struct TraceContext<'a> {
    replies: ReplyIndex<'a>,
    directory: &'a Directory,
    now: Timestamp,
}

impl TraceContext<'_> {
    fn copy(&self, copy: &Delivery) -> TracedDelivery {
        let Delivery { recipient, message, receipt, place } = copy;
        let mut traced = TracedDelivery {
            offered_at: receipt.offered_at,
            seen_at: receipt.seen_at,
            redelivered: receipt.redelivered,
            place: Some(place.clone()),
            ..self.missing(message, recipient)
        };
        traced.step = furthest(&traced);
        traced.waits_for = self.waits_for(message, &traced);
        traced
    }

    /// Traces a copy of which only the sender's log, and what came back, bear witness.
    fn missing(&self, message: &Message, recipient: &AgentName) -> TracedDelivery {
        let mut traced = TracedDelivery {
            recipient: recipient.clone(),
            stored_at: message.sent_at,
            offered_at: None,
            seen_at: None,
            acked_at: self.replies.acked(message, recipient),
            answered_at: self.replies.answered(message, recipient),
            redelivered: 0,
            place: None,
            step: DeliveryStage::Stored,
            waits_for: String::new(),
        };
        traced.step = furthest(&traced);
        traced.waits_for = self.waits_for(message, &traced);
        traced
    }

    fn waits_for(&self, message: &Message, traced: &TracedDelivery) -> String {
        let due = self.due(message);
        let waits = message.requires_response;
        match traced.step {
            DeliveryStage::Answered => "nothing".to_owned(),
            DeliveryStage::Dead => dead_words(message, traced),
            DeliveryStage::Acked | DeliveryStage::Seen if waits => format!("an answer{due}"),
            DeliveryStage::Acked => "nothing".to_owned(),
            DeliveryStage::Seen => "nothing: no answer is needed".to_owned(),
            DeliveryStage::Offered | DeliveryStage::Stored => {
                self.unread_words(traced) + &if waits { due } else { String::new() }
            }
        }
    }

    /// Describes what an unread copy waits for.
    fn unread_words(&self, traced: &TracedDelivery) -> String {
        let name = &traced.recipient;
        match (&traced.place, self.directory.agents.get(name), traced.offered_at) {
            (None, ..) => format!("a copy for {name}, which is gone: huddle check says more"),
            (Some(Place::Archive), ..) => "nothing: put away unread".to_owned(),
            (_, None, _) => format!("{name} to register: nobody of that name is on the bus"),
            (_, Some(_), Some(at)) => format!("{name} to read it (listed {} ago)", self.now.since(at)),
            (_, Some(agent), None) => {
                let seen = agent.last_seen.map(|at| format!(" (last seen {} ago)", self.now.since(at)));
                format!("{name} to check its inbox{}", seen.unwrap_or_default())
            }
        }
    }

    /// Describes how the deadline stands, to be put after what is waited for.
    fn due(&self, message: &Message) -> String {
        match message.deadline {
            Some(deadline) if deadline < self.now => format!(", overdue since {deadline}"),
            Some(deadline) => format!(", due in {}", deadline.since(self.now)),
            None => String::new(),
        }
    }
}

fn furthest(traced: &TracedDelivery) -> DeliveryStage {
    if traced.answered_at.is_some() {
        DeliveryStage::Answered
    } else if matches!(traced.place, Some(Place::DeadLetters { .. })) {
        DeliveryStage::Dead
    } else if traced.acked_at.is_some() {
        DeliveryStage::Acked
    } else if traced.seen_at.is_some() {
        DeliveryStage::Seen
    } else if traced.offered_at.is_some() {
        DeliveryStage::Offered
    } else {
        DeliveryStage::Stored
    }
}

fn dead_words(message: &Message, traced: &TracedDelivery) -> String {
    match &traced.place {
        Some(Place::DeadLetters { reason, .. }) => {
            format!("somebody to try again: {reason} (huddle dead-letters retry {})", message.id)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
