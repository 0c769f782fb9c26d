//! Waiting for agents.

use super::Sessions;
use super::change::unknown_agent;
use super::error::{Error, Result};
use super::glob;
use crate::Host;
use crate::engine;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Member, Session, SessionId, Severity, Span, Status};
use crate::wire::session::layout;

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
    /// How long it took.
    pub waited: Span,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Waits until agents have finished.
    ///
    /// When one of them fails, or cannot start because one whom it waits for has failed, that is an error at once. With
    /// `keep_going`, one who failed is not waited for any longer.
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
                let path = format!("{}/{}", layout::ROOT, finding.place);
                return Err(Error::from(engine::Error::Damaged { path, fault: finding.message }).into());
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

    /// Sleeps for the poll interval.
    pub fn pause(&self) {
        self.journal.host.sleep(POLL_INTERVAL);
    }
}

/// Names who is waited for, as the session is now.
fn resolve_targets(session: &Session, target: &WaitTarget) -> Result<Vec<String>> {
    let matching = |pattern: &str| {
        let names = session.members.iter().map(|member| member.name.to_string());
        names.filter(|name| glob::matches(pattern, name)).collect::<Vec<String>>()
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
    for name in names {
        let Some(member) = session.member(name) else {
            open.push(format!("{name} (not in the session)"));
            continue;
        };
        match &member.status {
            Status::Completed => outcome.completed.push(member.name.clone()),
            Status::Failed if keep_going => outcome.failed.push((member.name.clone(), error_of(member))),
            _ => {
                if let Some(failed) = failed_before(session, member).filter(|_| !keep_going) {
                    let waiting = if failed.name == member.name { String::new() } else { name.clone() };
                    let (agent, error) = (failed.name.clone(), error_of(failed));
                    return Err(Error::AgentFailed { agent, error, waiting }.into());
                }
                open.push(format!("{name} ({})", member.status));
            }
        }
    }
    Ok((outcome, open))
}

/// Finds who keeps an agent from finishing: itself, or one whom it waits for, or one whom that one waits for.
fn failed_before<'s>(session: &'s Session, member: &'s Member) -> Option<&'s Member> {
    let mut behind = vec![member];
    let mut reached = 0;
    while let Some(member) = behind.get(reached).copied() {
        match member.status {
            Status::Failed => return Some(member),
            Status::Waiting => {
                for need in session.open_needs(member) {
                    let need = session.member(&need).filter(|need| !behind.iter().any(|one| one.name == need.name));
                    behind.extend(need);
                }
            }
            _ => {}
        }
        reached += 1;
    }
    None
}

fn error_of(member: &Member) -> String {
    member.error.clone().unwrap_or_else(|| "it did not say why".to_owned())
}
