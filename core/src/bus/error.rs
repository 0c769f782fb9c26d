//! What can go wrong in an operation, and how a caller should take it.

use crate::engine;
use crate::model::{AgentName, ContextName, Directory, HandoffId, MessageId, NameError, ThreadId};

/// An operation's result.
///
/// Its error is a pointer: it is passed on in hundreds of places, and one word makes less code in each than ten.
pub type Result<T, E = Box<Error>> = std::result::Result<T, E>;

/// Why an operation was not done.
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
        /// Who is registered.
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
    NowhereFound {
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
    Missing {
        /// What was looked for, and where.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// The handoff is somebody else's.
    #[error("handoff {id} is for {to}, not for {agent}")]
    NotYours {
        /// The handoff.
        id: HandoffId,
        /// Whose it is.
        to: AgentName,
        /// Who asked.
        agent: AgentName,
    },
    /// The request makes no sense as it stands.
    #[error("{message}")]
    Usage {
        /// What is wrong with it.
        message: String,
        /// What to do instead.
        hint: String,
    },
    /// The data does not have the form that it should have.
    #[error("{message}")]
    Invalid {
        /// What is wrong with it.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The inboxes hold as much as they may.
    #[error("the bus is full: its inboxes hold {held} {what}, and may hold {most}")]
    Full {
        /// What is counted: messages or bytes.
        what: &'static str,
        /// How much there is.
        held: u64,
        /// How much there may be.
        most: u64,
    },
    /// Something did not come in time.
    #[error("{message}")]
    TimedOut {
        /// What did not come.
        message: String,
    },
    /// Storage failed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
}

/// The few kinds of failure that a program needs to tell apart: each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something below failed.
    Failed,
    /// The request makes no sense.
    Usage,
    /// Something that was named does not exist.
    NotFound,
    /// Something did not come in time.
    TimedOut,
    /// Another was first, or is at it.
    Conflict,
    /// Data is not as it should be.
    Invalid,
}

impl Kind {
    /// Gives the exit code of the command.
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

    /// Gives the word that stands for the kind.
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
    /// Says which kind of failure this is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Name(_) | Self::Usage { .. } => Kind::Usage,
            Self::UnknownAgent { .. }
            | Self::NoSuchMessage { .. }
            | Self::NowhereFound { .. }
            | Self::NoSuchThread { .. }
            | Self::NoSuchContext { .. }
            | Self::NoSuchHandoff { .. }
            | Self::Missing { .. }
            | Self::Engine(engine::Error::NoBus { .. } | engine::Error::NoSuchMessage { .. }) => Kind::NotFound,
            Self::ContextExists { .. }
            | Self::NotYours { .. }
            | Self::Engine(
                engine::Error::Conflict { .. }
                | engine::Error::KeyReused { .. }
                | engine::Error::Locked { .. }
                | engine::Error::Fenced { .. },
            ) => Kind::Conflict,
            Self::Invalid { .. } | Self::Engine(engine::Error::Damaged { .. }) => Kind::Invalid,
            Self::TimedOut { .. } => Kind::TimedOut,
            Self::Full { .. }
            | Self::Engine(
                engine::Error::Io { .. } | engine::Error::Server { .. } | engine::Error::Incomplete { .. },
            ) => Kind::Failed,
        }
    }

    /// Says what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Name(error) => error.hint.into(),
            Self::UnknownAgent { near: Some(near), .. } => format!("did you mean {near}?"),
            Self::UnknownAgent { .. } => "register it first: huddle register AGENT --role ROLE".into(),
            Self::NoSuchMessage { agent, .. } | Self::Engine(engine::Error::NoSuchMessage { agent, .. }) => {
                format!("list what is there: huddle inbox --all --as {agent}")
            }
            Self::NowhereFound { .. } => "check the id; huddle threads lists all conversations".into(),
            Self::NoSuchThread { .. } => "list the conversations: huddle threads".into(),
            Self::NoSuchContext { .. } => {
                "list them: huddle context list, or make it: huddle context create NAME".into()
            }
            Self::ContextExists { name } => format!("add to it: huddle context update {name}"),
            Self::NoSuchHandoff { .. } => "list them: huddle handoff list".into(),
            Self::NotYours { to, .. } => format!("only {to} can accept or decline it"),
            Self::Usage { hint, .. } | Self::Invalid { hint, .. } | Self::Missing { hint, .. } => hint.clone(),
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

/// Finds the name that takes the fewest edits to reach, if that is few enough to be a slip.
fn nearest(wanted: &str, known: &[AgentName]) -> Option<AgentName> {
    let limit = (wanted.chars().count() / 3).max(1);
    let scored =
        known.iter().map(|name| (edits(&wanted.to_ascii_lowercase(), &name.as_str().to_ascii_lowercase()), name));
    scored.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name.clone())
}

/// Counts the insertions, deletions and replacements between two words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
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
