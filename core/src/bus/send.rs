//! Sending a message to named agents.

use super::{Bus, Draft, Error, Result};
use crate::engine::{CommitOutcome, Envelope, Transaction};
use crate::model::{AgentName, Message, MessageId, Recipient, ThreadId};

/// The result of a send, which is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendReceipt {
    /// The message's id.
    pub id: MessageId,
    /// The agents that received it.
    pub recipients: Vec<AgentName>,
    /// The conversation it belongs to.
    pub thread: Option<ThreadId>,
    /// Whether the key was used before, so that nothing was sent now.
    pub duplicate: bool,
}

impl Bus<'_> {
    /// Sends a message to the agents that the draft names.
    ///
    /// Nothing is written when one of them, or the sender, is not registered.
    pub fn send(&self, from: &AgentName, draft: &Draft) -> Result<SendReceipt> {
        let mut to = Vec::new();
        for name in &draft.to {
            if !to.contains(name) {
                to.push(name.clone());
            }
        }
        if to.is_empty() {
            return Err(Error::Usage {
                message: "a message needs a recipient".into(),
                hint: "name one or more agents, or use broadcast for all".into(),
            }
            .into());
        }
        let mut names: Vec<&AgentName> = vec![from];
        names.extend(&to);
        self.ensure_quota(&self.directory_with(&names)?)?;
        let message = self.compose(from, draft, "msg", Recipient::Agents(to.clone()))?;
        self.post(Transaction { key: draft.send_key(), ..Transaction::deliver(Envelope { message, recipients: to }) })
    }

    /// Commits a change that delivers one message, and tells the sender of it.
    pub(super) fn post(&self, change: Transaction) -> Result<SendReceipt> {
        let Envelope { message, recipients } = change.envelopes[0].clone();
        let Message { id, thread, .. } = message;
        match self.engine.commit(change)? {
            CommitOutcome::Done => Ok(SendReceipt { id, recipients, thread, duplicate: false }),
            CommitOutcome::Duplicate(earlier) => {
                let first = recipients.first().map(|agent| self.engine.delivery(agent, &earlier)).transpose()?;
                let thread = first.flatten().and_then(|delivery| delivery.message.thread);
                Ok(SendReceipt { id: earlier, recipients, thread, duplicate: true })
            }
        }
    }
}
