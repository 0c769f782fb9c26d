//! The bus on plain files, in the mailbox protocol's layout, shared with agents that use the protocol's shell snippets.
//!
//! A transaction is written to the journal and then executed; the next process executes what a killed process left there.
//! Exclusively created lease files provide mutual exclusion.

mod archive;
mod commit;
mod directory;
mod documents;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod hostile;
mod import;
mod index;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod interleavings;
mod keys;
mod lookup;
mod mail;
mod prune;
mod registry_update;
mod snapshot;
#[cfg(test)]
mod stalls;

pub(crate) use mail::{damaged, orphan};

use std::cell::{Cell, RefCell};

use super::fs::FileSystem;
use super::journal::{Journal, rules};
use super::{
    CommitOutcome, Engine, Error, HandoffPackage, InboxPage, Lease, LockOwner, LockSettings, MailSnapshot, Result,
    Seen, Transaction, Unread,
};
use crate::Host;
use crate::model::{
    AgentName, Context, ContextName, Delivery, Diagnostic, Directory, Handoff, HandoffId, LeaseName, MessageId, Span,
    Timestamp, Usage, WithDiagnostics,
};
use crate::wire::mailbox::layout;

/// A bus in a directory tree whose root is `.agent-messages/`.
pub struct FilesEngine<F, H> {
    journal: Journal<F, H>,
    /// Whether the bus is known to exist.
    is_open: Cell<bool>,
    /// The time of the last recovery.
    recovered_at: Cell<Option<Timestamp>>,
    /// The registry as it was last read or written.
    cached_registry: RefCell<Box<directory::CachedRegistry>>,
}

/// The interval between two recoveries. Orphaned entries are many times older.
const RECOVERY_INTERVAL: Span = Span::from_millis(100);

impl<F: FileSystem, H: Host> LockOwner for FilesEngine<F, H> {
    fn lock_settings(&self) -> &LockSettings {
        &self.journal.locks
    }
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Opens a bus, or the place where one will be.
    pub fn new(fs: F, host: H) -> Self {
        let journal = Journal::new(fs, host, layout::ROOT, rules::mailbox);
        Self { journal, is_open: Cell::new(false), recovered_at: Cell::new(None), cached_registry: RefCell::default() }
    }

    /// Ensures that the bus exists, and executes orphaned entries.
    fn ensure_open(&self) -> Result<()> {
        if !self.is_open.get() {
            let there = self.journal.exists(layout::REGISTRY)? || self.journal.exists(layout::INBOX)?;
            if !there {
                return Err(Error::NoBus { place: layout::ROOT.to_owned() }.into());
            }
            self.is_open.set(true);
        }
        let now = self.journal.host.now();
        let is_fresh = |at: Timestamp| at <= now && now.since(at) < RECOVERY_INTERVAL;
        if !self.recovered_at.get().is_some_and(is_fresh) {
            self.recover();
            self.recovered_at.set(Some(now));
        }
        Ok(())
    }
}

impl<F: FileSystem, H: Host> Engine for FilesEngine<F, H> {
    fn init(&self) -> Result<bool> {
        self.init_files()
    }

    fn directory(&self) -> Result<WithDiagnostics<Directory>> {
        self.ensure_open()?;
        self.read_directory()
    }

    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        self.ensure_open()?;
        self.edit_registry(|registry| edit(&mut registry.directory))
    }

    fn commit(&self, change: Transaction) -> Result<CommitOutcome> {
        self.ensure_open()?;
        self.commit_transaction(&change)
    }

    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>> {
        self.ensure_open()?;
        self.read_inbox(agent, unread_only)
    }

    fn inbox_page(&self, agent: &AgentName, unread_only: bool, limit: usize) -> Result<WithDiagnostics<InboxPage>> {
        self.ensure_open()?;
        self.read_page(agent, unread_only, limit)
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.ensure_open()?;
        self.count_unread(agent)
    }

    fn unread_ids(&self, agent: &AgentName) -> Result<Vec<MessageId>> {
        self.ensure_open()?;
        Ok(self.open_unread(agent)?.ids)
    }

    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        self.ensure_open()?;
        self.find_delivery(agent, id)
    }

    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        self.ensure_open()?;
        self.log_offered(agent, ids, Some(at))
    }

    fn mark_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen> {
        self.ensure_open()?;
        self.mark_message_seen(agent, id, at)
    }

    fn redeliver(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32> {
        self.ensure_open()?;
        self.redeliver_message(agent, id, at)
    }

    fn dead_letter(&self, agent: &AgentName, id: &MessageId, reason: &str, at: Timestamp) -> Result<bool> {
        self.ensure_open()?;
        self.move_to_dead_letters(agent, id, reason, at)
    }

    fn requeue(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        self.ensure_open()?;
        self.move_back_to_inbox(agent, id)
    }

    fn archive(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        self.ensure_open()?;
        self.archive_before(before, unread_too)
    }

    fn prune(&self, before: Timestamp) -> Result<usize> {
        self.ensure_open()?;
        self.prune_archive(before)
    }

    fn usage(&self) -> Result<Usage> {
        self.ensure_open()?;
        self.count_usage()
    }

    fn context(&self, name: &ContextName) -> Result<Option<Context>> {
        self.ensure_open()?;
        self.read_context(name)
    }

    fn contexts(&self) -> Result<WithDiagnostics<Vec<Context>>> {
        self.ensure_open()?;
        self.list_contexts()
    }

    fn handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        self.ensure_open()?;
        self.read_handoff(id)
    }

    fn handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>> {
        self.ensure_open()?;
        self.list_handoffs()
    }

    fn artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>> {
        self.ensure_open()?;
        self.read_artifact(id, stored)
    }

    fn snapshot(&self) -> Result<WithDiagnostics<MailSnapshot>> {
        self.ensure_open()?;
        self.read_all()
    }

    fn audit(&self) -> Result<Vec<Diagnostic>> {
        self.ensure_open()?;
        Ok(self.check_keys())
    }

    fn message_snapshot(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>> {
        self.ensure_open()?;
        self.read_about(id)
    }

    fn import_snapshot(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>> {
        self.ensure_open()?;
        self.import_mail(snapshot)
    }

    fn quarantine_file(&self, path: &str) -> Result<Option<String>> {
        self.ensure_open()?;
        self.journal.quarantine_file(path)
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.ensure_open()?;
        self.journal.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.ensure_open()?;
        self.journal.release(lease)
    }
}
