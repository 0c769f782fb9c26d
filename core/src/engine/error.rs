//! What can go wrong in storage.

use crate::model::{AgentName, MessageId, Span};

/// A storage result.
///
/// Its error is a pointer: it is passed on in hundreds of places, and one word makes less code in each than ten.
pub type Result<T, E = Box<Error>> = std::result::Result<T, E>;

/// Why storage could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no bus yet.
    #[error("no message bus here: {place} is missing")]
    NoBus {
        /// Where it was looked for.
        place: String,
    },
    /// The file system, or whatever lies below, refused.
    #[error("{doing} failed: {source}: {path}")]
    Io {
        /// What was being done, as in "reading".
        doing: &'static str,
        /// To what.
        path: String,
        /// What it said.
        source: std::io::Error,
    },
    /// The database server could not be reached, or refused.
    #[error("{doing} failed: {fault}: {address}")]
    Server {
        /// What was being done, as in "sending".
        doing: &'static str,
        /// Which server, without the password.
        address: String,
        /// What is wrong.
        fault: String,
        /// What to check.
        hint: String,
    },
    /// Another holds what is needed, and did not give it up in time.
    #[error("{what} is locked by {holder}; gave up after {waited}")]
    Locked {
        /// What is locked.
        what: String,
        /// By whom.
        holder: String,
        /// How long it was waited for.
        waited: Span,
    },
    /// The process was suspended for so long that others went on without it. Nothing was changed.
    #[error("{what} took too long and was not changed: another agent has gone on meanwhile")]
    Fenced {
        /// What was to be changed.
        what: String,
    },
    /// The change is committed, and a part of it could not be carried out. It stays in the journal.
    #[error("{}: {fault}", undelivered(.scopes))]
    Incomplete {
        /// What could not be changed, by the first two names of its path: an agent's inbox, a document.
        scopes: Vec<String>,
        /// What failed, and where.
        fault: String,
    },
    /// Something is not in the state that the change expects.
    #[error("{what} changed meanwhile: expected {expected}, found {found}")]
    Conflict {
        /// What moved.
        what: String,
        /// The state that was expected.
        expected: String,
        /// The state it is in.
        found: String,
    },
    /// A send key was used for another message.
    #[error("key {key:?} was used before for a different message, {earlier}")]
    KeyReused {
        /// The key.
        key: String,
        /// The message it was used for.
        earlier: MessageId,
    },
    /// The agent does not have that message.
    #[error("{agent} has no message {id}")]
    NoSuchMessage {
        /// The agent.
        agent: AgentName,
        /// The message.
        id: MessageId,
    },
    /// Something is there and cannot be understood.
    #[error("{fault}: {path}")]
    Damaged {
        /// Where.
        path: String,
        /// What is wrong with it.
        fault: String,
    },
}

fn undelivered(scopes: &[String]) -> String {
    let recipients: Vec<&str> = scopes.iter().filter_map(|scope| scope.strip_prefix("inbox/")).collect();
    match &recipients[..] {
        [] => "the change is stored but incomplete".to_owned(),
        _ => format!("not delivered to {}", recipients.join(", ")),
    }
}
