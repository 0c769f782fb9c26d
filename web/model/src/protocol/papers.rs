//! Agents, reports, handoffs, shared contexts and problems. Times are in microseconds since 1970.

use serde::{Deserialize, Serialize};

use super::{Body, Key, Line};

/// Everybody.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentsView {
    /// The agents, by name.
    pub agents: Vec<AgentCard>,
    /// Who talks to whom: the places of both in `agents`, and how many messages.
    pub talk: Vec<(u32, u32, u32)>,
    /// The sessions.
    pub sessions: Vec<SessionCard>,
    /// Whether anything is searched for.
    pub searching: bool,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentCard {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: String,
    /// Where it stands, in the protocol's word: `active`, `in_progress`, `completed`, `waiting`, `failed`…
    pub state: String,
    /// What it says about that: its progress, why it waits, what went wrong.
    pub note: String,
    /// Whom it waits for.
    pub waits_for: Vec<String>,
    /// How many messages are from it.
    pub sent: u32,
    /// How many of those the query finds.
    pub found: u32,
    /// How many came to it.
    pub received: u32,
    /// How many of those wait to be read.
    pub unread: u32,
    /// How many of those it should have answered by now.
    pub overdue: u32,
    /// How many of its messages are of high, medium and low severity.
    pub severities: [u32; 3],
    /// The kinds of message that it sends most.
    pub kinds: Vec<(String, u32)>,
    /// When the first and the last sign of it were given.
    pub span: Option<(i64, i64)>,
    /// Its longest silence.
    pub silence: Option<(i64, i64)>,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionCard {
    /// Its id.
    pub id: String,
    /// When it began.
    pub started: Option<i64>,
    /// When it was closed.
    pub closed: Option<i64>,
    /// Its agents: name, state, and whom it waits for.
    pub agents: Vec<(String, String, Vec<String>)>,
}

/// What agents reported.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReportsView {
    /// The reports, by agent.
    pub reports: Vec<ReportCard>,
    /// All findings of all reports, those that matter most first.
    pub findings: Vec<ReportFinding>,
    /// What to do next: who says it, and what.
    pub next_actions: Vec<(String, String)>,
    /// What could be automated: who says it, and what.
    pub suggestions: Vec<(String, String)>,
    /// The files that reports, handoffs and messages refer to.
    pub artifacts: Vec<Artifact>,
    /// Findings that were logged as messages, those that matter most first, as far as they are listed.
    pub logged: Vec<Line>,
    /// How many of those there are.
    pub logged_total: u32,
}

/// One report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReportCard {
    /// Whose it is.
    pub agent: String,
    /// How far it is: `completed`, `partial`…
    pub status: String,
    /// What it sums up to.
    pub summary: String,
    /// When it was written.
    pub at: Option<i64>,
    /// What was counted: name and number.
    pub metrics: Vec<(String, String)>,
    /// How many findings are of high, medium and low severity.
    pub severities: [u32; 3],
    /// Its file.
    pub file: String,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReportFinding {
    /// Who found it.
    pub agent: String,
    /// How much it matters: `high`, `medium`, `low`.
    pub severity: String,
    /// What it is: `issue`, `recommendation`, `info`.
    pub kind: String,
    /// In a line.
    pub title: String,
    /// In full.
    pub description: String,
    /// Where.
    pub location: String,
    /// What to do.
    pub recommendation: String,
    /// An example.
    pub example: String,
}

/// A file that others refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Artifact {
    /// Its path, as it can be opened; as it was written when it is not there.
    pub path: String,
    /// Who refers to it.
    pub agent: String,
    /// Its size; none when it is not there.
    pub size: Option<u64>,
}

/// Handoffs and shared contexts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SharedView {
    /// The handoffs, by time.
    pub handoffs: Vec<HandoffCard>,
    /// The shared contexts, by name.
    pub contexts: Vec<ContextCard>,
    /// The orchestrator's shared states.
    pub states: Vec<StateCard>,
}

/// One handoff.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HandoffCard {
    /// Its id.
    pub id: String,
    /// Who hands over.
    pub from: String,
    /// Who takes over.
    pub to: String,
    /// What is handed over.
    pub task: String,
    /// When.
    pub at: Option<i64>,
    /// Where it stands: `pending_acceptance`, `accepted`, `declined`.
    pub status: String,
    /// Who decided and when.
    pub decided: Option<(String, Option<i64>)>,
    /// What they said.
    pub notes: String,
    /// The files that it carries.
    pub artifacts: Vec<Artifact>,
    /// The text that goes with it, by its headings.
    pub documents: Vec<(String, String)>,
    /// Its file.
    pub file: String,
    /// Whether the query finds a message that tells of it.
    pub hit: bool,
}

/// One shared context.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ContextCard {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u64,
    /// When it last changed.
    pub updated: Option<i64>,
    /// Who has updated it.
    pub contributors: Vec<String>,
    /// The versions, the first first: who made it, when, and what it added.
    pub versions: Vec<(String, Option<i64>, String)>,
    /// Its file.
    pub file: String,
    /// Whether the query finds a message that tells of it.
    pub hit: bool,
}

/// The orchestrator's shared state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateCard {
    /// Its version.
    pub version: u64,
    /// What is to be reached.
    pub objective: String,
    /// All of it.
    pub body: Body,
    /// Its file.
    pub file: String,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProblemsView {
    /// All that the checks found, the worst first.
    pub problems: Vec<Problem>,
    /// Where all bytes went: parsed, recovered, quarantined, between records, being written.
    pub bytes: [u64; 5],
    /// How records were recovered: what was wrong, and how many.
    pub recoveries: Vec<(String, u64)>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// How much it matters: `error`, `warning`, `info`.
    pub severity: String,
    /// What kind of problem it is.
    pub code: String,
    /// Where, for people.
    pub place: String,
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The message that it is about, or the one nearest to it.
    pub key: Option<Key>,
    /// Whether the query finds that message.
    pub hit: bool,
    /// The part of a file that it is about: path, offset and length.
    pub part: Option<(String, u64, u32)>,
}
