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
mod life;
mod log;
mod moves;
mod recover;
mod reports;
mod wait;

#[cfg(test)]
mod tests;

pub use data::Datum;
pub use error::{Error, Result};
pub use life::{Plan, View};
pub use log::{EventFilter, Follow, count_by};
pub use moves::Joined;
pub use recover::{PartialReport, Problem, Strategy, Trouble};
pub use reports::{Advice, Merged, merge};
pub use wait::{Waited, Whom};

use uuid::Uuid;

use crate::Host;
use crate::engine::disk::{Disk, rules};
use crate::engine::fs::FileSystem;
use crate::model::{Finding, SessionId};
use crate::wire::session::layout;

/// The sessions of a project, in a directory tree whose root is `.claude/`.
pub struct Sessions<F, H> {
    disk: Disk<F, H>,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Opens the sessions of a project, or the place where they will be.
    pub fn new(fs: F, host: H) -> Self {
        Self { disk: Disk::new(fs, host, layout::ROOT, rules::claude) }
    }

    crate::engine::disk::acting!();

    /// Makes sure that there is such a session, and finishes what killed processes left undone.
    fn open(&self, id: &SessionId) -> Result<()> {
        self.enter();
        if self.disk.exists(&layout::session(id))? {
            return Ok(());
        }
        let mut known: Vec<String> = self.disk.list(layout::SESSIONS)?.into_iter().map(|entry| entry.name).collect();
        // The newest are the last; of many sessions, nobody wants to read all.
        let some = known.split_off(known.len().saturating_sub(8));
        Err(Error::NoSession { id: id.clone(), known: some }.into())
    }

    /// Finds changes in the journal that nobody carries out, with places as seen from the project.
    pub fn check_journal(&self) -> Vec<Finding> {
        let mut findings = self.disk.stuck_work();
        findings.iter_mut().for_each(|finding| finding.place = format!("{}/{}", layout::ROOT, finding.place));
        findings
    }

    /// Makes an id that sorts by time.
    fn new_id(&self) -> Uuid {
        let millis = self.disk.host.now().micros().max(0) as u64 / 1000;
        let mut tail = [0; 10];
        tail.copy_from_slice(&self.disk.host.random().to_le_bytes()[..10]);
        uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid()
    }
}
