//! Reading a message.

use super::{Bus, Error, Result};
use crate::engine::Seen;
use crate::model::{AgentName, Delivery, MessageId, Place, Timestamp};

/// A message as its recipient reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMessage {
    /// The message and how far it has come.
    pub delivery: Delivery,
    /// Whether this was the first reading: of many readers of one inbox, exactly one is told so.
    pub first: bool,
    /// The acknowledgment that went to the sender, if it waits for an answer.
    pub acknowledgment: Option<MessageId>,
}

impl Bus<'_> {
    /// Reads a message: it is seen from now on, and a sender who waits for an answer gets an acknowledgment, once.
    ///
    /// What lies in the archive or among the dead letters is shown and left as it is.
    pub fn read(&self, agent: &AgentName, id: &MessageId) -> Result<ReadMessage> {
        let mut delivery = self.own_copy(agent, id)?;
        if delivery.place != Place::Inbox {
            return Ok(ReadMessage { delivery, first: false, acknowledgment: None });
        }
        let now = self.now();
        let (first, acknowledgment) = self.note_reading(agent, &delivery, now)?;
        delivery.receipt.seen_at.get_or_insert(now);
        Ok(ReadMessage { delivery, first, acknowledgment })
    }

    /// Notes that a message was read, and tells a sender who waits for an answer: both at once, or neither.
    fn note_reading(
        &self,
        agent: &AgentName,
        delivery: &Delivery,
        now: Timestamp,
    ) -> Result<(bool, Option<MessageId>)> {
        let message = &delivery.message;
        let waits = message.requires_response && !message.kind.is_acknowledgment();
        // Nobody is left to tell when the sender has gone.
        let acknowledgment = if waits && self.directory()?.agents.contains_key(&message.from) {
            let sent = self.acknowledge(agent, message, None)?;
            if !sent.duplicate {
                return Ok((delivery.is_unread(), Some(sent.id)));
            }
            Some(sent.id)
        } else {
            None
        };
        let seen = self.engine.mark_seen(agent, &message.id, now)?;
        Ok((seen == Seen::First, acknowledgment))
    }

    /// Shows a message and leaves no trace of it.
    pub fn peek(&self, agent: &AgentName, id: &MessageId) -> Result<ReadMessage> {
        Ok(ReadMessage { delivery: self.own_copy(agent, id)?, first: false, acknowledgment: None })
    }

    /// Finds an agent's own copy of a message.
    pub(super) fn own_copy(&self, agent: &AgentName, id: &MessageId) -> Result<Delivery> {
        self.directory_with(&[agent])?;
        let found = self.engine.delivery(agent, id)?;
        found.ok_or_else(|| Error::NoSuchMessage { agent: agent.clone(), id: id.clone() }.into())
    }
}
