//! Reports for people: a conversation, a broadcast and a blocker, each told in the mailbox protocol's form.

mod blocker;
mod broadcast;
mod summary;

pub use blocker::{BlockerReport, ReportEvent, blocker_in};
pub use broadcast::{BroadcastReport, RecipientStatus, broadcast_in};
pub use summary::{ThreadSummary, summarize};

use std::fmt;

use super::thread::find_thread;
use super::trace::all_copies;
use super::{Bus, Error, Result};
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Json, Message, MessageId, MessageType, Recipient, Span, Timestamp, WithDiagnostics};

impl Bus<'_> {
    /// Sums up the conversation of that id, or the one that has a message of that id.
    pub fn summary(&self, wanted: &str) -> Result<WithDiagnostics<ThreadSummary>> {
        self.derived(|snapshot| Ok(summarize(&find_thread(snapshot, wanted)?, snapshot)))
    }

    /// Returns who has heard a broadcast.
    pub fn broadcast_report(&self, id: &MessageId) -> Result<WithDiagnostics<BroadcastReport>> {
        self.derived(|snapshot| {
            let kept = all_copies(snapshot).find(|message| message.id == *id);
            let message = kept.ok_or_else(|| Error::UnknownMessage { id: id.clone() })?;
            if message.to != Recipient::All {
                return Err(Error::Usage {
                    message: format!("{id} is for {}: it is not a broadcast", message.to),
                    hint: format!("see how far it has come: huddle trace {id}"),
                }
                .into());
            }
            Ok(broadcast_in(snapshot, message))
        })
    }

    /// Reports on a blocker: `wanted` is the id of its event, its task (the latest counts) or the report's own id.
    pub fn blocker_report(&self, wanted: &str) -> Result<WithDiagnostics<BlockerReport>> {
        self.derived(|snapshot| {
            if let Some(report) = blocker_in(snapshot, wanted, self.now()) {
                return Ok(report);
            }
            let id = MessageId::new(wanted)?;
            match all_copies(snapshot).find(|message| message.id == id) {
                Some(message) => Err(Error::Usage {
                    message: format!("{id} is of type {}: it does not report a blocker", message.kind),
                    hint: format!("name a task or an event of type {}", blocker::ENCOUNTERED),
                }
                .into()),
                None => Err(Error::UnknownMessage { id }.into()),
            }
        })
    }
}

/// Whether a thread or blocker is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportStatus {
    /// Nothing is left to do.
    Resolved,
    /// Somebody has to act.
    Open {
        /// The author, if known.
        waits_for: Vec<AgentName>,
    },
}

impl fmt::Display for ReportStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resolved => f.write_str("✅ RESOLVED"),
            Self::Open { waits_for } if waits_for.is_empty() => f.write_str("⏳ OPEN"),
            Self::Open { waits_for } => write!(f, "⏳ OPEN (waiting for {})", list(waits_for)),
        }
    }
}

/// Writes a report's title and the rule below it.
fn heading(f: &mut fmt::Formatter<'_>, title: &str) -> fmt::Result {
    writeln!(f, "{title}:\n{}\n", "━".repeat(48))
}

fn list(names: &[AgentName]) -> String {
    names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(", ")
}

/// Drops the seconds from all but the shortest spans: nobody asks for them.
fn about(span: Span) -> Span {
    let seconds = span.seconds();
    Span::from_seconds(if seconds < 60 { seconds } else { seconds - seconds % 60 })
}

/// Writes a time of day, with the date when it is not the one the reader expects.
fn clock(at: Timestamp, day: Timestamp, precise: bool) -> String {
    let clock = at.clock();
    let clock = if precise { clock.as_str() } else { clock.get(..5).unwrap_or(&clock) };
    if at.date() == day.date() { clock.to_owned() } else { format!("{} {clock}", at.date()) }
}

/// Lists the shared contexts that certain agents updated since a time, in the order of their first notice.
fn updated_contexts(snapshot: &MailSnapshot, by: &[AgentName], since: Timestamp) -> Vec<String> {
    let notices = all_copies(snapshot).filter(|message| message.kind.as_str() == MessageType::CONTEXT_UPDATED);
    let theirs = notices.filter(|message| by.contains(&message.from) && message.sent_at >= since);
    let mut sorted: Vec<(Timestamp, &MessageId, &str)> =
        theirs.filter_map(|message| Some((message.sent_at, &message.id, text(&message.body, "context")?))).collect();
    sorted.sort();
    let mut names: Vec<String> = Vec::new();
    for (_, _, name) in sorted {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Reads a field that holds text.
fn text<'a>(body: &'a Json, field: &str) -> Option<&'a str> {
    body.get(field).and_then(Json::as_str).filter(|text| !text.is_empty())
}

/// Returns whether a message only keeps others informed of what became of mail and documents.
fn is_notice(message: &Message) -> bool {
    const NOTICES: [&str; 3] =
        [MessageType::ACKNOWLEDGMENT, MessageType::CONTEXT_UPDATED, MessageType::DELIVERY_FAILED];
    NOTICES.contains(&message.kind.as_str())
}

#[cfg(test)]
mod tests;
