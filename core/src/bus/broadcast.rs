//! Sending one message to everybody.

use super::orchestrator::TokenUsage;
use super::{Bus, Draft, Error, Result, SendReceipt};
use crate::engine::{Envelope, Transaction};
use crate::model::{AgentName, Json, MessageType, Priority, Recipient, preview};
use crate::state::{CommunicationRecord, Protocol};
use crate::wire::object;
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
        self.rules().permit(Protocol::Broadcast)?;
        if let Some((kind, fault)) = kind.and_then(|kind| Some((kind, notice::fault(kind, &draft.body)?))) {
            return Err(misfit(kind, &fault).into());
        }
        let draft = &if kind.is_some() { as_its_body_says(draft) } else { draft.clone() };
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

    /// Sends related updates as one broadcast: as urgent as the most urgent of them, with all of them in its body.
    pub fn broadcast_digest(&self, from: &AgentName, updates: &[Draft]) -> Result<SendReceipt> {
        let [first, ..] = updates else {
            let message = "a digest needs updates".to_owned();
            return Err(Error::Usage { message, remedy: "give one or more updates".into() }.into());
        };
        if updates.len() == 1 {
            return self.broadcast(from, first);
        }
        let lines: Vec<String> = updates.iter().map(Draft::subject_line).collect();
        let parts = updates.iter().zip(&lines).map(|(update, line)| {
            let kind = update.kind.as_ref().map_or(MessageType::PROGRESS_UPDATE, MessageType::as_str);
            let (kind, priority) = (Json::from(kind), update.priority.as_str().into());
            object(vec![
                ("subject", line.as_str().into()),
                ("type", kind),
                ("priority", priority),
                ("body", update.body.clone()),
            ])
        });
        let summary = lines.join("; ");
        let subject = preview(&Json::Null, &format!("{} updates: {summary}", updates.len()), SUBJECT_WIDTH);
        let digest = Draft {
            kind: Some(MessageType::new(DIGEST)),
            body: object(vec![("summary", summary.into()), ("updates", parts.collect())]),
            priority: updates.iter().map(|update| update.priority).min().unwrap_or_default(),
            ..Draft::new(subject)
        };
        self.broadcast(from, &digest)
    }

    /// Composes a message for everybody but the sender.
    pub(super) fn post_to_all(&self, from: &AgentName, draft: &Draft) -> Result<Envelope> {
        let mut recipients = self.directory_with(&[from])?.names();
        recipients.retain(|name| name != from);
        Ok(Envelope { message: self.compose(from, draft, "bcast", Recipient::All)?, recipients })
    }
}

/// Gives a typed broadcast the priority that its body has, and says in its subject what it is about and whether to act.
fn as_its_body_says(draft: &Draft) -> Draft {
    let message = draft.body.get("message").unwrap_or(&Json::Null);
    let priority = message.get("priority").and_then(Json::as_str).and_then(Priority::parse);
    let mut subject = draft.subject.clone();
    if subject.is_empty() {
        subject = preview(message.get("content").unwrap_or(&Json::Null), "", SUBJECT_WIDTH);
    }
    if message.get("action_required") == Some(&Json::Bool(true)) && !subject.starts_with(ACTION) {
        subject = format!("{ACTION}{subject}");
    }
    Draft { subject, priority: priority.unwrap_or(draft.priority), ..draft.clone() }
}

/// The type of a broadcast that carries several updates.
const DIGEST: &str = "digest";
/// How the subject of a broadcast begins on which its readers have to act.
const ACTION: &str = "Action required: ";
/// How many characters of a content stand for a subject that was not given.
const SUBJECT_WIDTH: usize = 80;

fn misfit(kind: BroadcastType, fault: &str) -> Error {
    Error::Invalid {
        message: format!("body does not fit a broadcast of type {}: {fault}", kind.as_str()),
        remedy: "give the content alone, or {\"broadcast_type\": …, \"message\": {\"type\": …, \"content\": …, \
               \"priority\": …, \"action_required\": …}}"
            .into(),
    }
}

#[cfg(test)]
mod tests;
