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

pub use decisions::Communication;
pub use protocol::{Choice, Protocol};
pub use settings::Settings;
pub use shared_state::Edit;

use crate::Host;
use crate::compress::Expansions;
use crate::engine::disk::{Disk, rules};
use crate::engine::fs::FileSystem;
use crate::model::{Finding, Found, Severity};
use crate::wire::orchestrator::{layout, settings as wire};

/// The orchestrator's files in a directory tree whose root is `.claude/`.
pub struct State<F, H> {
    disk: Disk<F, H>,
}

impl<F: FileSystem, H: Host> State<F, H> {
    /// Opens the files, or the place where they will be.
    pub fn new(fs: F, host: H) -> Self {
        Self { disk: Disk::new(fs, host, layout::ROOT, rules::claude) }
    }

    crate::engine::disk::acting!();

    /// Gives the saved originals of compressed texts, which are kept with the shared state.
    pub fn expansions(&self) -> Expansions<F, H>
    where
        F: Clone,
        H: Clone,
    {
        Expansions::new(self.disk.fs.clone(), self.disk.host.clone())
    }

    /// Reads the settings; those that are missing or cannot be read are as the protocol has them.
    pub fn settings(&self) -> Found<Settings> {
        let read = self.disk.read(layout::SETTINGS).map_err(|error| error.to_string());
        let decoded =
            read.and_then(|bytes| bytes.map_or_else(|| Ok(Settings::default()), |bytes| wire::decode(&bytes)));
        decoded.map_or_else(
            |fault| Found { value: Settings::default(), findings: vec![unreadable_settings(&fault)] },
            Found::clean,
        )
    }
}

fn unreadable_settings(fault: &str) -> Finding {
    Finding {
        severity: Severity::Warning,
        code: "damaged-settings",
        place: layout::from_project(layout::SETTINGS),
        message: format!("the settings cannot be used: {fault}; the protocol's defaults are"),
        hint: "mend the file, or remove it".to_owned(),
    }
}
