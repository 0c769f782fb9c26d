//! Errors of bus operations, and their kinds.

use crate::engine;
use crate::model::{AgentName, ContextName, Directory, HandoffId, MessageId, NameError, ThreadId};

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
        hint: String,
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
        hint: String,
    },
    /// The data does not have the form that it should have.
    #[error("{message}")]
    Invalid {
        /// The fault.
        message: String,
        /// The remedy.
        hint: String,
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

/// The few kinds of failure that a program needs to tell apart: each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Storage or the environment failed.
    Failed,
    /// The request makes no sense.
    Usage,
    /// Something that was named does not exist.
    NotFound,
    /// Something timed out.
    TimedOut,
    /// Another process or agent was first.
    Conflict,
    /// Data is malformed.
    Invalid,
}

impl ErrorKind {
    /// Returns the exit code of the command.
    pub const fn code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::TimedOut => 4,
            Self::Conflict => 5,
            Self::Invalid => 6,
        }
    }

    /// Returns the word that stands for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::NotFound => "not-found",
            Self::TimedOut => "timed-out",
            Self::Conflict => "conflict",
            Self::Invalid => "invalid",
        }
    }
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
            Self::Full { .. }
            | Self::Engine(
                engine::Error::Io { .. } | engine::Error::Server { .. } | engine::Error::Incomplete { .. },
            ) => ErrorKind::Failed,
        }
    }

    /// Describes what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Name(error) => error.hint.into(),
            Self::UnknownAgent { near: Some(near), .. } => format!("did you mean {near}?"),
            Self::UnknownAgent { .. } => "register it first: huddle register AGENT --role ROLE".into(),
            Self::NoSuchMessage { agent, .. } | Self::Engine(engine::Error::NoSuchMessage { agent, .. }) => {
                format!("list what is there: huddle inbox --all --as {agent}")
            }
            Self::UnknownMessage { .. } => "check the id; huddle threads lists all conversations".into(),
            Self::NoSuchThread { .. } => "list the conversations: huddle threads".into(),
            Self::NoSuchContext { .. } => {
                "list them: huddle context list, or make it: huddle context create NAME".into()
            }
            Self::ContextExists { name } => format!("add to it: huddle context update {name}"),
            Self::NoSuchHandoff { .. } => "list them: huddle handoff list".into(),
            Self::NotYours { to, .. } => format!("only {to} can accept or decline it"),
            Self::Usage { hint, .. } | Self::Invalid { hint, .. } | Self::NotFound { hint, .. } => hint.clone(),
            Self::Full { .. } => "archive what is read (huddle archive --before 0s), or raise huddle_limits in \
                                  registry.json; answers are not refused"
                .into(),
            Self::TimedOut { .. } => "try again, or wait longer".into(),
            Self::Engine(error) => engine_hint(error),
        }
    }

    pub(super) fn unknown_agent(name: &AgentName, directory: &Directory) -> Self {
        let known = directory.names();
        let near = nearest(name.as_str(), &known);
        Self::UnknownAgent { name: name.clone(), known, near }
    }
}

fn engine_hint(error: &engine::Error) -> String {
    match error {
        engine::Error::NoBus { .. } => {
            "make one here with huddle init, or point --root or --bus at the one that is meant".into()
        }
        engine::Error::Fenced { .. } => "try again".into(),
        engine::Error::Incomplete { .. } => {
            "remove the cause (permissions, a link, a full disk): the change is kept and completed by the next command; \
             do not send it again without its key"
                .into()
        }
        engine::Error::Locked { .. } => "try again; a holder that died is passed over when its time is up".into(),
        engine::Error::Conflict { .. } => "read it again and decide anew".into(),
        engine::Error::KeyReused { .. } => "use a new key for a new message".into(),
        engine::Error::Damaged { .. } => "huddle check says how to mend it".into(),
        engine::Error::Io { .. } => "check the path, its permissions and the free space".into(),
        engine::Error::Server { hint, .. } => hint.clone(),
        engine::Error::NoSuchMessage { .. } => String::new(),
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
