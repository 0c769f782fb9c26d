//! Errors of bus operations.

use crate::engine;
use crate::model::{AgentName, ContextName, Directory, ErrorKind, HandoffId, MessageId, NameError, Remedy, ThreadId};

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
    /// Nobody of that name is registered.
    #[error("no agent {name:?} is registered{}", listing(.known))]
    UnknownAgent {
        /// The name that was asked for.
        name: AgentName,
        /// The registered agents.
        known: Vec<AgentName>,
        /// The registered name that looks most like it.
        near: Option<AgentName>,
    },
    /// The agent has no such message.
    #[error("{agent} has no message {id}")]
    NoSuchMessage {
        /// The agent.
        agent: AgentName,
        /// The message.
        id: MessageId,
    },
    /// Nobody has such a message.
    #[error("nobody on this bus has a message {id}")]
    UnknownMessage {
        /// The message.
        id: MessageId,
    },
    /// There is no such conversation.
    #[error("no message belongs to thread {thread}")]
    NoSuchThread {
        /// The thread.
        thread: ThreadId,
    },
    /// There is no such shared context.
    #[error("there is no shared context {name:?}")]
    NoSuchContext {
        /// The context.
        name: ContextName,
    },
    /// There is such a shared context already.
    #[error("there is a shared context {name:?} already")]
    ContextExists {
        /// The context.
        name: ContextName,
    },
    /// There is no such handoff.
    #[error("there is no handoff {id}")]
    NoSuchHandoff {
        /// The handoff.
        id: HandoffId,
    },
    /// Something that was named is not there.
    #[error("there is no {what}")]
    NotFound {
        /// The missing item and where it was expected.
        what: String,
        /// The remedy.
        remedy: Remedy,
    },
    /// The handoff is somebody else's.
    #[error("handoff {id} is for {to}, not for {agent}")]
    NotYours {
        /// The handoff.
        id: HandoffId,
        /// The recipient.
        to: AgentName,
        /// The agent that asked.
        agent: AgentName,
    },
    /// The request makes no sense as it stands.
    #[error("{message}")]
    Usage {
        /// The fault.
        message: String,
        /// The remedy.
        remedy: Remedy,
    },
    /// The data does not have the form that it should have.
    #[error("{message}")]
    Invalid {
        /// The fault.
        message: String,
        /// The remedy.
        remedy: Remedy,
    },
    /// The inboxes hold as much as they may.
    #[error("the bus is full: its inboxes hold {held} {what}, and may hold {most}")]
    Full {
        /// The exceeded quantity: messages or bytes.
        what: &'static str,
        /// The current amount.
        held: u64,
        /// The limit.
        most: u64,
    },
    /// A session failed.
    #[error(transparent)]
    Session(Box<crate::session::Error>),
    /// Something timed out.
    #[error("{message}")]
    TimedOut {
        /// What timed out.
        message: String,
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
            Self::Name(_) | Self::Usage { .. } => ErrorKind::Usage,
            Self::UnknownAgent { .. }
            | Self::NoSuchMessage { .. }
            | Self::UnknownMessage { .. }
            | Self::NoSuchThread { .. }
            | Self::NoSuchContext { .. }
            | Self::NoSuchHandoff { .. }
            | Self::NotFound { .. }
            | Self::Engine(engine::Error::NoBus { .. } | engine::Error::NoSuchMessage { .. }) => ErrorKind::NotFound,
            Self::ContextExists { .. }
            | Self::NotYours { .. }
            | Self::Engine(
                engine::Error::Conflict { .. }
                | engine::Error::KeyReused { .. }
                | engine::Error::Locked { .. }
                | engine::Error::Fenced { .. },
            ) => ErrorKind::Conflict,
            Self::Invalid { .. } | Self::Engine(engine::Error::Damaged { .. }) => ErrorKind::Invalid,
            Self::TimedOut { .. } => ErrorKind::TimedOut,
            Self::Session(error) => error.kind(),
            Self::Full { .. }
            | Self::Engine(
                engine::Error::Io { .. } | engine::Error::Server { .. } | engine::Error::Incomplete { .. },
            ) => ErrorKind::Failed,
        }
    }

    /// Returns what to do about it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Name(error) => error.hint.into(),
            Self::UnknownAgent { near: Some(near), .. } => Remedy::UseAgent(near.clone()),
            Self::UnknownAgent { .. } => Remedy::RegisterFirst,
            Self::NoSuchMessage { agent, .. } | Self::Engine(engine::Error::NoSuchMessage { agent, .. }) => {
                Remedy::ListInbox(agent.clone())
            }
            Self::UnknownMessage { .. } => Remedy::CheckMessageId,
            Self::NoSuchThread { .. } => Remedy::ListThreads,
            Self::NoSuchContext { .. } => Remedy::ListOrCreateContext,
            Self::ContextExists { name } => Remedy::UpdateContext(name.clone()),
            Self::NoSuchHandoff { .. } => Remedy::ListHandoffs,
            Self::NotYours { to, .. } => format!("only {to} can accept it, decline it or ask for its context").into(),
            Self::Usage { remedy, .. } | Self::Invalid { remedy, .. } | Self::NotFound { remedy, .. } => remedy.clone(),
            Self::Full { .. } => Remedy::ArchiveOrRaiseQuota,
            Self::TimedOut { .. } => "try again, or wait longer".into(),
            Self::Session(error) => error.remedy(),
            Self::Engine(error) => error.remedy(),
        }
    }

    pub(super) fn unknown_agent(name: &AgentName, directory: &Directory) -> Self {
        let known = directory.names();
        let near = nearest(name.as_str(), &known);
        Self::UnknownAgent { name: name.clone(), known, near }
    }
}

fn listing(known: &[AgentName]) -> String {
    if known.is_empty() {
        return ": nobody is".to_owned();
    }
    let names: Vec<_> = known.iter().map(AgentName::as_str).collect();
    format!("; registered are {}", names.join(", "))
}

/// Finds the name with the smallest edit distance, if that is small enough to be a typo.
fn nearest(wanted: &str, known: &[AgentName]) -> Option<AgentName> {
    let limit = (wanted.chars().count() / 3).max(1);
    let wanted = wanted.to_ascii_lowercase();
    let scored = known.iter().map(|name| (strsim::levenshtein(&wanted, &name.as_str().to_ascii_lowercase()), name));
    scored.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_name_is_suggested() {
        let known: Vec<AgentName> = ["architect-1", "builder-1", "builder-2"].map(|n| n.parse().unwrap()).into();
        let check = |wanted: &str, near: Option<&str>| {
            assert_eq!(nearest(wanted, &known).as_ref().map(AgentName::as_str), near, "{wanted}");
        };
        check("bilder-1", Some("builder-1"));
        check("Builder-2", Some("builder-2"));
        check("architekt-1", Some("architect-1"));
        check("tester", None);
    }
}
