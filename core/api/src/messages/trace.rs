//! Tracing a message.

use huddle_core::bus;
use huddle_core::model::{MessageId, Remedy};
use serde::{Deserialize, Serialize};

use crate::response::{place, text};
use crate::{Context, Error, Operation};

/// Traces a message: how far it has come with each recipient.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trace {
    /// The message.
    pub message_id: String,
}

/// A message and the state of its deliveries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageTrace {
    /// Its id.
    pub id: String,
    /// Its sender.
    pub from: String,
    /// What it is about.
    pub subject: String,
    /// Its type, or an event's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The thread it belongs to.
    pub thread_id: Option<String>,
    /// When it was sent.
    pub created_at: String,
    /// Whether the sender waits for an answer.
    pub requires_response: bool,
    /// Until when.
    pub response_deadline: Option<String>,
    /// Each recipient's copy, by name.
    pub deliveries: Vec<TracedDelivery>,
    /// Its recipients, for people; not a part of the document.
    #[serde(skip)]
    pub to: String,
}

/// How far one recipient's copy has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TracedDelivery {
    /// The recipient.
    pub recipient: String,
    /// The latest stage: `stored`, `offered`, `seen`, `acked`, `answered` or `dead`.
    pub step: &'static str,
    /// When it was stored.
    pub stored_at: String,
    /// When an inbox check listed it.
    pub offered_at: Option<String>,
    /// When it was read.
    pub seen_at: Option<String>,
    /// When the recipient acknowledged it.
    pub acked_at: Option<String>,
    /// When the recipient answered it.
    pub answered_at: Option<String>,
    /// Its folder; none when only the sender's log has it.
    pub place: Option<&'static str>,
    /// What it is waiting for, in words.
    pub waits_for: String,
    /// What can be done about it, for faces to word; not a part of the document.
    #[serde(skip)]
    pub remedy: Remedy,
    /// Why it was dead-lettered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was dead-lettered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_at: Option<String>,
}

impl Operation for Trace {
    type Response = MessageTrace;

    fn run(self, context: &mut Context<'_>) -> Result<MessageTrace, Error> {
        let trace = context.bus().trace(&MessageId::new(self.message_id)?)?;
        Ok(context.collect(trace).into())
    }
}

impl From<bus::Trace> for MessageTrace {
    fn from(bus::Trace { message, deliveries }: bus::Trace) -> Self {
        Self {
            id: message.id.to_string(),
            from: message.from.to_string(),
            kind: message.kind.as_str().to_owned(),
            thread_id: text(message.thread.as_ref()),
            created_at: message.sent_at.to_string(),
            requires_response: message.requires_response,
            response_deadline: text(message.deadline.as_ref()),
            deliveries: deliveries.into_iter().map(TracedDelivery::from).collect(),
            to: message.to.to_string(),
            subject: message.subject,
        }
    }
}

impl From<bus::TracedDelivery> for TracedDelivery {
    fn from(delivery: bus::TracedDelivery) -> Self {
        let (place, reason, dead_at) = match delivery.place.as_ref().map(place) {
            Some((place, reason, at)) => (Some(place), reason, at),
            None => (None, None, None),
        };
        Self {
            recipient: delivery.recipient.to_string(),
            step: delivery.step.as_str(),
            stored_at: delivery.stored_at.to_string(),
            offered_at: text(delivery.offered_at.as_ref()),
            seen_at: text(delivery.seen_at.as_ref()),
            acked_at: text(delivery.acked_at.as_ref()),
            answered_at: text(delivery.answered_at.as_ref()),
            place,
            waits_for: delivery.waits_for,
            remedy: delivery.remedy,
            reason,
            dead_at,
        }
    }
}
