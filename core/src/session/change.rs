//! Changes to a session: read, decided and committed under its lease, and finished by others if need be.

use serde_json::json;

use super::Sessions;
use super::error::{Error, Result};
use crate::engine::fs::FileSystem;
use crate::engine::journal::{JournalEntry, PendingTransaction, RedoOp, TTL};
use crate::engine::{self, Lease};
use crate::host::{self, Host};
use crate::model::{AgentName, Event, Json, LeaseName, Member, NewEvent, Session, SessionId, Span, Timestamp};
use crate::wire::session::coordination::Coordination;
use crate::wire::session::{event, layout};

/// A session read under its lease, and the pending changes to it.
pub(super) struct SessionEdit {
    pub(super) now: Timestamp,
    /// The session as it was read; after the change, as it is.
    pub(super) session: Session,
    pub(super) coordination: Coordination,
    /// The file as it was read; one that was not there says nothing.
    before: Coordination,
    pub(super) events: Vec<NewEvent>,
    pub(super) files: Vec<NewFile>,
    /// What was logged, once the change is made.
    pub(super) logged: Vec<Event>,
}

/// A file to write, with its path relative to the session's directory.
pub(super) struct NewFile {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

impl SessionEdit {
    /// Returns an agent's entry.
    pub(super) fn member(&self, agent: &AgentName) -> Result<&Member> {
        self.session.member(agent.as_str()).ok_or_else(|| unknown_agent(&self.session, agent.as_str()).into())
    }

    /// Fails if the session is closed.
    pub(super) fn refuse_closed(&self) -> Result<()> {
        match self.session.closed_at {
            Some(at) => Err(Error::Closed { id: self.session.id.clone(), at }.into()),
            None => Ok(()),
        }
    }

