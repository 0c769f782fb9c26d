//! Reports for people: a conversation, a broadcast and a blocker, each told in the mailbox protocol's form.

mod blocker;
mod broadcast;
mod summary;

pub use blocker::{BlockerReport, ReportEvent, blocker_in};
pub use broadcast::{BroadcastReport, RecipientStatus, broadcast_in};
pub use summary::{LastWord, ThreadSummary, summarize};

use std::fmt;

use super::thread::find_thread;
use super::trace::all_copies;
use super::{Bus, Error, Result};
use crate::model::{
    AgentName, Context, Json, Message, MessageId, MessageType, Recipient, Remedy, Span, Timestamp, WithDiagnostics,
};
use crate::wire::mailbox::context::{Version, versions};

impl Bus<'_> {
    /// Sums up the conversation of that id, or the one that has a message of that id.
    pub fn summary(&self, wanted: &str) -> Result<WithDiagnostics<ThreadSummary>> {
        let contexts = self.engine.contexts()?.value;
        self.derived(|snapshot| Ok(summarize(&find_thread(snapshot, wanted)?, &contexts)))
    }

    /// Returns who has heard a broadcast.
    pub fn broadcast_report(&self, id: &MessageId) -> Result<WithDiagnostics<BroadcastReport>> {
        let contexts = self.engine.contexts()?.value;
        self.derived(|snapshot| {
            let kept = all_copies(snapshot).find(|message| message.id == *id);
            let message = kept.ok_or_else(|| Error::UnknownMessage { id: id.clone() })?;
            if message.to != Recipient::All {
                return Err(Error::Usage {
                    message: format!("{id} is for {}: it is not a broadcast", message.to),
                    remedy: Remedy::Trace(id.clone()),
                }
                .into());
            }
            Ok(broadcast_in(snapshot, message, &contexts))
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
                    remedy: format!("name a task or an event of type {}", blocker::ENCOUNTERED).into(),
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
    /// Somebody has turned it down.
    Rejected {
        /// Who.
        by: AgentName,
    },
    /// Somebody wants it changed.
    Modified {
        /// Who.
        by: AgentName,
        /// Who has to act.
        waits_for: Vec<AgentName>,
    },
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
            Self::Rejected { by } => write!(f, "❌ REJECTED (by {by})"),
            Self::Modified { by, waits_for } => write!(f, "✏ MODIFIED (by {by}; waiting for {})", list(waits_for)),
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

/// Lists the shared contexts that certain agents updated since a time in words that name one of `references`.
fn contexts_about(contexts: &[Context], by: &[AgentName], since: Timestamp, references: &[&str]) -> Vec<String> {
    let is_about = |version: &Version<'_>| {
        let is_theirs = by.iter().any(|name| name.as_str() == version.author);
        let is_since = version.at.is_some_and(|at| at >= since);
        is_theirs && is_since && references.iter().any(|reference| has_word(version.text, reference))
    };
    let about = contexts.iter().filter(|context| versions(&context.text).iter().any(is_about));
    about.map(|context| context.name.to_string()).collect()
}

/// Returns whether a text has a name as a word of its own: `builder-1` is not in `builder-10`.
fn has_word(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    let joins = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    !name.is_empty()
        && text.match_indices(&name).any(|(start, found)| {
            let before = text[..start].chars().next_back();
            let after = text[start + found.len()..].chars().next();
            !before.is_some_and(joins) && !after.is_some_and(joins)
        })
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
