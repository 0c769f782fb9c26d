//! Shared context: a Markdown document that agents extend together.

use super::{AgentName, ContextName, Timestamp};

/// A shared context document at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// Its name.
    pub name: ContextName,
    /// The whole document, header and history included.
    pub text: String,
    /// One for a new document, and one more for each update in it.
    pub version: u64,
    /// When it last changed, as its header and updates say.
    pub updated_at: Option<Timestamp>,
    /// Who has updated it, in order of their first update.
    pub contributors: Vec<AgentName>,
}

/// The lock beside a shared context, set by an agent that uses the protocol's shell snippets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextLock {
    /// The shared context.
    pub context: ContextName,
    /// Who holds it, as the lock says.
    pub holder: String,
    /// Since when; the time of its file where it does not say.
    pub since: Option<Timestamp>,
    /// Whether it is so old that its holder must have died: updates pass over it.
    pub is_left: bool,
}
