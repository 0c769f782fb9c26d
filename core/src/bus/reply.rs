//! Answering a message.

use super::{Bus, Error, ReplyDraft, Result, SendReceipt};
use crate::engine::{Envelope, SendKey, Transaction};
use crate::model::{AgentName, Message, MessageId, Remedy, id};
use crate::wire::orchestrator::query;

impl Bus<'_> {
    /// Answers a message: to its sender, in its conversation, under its subject. What is answered counts as seen.
    pub fn reply(&self, agent: &AgentName, id: &MessageId, answer: &ReplyDraft) -> Result<SendReceipt> {
        let (sent, message) = self.reply_unlogged(agent, id, answer)?;
        if !sent.duplicate {
            self.log_message("message", "reply", &message);
        }
        Ok(sent)
    }

    pub(super) fn reply_unlogged(
        &self,
        agent: &AgentName,
        id: &MessageId,
        answer: &ReplyDraft,
    ) -> Result<(SendReceipt, Message)> {
        let original = self.own_copy(agent, id)?.message;
        self.directory_with(&[&original.from])?;
        if answer.kind.as_ref().is_some_and(|kind| kind.is_acknowledgment()) {
            return Err(Error::Usage {
                message: "a reply is more than an acknowledgment".into(),
                remedy: Remedy::Acknowledge(id.clone()),
            }
            .into());
        }
        let message = self.compose_answer(agent, &original, answer)?;
        let key = answer.key.clone().map(|key| {
            let fingerprint = id::fingerprint(&[id.as_str(), &message.subject, &message.body.to_string()]);
            SendKey { key, fingerprint }
        });
        let recipients = vec![original.from.clone()];
        let envelope = Envelope { message: message.clone(), recipients };
        let sent = self.post(Transaction { key, seen: Some(id.clone()), ..Transaction::deliver(envelope) })?;
        self.mark_copies_seen(agent, &original)?;
        Ok((sent, message))
    }

    /// Marks the other copies of a question as seen that was asked more than once: the answer is for all of them.
    fn mark_copies_seen(&self, agent: &AgentName, original: &Message) -> Result<()> {
        if !query::is_request(original) {
            return Ok(());
        }
        fn first(message: &Message) -> &str {
            query::repeated(message).unwrap_or(message.id.as_str())
        }
        for copy in self.engine.inbox(agent, true)?.value {
            let is_same = copy.message.from == original.from && first(&copy.message) == first(original);
            if is_same && query::is_request(&copy.message) {
                self.mark_seen(agent, &copy.message.id)?;
            }
        }
        Ok(())
    }
}
