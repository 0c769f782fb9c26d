//! Sending one message to everybody.

use super::orchestrator::TokenUsage;
use super::{Bus, Draft, Error, Result, SendReceipt};
use crate::engine::{Envelope, Transaction};
use crate::model::{AgentName, MessageType, Recipient};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::orchestrator::notice::{self, BroadcastType, Notice};

impl Draft {
    /// Starts a broadcast of one of the orchestrator's types.
    pub fn announcing(subject: impl Into<String>, notice: &Notice) -> Self {
        Self {
            kind: Some(MessageType::new(notice.kind.as_str())),
            body: notice::body(notice),
            priority: notice.priority,
            ..Self::new(subject)
        }
    }
}

impl Bus<'_> {
    /// Sends a message to every registered agent but the sender: one message, a delivery state each.
    ///
    /// One of the orchestrator's types must have the structure that goes with it.
    pub fn broadcast(&self, from: &AgentName, draft: &Draft) -> Result<SendReceipt> {
        let kind = draft.kind.as_ref().and_then(|kind| BroadcastType::parse(kind.as_str()));
        if let Some(kind) = kind {
            self.rules().permit(Protocol::Broadcast)?;
            notice::fault(kind, &draft.body).map_or(Ok(()), |fault| Err(misfit(kind, &fault)))?;
        }
        let directory = self.directory()?;
        self.ensure_quota(&directory)?;
        let envelope = self.post_to_all(from, draft)?;
        let sent = self.post(Transaction { key: draft.send_key(), ..Transaction::deliver(envelope) })?;
        if !sent.duplicate {
            self.count_other_copies(&directory, sent.recipients.len());
            let record = self.record_for(Protocol::Broadcast, from, None, TokenUsage::of_json(&draft.body));
            self.log(&CommunicationRecord { message: Some(sent.id.clone()), always_logged: kind.is_some(), ..record });
        }
        Ok(sent)
    }

    /// Composes a message for everybody but the sender.
    pub(super) fn post_to_all(&self, from: &AgentName, draft: &Draft) -> Result<Envelope> {
        let mut recipients = self.directory_with(&[from])?.names();
        recipients.retain(|name| name != from);
        Ok(Envelope { message: self.compose(from, draft, "bcast", Recipient::All)?, recipients })
    }
}

fn misfit(kind: BroadcastType, fault: &str) -> Error {
    Error::Invalid {
        message: format!("body does not fit a broadcast of type {}: {fault}", kind.as_str()),
        hint: "give the content alone, or {\"broadcast_type\": …, \"message\": {\"type\": …, \"content\": …, \
               \"priority\": …, \"action_required\": …}}"
            .into(),
    }
}

#[cfg(test)]
mod tests;
