//! What went wrong in a session, and what the protocol's four ways out of it would do.

use super::Sessions;
use super::error::Result;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Event, Member, Session, SessionId, Span, Status, Timestamp, WithDiagnostics};
use crate::wire::session::layout;
use crate::wire::session::report::Report;

/// An agent with a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentIssue {
    /// Who.
    pub agent: AgentName,
    /// Its status.
    pub status: Status,
    /// The fault.
    pub problem: Problem,
    /// The error that it reported.
    pub error: Option<String>,
    /// The time of its last activity.
    pub last_sign: Option<Timestamp>,
    /// How long ago that is.
    pub silent_for: Option<Span>,
    /// A report that it has left.
    pub report: Option<PartialReport>,
    /// The agents that it blocks.
    pub blocks: Vec<AgentName>,
    /// The protocol's four ways out, in its order.
    pub strategies: Vec<Strategy>,
}

/// What is wrong with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// It has failed.
    Failed,
    /// It is at work and says nothing.
    Silent,
    /// Its state is not one of the protocol's.
    UnknownState,
    /// It has left a report that is not its last word.
    Unfinished,
}

impl Problem {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Silent => "silent",
            Self::UnknownState => "unknown_state",
            Self::Unfinished => "partial_report",
        }
    }
}

/// A report that is not an agent's last word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialReport {
    /// Where it is, seen from the session's directory.
    pub path: String,
    /// What it says of itself.
    pub status: String,
    /// How many findings it has.
    pub findings: usize,
}

/// A recovery strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    /// The protocol's name for it.
    pub name: &'static str,
    /// Its effect.
    pub effect: String,
    /// The commands that do it; none when there is nothing to run.
    pub commands: Vec<String>,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Finds agents that failed, that are at work and were not heard of for `silent`, or that left a partial report.
    pub fn recover(&self, id: &SessionId, silent: Span) -> Result<WithDiagnostics<Vec<AgentIssue>>> {
        let view = self.status(id)?;
        let log = self.read_log(id)?;
        let reports = self.read_reports(id, &|_| true)?;
        let session = &view.value.session;
        let now = self.journal.host.now();
        let mut issues = Vec::new();
        for member in &session.members {
            let events: Vec<&Event> =
                log.value.iter().filter(|event| event.text("from") == Some(member.name.as_str())).collect();
            let last_sign = events.iter().filter_map(|event| event.at()).chain(member.started_at).max();
            let silent_for = last_sign.map(|at| now.since(at));
            let report = reports.value.iter().find(|report| report.agent == member.name);
            let report = report.and_then(|report| partial(member, report));
            let problem = match &member.status {
                Status::Failed => Problem::Failed,
                Status::Other(_) => Problem::UnknownState,
                Status::InProgress if silent_for.is_none_or(|span| span >= silent) => Problem::Silent,
                _ if report.is_some() => Problem::Unfinished,
                _ => continue,
            };
            let last_error = || {
                let last = events.iter().rev().find(|event| event.text("type") == Some("error"))?;
                last.text("error").or(last.text("message")).map(str::to_owned)
            };
            let error = member.error.clone().or_else(|| last_error().filter(|_| problem != Problem::Unfinished));
            let mut issue = AgentIssue {
                agent: member.name.clone(),
                status: member.status.clone(),
                problem,
                error,
                last_sign,
                silent_for,
                report,
                blocks: session.held_up_by(member.name.as_str()),
                strategies: Vec::new(),
            };
            issue.strategies = strategies(session, &issue);
            issues.push(issue);
        }
        let findings = view.findings.into_iter().chain(log.findings).chain(reports.findings);
        Ok(WithDiagnostics { value: issues, findings: findings.collect() })
    }
}

/// Reports a report that is there before its agent has finished, or that says itself that it is not whole.
fn partial(member: &Member, report: &Report) -> Option<PartialReport> {
    let status = report.text("status").unwrap_or("unknown");
    (member.status != Status::Completed || status != "completed").then(|| PartialReport {
        path: layout::report(&report.agent),
        status: status.to_owned(),
        findings: report.findings().len(),
    })
}

fn strategies(session: &Session, issue: &AgentIssue) -> Vec<Strategy> {
    let AgentIssue { agent, problem, report, blocks, .. } = issue;
    let id = &session.id;
    let command = |words: String| format!("huddle session {words} --id {id}");
    let blocked = if blocks.is_empty() {
        "nobody waits for it".to_owned()
    } else {
        format!("waiting for it: {}", blocks.iter().map(AgentName::as_str).collect::<Vec<_>>().join(", "))
    };
    let mut retry = Vec::new();
    if matches!(problem, Problem::Silent | Problem::Unfinished) && issue.status == Status::InProgress {
        retry.push(command(format!("fail {agent} --error \"no sign of it\"")));
    }
    if issue.status != Status::Waiting && issue.status != Status::Completed {
        retry.push(command(format!("retry {agent}")));
    }
    let direct = session.members.iter().filter(|one| {
        one.status == Status::Waiting && session.open_needs(one).iter().any(|need| need == agent.as_str())
    });
    let without: Vec<String> = direct.map(|one| command(format!("join {} --without {agent}", one.name))).collect();
    let cause = issue.error.as_deref().unwrap_or("it did not say why; its last records are in the log");
    let partial = match report {
        Some(PartialReport { path, status, findings }) => {
            format!("{path} says {status} and has {findings} findings that others can use; then go on without it")
        }
        None => "it has left no report: there is nothing to use".to_owned(),
    };
    vec![
        Strategy { name: "retry", effect: format!("{agent} starts over; {blocked}"), commands: retry },
        Strategy {
            name: "continue_without",
            effect: format!("{agent} is left out, if what it does is not critical; {blocked}"),
            commands: without,
        },
        Strategy {
            name: "manual_intervention",
            effect: format!("a person mends the cause, then it is retried: {cause}"),
            commands: vec![command(format!("events --from {agent}"))],
        },
        Strategy {
            name: "partial_results",
            effect: partial,
            commands: report.iter().map(|_| command(format!("report show {agent}"))).collect(),
        },
    ]
}
