//! Errors of session operations.

use crate::bus::ErrorKind;
use crate::engine;
use crate::model::{AgentName, NameError, SessionId, Span, Timestamp};
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
    #[error("report of {agent}: {first}{}", and_more(*.more))]
    BadReport {
        /// The author.
        agent: AgentName,
        /// The first field that is wrong.
        first: ReportFault,
        /// How many more are.
        more: usize,
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
        hint: &'static str,
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
            Self::AgentFailed { .. } | Self::Engine(_) => ErrorKind::Failed,
        }
    }

    /// Describes what to do about it.
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::Name(error) => error.hint,
            Self::NoSession { .. } => "start one: huddle session start, or list them: huddle session list",
            Self::SessionExists { .. } => "join it, or leave --id out to get a new one",
            Self::Closed { .. } => "start another: huddle session start",
            Self::StillRunning { .. } => "wait for them: huddle session wait --all, or close with --force",
            Self::UnknownAgent { .. } => "agents come into a session with huddle session join AGENT",
            Self::UnknownDependency { .. } => "name agents of the session, or add the missing one first",
            Self::Circular { .. } => "leave one of these dependencies out",
            Self::IllegalTransition { status, .. } => transition_hint(status),
            Self::BadReport { .. } => "huddle session report put --help shows the form of a report",
            Self::NotFound { .. } => "huddle session report list and huddle session data list show what there is",
            Self::DataExists { .. } => "choose another name, or put it with --replace",
            Self::AgentFailed { .. } => "huddle session recover says what can be done; --keep-going goes on without it",
            Self::TimedOut { .. } => "wait longer; huddle session recover tells who is silent",
            Self::Invalid { hint, .. } => hint,
            Self::Engine(engine::Error::Locked { .. }) => {
                "try again; a holder that died is passed over when its time is up"
            }
            Self::Engine(engine::Error::Damaged { .. }) => "mend the file, or move it away",
            Self::Engine(engine::Error::Io { .. }) => "check the path, its permissions and the free space",
            Self::Engine(_) => "read it again and decide anew",
        };
        hint.to_owned()
    }
}

/// Describes what can be done from a state.
fn transition_hint(status: &str) -> &'static str {
    match status {
        "waiting" => "it starts with huddle session join AGENT",
        "in_progress" => "from here it can progress, complete or fail; one that died is failed first, then retried",
        "completed" => "it is done; an agent of another name can do more",
        "failed" => "let it start over: huddle session retry AGENT",
        _ => "put it back to waiting: huddle session retry AGENT",
    }
}

fn listing(words: &str, known: &[String]) -> String {
    if known.is_empty() { ": there are none".to_owned() } else { format!("{words} {}", known.join(", ")) }
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more)") }
}

fn stuck(waiting: &str) -> String {
    if waiting.is_empty() { String::new() } else { format!("; {waiting} cannot start without it") }
}
