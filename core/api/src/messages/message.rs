//! Reading a message.

use huddle_core::bus;
use huddle_core::model::{self, AgentName, Delivery, Json, JsonMap, MessageId, Recipient};
use serde::{Deserialize, Serialize};

use crate::response::{place, text};
use crate::{Context, Error, Operation};

/// Reads a message, which counts as read from then on; a sender who waits for an answer gets an acknowledgment, once.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadMessage {
    /// The message.
    pub message_id: String,
    /// Whether to leave no trace.
    #[serde(default)]
    pub peek: bool,
}

impl Operation for ReadMessage {
    type Response = MessageRead;

    fn run(self, context: &mut Context<'_>) -> Result<MessageRead, Error> {
        let agent = context.actor()?;
        let id = MessageId::new(self.message_id)?;
        let bus = context.bus();
        Ok(if self.peek { bus.peek(&agent, &id)? } else { bus.read(&agent, &id)? }.into())
    }
}

/// A message: the documents protocol's eight fields, then what the mailbox protocol adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Its id.
    pub id: String,
    /// Its sender.
    pub from: String,
    /// Its recipients as a send takes them, separated by commas, or `ALL`, or `subscribers of EVENT`.
    pub to: String,
    /// What it says: text as it is, structured data as JSON.
    pub content: String,
    /// Its type, or an event's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The thread it belongs to.
    pub thread_id: Option<String>,
    /// How urgent it is.
    pub priority: &'static str,
    /// When it was sent.
    pub created_at: String,
    /// What it is about.
    pub subject: String,
    /// The message it answers.
    pub in_reply_to: Option<String>,
    /// Whether the sender waits for an answer.
    pub requires_response: bool,
    /// Until when.
    pub response_deadline: Option<String>,
    /// Task id, related files, and whatever else the sender attached.
    pub metadata: JsonMap,
    /// The event that it tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Fields of the stored message that this version does not know.
    #[serde(skip_serializing_if = "JsonMap::is_empty")]
    pub extra: JsonMap,
    /// The body, whose text `content` is; not a part of the document.
    #[serde(skip)]
    pub body: Json,
}

impl From<model::Message> for Message {
    fn from(message: model::Message) -> Self {
        Self {
            id: message.id.to_string(),
            from: message.from.to_string(),
            to: address(&message.to),
            content: message.content(),
            kind: message.kind.as_str().to_owned(),
            thread_id: text(message.thread.as_ref()),
            priority: message.priority.as_str(),
            created_at: message.sent_at.to_string(),
            in_reply_to: text(message.in_reply_to.as_ref()),
            requires_response: message.requires_response,
            response_deadline: text(message.deadline.as_ref()),
            event: text(message.event()),
            subject: message.subject,
            metadata: message.metadata,
            extra: message.extra,
            body: message.body,
        }
    }
}

/// Returns the recipients as a send takes them: no name contains a comma.
fn address(to: &Recipient) -> String {
    match to {
        Recipient::Agents(names) => names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(","),
        Recipient::All | Recipient::Subscribers(_) => to.to_string(),
    }
}

/// A message as its recipient reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageRead {
    /// The message.
    #[serde(flatten)]
    pub message: Message,
    /// Whether this was the first reading: of many readers of one inbox, exactly one is told so.
    pub first_read: bool,
    /// The acknowledgment that went to the sender.
    pub acknowledgment: Option<String>,
    /// The recipient's copy.
    pub delivery: OwnCopy,
}

impl From<bus::ReadMessage> for MessageRead {
    fn from(read: bus::ReadMessage) -> Self {
        Self {
            delivery: OwnCopy::from(&read.delivery),
            message: read.delivery.message.into(),
            first_read: read.first,
            acknowledgment: text(read.acknowledgment.as_ref()),
        }
    }
}

/// A recipient's own copy of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnCopy {
    /// Whose it is.
    pub recipient: String,
    /// Its folder: `inbox`, `archive` or `dead-letters`.
    pub place: &'static str,
    /// When an inbox check first listed it.
    pub offered_at: Option<String>,
    /// When it was read.
    pub seen_at: Option<String>,
    /// How often it was redelivered.
    pub redelivered: u32,
    /// Why it was dead-lettered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was dead-lettered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_at: Option<String>,
}

impl From<&Delivery> for OwnCopy {
    fn from(delivery: &Delivery) -> Self {
        let (place, reason, dead_at) = place(&delivery.place);
        Self {
            recipient: delivery.recipient.to_string(),
            place,
            offered_at: text(delivery.receipt.offered_at.as_ref()),
            seen_at: text(delivery.receipt.seen_at.as_ref()),
            redelivered: delivery.receipt.redelivered,
            reason,
            dead_at,
        }
    }
}
