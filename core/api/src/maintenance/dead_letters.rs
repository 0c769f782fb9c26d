//! Dead letters.

use huddle_core::bus;
use huddle_core::model::MessageId;
use serde::{Deserialize, Serialize};

use crate::response::texts;
use crate::{Context, Error, Message, Operation};

/// Lists the dead letters.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListDeadLetters {}

/// The dead letters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetterList {
    /// How many there are.
    pub count: usize,
    /// All of them.
    pub dead_letters: Vec<DeadLetter>,
}

/// A message that one recipient did not get.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    /// The message.
    #[serde(flatten)]
    pub message: Message,
    /// The recipient.
    pub recipient: String,
    /// Why it was dead-lettered.
    pub reason: String,
    /// When it was dead-lettered.
    pub dead_at: String,
}

impl From<bus::DeadLetter> for DeadLetter {
    fn from(bus::DeadLetter { delivery, reason, at }: bus::DeadLetter) -> Self {
        let recipient = delivery.recipient.to_string();
        Self { message: delivery.message.into(), recipient, reason, dead_at: at.to_string() }
    }
}

impl Operation for ListDeadLetters {
    type Response = DeadLetterList;

    fn run(self, context: &mut Context<'_>) -> Result<DeadLetterList, Error> {
        let letters = context.bus().dead_letters()?;
        let dead_letters: Vec<_> = context.collect(letters).into_iter().map(DeadLetter::from).collect();
        Ok(DeadLetterList { count: dead_letters.len(), dead_letters })
    }
}

/// Moves a dead letter back to the inbox of everybody who did not get it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryDeadLetter {
    /// The message.
    pub message_id: String,
}

/// A dead letter that is in inboxes again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeadLetterRetried {
    /// The message.
    pub id: String,
    /// Its recipients.
    pub recipients: Vec<String>,
}

impl Operation for RetryDeadLetter {
    type Response = DeadLetterRetried;

    fn run(self, context: &mut Context<'_>) -> Result<DeadLetterRetried, Error> {
        let id = MessageId::new(self.message_id)?;
        let recipients = context.bus().retry_dead_letter(&id)?;
        Ok(DeadLetterRetried { id: id.to_string(), recipients: texts(&recipients) })
    }
}
