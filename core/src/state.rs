//! The orchestrator's files: what agents share, how they are to talk, and what they said to each other.
//!
//! A [`State`] stands on the directory `.claude/`. Changes of the shared state are whole or absent and made one at a time;
//! the log of communications is added to line by line. A [`Bus`](crate::bus::Bus) that is given a state takes its settings
//! from there and logs what it carries.

mod decisions;
pub mod protocol;
mod settings;
mod shared_state;
#[cfg(test)]
mod tests;

pub use decisions::CommunicationRecord;
pub use protocol::{Choice, Protocol};
pub use settings::Settings;
pub use shared_state::Edit;

use crate::Host;
use crate::compress::Expansions;
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

    /// Reads the settings; those that are missing or cannot be read are as the protocol has them.
    pub fn settings(&self) -> WithDiagnostics<Settings> {
        let read = self.journal.read(layout::SETTINGS).map_err(|error| error.to_string());
        let decoded =
            read.and_then(|bytes| bytes.map_or_else(|| Ok(Settings::default()), |bytes| wire::decode(&bytes)));
        decoded.map_or_else(
            |fault| WithDiagnostics { value: Settings::default(), findings: vec![unreadable_settings(&fault)] },
            WithDiagnostics::clean,
        )
    }
}

fn unreadable_settings(fault: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "damaged-settings",
        place: layout::from_project(layout::SETTINGS),
        message: format!("the settings cannot be used: {fault}; the protocol's defaults are"),
        hint: "mend the file, or remove it".to_owned(),
    }
}
