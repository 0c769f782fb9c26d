//! What went wrong in a session, and the ways out.

use huddle_core::model::Span;
use huddle_core::session::{AgentIssue, PartialReport, RecoveryStep, Strategy};
use serde::{Deserialize, Serialize};

use crate::response::{text, texts};
use crate::when::optional_seconds;
use crate::{Context, Error, Operation};

/// How long an agent at work may be silent, unless a request says otherwise.
const SILENT: Span = Span::from_seconds(600);

/// Finds agents that failed, fell silent or left a partial report.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FindAgentIssues {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// How long an agent at work may be silent; by default ten minutes.
    #[serde(default, deserialize_with = "optional_seconds")]
    pub silent: Option<Span>,
}

/// Agents with problems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentIssueList {
    /// How many there are.
    pub count: usize,
    /// Each of them.
    pub agents: Vec<AgentIssueEntry>,
    /// The session; not a part of the document.
    #[serde(skip)]
    pub session_id: String,
}

/// An agent with a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentIssueEntry {
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: String,
    /// The problem: `failed`, `silent`, `unknown_state` or `partial_report`.
    pub problem: &'static str,
    /// The error that it reported.
    pub error: Option<String>,
    /// When it was active last.
    pub last_event_at: Option<String>,
    /// How long ago that is.
    pub silent_seconds: Option<i64>,
    /// A report that is not its last word.
    pub partial_report: Option<PartialReportEntry>,
    /// The agents that it blocks.
    pub blocks: Vec<String>,
    /// The protocol's four ways out, in its order.
    pub strategies: Vec<StrategyEntry>,
    /// How long it was silent, for people; not a part of the document.
    #[serde(skip)]
    pub silent_for: Option<Span>,
}

/// A report that is not an agent's last word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartialReportEntry {
    /// Its path, seen from the session's directory.
    pub path: String,
    /// Its status.
    pub status: String,
    /// How many findings it has.
    pub findings: usize,
}

/// A recovery strategy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrategyEntry {
    /// The protocol's name for it.
    pub name: &'static str,
    /// Its effect.
    pub effect: String,
    /// The steps in the words of a face, which fills them in.
    pub commands: Vec<String>,
    /// The steps, in order; not a part of the document.
    #[serde(skip)]
    pub steps: Vec<RecoveryStep>,
}

impl Operation for FindAgentIssues {
    type Response = AgentIssueList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<AgentIssueList, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.recover(&id, self.silent.unwrap_or(SILENT))?;
        let agents: Vec<_> = context.collect(found).into_iter().map(AgentIssueEntry::from).collect();
        Ok(AgentIssueList { count: agents.len(), agents, session_id: id.to_string() })
    }
}

impl From<AgentIssue> for AgentIssueEntry {
    fn from(issue: AgentIssue) -> Self {
        let report = |PartialReport { path, status, findings }| PartialReportEntry { path, status, findings };
        Self {
            name: issue.agent.to_string(),
            status: issue.status.to_string(),
            problem: issue.problem.as_str(),
            error: issue.error,
            last_event_at: text(issue.last_sign.as_ref()),
            silent_seconds: issue.silent_for.map(Span::seconds),
            partial_report: issue.report.map(report),
            blocks: texts(&issue.blocks),
            strategies: issue.strategies.into_iter().map(StrategyEntry::from).collect(),
            silent_for: issue.silent_for,
        }
    }
}

impl From<Strategy> for StrategyEntry {
    fn from(Strategy { name, effect, steps }: Strategy) -> Self {
        Self { name, effect, commands: Vec::new(), steps }
    }
}
