//! Replies and acknowledgments.

use huddle_core::bus::ReplyDraft;
use huddle_core::model::{MessageId, MessageType, Priority};
use serde::Deserialize;

use super::MessageSent;
use crate::when::optional_priority;
use crate::{Body, Context, Error, Operation};

/// Replies to a message: to its sender, in its thread.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reply {
    /// The message.
    pub message_id: String,
    /// What the reply says.
    pub content: Body,
    /// Its type; by default a response.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Its priority; by default normal.
    #[serde(default, deserialize_with = "optional_priority")]
    pub priority: Option<Priority>,
    /// Another subject than `Re: …`.
    #[serde(default)]
    pub subject: Option<String>,
    /// The send key, which makes a retry harmless.
    #[serde(default)]
    pub key: Option<String>,
    /// Whether content of more than 10 KB may pass.
    #[serde(default)]
    pub large: bool,
}

impl Operation for Reply {
    type Response = MessageSent;

    fn run(self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let from = context.actor()?;
        let id = MessageId::new(self.message_id)?;
        let draft = ReplyDraft {
            body: self.content.into_json(context),
            kind: self.kind.map(MessageType::new),
            priority: self.priority.unwrap_or_default(),
            subject: self.subject,
            key: self.key,
            allow_large: self.large,
        };
        Ok(context.bus().reply(&from, &id, &draft)?.into())
    }
}

/// Acknowledges a message without replying to it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Acknowledge {
    /// The message.
    pub message_id: String,
    /// A note to its sender.
    #[serde(default)]
    pub note: Option<String>,
}

impl Operation for Acknowledge {
    type Response = MessageSent;

    fn run(self, context: &mut Context<'_>) -> Result<MessageSent, Error> {
        let agent = context.actor()?;
        let id = MessageId::new(self.message_id)?;
        Ok(context.bus().ack(&agent, &id, self.note.as_deref())?.into())
    }
}
