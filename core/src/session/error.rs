//! Errors of session operations.

use crate::engine;
use crate::model::{AgentName, DeadEnd, ErrorKind, NameError, Remedy, SessionId, Span, Timestamp};
use crate::wire::session::report::ReportFault;

/// An operation's result.
///
/// Its error is a pointer: it is passed on in hundreds of places, and one word makes less code in each than ten.
pub type Result<T, E = Box<Error>> = std::result::Result<T, E>;

/// An error of an operation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A name cannot be used.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no such session.
    #[error("there is no session {id}{}", listing("; there are", .known))]
    NoSession {
        /// The session.
        id: SessionId,
        /// The sessions that there are.
        known: Vec<String>,
    },
    /// There is such a session already.
    #[error("there is a session {id} already")]
    SessionExists {
        /// The session.
        id: SessionId,
    },
    /// The session is over.
    #[error("session {id} was closed at {at}")]
    Closed {
        /// The session.
        id: SessionId,
        /// When.
        at: Timestamp,
    },
    /// Agents are still at work.
    #[error("session {id} has agents at work: {}", .agents.join(", "))]
    StillRunning {
        /// The session.
        id: SessionId,
        /// Who.
        agents: Vec<String>,
    },
    /// No member has that name.
    #[error("no agent {name:?} is in session {id}{}", listing("; there are", .known))]
    UnknownAgent {
        /// The session.
        id: SessionId,
        /// The name, or the pattern that no name fits.
        name: String,
        /// The members of the session.
        known: Vec<String>,
    },
    /// An agent is to wait for somebody who is not in the session.
    #[error("{agent} cannot wait for {need:?}, which is not in the session{}", listing("; there are", .known))]
    UnknownDependency {
        /// The agent.
        agent: AgentName,
        /// The dependency.
        need: String,
        /// The members of the session.
        known: Vec<String>,
    },
    /// Agents would wait for each other.
    #[error("agents would wait for each other: {}", .path.join(" → "))]
    Circular {
        /// The cycle; the first agent is repeated at the end.
        path: Vec<String>,
    },
    /// The agent is in a state from which this is not done.
    #[error("cannot {doing} {agent}: it is {status}")]
    IllegalTransition {
        /// The agent.
        agent: AgentName,
        /// The requested transition, as in "complete".
        doing: &'static str,
        /// The state it is in.
        status: String,
    },
    /// A report is not as the protocol has it.
    #[error("report of {agent}: {}", shown(.faults))]
    BadReport {
        /// The author.
        agent: AgentName,
        /// The fields that are wrong.
        faults: Vec<ReportFault>,
    },
    /// There is no such report or data.
    #[error("session {id} has no {what}")]
    NotFound {
        /// The session.
        id: SessionId,
        /// The missing item.
        what: String,
    },
    /// There are such data already.
    #[error("session {id} has {path} already")]
    DataExists {
        /// The session.
        id: SessionId,
        /// The data.
        path: String,
    },
    /// One who was waited for has failed.
    #[error("{agent} failed: {error}{}", stuck(.waiting))]
    AgentFailed {
        /// Who.
        agent: AgentName,
        /// What it said.
        error: String,
        /// Who was waited for and cannot start because of it; empty when it is the agent itself.
        waiting: String,
    },
    /// Those who were waited for wait for each other.
    #[error("{agent} cannot start: {dead_end}")]
    Deadlocked {
        /// Who was waited for.
        agent: AgentName,
        /// The cycle.
        dead_end: DeadEnd,
    },
    /// Those who were waited for did not finish in time.
    #[error("gave up after {waited}; not completed: {}", .open.join(", "))]
    TimedOut {
        /// How long it was waited.
        waited: Span,
        /// The agents that did not finish, with their status.
        open: Vec<String>,
    },
    /// The request or its data make no sense as they stand.
    #[error("{message}")]
    Invalid {
        /// The fault.
        message: String,
        /// The remedy.
        remedy: Remedy,
    },
    /// Storage failed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
}

