//! The reference engine: a bus in memory, stricter than those that agents use.
//!
//! It forgets everything when it is dropped, so it is for tests, examples and the question "what should happen?".
//! Where another engine may bend, this one does not: a message id is used once on the whole bus, an edit of the
//! directory always runs twice, and a caller's mistake panics.

mod commit;
mod leases;
mod moving;
mod state;
#[cfg(test)]
mod tests;

use std::cell::{Ref, RefCell, RefMut};

use super::{
    CommitOutcome, Engine, Error, HandoffPackage, Lease, MailSnapshot, Result, Seen, Transaction, Unread,
    memory::state::{BusState, in_order},
};
use crate::Host;
use crate::model::{
    AgentName, Context, ContextName, Delivery, Directory, Handoff, HandoffId, LeaseName, Message, MessageId, Place,
    Span, Timestamp, Usage, WithDiagnostics,
};
use crate::wire::mailbox::message;

/// A bus that lives as long as this value.
#[derive(Debug)]
pub struct MemoryEngine<H: Host> {
    host: H,
    state: RefCell<Option<BusState>>,
}

impl<H: Host> MemoryEngine<H> {
    /// Creates an engine without a bus: [`Engine::init`] makes that.
    pub fn new(host: H) -> Self {
        Self { host, state: RefCell::new(None) }
    }

    fn read(&self) -> Result<Ref<'_, BusState>> {
        let state = self.state.try_borrow().expect("the edit of a directory must not call the engine");
        Ref::filter_map(state, Option::as_ref).map_err(|_| no_bus().into())
    }

    fn write(&self) -> Result<RefMut<'_, BusState>> {
        let state = self.state.try_borrow_mut().expect("the edit of a directory must not call the engine");
        RefMut::filter_map(state, Option::as_mut).map_err(|_| no_bus().into())
    }
}

fn no_bus() -> Error {
    Error::NoBus { place: "a bus in memory".to_owned() }
}

impl<H: Host> Engine for MemoryEngine<H> {
    fn init(&self) -> Result<bool> {
        let mut state = self.state.borrow_mut();
        let new = state.is_none();
        if new {
            *state = Some(BusState::new(self.host.now().floor()));
        }
        Ok(new)
    }

    fn directory(&self) -> Result<WithDiagnostics<Directory>> {
        Ok(WithDiagnostics::clean(self.read()?.directory.clone()))
    }

    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()> {
        let mut state = self.write()?;
        // An engine that loses a race runs the edit again; a caller that counts on one run shall fail here first.
        edit(&mut state.directory.clone());
        let mut directory = state.directory.clone();
        edit(&mut directory);
        state.directory = directory;
        Ok(())
    }

    fn commit(&self, change: Transaction) -> Result<CommitOutcome> {
        commit::commit(&mut *self.write()?, change)
    }

    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>> {
        let state = self.read()?;
        let wanted = state.inbox(agent).filter(|delivery| !unread_only || delivery.is_unread());
        Ok(WithDiagnostics::clean(in_order(wanted.cloned().collect())))
    }

    fn unread(&self, agent: &AgentName) -> Result<Unread> {
        let unread = self.inbox(agent, true)?.value;
        Ok(Unread { count: unread.len(), oldest: unread.first().map(|delivery| delivery.message.sent_at) })
    }

    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        Ok(self.read()?.deliveries.get(&(agent.clone(), id.clone())).cloned())
    }

    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()> {
        let mut state = self.write()?;
        for id in ids {
            // Another may have put it away since it was listed: there is nothing to note then.
            if let Ok(delivery) = state.in_inbox(agent, id) {
                delivery.receipt.offered_at.get_or_insert(at);
            }
        }
        Ok(())
    }

    fn mark_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen> {
        let mut state = self.write()?;
        let receipt = &mut state.in_inbox(agent, id)?.receipt;
        if receipt.seen_at.is_some() {
            return Ok(Seen::Already(receipt.seen_at));
        }
        receipt.seen_at = Some(at);
        Ok(Seen::First)
    }

    fn redeliver(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32> {
        let mut state = self.write()?;
        let receipt = &mut state.in_inbox(agent, id)?.receipt;
        if [receipt.seen_at, receipt.redelivered_at].into_iter().flatten().any(|since| since >= at) {
            return Ok(receipt.redelivered);
        }
        (receipt.offered_at, receipt.seen_at) = (None, None);
        receipt.redelivered += 1;
        receipt.redelivered_at = Some(at);
        Ok(receipt.redelivered)
    }

    fn dead_letter(&self, agent: &AgentName, id: &MessageId, reason: &str, at: Timestamp) -> Result<bool> {
        Ok(moving::dead_letter(&mut *self.write()?, agent, id, reason, at))
    }

    fn requeue(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        Ok(moving::requeue(&mut *self.write()?, agent, id))
    }

    fn archive(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        Ok(moving::archive(&mut *self.write()?, before, unread_too))
    }

    fn prune(&self, before: Timestamp) -> Result<usize> {
        Ok(moving::prune(&mut *self.write()?, before))
    }

    fn usage(&self) -> Result<Usage> {
        let state = self.read()?;
        let copies = || state.deliveries.values().filter(|copy| copy.place == Place::Inbox);
        let bytes = |copy: &Delivery| message::encode(&copy.message, Some(&copy.recipient)).len() as u64;
        Ok(Usage { messages: copies().count() as u64, bytes: copies().map(bytes).sum(), delivered: 0 })
    }

    fn context(&self, name: &ContextName) -> Result<Option<Context>> {
        Ok(self.read()?.contexts.get(name).cloned())
    }

    fn contexts(&self) -> Result<WithDiagnostics<Vec<Context>>> {
        Ok(WithDiagnostics::clean(self.read()?.contexts.values().cloned().collect()))
    }

    fn handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        let mut package = self.read()?.handoffs.get(id).cloned();
        // Of the files, only the names are part of a package that is read back.
        package.iter_mut().flat_map(|package| &mut package.files).for_each(|(_, bytes)| bytes.clear());
        Ok(package)
    }

    fn artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>> {
        let state = self.read()?;
        let mut files = state.handoffs.get(id).into_iter().flat_map(|package| &package.files);
        Ok(files.find(|(name, _)| name == stored).map(|(_, bytes)| bytes.clone()))
    }

    fn handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>> {
        let state = self.read()?;
        Ok(WithDiagnostics::clean(state.handoffs.values().map(|package| package.handoff.clone()).collect()))
    }

    fn snapshot(&self) -> Result<WithDiagnostics<MailSnapshot>> {
        Ok(WithDiagnostics::clean(self.read()?.snapshot()))
    }

    fn message_snapshot(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>> {
        let mut snapshot = self.read()?.snapshot();
        let is_about = |message: &Message| message.id == *id || message.in_reply_to.as_ref() == Some(id);
        snapshot.deliveries.retain(|copy| is_about(&copy.message));
        snapshot.records.retain(is_about);
        snapshot.sent.retain(|(message, _)| is_about(message));
        let is_kept = crate::bus::all_copies(&snapshot).any(|message| message.id == *id);
        Ok(WithDiagnostics::clean(if is_kept { snapshot } else { MailSnapshot::default() }))
    }

    fn import_snapshot(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>> {
        Ok(WithDiagnostics::clean(moving::import_snapshot(&mut *self.write()?, snapshot)))
    }

    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease> {
        self.wait_for_lease(name, owner, ttl, wait)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        leases::release(&mut *self.write()?, lease);
        Ok(())
    }
}
