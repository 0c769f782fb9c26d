//! Waiting for agents.

use super::Sessions;
use super::change::unknown_agent;
use super::error::{Error, Result};
use super::lifecycle::SessionView;
use crate::Host;
use crate::engine;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, DeadEnd, Member, Session, SessionId, Severity, Span, Status, WithDiagnostics};

/// The poll interval.
const POLL_INTERVAL: Span = Span::from_millis(200);

/// The agents to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitTarget {
    /// Everybody in the session.
    All,
    /// These.
    Agents(Vec<AgentName>),
    /// Those whose names fit a pattern.
    Matching(String),
    /// Those whom an agent waits for.
    DependenciesOf(AgentName),
}

/// The result of a wait.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaitResult {
    /// The completed agents.
    pub completed: Vec<AgentName>,
    /// The failed agents and their errors; only with `keep_going`.
    pub failed: Vec<(AgentName, String)>,
    /// The agents that cannot start, and why; only with `keep_going`.
    pub blocked: Vec<(AgentName, DeadEnd)>,
    /// How long it took.
    pub waited: Span,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Waits until agents have finished.
    ///
    /// When one of them fails, or cannot start because one whom it waits for has failed or because agents wait for each other,
    /// that is an error at once. With `keep_going`, such an agent is not waited for any longer.
    pub fn wait(
        &self,
        id: &SessionId,
        target: &WaitTarget,
        timeout: Option<Span>,
        keep_going: bool,
    ) -> Result<WaitResult> {
        let began = self.journal.host.now();
        loop {
            let view = self.status(id)?;
            // Who is in a damaged file cannot be known; to say that nobody is would be a guess.
            if let Some(finding) = view.findings.into_iter().find(|finding| finding.severity == Severity::Error) {
                return Err(Error::from(engine::Error::Damaged { path: finding.place, fault: finding.message }).into());
            }
            let session = view.value.session;
            let (outcome, open) = check_progress(&session, &resolve_targets(&session, target)?, keep_going)?;
            let waited = self.journal.host.now().since(began);
            if open.is_empty() {
                return Ok(WaitResult { waited, ..outcome });
            }
            let left = timeout.map_or(POLL_INTERVAL, |timeout| Span::from_millis(timeout.millis() - waited.millis()));
            if left <= Span::default() {
                return Err(Error::TimedOut { waited, open }.into());
            }
            self.journal.host.sleep(left.min(POLL_INTERVAL));
        }
    }

    /// Waits until a session is not as it was seen last, and shows it; none when nothing has changed in time.
    ///
    /// One that was not seen yet is shown at once. [`Session::is_finished`] tells when there is nothing more to watch.
    pub fn watch(
        &self,
        id: &SessionId,
        seen: Option<&SessionView>,
        timeout: Option<Span>,
    ) -> Result<Option<WithDiagnostics<SessionView>>> {
        let began = self.journal.host.now();
        loop {
            let view = self.status(id)?;
            if Some(&view.value) != seen {
                return Ok(Some(view));
            }
            let waited = self.journal.host.now().since(began);
            let left = timeout.map_or(POLL_INTERVAL, |timeout| Span::from_millis(timeout.millis() - waited.millis()));
            if left <= Span::default() {
                return Ok(None);
            }
            self.journal.host.sleep(left.min(POLL_INTERVAL));
        }
    }

    /// Sleeps for the poll interval.
    pub fn pause(&self) {
        self.journal.host.sleep(POLL_INTERVAL);
    }
}

/// Names who is waited for, as the session is now.
fn resolve_targets(session: &Session, target: &WaitTarget) -> Result<Vec<String>> {
    let matching = |pattern: &str| {
        let names = session.members.iter().map(|member| member.name.to_string());
        names.filter(|name| crate::model::glob::matches(pattern, name)).collect::<Vec<String>>()
    };
    let names = match target {
        WaitTarget::Agents(names) => names.iter().map(ToString::to_string).collect(),
        WaitTarget::All => matching("*"),
        WaitTarget::Matching(pattern) => matching(pattern),
        WaitTarget::DependenciesOf(agent) => match session.member(agent.as_str()) {
            Some(member) => return Ok(member.dependencies.clone()),
            None => return Err(unknown_agent(session, agent.as_str()).into()),
        },
    };
    let stranger = names.iter().find(|name| session.member(name).is_none());
    match (stranger, target) {
        (Some(name), _) => Err(unknown_agent(session, name).into()),
        (None, WaitTarget::Matching(pattern)) if names.is_empty() => Err(unknown_agent(session, pattern).into()),
        _ => Ok(names),
    }
}

/// Returns who has finished, who has failed, and who is still to be waited for.
fn check_progress(session: &Session, names: &[String], keep_going: bool) -> Result<(WaitResult, Vec<String>)> {
    let (mut outcome, mut open) = (WaitResult::default(), Vec::new());
    let dead_ends = session.dead_ends();
    for name in names {
        let Some(position) = session.members.iter().position(|member| member.name.as_str() == name) else {
            open.push(format!("{name} (not in the session)"));
            continue;
        };
        let member = &session.members[position];
        match (&member.status, &dead_ends[position]) {
            (Status::Completed, _) => outcome.completed.push(member.name.clone()),
            (Status::Failed, _) if keep_going => outcome.failed.push((member.name.clone(), error_of(member))),
            (Status::Failed, _) => {
                let (agent, error) = (member.name.clone(), error_of(member));
                return Err(Error::AgentFailed { agent, error, waiting: String::new() }.into());
            }
            (Status::Waiting, Some(dead_end)) if keep_going => {
                outcome.blocked.push((member.name.clone(), dead_end.clone()));
            }
            (Status::Waiting, Some(DeadEnd::Failed { agent, error })) => {
                let (agent, error) = (agent.clone(), error.clone());
                return Err(Error::AgentFailed { agent, error, waiting: name.clone() }.into());
            }
            (Status::Waiting, Some(dead_end)) => {
                return Err(Error::Deadlocked { agent: member.name.clone(), dead_end: dead_end.clone() }.into());
            }
            _ => open.push(format!("{name} ({})", member.status)),
        }
    }
    Ok((outcome, open))
}

fn error_of(member: &Member) -> String {
    member.error.clone().unwrap_or_else(|| "it did not say why".to_owned())
}
