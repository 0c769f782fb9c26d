//! The orchestrator's files: what agents share, how they are to talk, and what they said to each other.
//!
//! A [`State`] stands on the directory `.claude/`. Changes of the shared state are whole or absent and made one at a time;
//! the log of communications is added to line by line. A [`Bus`](crate::bus::Bus) that is given a state takes its settings
//! from there and logs what it carries.

mod check;
mod decisions;
pub mod protocol;
mod settings;
mod shared_state;
#[cfg(test)]
mod tests;

pub use decisions::CommunicationRecord;
pub use protocol::{Choice, Protocol};
pub use settings::Settings;
pub use shared_state::{Edit, StateChange};

use crate::Host;
use crate::compress::{self, Compressed, Expansions};
use crate::engine::fs::FileSystem;
use crate::engine::journal::{Journal, rules};
use crate::engine::{LockOwner, LockSettings};
use crate::model::{Diagnostic, Severity, WithDiagnostics};
use crate::wire::orchestrator::{layout, settings as wire};

/// The orchestrator's files in a directory tree whose root is `.claude/`.
pub struct State<F, H> {
    journal: Journal<F, H>,
}

impl<F: FileSystem, H: Host> LockOwner for State<F, H> {
    fn lock_settings(&self) -> &LockSettings {
        &self.journal.locks
    }
}

impl<F: FileSystem, H: Host> State<F, H> {
    /// Opens the files, or the place where they will be.
    pub fn new(fs: F, host: H) -> Self {
        Self { journal: Journal::new(fs, host, layout::ROOT, rules::claude) }
    }

    /// Returns the saved originals of compressed texts, which are kept with the shared state.
    pub fn expansions(&self) -> Expansions<F, H>
    where
        F: Clone,
        H: Clone,
    {
        Expansions::new(self.journal.fs.clone(), self.journal.host.clone())
    }

    /// Reads the settings, field by field. What is missing is as the protocol has it; what cannot be read is a finding, and
    /// has the strictest reading.
    pub fn settings(&self) -> WithDiagnostics<Settings> {
        let decoded = match self.journal.read(layout::SETTINGS) {
            Ok(None) => return WithDiagnostics::default(),
            Ok(Some(bytes)) => wire::decode(&bytes),
            Err(error) => wire::unreadable(&error.to_string()),
        };
        WithDiagnostics { value: decoded.settings, findings: decoded.faults.iter().map(wrong_setting).collect() }
    }

    /// Compresses a text as the settings say: to `limit` tokens, or else to those that a context may have. With compression
    /// turned off it stays as it is.
    pub fn compress(&self, input: &[u8], limit: Option<usize>) -> Result<Compressed, compress::Error>
    where
        F: Clone,
        H: Clone,
    {
        let settings = self.settings().value;
        if settings.compression {
            self.expansions().compress(input, limit.unwrap_or(settings.max_context_tokens))
        } else {
            Ok(compress::unchanged(input))
        }
    }
}

fn wrong_setting(fault: &wire::Fault) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "wrong-setting",
        place: layout::from_project(layout::SETTINGS),
        message: format!("{}; until it is mended, {}", fault.message, fault.reading),
        remedy: "mend the field, or remove it to get the protocol's own".into(),
    }
}
