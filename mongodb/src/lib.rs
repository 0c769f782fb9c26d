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

mod address;
mod adopt;
mod commit;
mod directory;
mod errors;
mod leases;
mod link;
mod mail;
mod papers;
#[cfg(target_os = "wasi")]
mod resolve;
mod stored;
mod watch;

pub use address::Address;

use std::cell::{Cell, RefCell};

use huddle_core::Host;
use huddle_core::engine::{Change, Committed, Engine, Error, HandoffPackage, Lease, Result, Seen, Survey, Unread};
use huddle_core::model::{
    AgentName, Context, ContextName, Delivery, Directory, Found, Handoff, HandoffId, LeaseName, MessageId, Span,
    Timestamp, Usage,
};

use crate::link::Link;
use crate::watch::Watching;

/// A bus in a database. The connection is made when it is first needed.
pub struct MongoEngine<H: Host> {
    host: H,
    link: Link,
    /// Whether the bus was seen to be there.
    entered: Cell<bool>,
    watching: RefCell<Option<Watching>>,
}

impl<H: Host> std::fmt::Debug for MongoEngine<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MongoEngine").field("address", self.link.address()).finish_non_exhaustive()
    }
}

impl<H: Host> MongoEngine<H> {
    /// Takes the bus at an address, without a look at whether it is there.
    pub fn new(address: Address, host: H) -> Self {
        Self { host, link: Link::new(address), entered: Cell::new(false), watching: RefCell::new(None) }
    }

    /// Takes the bus at an address that is yet to be read.
    pub fn open(url: &str, host: H) -> Result<Self> {
        Ok(Self::new(Address::parse(url)?, host))
    }

    /// Makes sure that there is a bus.
    fn enter(&self) -> Result<()> {
        if !self.entered.get() {
            if !self.has_bus()? {
                return Err(self.no_bus());
            }
            self.entered.set(true);
        }
        Ok(())
    }

    fn no_bus(&self) -> Box<Error> {
        Error::NoBus { place: self.link.address().to_string() }.into()
    }
}

impl<H: Host> Drop for MongoEngine<H> {
    fn drop(&mut self) {
        // A stream tells the server that it ends, which only works where tasks can be started.
        let watching = self.watching.take();
        self.link.within(|| drop(watching));
    }
}

impl<H: Host> Engine for MongoEngine<H> {
    fn init(&self) -> Result<bool> {
        self.make_bus()
    }

    fn directory(&self) -> Result<Found<Directory>> {
        // Reading it shows whether there is a bus.
        let directory = self.read_directory()?;
        self.entered.set(true);
        Ok(directory)
    }

    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        self.enter()?;
        self.change_directory(edit)
    }

    fn commit(&self, change: Change) -> Result<Committed> {
        self.enter()?;
        self.commit_change(&change)
    }

    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<Found<Vec<Delivery>>> {
        self.enter()?;
        self.list_inbox(agent, unread_only)
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        self.enter()?;
        self.count_unread(agent)
    }

    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        self.enter()?;
        self.find_copy(agent, id)
    }

    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        self.enter()?;
        self.note_offered(agent, ids, at)
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
        self.move_to_inbox(agent, id)
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
        self.read_everything()
    }

    fn survey_message(&self, id: &MessageId) -> Result<Found<Survey>> {
        self.enter()?;
        self.read_about(id)
    }

    fn adopt(&self, survey: &Survey) -> Result<Found<usize>> {
        self.enter()?;
        self.take_over(survey)
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.enter()?;
        self.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.enter()?;
        self.give_back(lease)
    }

    fn wait(&self, agent: &AgentName, span: Span) -> Result<bool> {
        self.enter()?;
        self.wait_for_mail(agent, span)
    }
}
