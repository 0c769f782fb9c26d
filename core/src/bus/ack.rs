//! Acknowledging a message: "I have it", without an answer.

use super::limits::one_line;
use super::{Bus, Error, ReplyDraft, Result, SendReceipt};
use crate::engine::{self, Envelope, SendKey, Transaction};
use crate::model::{AgentName, Json, JsonMap, Message, MessageId, MessageType};

impl Bus<'_> {
    /// Acknowledges a message to its sender, once, however often it is asked for.
    ///
    /// An acknowledgment is not acknowledged: two polite agents would never stop.
    pub fn ack(&self, agent: &AgentName, id: &MessageId, note: Option<&str>) -> Result<SendReceipt> {
        let original = self.own_copy(agent, id)?.message;
        if original.kind.is_acknowledgment() {
            return Err(Error::Usage {
                message: format!("{id} is an acknowledgment itself"),
                hint: "there is nothing to acknowledge; reply if there is something to say".into(),
            }
            .into());
        }
        self.directory_with(&[&original.from])?;
        let sent = self.acknowledge(agent, &original, note)?;
        if sent.duplicate {
            self.mark_seen(agent, id)?;
        }
        Ok(sent)
    }

    /// Sends the acknowledgment of a message, which is seen with it, under a key of its own: there is never a second.
    pub(super) fn acknowledge(&self, agent: &AgentName, original: &Message, note: Option<&str>) -> Result<SendReceipt> {
        let answer = ReplyDraft {
            kind: Some(MessageType::new(MessageType::ACKNOWLEDGMENT)),
            subject: Some(format!("Acknowledged: {}", one_line(&original.subject))),
            body: acknowledgment_body(original, note),
            ..ReplyDraft::default()
        };
        let message = self.compose_answer(agent, original, &answer)?;
        let recipients = vec![original.from.clone()];
        // The note is not part of the fingerprint: what counts is that the message was acknowledged.
        let key = SendKey { key: format!("ack:{}", original.id), fingerprint: "acknowledgment".to_owned() };
        let seen = Some(original.id.clone());
        self.post(Transaction { key: Some(key), seen, ..Transaction::deliver(Envelope { message, recipients }) })
    }

    /// Notes that a message was seen by someone who acted on it.
    pub(super) fn mark_seen(&self, agent: &AgentName, id: &MessageId) -> Result<()> {
        match self.engine.mark_seen(agent, id, self.now()) {
            // It was put away meanwhile: acting on it stands all the same.
            Ok(_) => Ok(()),
            Err(error) if matches!(*error, engine::Error::NoSuchMessage { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Describes what is acknowledged, by the id that people use for it where there is one.
fn acknowledgment_body(original: &Message, note: Option<&str>) -> Json {
    let mut body = JsonMap::new();
    body.insert("acknowledged".into(), original.id.as_str().into());
    if let Some(decision) = original.body.get("decision_id") {
        body.insert("decision_id".into(), decision.clone());
    }
    if let Some(note) = note {
        body.insert("note".into(), note.into());
    }
    Json::Object(body)
}