impl From<NameError> for Box<Error> {
    fn from(error: NameError) -> Self {
        Self::new(error.into())
    }
}

impl From<Box<engine::Error>> for Box<Error> {
    fn from(error: Box<engine::Error>) -> Self {
        Self::new(Error::Engine(*error))
    }
}

impl engine::journal::IsFenced for Box<Error> {
    fn is_fenced(&self) -> bool {
        matches!(**self, Error::Engine(engine::Error::Fenced { .. }))
    }
}

impl Error {
    /// Returns which kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Name(_) | Self::UnknownDependency { .. } | Self::Circular { .. } => ErrorKind::Usage,
            Self::NoSession { .. } | Self::UnknownAgent { .. } | Self::NotFound { .. } => ErrorKind::NotFound,
            Self::SessionExists { .. }
            | Self::Closed { .. }
            | Self::StillRunning { .. }
            | Self::IllegalTransition { .. }
            | Self::DataExists { .. }
            | Self::Engine(
                engine::Error::Locked { .. } | engine::Error::Fenced { .. } | engine::Error::Conflict { .. },
            ) => ErrorKind::Conflict,
            Self::BadReport { .. } | Self::Invalid { .. } | Self::Engine(engine::Error::Damaged { .. }) => {
                ErrorKind::Invalid
            }
            Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::AgentFailed { .. } | Self::Deadlocked { .. } | Self::Engine(_) => ErrorKind::Failed,
        }
    }

    /// Returns what to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Name(error) => error.hint.into(),
            Self::NoSession { .. } => Remedy::StartOrListSessions,
            Self::SessionExists { .. } => Remedy::JoinOrOmitId,
            Self::Closed { .. } => Remedy::StartSession,
            Self::StillRunning { .. } => Remedy::WaitOrForceClose,
            Self::UnknownAgent { .. } => Remedy::JoinSession,
            Self::UnknownDependency { .. } => "name agents of the session, or add the missing one first".into(),
            Self::Circular { .. } => "leave one of these dependencies out".into(),
            Self::IllegalTransition { status, .. } => transition_remedy(status),
            Self::BadReport { .. } => Remedy::ShowReportForm,
            Self::NotFound { .. } => Remedy::ListReportsAndData,
            Self::DataExists { .. } => Remedy::RenameOrReplaceData,
            Self::AgentFailed { .. } => Remedy::RecoverOrKeepGoing,
            Self::Deadlocked { .. } => Remedy::BreakDeadlock,
            Self::TimedOut { .. } => Remedy::WaitOrRecover,
            Self::Invalid { remedy, .. } => remedy.clone(),
            Self::Engine(error @ (engine::Error::Locked { .. } | engine::Error::Io { .. })) => error.remedy(),
            Self::Engine(engine::Error::Damaged { .. }) => "mend the file, or move it away".into(),
            Self::Engine(_) => "read it again and decide anew".into(),
        }
    }
}

/// Returns what can be done from a state.
fn transition_remedy(status: &str) -> Remedy {
    match status {
        "waiting" => Remedy::StartByJoining,
        "in_progress" => {
            "from here it can progress, complete or fail; one that died is failed first, then retried".into()
        }
        "completed" => "it is done; an agent of another name can do more".into(),
        "failed" => Remedy::RetryAgent,
        _ => Remedy::ResetAgent,
    }
}

fn listing(words: &str, known: &[String]) -> String {
    if known.is_empty() { ": there are none".to_owned() } else { format!("{words} {}", known.join(", ")) }
}

/// Names the faults of a report; of many, the first.
fn shown(faults: &[ReportFault]) -> String {
    const MOST: usize = 10;
    let shown: Vec<String> = faults.iter().take(MOST).map(ToString::to_string).collect();
    let more = faults.len().saturating_sub(MOST);
    shown.join("; ") + &if more == 0 { String::new() } else { format!(" (and {more} more)") }
}

fn stuck(waiting: &str) -> String {
    if waiting.is_empty() { String::new() } else { format!("; {waiting} cannot start without it") }
}
