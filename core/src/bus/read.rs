//! Reading a message.

use super::{Bus, Error, Result};
use crate::engine::Seen;
use crate::model::{AgentName, Delivery, MessageId, Place};

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
        let mut delivery = self.own(agent, id)?;
        if delivery.place != Place::Inbox {
            return Ok(ReadMessage { delivery, first: false, acknowledgment: None });
        }
        let now = self.now();
        let seen = self.engine.mark_seen(agent, id, now)?;
        delivery.receipt.seen_at = match seen {
            Seen::First => Some(now),
            Seen::Already(at) => at.or(delivery.receipt.seen_at),
        };
        let acknowledgment = self.acknowledge_reading(agent, &delivery)?;
        Ok(ReadMessage { delivery, first: seen == Seen::First, acknowledgment })
    }

    /// Shows a message and leaves no trace of it.
    pub fn peek(&self, agent: &AgentName, id: &MessageId) -> Result<ReadMessage> {
        Ok(ReadMessage { delivery: self.own(agent, id)?, first: false, acknowledgment: None })
    }

    /// Finds an agent's own copy of a message.
    pub(super) fn own(&self, agent: &AgentName, id: &MessageId) -> Result<Delivery> {
        self.directory_with(&[agent])?;
        let found = self.engine.delivery(agent, id)?;
        found.ok_or_else(|| Error::NoSuchMessage { agent: agent.clone(), id: id.clone() })
    }

    /// Sends the acknowledgment that the mailbox protocol asks for. A reader killed before it went out sends it when it
    /// reads again: the key sees to it that there is one.
    fn acknowledge_reading(&self, agent: &AgentName, delivery: &Delivery) -> Result<Option<MessageId>> {
        let message = &delivery.message;
        let waits = message.requires_response && !message.kind.is_acknowledgment();
        // Nobody is left to tell when the sender has gone.
        if !waits || !self.directory()?.agents.contains_key(&message.from) {
            return Ok(None);
        }
        Ok(Some(self.acknowledge(agent, message, None)?.id))
    }
}