    /// Returns the time as the protocol's files do.
    pub(super) fn timestamp(&self) -> Json {
        self.now.floor().to_string().into()
    }
}

/// Says that somebody is not in the session.
pub(super) fn unknown_agent(session: &Session, name: &str) -> Error {
    let known = session.names().iter().map(ToString::to_string).collect();
    Error::UnknownAgent { id: session.id.clone(), name: name.to_owned(), known }
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Changes a session that is there.
    pub(super) fn change(
        &self,
        id: &SessionId,
        act: &mut dyn FnMut(&mut SessionEdit) -> Result<()>,
    ) -> Result<SessionEdit> {
        self.open(id)?;
        self.under_lease(id, act)
    }

    /// Changes a session atomically.
    pub(super) fn under_lease(
        &self,
        id: &SessionId,
        act: &mut dyn FnMut(&mut SessionEdit) -> Result<()>,
    ) -> Result<SessionEdit> {
        self.journal.retry_fenced(|| self.under_lease_once(id, act))
    }

    fn under_lease_once(
        &self,
        id: &SessionId,
        act: &mut dyn FnMut(&mut SessionEdit) -> Result<()>,
    ) -> Result<SessionEdit> {
        let lease = self.journal.acquire(&lease_name(id)?)?;
        let changed = self.finish_pending(&lease).and_then(|()| self.read_for_change(id)).and_then(|mut edit| {
            act(&mut edit)?;
            self.write(edit, &lease)
        });
        self.journal.release_quietly(&lease);
        changed
    }

    fn read_for_change(&self, id: &SessionId) -> Result<SessionEdit> {
        let path = layout::within(id, layout::COORDINATION);
        let coordination = match self.journal.read(&path)? {
            Some(bytes) => {
                let damaged =
                    |fault| Error::from(engine::Error::Damaged { path: format!("{}/{path}", layout::ROOT), fault });
                Coordination::decode(&bytes).map_err(damaged)?
            }
            None => Coordination::default(),
        };
        let before = coordination.clone();
        let session = coordination.session(id).value;
        let now = self.journal.host.now();
        Ok(SessionEdit {
            now,
            session,
            coordination,
            before,
            events: Vec::new(),
            files: Vec::new(),
            logged: Vec::new(),
        })
    }

    fn write(&self, mut edit: SessionEdit, lease: &Lease) -> Result<SessionEdit> {
        let mut pending = self.journal.begin();
        pending.entry.note = json!({"lease": lease.name.as_str()});
        match self.prepare(&mut pending, &mut edit) {
            Ok(()) if pending.entry.steps.is_empty() => {}
            Ok(()) => pending.commit_and_redo(std::slice::from_ref(lease))?,
            Err(error) => {
                pending.discard()?;
                return Err(error);
            }
        }
        edit.session = edit.coordination.session(&edit.session.id).value;
        Ok(edit)
    }

    /// Writes the contents of a change. Files come first and the coordination last: who sees there that an agent has
    /// finished must find its report and the record of it.
    fn prepare(&self, pending: &mut PendingTransaction<'_, F, H>, edit: &mut SessionEdit) -> Result<()> {
        let id = &edit.session.id;
        let mut lines = Vec::new();
        for new in &edit.events {
            let record = event::encode(new, edit.now, &host::new_uuid(&self.journal.host).simple().to_string());
            edit.files.extend(record.overflow.map(|(path, text)| NewFile { path, bytes: text.into_bytes() }));
            let path = layout::within(id, layout::LOG);
            lines.push(RedoOp::Append { path, line: record.line, mark: record.mark });
            edit.logged.push(record.event);
        }
        if !self.journal.exists(&layout::session(id))? {
            let dirs = [layout::REPORTS, layout::DATA].map(|dir| layout::within(id, dir));
            pending.entry.steps.extend(dirs.map(|path| RedoOp::Dir { path }));
        }
        for file in &edit.files {
            pending.replace(layout::within(id, &file.path), &file.bytes)?;
        }
        pending.entry.steps.extend(lines);
        if edit.coordination != edit.before {
            pending.replace(layout::within(id, layout::COORDINATION), edit.coordination.encode().as_bytes())?;
        }
        Ok(())
    }

    /// Redoes the journal entries of killed processes.
    pub(super) fn finish_orphans(&self) {
        // One that cannot be finished keeps nobody from anything else, and reading needs no writing.
        for entry in self.journal.orphaned_entries().unwrap_or_default() {
            drop(self.finish_orphan(&entry));
        }
    }

    /// Finishes a change of one who seems to be dead, under the lease that it was made under: two who add the same line
    /// to a log at the same instant would both find it missing.
    fn finish_orphan(&self, entry: &JournalEntry) -> Result<()> {
        let Some(name) = lease_of(entry) else { return Ok(self.journal.redo_and_remove(entry)?) };
        let began = self.journal.host.now();
        let mut pause = Span::from_millis(2);
        while self.journal.is_pending(entry)? {
            if let Ok(lease) = self.journal.try_lease(&name, &self.journal.locks.owner(), TTL)? {
                let finished = self.finish_pending(&lease);
                self.journal.release_quietly(&lease);
                return finished;
            }
            // One who keeps its lease alive this long is not dead, only slow.
            if self.journal.host.now().since(began) > TTL {
                return Ok(());
            }
            pause = self.journal.pause(pause);
        }
        Ok(())
    }

    /// Finishes the changes that were committed under a lease, however young: its last holder may have died a moment ago.
    fn finish_pending(&self, lease: &Lease) -> Result<()> {
        let waiting = self.journal.pending_entries(None)?;
        for entry in waiting.iter().filter(|entry| lease_of(entry).as_ref() == Some(&lease.name)) {
            self.terminate_torn_lines(entry)?;
            self.journal.redo_and_remove(entry)?;
        }
        Ok(())
    }

    /// Ends a line that somebody died in the middle of, so that the next one stands for itself.
    fn terminate_torn_lines(&self, entry: &JournalEntry) -> Result<()> {
        for step in &entry.steps {
            if let RedoOp::Append { path, .. } = step
                && self.journal.read(path)?.is_some_and(|log| log.last().is_some_and(|byte| *byte != b'\n'))
            {
                self.journal.append(path, "\n")?;
            }
        }
        Ok(())
    }
}

/// Returns the lease that an entry was written under: that of the session which all its steps belong to.
fn lease_of(entry: &JournalEntry) -> Option<LeaseName> {
    let named = entry.note["lease"].as_str()?;
    let mut sessions = entry.steps.iter().map(|step| layout::session_of(step.path()));
    let first = sessions.next()??;
    let lease = lease_name(&first).ok()?;
    // An entry that names the lease of one session and changes another was forged.
    (lease.as_str() == named && sessions.all(|session| session.as_ref() == Some(&first))).then_some(lease)
}

/// Names a session's lease; a long id is represented by its fingerprint.
fn lease_name(id: &SessionId) -> Result<LeaseName> {
    let name = LeaseName::new(format!("session-{id}"));
    Ok(name.or_else(|_| LeaseName::new(format!("session-{}", crate::bus::ids::fingerprint(&[id.as_str()]))))?)
}
