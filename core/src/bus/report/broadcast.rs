//! The report on a broadcast: who has it, who has read it, who has said so.

use std::fmt;

use super::{clock, heading, updated_contexts};
use crate::bus::trace::{ReplyIndex, decision_in};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Message, MessageId, Timestamp};

/// The delivery report of a broadcast.
#[derive(Debug, Clone, PartialEq)]
pub struct BroadcastReport {
    /// The broadcast.
    pub id: MessageId,
    /// Who sent it.
    pub from: AgentName,
    /// The decision that it announces, by the id people use for it.
    pub decision: Option<String>,
    /// Its subject.
    pub subject: String,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// Everybody who got a copy, by name.
    pub recipients: Vec<RecipientStatus>,
    /// The shared contexts that the sender has updated since.
    pub contexts: Vec<String>,
}

/// A recipient's delivery status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientStatus {
    /// The recipient.
    pub name: AgentName,
    /// When it read the broadcast.
    pub seen_at: Option<Timestamp>,
    /// When it acknowledged it, or answered.
    pub acked_at: Option<Timestamp>,
}

/// Reports on a broadcast in a snapshot.
pub fn broadcast_in(snapshot: &MailSnapshot, message: &Message) -> BroadcastReport {
    let replies = ReplyIndex::of(snapshot);
    let copies = snapshot.deliveries.iter().filter(|delivery| delivery.message.id == message.id);
    let mut recipients: Vec<RecipientStatus> = copies
        .map(|copy| RecipientStatus {
            name: copy.recipient.clone(),
            seen_at: copy.receipt.seen_at,
            acked_at: replies.first(message, &copy.recipient),
        })
        .collect();
    recipients.sort_by(|a, b| a.name.cmp(&b.name));
    BroadcastReport {
        id: message.id.clone(),
        from: message.from.clone(),
        decision: decision_in(&message.body),
        subject: message.subject.clone(),
        sent_at: message.sent_at,
        recipients,
        contexts: updated_contexts(snapshot, std::slice::from_ref(&message.from), message.sent_at),
    }
}

impl BroadcastReport {
    /// Counts those who acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.recipients.iter().filter(|recipient| recipient.acked_at.is_some()).count()
    }

    fn status(&self) -> String {
        let (acked, all) = (self.acknowledged(), self.recipients.len());
        let words = match (acked, all) {
            (_, 0) => "Nobody to acknowledge",
            (0, _) => "Not acknowledged",
            _ if acked == all => "Fully acknowledged",
            _ => "Partly acknowledged",
        };
        format!("{words} ({acked}/{all})")
    }

    /// Writes how one recipient took it.
    fn line(&self, recipient: &RecipientStatus) -> String {
        let time = |at: Timestamp| clock(at, self.sent_at, false);
        let name = &recipient.name;
        match (recipient.seen_at, recipient.acked_at) {
            (Some(seen), Some(acked)) => format!("✅ {name} (received: {}, acknowledged: {})", time(seen), time(acked)),
            // Shell scripts may acknowledge without a mark that they read.
            (None, Some(acked)) => format!("✅ {name} (acknowledged: {})", time(acked)),
            (Some(seen), None) => format!("⏳ {name} (received: {}, not yet acknowledged)", time(seen)),
            (None, None) => format!("✉ {name} (not yet seen)"),
        }
    }
}

impl fmt::Display for BroadcastReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "Broadcast Report")?;
        match &self.decision {
            Some(id) => writeln!(f, "Decision: {id} ({})", without_decision(&self.subject))?,
            None => writeln!(f, "Broadcast: {}", self.subject)?,
        }
        writeln!(f, "Broadcast at: {}", self.sent_at)?;
        let count = self.recipients.len();
        writeln!(f, "Recipients: {count} agent{}", if count == 1 { "" } else { "s" })?;
        writeln!(f, "\nAcknowledgments:")?;
        self.recipients.iter().try_for_each(|recipient| writeln!(f, "{}", self.line(recipient)))?;
        write!(f, "\nStatus: {}", self.status())?;
        if !self.contexts.is_empty() {
            let files: Vec<String> = self.contexts.iter().map(|name| format!("{name}.md")).collect();
            write!(f, "\nShared context updated: {}", files.join(", "))?;
        }
        Ok(())
    }
}

/// Omits the word that the line begins with anyway.
fn without_decision(subject: &str) -> String {
    let shorter = subject.replacen(" Decision", "", 1);
    if shorter.trim().is_empty() { subject.to_owned() } else { shorter }
}
