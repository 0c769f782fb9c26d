//! Sessions: several agents do one job: who waits for whom, who is done, what each found.
//!
//! A session is a directory in the session protocol's layout ([`crate::wire::session`]), shared with agents that use the
//! protocol's shell snippets. Every change of state is made under the session's lease, together with the record that tells
//! of it: after a kill at any step both are there or neither is. Records that change no state are appended without a lease.
//!
//! ```
//! use huddle_core::engine::fs::memory::MemoryFs;
//! use huddle_core::host::FixedHost;
//! use huddle_core::session::{Plan, Sessions};
//!
//! let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-01-23T10:00:00Z"));
//! let sessions = Sessions::new(&fs, &host);
//! let (ann, bob) = ("ann".parse()?, "bob".parse()?);
//! let plan = Plan { agents: vec![(ann, vec![]), (bob, vec!["ann".to_owned()])], ..Plan::default() };
//! let id = sessions.start(&plan)?.id;
//!
//! let ann = "ann".parse()?;
//! sessions.join(&id, &ann, &[], &[])?;
//! sessions.complete(&id, &ann, None, Some("Found nothing"))?;
//! let session = sessions.status(&id)?.value.session;
//! assert_eq!(session.ready()[0].name.as_str(), "bob");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod error;
pub mod glob;

mod change;
mod data;
#[cfg(any(test, feature = "suite"))]
pub mod fuzzing;
mod graph;
mod lifecycle;
mod log;
mod recover;
mod reports;
mod transitions;
mod wait;

#[cfg(test)]
mod tests;

pub use data::DataFile;
pub use error::{Error, Result};
pub use lifecycle::{Plan, SessionView};
pub use log::{EventFilter, LogCursor, count_by};
pub use recover::{AgentIssue, PartialReport, Problem, Strategy};
pub use reports::{Advice, MergedReports, merge};
pub use transitions::JoinResult;
pub use wait::{WaitResult, WaitTarget};

use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{Journal, rules};
use crate::engine::{LockOwner, LockSettings};
use crate::model::{Diagnostic, SessionId};
use crate::wire::session::layout;

/// The sessions of a project, in a directory tree whose root is `.claude/`.
pub struct Sessions<F, H> {
    journal: Journal<F, H>,
}

impl<F: FileSystem, H: Host> LockOwner for Sessions<F, H> {
    fn lock_settings(&self) -> &LockSettings {
        &self.journal.locks
    }
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Opens the sessions of a project, or the place where they will be.
    pub fn new(fs: F, host: H) -> Self {
        Self { journal: Journal::new(fs, host, layout::ROOT, rules::claude) }
    }

    /// Ensures that there is such a session, and finishes what killed processes left undone.
    fn open(&self, id: &SessionId) -> Result<()> {
        self.finish_orphans();
        if self.journal.exists(&layout::session(id))? {
            return Ok(());
        }
        let mut known: Vec<String> = self.journal.list(layout::SESSIONS)?.into_iter().map(|entry| entry.name).collect();
        // The newest are the last; of many sessions, nobody wants to read all.
        let some = known.split_off(known.len().saturating_sub(8));
        Err(Error::NoSession { id: id.clone(), known: some }.into())
    }

    /// Finds changes in the journal that nobody carries out, with places as seen from the project.
    pub fn check_journal(&self) -> Vec<Diagnostic> {
        let mut findings = self.journal.stuck_entries();
        findings.iter_mut().for_each(|finding| finding.place = format!("{}/{}", layout::ROOT, finding.place));
        findings
    }
}
