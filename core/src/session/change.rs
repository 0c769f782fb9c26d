//! Changes to a session: read, decided and committed under its lease, and finished by others if need be.

use serde_json::json;

use super::Sessions;
use super::error::{Error, Result};
use crate::Host;
use crate::engine::disk::{Draft, Entry, Step, TTL};
use crate::engine::fs::FileSystem;
use crate::engine::{self, Lease};
use crate::model::{AgentName, Event, Json, LeaseName, Member, NewEvent, Session, SessionId, Span, Timestamp};
use crate::wire::session::coordination::Coordination;
use crate::wire::session::{event, layout};

/// A session as it is under its lease, and what is to become of it.
pub(super) struct Work {
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

/// A file to be written, its path seen from the session's directory.
pub(super) struct NewFile {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

impl Work {
    /// Gives an agent's entry.
    pub(super) fn member(&self, agent: &AgentName) -> Result<&Member> {
        self.session.member(agent.as_str()).ok_or_else(|| unknown_agent(&self.session, agent.as_str()).into())
    }

    /// Refuses to change a session that is over.
    pub(super) fn refuse_closed(&self) -> Result<()> {
        match self.session.closed_at {
            Some(at) => Err(Error::Closed { id: self.session.id.clone(), at }.into()),
            None => Ok(()),
        }
    }

    /// Tells the time as the protocol's files do.
    pub(super) fn stamp(&self) -> Json {
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
    pub(super) fn change(&self, id: &SessionId, act: &mut dyn FnMut(&mut Work) -> Result<()>) -> Result<Work> {
        self.open(id)?;
        self.under_lease(id, act)
    }

    /// Changes a session as `act` says, whole or not at all.
    pub(super) fn under_lease(&self, id: &SessionId, act: &mut dyn FnMut(&mut Work) -> Result<()>) -> Result<Work> {
        self.disk.retry_fenced(|| self.under_lease_once(id, act))
    }

    fn under_lease_once(&self, id: &SessionId, act: &mut dyn FnMut(&mut Work) -> Result<()>) -> Result<Work> {
        let lease = self.disk.hold(&lease_name(id)?)?;
        let changed = self.catch_up(&lease).and_then(|()| self.read_for_change(id)).and_then(|mut work| {
            act(&mut work)?;
            self.write(work, &lease)
        });
        self.disk.let_go(&lease);
        changed
    }

    fn read_for_change(&self, id: &SessionId) -> Result<Work> {
        let path = layout::within(id, layout::COORDINATION);
        let coordination = match self.disk.read(&path)? {
            Some(bytes) => {
                let damaged =
                    |fault| Error::from(engine::Error::Damaged { path: format!("{}/{path}", layout::ROOT), fault });
                Coordination::decode(&bytes).map_err(damaged)?
            }
            None => Coordination::default(),
        };
        let before = coordination.clone();
        let session = coordination.session(id).value;
        let now = self.disk.host.now();
        Ok(Work { now, session, coordination, before, events: Vec::new(), files: Vec::new(), logged: Vec::new() })
    }

    fn write(&self, mut work: Work, lease: &Lease) -> Result<Work> {
        let mut draft = self.disk.draft();
        draft.entry.note = json!({"lease": lease.name.as_str()});
        match self.prepare(&mut draft, &mut work) {
            Ok(()) if draft.entry.steps.is_empty() => {}
            Ok(()) => draft.commit_and_finish(std::slice::from_ref(lease))?,
            Err(error) => {
                draft.discard()?;
                return Err(error);
            }
        }
        work.session = work.coordination.session(&work.session.id).value;
        Ok(work)
    }

    /// Writes the contents of a change. Files come first and the coordination last: who sees there that an agent has
    /// finished must find its report and the record of it.
    fn prepare(&self, draft: &mut Draft<'_, F, H>, work: &mut Work) -> Result<()> {
        let id = &work.session.id;
        let mut lines = Vec::new();
        for new in &work.events {
            let record = event::encode(new, work.now, &self.new_id().simple().to_string());
            work.files.extend(record.kept.map(|(path, text)| NewFile { path, bytes: text.into_bytes() }));
            let path = layout::within(id, layout::LOG);
            lines.push(Step::Append { path, line: record.line, mark: record.mark });
            work.logged.push(record.event);
        }
        if !self.disk.exists(&layout::session(id))? {
            let dirs = [layout::REPORTS, layout::DATA].map(|dir| layout::within(id, dir));
            draft.entry.steps.extend(dirs.map(|path| Step::Dir { path }));
        }
        for file in &work.files {
            draft.replace(layout::within(id, &file.path), &file.bytes)?;
        }
        draft.entry.steps.extend(lines);
        if work.coordination != work.before {
            draft.replace(layout::within(id, layout::COORDINATION), work.coordination.encode().as_bytes())?;
        }
        Ok(())
    }

    /// Finishes what killed processes left.
    pub(super) fn enter(&self) {
        // One that cannot be finished keeps nobody from anything else, and reading needs no writing.
        for entry in self.disk.left_behind().unwrap_or_default() {
            drop(self.help(&entry));
        }
    }

    /// Finishes a change of one who seems to be dead, under the lease that it was made under: two who add the same line
    /// to a log at the same instant would both find it missing.
    fn help(&self, entry: &Entry) -> Result<()> {
        let Some(name) = lease_of(entry) else { return Ok(self.disk.finish(entry)?) };
        let began = self.disk.host.now();
        let mut pause = Span::from_millis(2);
        while self.disk.is_waiting(entry)? {
            if let Ok(lease) = self.disk.try_lease(&name, &self.disk.owner.borrow(), TTL)? {
                let caught_up = self.catch_up(&lease);
                self.disk.let_go(&lease);
                return caught_up;
            }
            // One who keeps its lease alive this long is not dead, only slow.
            if self.disk.host.now().since(began) > TTL {
                return Ok(());
            }
            pause = self.disk.pause(pause);
        }
        Ok(())
    }

    /// Finishes the changes that were committed under a lease, however young: its last holder may have died a moment ago.
    fn catch_up(&self, lease: &Lease) -> Result<()> {
        let waiting = self.disk.waiting(None)?;
        for entry in waiting.iter().filter(|entry| lease_of(entry).as_ref() == Some(&lease.name)) {
            self.end_lines(entry)?;
            self.disk.finish(entry)?;
        }
        Ok(())
    }

    /// Ends a line that somebody died in the middle of, so that the next one stands for itself.
    fn end_lines(&self, entry: &Entry) -> Result<()> {
        for step in &entry.steps {
            if let Step::Append { path, .. } = step
                && self.disk.read(path)?.is_some_and(|log| log.last().is_some_and(|byte| *byte != b'\n'))
            {
                self.disk.append(path, "\n")?;
            }
        }
        Ok(())
    }
}

/// Returns the lease that an entry was written under: that of the session which all its steps belong to.
fn lease_of(entry: &Entry) -> Option<LeaseName> {
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
