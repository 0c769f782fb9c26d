//! The log of what agents said to each other.

use super::{Protocol, State};
use crate::Host;
use crate::bus::{Error, Orchestrator, Result};
use crate::compress;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Json, MessageId, Timestamp, WithDiagnostics};
use crate::wire::orchestrator::decision;
use crate::wire::orchestrator::layout::{DECISIONS, SETTINGS, STATE};
use crate::wire::orchestrator::shared_context::SharedContext;

/// A logged communication.
#[derive(Debug, Clone, PartialEq)]
pub struct CommunicationRecord {
    /// The time of its end.
    pub at: Timestamp,
    /// Which way it went.
    pub protocol: Protocol,
    /// The sender.
    pub from: AgentName,
    /// To whom: a name, or `all_active_agents`.
    pub to: String,
    /// How many tokens went over.
    pub tokens: usize,
    /// How many it would have been without compression.
    pub full_tokens: usize,
    /// Whether it succeeded.
    pub success: bool,
    /// The outcome, in a word.
    pub outcome: &'static str,
    /// The message that carried it.
    pub message: Option<MessageId>,
    /// Whether the orchestrator's own protocol was used, rather than one that it shares with the mailbox.
    pub always_logged: bool,
}

impl<F: FileSystem, H: Host> State<F, H> {
    /// Reads the log, each line with all its fields.
    pub fn communications(&self) -> Result<WithDiagnostics<Vec<Json>>> {
        Ok(decision::decode(&self.journal.read(DECISIONS)?.unwrap_or_default()))
    }

    /// Returns whether something is to be logged: what only an orchestrator says always is; what agents of a mailbox say, too,
    /// is when there is an orchestrator, which is to say, when it has state or settings.
    fn should_log(&self, record: &CommunicationRecord) -> Result<bool> {
        let present = record.always_logged || self.journal.exists(STATE)? || self.journal.exists(SETTINGS)?;
        Ok(present && self.settings().value.shared_state)
    }
}

impl<F: FileSystem + Clone, H: Host + Clone> Orchestrator for State<F, H> {
    fn settings(&self) -> WithDiagnostics<super::Settings> {
        Self::settings(self)
    }

    fn shared(&self) -> Result<Option<SharedContext>> {
        Self::shared(self)
    }

    fn compress(&self, text: &str, limit: usize) -> Result<String> {
        let compressed = self.expansions().compress(text.as_bytes(), limit);
        compressed.map(|compressed| compressed.text).map_err(|error| match error {
            compress::Error::Storage(error) => error.into(),
            other => Error::Invalid { message: other.to_string(), hint: other.hint() }.into(),
        })
    }

    fn log(&self, record: &CommunicationRecord) -> Result<()> {
        if !self.should_log(record)? {
            return Ok(());
        }
        // One who was killed in the middle of a line must not spoil ours.
        let torn = self.journal.read(DECISIONS)?.is_some_and(|log| log.last().is_some_and(|byte| *byte != b'\n'));
        let line = decision::encode(record);
        Ok(self.journal.append(DECISIONS, &if torn { format!("\n{line}") } else { line })?)
    }
}
