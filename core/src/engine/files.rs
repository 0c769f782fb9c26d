//! The bus on plain files, in the mailbox protocol's layout, shared with agents that use the protocol's shell snippets.
//!
//! A change is first written to the disk's work directory as a whole and then carried out; whoever comes next finishes
//! what a killed process left there. Exclusion is by exclusively created lease files.

mod adopt;
mod directory;
mod documents;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod hostile;
mod index;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod interleavings;
mod keys;
mod lookup;
mod mail;
mod posting;
mod prune;
mod shelf;
#[cfg(test)]
mod stalls;
mod survey;
mod tally;

pub(crate) use mail::{damaged, orphan};

use std::cell::{Cell, RefCell};

use super::disk::{Disk, rules};
use super::fs::FileSystem;
use super::{Change, Committed, Engine, Error, HandoffPackage, InboxPage, Lease, Result, Seen, Survey, Unread};
use crate::Host;
use crate::model::{
    AgentName, Context, ContextName, Delivery, Directory, Finding, Found, Handoff, HandoffId, LeaseName, MessageId,
    Span, Timestamp, Usage,
};
use crate::wire::mailbox::layout;

/// A bus in a directory tree whose root is `.agent-messages/`.
pub struct FilesEngine<F, H> {
    disk: Disk<F, H>,
    /// Whether the bus was seen to be there; it does not go away.
    open: Cell<bool>,
    /// When it was last looked for what killed processes left.
    looked: Cell<Option<Timestamp>>,
    /// The registry as it was last read or written, while nobody has it in hand.
    known: RefCell<Box<directory::Known>>,
}

/// How long a look for what killed processes left is good for. It only finds what is older than that many times over.
const LOOK_AFTER: Span = Span::from_millis(100);

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Opens a bus, or the place where one will be.
    pub fn new(fs: F, host: H) -> Self {
        let disk = Disk::new(fs, host, layout::ROOT, rules::mailbox);
        Self { disk, open: Cell::new(false), looked: Cell::new(None), known: RefCell::default() }
    }

    crate::engine::disk::acting!();

    /// Makes sure that there is a bus, and finishes what a killed process left undone.
    fn enter(&self) -> Result<()> {
        if !self.open.get() {
            let there = self.disk.exists(layout::REGISTRY)? || self.disk.exists(layout::INBOX)?;
            if !there {
                return Err(Error::NoBus { place: layout::ROOT.to_owned() }.into());
            }
            self.open.set(true);
        }
        let now = self.disk.host.now();
        let is_fresh = |at: Timestamp| at <= now && now.since(at) < LOOK_AFTER;
        if !self.looked.get().is_some_and(is_fresh) {
            self.recover();
            self.looked.set(Some(now));
        }
        Ok(())
    }
}

impl<F: FileSystem, H: Host> Engine for FilesEngine<F, H> {
    fn init(&self) -> Result<bool> {
        self.init_files()
    }

    fn directory(&self) -> Result<Found<Directory>> {
        self.enter()?;
        self.read_directory()
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

    fn inbox_page(&self, agent: &AgentName, unread_only: bool, limit: usize) -> Result<Found<InboxPage>> {
        self.enter()?;
        self.read_page(agent, unread_only, limit)
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.enter()?;
        self.count_unread(agent)
    }

    fn unread_ids(&self, agent: &AgentName) -> Result<Vec<MessageId>> {
        self.enter()?;
        Ok(self.open_unread(agent)?.ids)
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

    fn prune(&self, before: Timestamp) -> Result<usize> {
        self.enter()?;
        self.prune_archive(before)
    }

    fn usage(&self) -> Result<Usage> {
        self.enter()?;
        self.count_usage()
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

    fn artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>> {
        self.enter()?;
        self.read_artifact(id, stored)
    }

    fn survey(&self) -> Result<Found<Survey>> {
        self.enter()?;
        self.read_all()
    }

    fn audit(&self) -> Result<Vec<Finding>> {
        self.enter()?;
        Ok(self.check_keys())
    }

    fn survey_message(&self, id: &MessageId) -> Result<Found<Survey>> {
        self.enter()?;
        self.read_about(id)
    }

    fn adopt(&self, survey: &Survey) -> Result<Found<usize>> {
        self.enter()?;
        self.take_over(survey)
    }

    fn set_aside(&self, path: &str) -> Result<Option<String>> {
        self.enter()?;
        self.disk.set_aside(path)
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.enter()?;
        self.disk.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.enter()?;
        self.disk.give_back(lease)
    }
}
