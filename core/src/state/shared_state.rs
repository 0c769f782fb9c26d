//! The shared state: one document that every agent may change, one at a time.

use super::State;
use crate::Host;
use crate::bus::{Error, Result, ids};
use crate::engine::fs::FileSystem;
use crate::engine::journal::JournalEntry;
use crate::engine::{self, Lease};
use crate::model::{AgentName, LeaseName};
use crate::wire::orchestrator::layout::{self, SHARED_CONTEXT};
use crate::wire::orchestrator::shared_context::{Author, SharedContext};

/// A change of the shared state.
#[derive(Debug, Clone, Copy)]
pub enum Edit<'a> {
    /// The work is in this phase now.
    Phase(&'a str),
    /// This is what the agents are after, and the task it belongs to if that is told.
    Objective {
        /// What they are after.
        text: &'a str,
        /// The task's id.
        task: Option<&'a str>,
    },
    /// This was decided.
    Decide(&'a str),
    /// This was made.
    Artifact {
        /// What kind of thing it is.
        kind: &'a str,
        /// Where it is.
        path: &'a str,
    },
    /// This is in the way.
    Block(&'a str),
    /// What goes by this id is not in the way any more.
    Unblock(&'a str),
    /// This is worth knowing.
    Note(&'a str),
    /// An agent stands here.
    Agent {
        /// Who.
        name: &'a AgentName,
        /// How it is doing.
        status: &'a str,
        /// What it is at.
        task: Option<&'a str>,
        /// Where its output is.
        output_ref: Option<&'a str>,
    },
}

impl<F: FileSystem, H: Host> State<F, H> {
    /// Reads the shared state; none when nobody has started it.
    pub fn shared(&self) -> Result<Option<SharedContext>> {
        self.finish_orphans();
        self.read_shared()
    }

    /// Changes the shared state, which is started when there is none, and gives what it is now.
    ///
    /// With `expected`, a state that is at another version is left alone: that is a conflict.
    pub fn change(&self, by: Option<&AgentName>, edit: Edit<'_>, expected: Option<u64>) -> Result<SharedContext> {
        self.settings().value.permit_sharing()?;
        self.finish_orphans();
        self.journal.retry_fenced(|| {
            let lease = self.journal.acquire(&LeaseName::new("state")?)?;
            let changed = self.change_under(&lease, by, edit, expected);
            self.journal.release_quietly(&lease);
            changed
        })
    }

    fn change_under(
        &self,
        lease: &Lease,
        by: Option<&AgentName>,
        edit: Edit<'_>,
        expected: Option<u64>,
    ) -> Result<SharedContext> {
        self.journal.redo_pending(SHARED_CONTEXT)?;
        let found = self.read_shared()?;
        let version = found.as_ref().map_or(0, SharedContext::version);
        if let Some(expected) = expected.filter(|expected| *expected != version) {
            let (expected, found) = (format!("version {expected}"), format!("version {version}"));
            return Err(
                Error::from(engine::Error::Conflict { what: "the shared state".into(), expected, found }).into()
            );
        }
        let mut state = found.unwrap_or_else(|| SharedContext::new(&self.new_task_id()));
        let author = Author { by, at: self.journal.host.now() };
        apply(&mut state, edit, author)?;
        state.count();
        let mut pending = self.journal.begin();
        pending.replace(SHARED_CONTEXT.to_owned(), state.encode().as_bytes())?;
        pending.commit_and_redo(std::slice::from_ref(lease))?;
        Ok(state)
    }

    fn read_shared(&self) -> Result<Option<SharedContext>> {
        let Some(bytes) = self.journal.read(SHARED_CONTEXT)? else { return Ok(None) };
        SharedContext::decode(&bytes).map(Some).map_err(|fault| damaged(&fault).into())
    }

    fn new_task_id(&self) -> String {
        ids::timestamped_id("task", self.journal.host.now(), self.journal.host.random())
    }

    /// Carries out what killed processes have committed.
    fn finish_orphans(&self) {
        // One that cannot be finished keeps nobody from anything else, and reading needs no writing.
        for entry in self.journal.orphaned_entries().unwrap_or_default().iter().filter(|entry| is_ours(entry)) {
            drop(self.journal.redo_and_remove(entry));
        }
    }
}

/// Returns whether an entry may be carried out by anyone: those of a session need its lease, and name it.
fn is_ours(entry: &JournalEntry) -> bool {
    entry.note.is_null()
}

fn apply(state: &mut SharedContext, edit: Edit<'_>, author: Author<'_>) -> Result<()> {
    let done = match edit {
        Edit::Phase(phase) => {
            state.set_phase(phase);
            Ok(())
        }
        Edit::Objective { text, task } => {
            task.into_iter().for_each(|task| state.set_task(task));
            state.set_objective(text)
        }
        Edit::Decide(text) => state.decide(text, author),
        Edit::Artifact { kind, path } => state.add_artifact(kind, path, author),
        // The version only ever rises, so no two blockers get one id.
        Edit::Block(text) => state.block(&format!("blocker-{}", state.version().saturating_add(1)), text, author),
        Edit::Unblock(id) => match state.unblock(id) {
            Ok(false) => return Err(no_such_blocker(id).into()),
            other => other.map(|_| ()),
        },
        Edit::Note(text) => state.note(text, author),
        Edit::Agent { name, status, task, output_ref } => state.set_agent(name, status, task, output_ref),
    };
    done.map_err(|fault| damaged(&fault).into())
}

fn damaged(fault: &str) -> Error {
    Error::Invalid {
        message: format!("the shared state cannot be used: {fault}: {}", layout::from_project(SHARED_CONTEXT)),
        hint: "mend the file or move it away; it was left as it is".into(),
    }
}

fn no_such_blocker(id: &str) -> Error {
    Error::NotFound { what: format!("blocker {id:?} in the shared state"), hint: "list them: huddle state show".into() }
}
