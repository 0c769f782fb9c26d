//! What a history comes to.

use huddle_core::history::snapshot::time;
use huddle_core::history::{self, Derived, History, Overview};
use huddle_core::model::{JsonMap, Span};
use serde::{Deserialize, Serialize};

use super::check::ByteCounts;
use super::entries::moment;
use super::timeline::TimeRange;
use crate::response::text;
use crate::{Context, Error, MergedReport, Operation};

/// Summarizes a history: who left what, when, and what stands out.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShowHistory {
    /// Where it is; the project, if there is no path.
    pub paths: Vec<String>,
}

impl Operation for ShowHistory {
    type Response = HistoryOverview;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<HistoryOverview, Error> {
        context.load_history(&self.paths)?.overview()
    }
}

/// What a history comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOverview {
    /// The protocols' directories.
    pub sources: Vec<HistoryRoot>,
    /// The files that were read, by format.
    pub formats: Vec<FormatCount>,
    /// The files that were not, by reason.
    pub passed_over: Vec<IgnoredFiles>,
    /// How many records there are.
    pub records: u64,
    /// How many entries there are.
    pub entries: usize,
    /// What became of the bytes.
    pub bytes: ByteCounts,
    /// The time of the first entry.
    pub from: Option<String>,
    /// The time of the last entry.
    pub to: Option<String>,
    /// The agents, by name.
    pub agents: Vec<HistoryAgent>,
    /// Who wrote to whom.
    pub talk: Vec<MessageCount>,
    /// How many threads there are.
    pub threads: usize,
    /// How many entries are in which state.
    pub states: JsonMap,
    /// The sessions.
    pub sessions: Vec<HistorySession>,
    /// The reports of agents, merged.
    pub reports: MergedReport,
    /// How many handoffs there are.
    pub handoffs: usize,
    /// How many shared contexts there are.
    pub contexts: usize,
    /// How many problems there are.
    pub problems: ProblemCounts,
    // Not parts of the document.
    /// The time between the first entry and the last.
    #[serde(skip)]
    pub duration: Option<Span>,
}

/// The directory of a protocol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryRoot {
    /// Where it is.
    pub path: String,
    /// The protocol.
    pub kind: &'static str,
}

/// Files of one format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormatCount {
    /// The format.
    pub format: &'static str,
    /// How many files there are.
    pub files: usize,
    /// How many records they have.
    pub records: u64,
}

/// Files that were not read, for one reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IgnoredFiles {
    /// The reason.
    pub why: &'static str,
    /// How many files there are.
    pub files: usize,
    /// One of them.
    pub example: String,
}

/// An agent in a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryAgent {
    /// Its name.
    pub name: String,
    /// When the first sign of it was.
    pub first_seen: Option<String>,
    /// When the last sign of it was.
    pub last_seen: Option<String>,
    /// How many entries are from it.
    pub sent: u32,
    /// How many entries came to it.
    pub received: u32,
    /// How many of those are unread.
    pub unread: u32,
    /// How many of those are overdue.
    pub overdue: u32,
    /// How many of its entries have high severity.
    pub high: u32,
    /// How many of its entries have medium severity.
    pub medium: u32,
    /// How many of its entries have low severity.
    pub low: u32,
    /// The types that it sends most.
    pub types: Vec<TypeCount>,
    /// When it was silent, longest first.
    pub silences: Vec<TimeRange>,
    /// The longest silence; not a part of the document.
    #[serde(skip)]
    pub longest_silence: Option<Span>,
}

/// How many entries are of a type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeCount {
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many there are.
    pub count: u32,
}

/// How many messages one agent wrote to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MessageCount {
    /// The sender.
    pub from: String,
    /// The recipient.
    pub to: String,
    /// How many there are.
    pub count: u32,
}

/// A session in a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistorySession {
    /// Its id.
    pub id: String,
    /// When it was started.
    pub started_at: Option<String>,
    /// When it was closed.
    pub closed_at: Option<String>,
    /// Its agents.
    pub agents: Vec<HistorySessionMember>,
}

/// An agent of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistorySessionMember {
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: String,
    /// The agents that it waits for.
    pub dependencies: Vec<String>,
}

/// How many problems a history has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ProblemCounts {
    /// Data that cannot be used.
    pub errors: usize,
    /// What somebody should look at.
    pub warnings: usize,
    /// What is good to know.
    pub infos: usize,
}

impl HistoryOverview {
    pub(super) fn new(history: &History, derived: &Derived, overview: Overview) -> Self {
        let Overview { formats, ignored_files, account, span, agents, states, reports, findings } = overview;
        let table = &history.table;
        let symbol = |symbol| table.text(symbol).to_owned();
        let roots = history.roots.iter().map(|root| HistoryRoot { path: root.path.clone(), kind: root.kind.as_str() });
        let formats = formats.into_iter().map(|(format, (files, records))| FormatCount { format, files, records });
        let ignored = ignored_files.into_iter().map(|(why, (files, example))| IgnoredFiles { why, files, example });
        let edges = agents.edges.iter();
        let talk = edges.map(|edge| MessageCount { from: symbol(edge.from), to: symbol(edge.to), count: edge.count });
        let [errors, warnings, infos] = findings;
        Self {
            sources: roots.collect(),
            formats: formats.collect(),
            passed_over: ignored.collect(),
            records: account.records,
            entries: history.entries.len(),
            bytes: ByteCounts::from(&account),
            from: span.map(|(first, _)| first.to_string()),
            to: span.map(|(_, last)| last.to_string()),
            agents: agents.list.iter().map(|agent| HistoryAgent::new(history, agent)).collect(),
            talk: talk.collect(),
            threads: derived.threads.threads.len(),
            states: states.iter().map(|(state, count)| (state.name().to_owned(), (*count).into())).collect(),
            sessions: sessions(history),
            reports: reports.into(),
            handoffs: history.state_files.handoffs.len(),
            contexts: history.state_files.contexts.len(),
            problems: ProblemCounts { errors, warnings, infos },
            duration: span.map(|(first, last)| last.since(first)),
        }
    }
}

impl HistoryAgent {
    fn new(history: &History, agent: &history::Agent) -> Self {
        let symbol = |symbol| history.table.text(symbol).to_owned();
        let silences = agent.silences.iter();
        let longest = agent.silences.first();
        Self {
            name: symbol(agent.name),
            first_seen: moment(agent.first_at),
            last_seen: moment(agent.last_at),
            sent: agent.sent,
            received: agent.received,
            unread: agent.unread,
            overdue: agent.overdue,
            high: agent.findings.high,
            medium: agent.findings.medium,
            low: agent.findings.low,
            types: agent.kinds.iter().map(|(kind, count)| TypeCount { kind: symbol(*kind), count: *count }).collect(),
            silences: silences
                .map(|silence| TimeRange { from: moment(silence.start), to: moment(silence.end) })
                .collect(),
            longest_silence: longest.and_then(|silence| Some(time(silence.end)?.since(time(silence.start)?))),
        }
    }
}

fn sessions(history: &History) -> Vec<HistorySession> {
    let sessions = history.state_files.sessions.iter().map(|state_file| {
        let session = &state_file.value;
        let members = session.members.iter().map(|member| HistorySessionMember {
            name: member.name.to_string(),
            status: member.status.as_str().to_owned(),
            dependencies: member.dependencies.clone(),
        });
        HistorySession {
            id: session.id.to_string(),
            started_at: text(session.started_at.as_ref()),
            closed_at: text(session.closed_at.as_ref()),
            agents: members.collect(),
        }
    });
    sessions.collect()
}
