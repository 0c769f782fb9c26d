//! The bus in MongoDB, for agents on many machines.
//!
//! Messages are documents as the documents protocol has them, one for each recipient's copy, in the collection `messages`:
//! an agent that knows that protocol alone, and a plain driver, works on the same database. What the protocol lacks
//! stands in further fields (`huddle_core::wire::documents` has the one conversion), and in further collections.
//!
//! A message for one recipient is one insert, which is there or is not. A change of several documents is a transaction;
//! a server without replica set has none, and there a client that is killed in the middle may leave the first of them.
//! All writes that a caller is told of are acknowledged by the majority of servers. Counters and times of the directory are
//! not: they follow the message, and decide nothing.

#![warn(missing_docs)]

mod address;
mod commit;
mod connection;
mod contexts;
mod directory;
mod errors;
mod handoffs;
mod import;
mod leases;
mod mail;
#[cfg(target_os = "wasi")]
mod resolve;
mod stored;
mod watch;

pub use address::Address;

use std::cell::{Cell, RefCell};

use huddle_core::Host;
use huddle_core::engine::{
    CommitOutcome, Engine, Error, HandoffPackage, Lease, MailSnapshot, Result, Seen, Transaction, Unread,
};
use huddle_core::model::{
    AgentName, Context, ContextName, Delivery, Directory, Handoff, HandoffId, LeaseName, MessageId, Span, Timestamp,
    Usage, WithDiagnostics,
};

use crate::connection::Connection;
use crate::watch::MailStream;

/// A bus in a database. The connection is made when it is first needed.
pub struct MongoEngine<H: Host> {
    host: H,
    connection: Connection,
    /// Whether the bus is known to exist.
    is_open: Cell<bool>,
    mail_stream: RefCell<Option<MailStream>>,
}

impl<H: Host> std::fmt::Debug for MongoEngine<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MongoEngine").field("address", self.connection.address()).finish_non_exhaustive()
    }
}

impl<H: Host> MongoEngine<H> {
    /// Creates an engine without connecting.
    pub fn new(address: Address, host: H) -> Self {
        Self { host, connection: Connection::new(address), is_open: Cell::new(false), mail_stream: RefCell::new(None) }
    }

    /// Parses an address and creates an engine without connecting.
    pub fn open(url: &str, host: H) -> Result<Self> {
        Ok(Self::new(Address::parse(url)?, host))
    }

    /// Ensures that the bus exists.
    fn ensure_open(&self) -> Result<()> {
        if !self.is_open.get() {
            if !self.has_bus()? {
                return Err(self.no_bus());
            }
            self.is_open.set(true);
        }
        Ok(())
    }

    fn no_bus(&self) -> Box<Error> {
        Error::NoBus { place: self.connection.address().to_string() }.into()
    }
}

impl<H: Host> Drop for MongoEngine<H> {
    fn drop(&mut self) {
        // A stream tells the server that it ends, which only works where tasks can be started.
        let mail_stream = self.mail_stream.take();
        self.connection.in_runtime(|| drop(mail_stream));
    }
}

impl<H: Host> Engine for MongoEngine<H> {
    fn init(&self) -> Result<bool> {
        self.make_bus()
    }

    fn directory(&self) -> Result<WithDiagnostics<Directory>> {
        // Reading it shows whether there is a bus.
        let directory = self.read_directory()?;
        self.is_open.set(true);
        Ok(directory)
    }

    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        self.ensure_open()?;
        self.change_directory(edit)
    }

    fn commit(&self, change: Transaction) -> Result<CommitOutcome> {
        self.ensure_open()?;
        self.commit_transaction(&change)
    }

    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>> {
        self.ensure_open()?;
        self.list_inbox(agent, unread_only)
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.ensure_open()?;
        self.count_unread(agent)
    }

    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        self.ensure_open()?;
        self.find_copy(agent, id)
    }

    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        self.ensure_open()?;
        self.note_offered(agent, ids, at)
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
        self.move_to_inbox(agent, id)
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
        self.read_everything()
    }

    fn message_snapshot(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>> {
        self.ensure_open()?;
        self.read_about(id)
    }

    fn import_snapshot(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>> {
        self.ensure_open()?;
        self.import_mail(snapshot)
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.ensure_open()?;
        self.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.ensure_open()?;
        self.release_lease(lease)
    }

    fn wait(&self, agent: &AgentName, span: Span) -> Result<bool> {
        self.ensure_open()?;
        self.wait_for_mail(agent, span)
    }
}
