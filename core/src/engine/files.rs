//! The bus on plain files, in the mailbox protocol's layout, shared with agents that use the protocol's shell snippets.
//!
//! A change is first written to `.huddle/work/` as a whole and then carried out; whoever comes next finishes what a
//! killed process left there (see [`work`]). Exclusion is by exclusively created lease files (see [`lease`]).

mod directory;
mod documents;
mod lease;
mod mail;
mod posting;
mod shelf;
mod survey;
mod work;

use std::cell::Cell;
use std::io;

use super::fs::{FileSystem, parent};
use super::{Change, Committed, Engine, Error, HandoffPackage, Lease, Result, Seen, Survey, Unread};
use crate::Host;
use crate::model::{
    AgentName, Context, ContextName, Delivery, Directory, Found, Handoff, HandoffId, LeaseName, MessageId, Span, Timestamp,
};
use crate::wire::mailbox::layout;

/// A bus in a directory tree whose root is `.agent-messages/`.
pub struct FilesEngine<F, H> {
    fs: F,
    host: H,
    owner: String,
    patience: Span,
    /// Whether the bus was seen to be there; it does not go away.
    open: Cell<bool>,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Opens a bus, or the place where one will be.
    pub fn new(fs: F, host: H) -> Self {
        Self { fs, host, owner: "an unnamed agent".into(), patience: Span::from_seconds(30), open: Cell::new(false) }
    }

    /// Names who acts, for those who have to wait.
    #[must_use]
    pub fn with_owner(mut self, owner: impl Into<String>) -> Self {
        self.owner = owner.into();
        self
    }

    /// Sets how long to wait for what another holds.
    #[must_use]
    pub fn with_patience(mut self, patience: Span) -> Self {
        self.patience = patience;
        self
    }

    /// Makes sure that there is a bus, and finishes what a killed process left undone.
    fn enter(&self) -> Result<()> {
        if !self.open.get() {
            let there = self.exists(layout::REGISTRY)? || self.exists(layout::INBOX)?;
            if !there {
                return Err(Error::NoBus { place: layout::ROOT.to_owned() });
            }
            // A bus that shell snippets made has no place for our work yet.
            if !self.exists(layout::WORK)? {
                self.create_dir(layout::WORK)?;
            }
            self.open.set(true);
        }
        self.recover()
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.fs.read(path).map_err(|source| failed("reading", path, source))
    }

    fn list(&self, dir: &str) -> Result<Vec<super::fs::Entry>> {
        self.fs.list(dir).map_err(|source| failed("listing", dir, source))
    }

    fn exists(&self, path: &str) -> Result<bool> {
        self.fs.exists(path).map_err(|source| failed("looking for", path, source))
    }

    fn create_dir(&self, dir: &str) -> Result<()> {
        self.fs.create_dir(dir).map_err(|source| failed("making the directory", dir, source))
    }

    fn write_new(&self, path: &str, bytes: &[u8]) -> Result<()> {
        self.in_dir_of(path, || self.fs.write_new(path, bytes)).map_err(|source| failed("writing", path, source))
    }

    fn write_scratch(&self, path: &str, bytes: &[u8]) -> Result<()> {
        self.in_dir_of(path, || self.fs.write_scratch(path, bytes)).map_err(|source| failed("writing", path, source))
    }

    fn remove(&self, path: &str) -> Result<()> {
        self.fs.remove(path).map_err(|source| failed("removing", path, source))
    }

    fn sync_dir(&self, dir: &str) -> Result<()> {
        self.fs.sync_dir(dir).map_err(|source| failed("syncing", dir, source))
    }

    /// Links a file; `false` when the name is taken, or when the file is gone because another has done this already.
    fn link(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.link(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Ok(false),
            Err(source) => Err(failed("publishing", to, source)),
        }
    }

    /// Moves a file over whatever is there; `false` when it is gone because another has done this already.
    fn rename(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.rename(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(failed("moving", to, source)),
        }
    }

    /// Tries, and tries again after making the directory when that may be what is missing.
    fn in_dir_of(&self, path: &str, action: impl Fn() -> io::Result<()>) -> io::Result<()> {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.fs.exists(parent(path))? => {
                self.fs.create_dir(parent(path))?;
                action()
            }
            other => other,
        }
    }
}

fn failed(doing: &'static str, path: &str, source: io::Error) -> Error {
    Error::Io { doing, path: format!("{}/{path}", layout::ROOT), source }
}

impl<F: FileSystem, H: Host> Engine for FilesEngine<F, H> {
    fn init(&self) -> Result<bool> {
        self.init_files()
    }

    fn directory(&self) -> Result<Found<Directory>> {
        self.enter()?;
        let read = self.read_registry()?;
        Ok(Found { value: read.value.directory, findings: read.findings })
    }

    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        self.enter()?;
        self.edit_registry(|registry| edit(&mut registry.directory))
    }

    fn commit(&self, change: Change) -> Result<Committed> {
        self.enter()?;
        self.commit_change(&change)
    }

    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<Found<Vec<Delivery>>> {
        self.enter()?;
        self.read_inbox(agent, unread_only)
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.enter()?;
        self.count_unread(agent)
    }

    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        self.enter()?;
        self.find_delivery(agent, id)
    }

    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        self.enter()?;
        self.log_offered(agent, ids, Some(at))
    }

    fn mark_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen> {
        self.enter()?;
        self.claim(agent, id, at)
    }

    fn redeliver(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32> {
        self.enter()?;
        self.offer_anew(agent, id, at)
    }

    fn bury(&self, agent: &AgentName, id: &MessageId, reason: &str, at: Timestamp) -> Result<bool> {
        self.enter()?;
        self.move_to_dead_letters(agent, id, reason, at)
    }

    fn revive(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        self.enter()?;
        self.move_back_to_inbox(agent, id)
    }

    fn archive(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        self.enter()?;
        self.put_away(before, unread_too)
    }

    fn context(&self, name: &ContextName) -> Result<Option<Context>> {
        self.enter()?;
        self.read_context(name)
    }

    fn contexts(&self) -> Result<Found<Vec<Context>>> {
        self.enter()?;
        self.list_contexts()
    }

    fn handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        self.enter()?;
        self.read_handoff(id)
    }

    fn handoffs(&self) -> Result<Found<Vec<Handoff>>> {
        self.enter()?;
        self.list_handoffs()
    }

    fn survey(&self) -> Result<Found<Survey>> {
        self.enter()?;
        self.read_all()
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.enter()?;
        self.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.enter()?;
        self.give_back(lease)
    }
}
