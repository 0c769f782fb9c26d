//! Answering a message.

use super::{Bus, Error, ReplyDraft, Result, SendReceipt, ids};
use crate::engine::{Envelope, SendKey, Transaction};
use crate::model::{AgentName, MessageId};

impl Bus<'_> {
    /// Answers a message: to its sender, in its conversation, under its subject. What is answered counts as seen.
    pub fn reply(&self, agent: &AgentName, id: &MessageId, answer: &ReplyDraft) -> Result<SendReceipt> {
        let original = self.own_copy(agent, id)?.message;
        self.directory_with(&[&original.from])?;
        if answer.kind.as_ref().is_some_and(|kind| kind.is_acknowledgment()) {
            return Err(Error::Usage {
                message: "a reply is more than an acknowledgment".into(),
                hint: format!("use huddle ack {id}"),
            }
            .into());
        }
        let message = self.compose_answer(agent, &original, answer)?;
        let key = answer.key.clone().map(|key| {
            let fingerprint = ids::fingerprint(&[id.as_str(), &message.subject, &message.body.to_string()]);
            SendKey { key, fingerprint }
        });
        let recipients = vec![original.from];
        self.post(Transaction { key, seen: Some(id.clone()), ..Transaction::deliver(Envelope { message, recipients }) })
    }
}
