//! Handoffs: a task, with all that belongs to it, passed from one agent to another.

use super::{AgentName, HandoffId, JsonMap, Timestamp};

/// Where a handoff stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandoffStatus {
    /// The receiver has not decided.
    Pending,
    /// The receiver took it.
    Accepted(Decision),
    /// The receiver turned it down.
    Declined(Decision),
}

impl HandoffStatus {
    /// Returns the word that metadata carries.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending => "pending_acceptance",
            Self::Accepted(_) => "accepted",
            Self::Declined(_) => "declined",
        }
    }
}

/// Who decided on a handoff, when, and what they said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Who decided.
    pub by: AgentName,
    /// When.
    pub at: Option<Timestamp>,
    /// What they said.
    pub notes: String,
}

/// A file that a handoff carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The path it was given as.
    pub source: String,
    /// Its name in the package's `artifacts/` directory.
    pub stored: String,
}

/// The structured part of a handoff package.
#[derive(Debug, Clone, PartialEq)]
pub struct Handoff {
    /// Its id.
    pub id: HandoffId,
    /// Who hands over.
    pub from: AgentName,
    /// Who takes over.
    pub to: AgentName,
    /// What is handed over, in a line.
    pub task: String,
    /// When the package was made.
    pub created_at: Option<Timestamp>,
    /// Where it stands.
    pub status: HandoffStatus,
    /// The files in it.
    pub artifacts: Vec<Artifact>,
    /// Fields of the stored metadata that this version does not know.
    pub extra: JsonMap,
}
