//! The report on a blocker: from the moment somebody was stuck to the moment they could go on.

mod timeline;

use std::collections::BTreeMap;
use std::fmt;

use super::{ReportStatus, about, clock, heading, text};
use crate::bus::thread::messages_in;
use crate::engine::MailSnapshot;
use crate::model::{AgentName, Message, MessageId, Span, Timestamp};

/// The event by which an agent says that it is stuck.
pub(super) const ENCOUNTERED: &str = "BlockerEncountered";
/// The event by which it says that it can go on.
const RESOLVED: &str = "BlockerResolved";

/// The report on a blocker.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockerReport {
    /// Its id, made of the task and a running number.
    pub id: String,
    /// The event that reported it.
    pub event: MessageId,
    /// The task that is blocked.
    pub task: Option<String>,
    /// The blocked agent.
    pub reported_by: AgentName,
    /// The blocker's type, as reported.
    pub kind: Option<String>,
    /// The events, in order.
    pub timeline: Vec<ReportEvent>,
    /// How long it took, or has taken so far.
    pub blocked_for: Span,
    /// Whether something came before the whole: then work could go on in part.
    pub partial: bool,
    /// Whether it is over.
    pub status: ReportStatus,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportEvent {
    /// When.
    pub at: Timestamp,
    /// What, in words.
    pub what: String,
}

/// Reports on a blocker as of `now`; `wanted` is the id of its event, its task (the latest counts) or the report's id.
pub fn blocker_in(snapshot: &MailSnapshot, wanted: &str, now: Timestamp) -> Option<BlockerReport> {
    let messages = messages_in(snapshot);
    let blockers = numbered(&messages);
    let named = blockers.iter().find(|(event, id)| event.id.as_str() == wanted || id == wanted);
    let of_task = || blockers.iter().rev().find(|(event, _)| text(&event.body, "task_id") == Some(wanted));
    let (event, id) = named.or_else(of_task)?;
    Some(timeline::build(snapshot, &messages, event, id, now))
}

/// Lists the blockers by time, each with its id.
fn numbered(messages: &[Message]) -> Vec<(&Message, String)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let blockers = messages.iter().filter(|message| is_event(message, ENCOUNTERED));
    let numbered = blockers.map(|event| {
        let about = text(&event.body, "task_id").unwrap_or(event.from.as_str());
        let count = counts.entry(about).or_default();
        *count += 1;
        (event, format!("blocker_{}_{count:03}", slug(about)))
    });
    numbered.collect()
}

fn is_event(message: &Message, name: &str) -> bool {
    message.event().is_some_and(|event| event.as_str() == name)
}

/// Joins the parts of a name by underscores, a number to the word it counts: `pg2-task-1` becomes `pg2_task1`.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        let counts = part.chars().all(|c| c.is_ascii_digit());
        if !slug.is_empty() && !counts {
            slug.push('_');
        }
        slug.push_str(part);
    }
    slug
}

impl BlockerReport {
    /// Describes how bad it was: by how long it took, and whether work could go on in part.
    pub fn impact(&self) -> String {
        let level = match self.blocked_for.seconds() / 60 {
            0..=30 => "Minimal",
            31..=120 => "Moderate",
            _ => "Severe",
        };
        let resolved = self.status == ReportStatus::Resolved;
        let reason = match (self.partial, resolved) {
            (true, _) => "partial unblocking achieved".to_owned(),
            (false, true) => format!("blocked for {}", about(self.blocked_for)),
            (false, false) => "still blocked".to_owned(),
        };
        format!("{level} ({reason})")
    }
}

impl fmt::Display for BlockerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "Blocker Resolution Report")?;
        writeln!(f, "Blocker ID: {}", self.id)?;
        writeln!(f, "Reported by: {}", self.reported_by)?;
        writeln!(f, "Blocker type: {}", self.kind.as_deref().unwrap_or("not given"))?;
        writeln!(f, "\nTimeline:")?;
        let day = self.timeline.first().map_or_else(Timestamp::default, |entry| entry.at);
        for ReportEvent { at, what } in &self.timeline {
            writeln!(f, "{} - {what}", clock(*at, day, true))?;
        }
        let took = about(self.blocked_for);
        if self.status == ReportStatus::Resolved {
            writeln!(f, "\nResolution time: {took}")?;
        } else {
            writeln!(f, "\nResolution time: not yet, after {took}")?;
        }
        writeln!(f, "Impact: {}", self.impact())?;
        write!(f, "Status: {}", self.status)
    }
}
