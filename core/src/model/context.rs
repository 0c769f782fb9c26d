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
