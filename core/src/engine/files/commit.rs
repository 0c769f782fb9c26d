//! Commits a transaction: checks it against the current state, writes it to the journal and executes it.

use std::collections::BTreeSet;

use super::keys::KeyState;
use super::registry_update::{Outcome, RegistryDelta};
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{EntryKey, JournalEntry, PendingTransaction, RedoOp};
use crate::engine::{CommitOutcome, Envelope, Error, Lease, Result, SendKey, Transaction};
use crate::model::{AgentName, MessageId, Recipient};
use crate::wire::mailbox::{message, receipt};

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn commit_transaction(&self, change: &Transaction) -> Result<CommitOutcome> {
        self.journal.ensure_origin()?;
        let key = match &change.key {
            None => None,
            Some(given) => match self.find_key(&change.by, given)? {
                KeyState::Used(first) => return repeated(&first, given),
                KeyState::Free(path) => Some(EntryKey { path, fingerprint: given.fingerprint.clone() }),
            },
        };
        self.refuse_taken_ids(change)?;
        let committed = self.journal.retry_fenced(|| self.try_commit(change, key.as_ref()))?;
        if matches!(committed, CommitOutcome::Done) {
            self.index_envelopes(&change.envelopes);
        }
        Ok(committed)
    }

    fn try_commit(&self, change: &Transaction, key: Option<&EntryKey>) -> Result<CommitOutcome> {
        let leases = self.acquire_documents(change)?;
        let written = self.write_transaction(change, key.cloned(), &leases);
        leases.iter().for_each(|lease| self.journal.release_quietly(lease));
        match (written?, &change.key) {
            (Outcome::Lost(first), Some(given)) => self.repeat(&first, given),
            _ => Ok(CommitOutcome::Done),
        }
    }

    /// Answers one who used a key again, when the first change is carried out: that one was interrupted, or is suspended,
    /// or somebody's inbox could not be written.
    fn repeat(&self, first: &JournalEntry, given: &SendKey) -> Result<CommitOutcome> {
        if self.journal.is_pending(first)? {
            self.execute_committed(first)?;
        }
        repeated(first, given)
    }

    fn write_transaction(&self, change: &Transaction, key: Option<EntryKey>, leases: &[Lease]) -> Result<Outcome> {
        let mut pending = self.journal.begin();
        pending.entry.key = key;
        pending.entry.note = RegistryDelta::of(change).to_note();
        let prepared = change
            .envelopes
            .iter()
            .try_for_each(|envelope| add_envelope(&mut pending, envelope))
            .and_then(|()| self.add_marker(&mut pending, change))
            .and_then(|()| self.add_documents(&mut pending, change));
        match prepared {
            Ok(()) => match pending.commit(leases) {
                Ok(entry) => self.execute_committed(&entry),
                Err(error) => {
                    self.unlock_documents(change)?;
                    Err(error)
                }
            },
            Err(error) => {
                pending.discard()?;
                self.unlock_documents(change)?;
                Err(error)
            }
        }
    }

    /// Adds the marker of the message that was read, if it is there to be read.
    fn add_marker(&self, pending: &mut PendingTransaction<'_, F, H>, change: &Transaction) -> Result<()> {
        let Some(id) = &change.seen else { return Ok(()) };
        let path = layout::inbox_message(&change.by, id);
        if !self.journal.exists(&path)? {
            return Ok(());
        }
        pending.link_new(format!("{path}{}", layout::READ), receipt::read(change.at).as_bytes())
    }

    fn refuse_taken_ids(&self, change: &Transaction) -> Result<()> {
        for envelope in &change.envelopes {
            for recipient in &envelope.recipients {
                let path = layout::inbox_message(recipient, &envelope.message.id);
                // An inbox that cannot be looked into cannot be written either: then its agent is named.
                if self.journal.exists(&path).unwrap_or(false) {
                    let (expected, found) = ("a free id".to_owned(), "a message".to_owned());
                    return Err(Error::Conflict { what: path, expected, found }.into());
                }
            }
        }
        Ok(())
    }
}

/// Answers one who used a key again.
fn repeated(first: &JournalEntry, given: &SendKey) -> Result<CommitOutcome> {
    let earlier = RegistryDelta::from_entry(first).and_then(|delta| delta.message).unwrap_or_default();
    let (path, fingerprint) = first.key.as_ref().map_or(("", ""), |key| (&key.path, &key.fingerprint));
    let earlier =
        MessageId::new(earlier).map_err(|error| Error::Damaged { path: path.to_owned(), fault: error.to_string() })?;
    let same = fingerprint == given.fingerprint;
    if same {
        Ok(CommitOutcome::Duplicate(earlier))
    } else {
        Err(Error::KeyReused { key: given.key.clone(), earlier }.into())
    }
}

/// Adds the delivery of one message: a copy for each recipient, and the record that the protocol keeps of it.
fn add_envelope<F: FileSystem, H: Host>(pending: &mut PendingTransaction<'_, F, H>, envelope: &Envelope) -> Result<()> {
    let message = &envelope.message;
    let recipients = distinct(&envelope.recipients);
    let record = match &message.to {
        Recipient::Agents(_) => {
            for recipient in recipients {
                let from = pending.content(message::encode(message, Some(recipient)).as_bytes())?;
                let to = [layout::inbox_message(recipient, &message.id), layout::outbox(&message.id, recipient)];
                pending.entry.steps.extend(to.map(|to| RedoOp::Link { from: from.clone(), to }));
            }
            return Ok(());
        }
        Recipient::All => layout::broadcast(&message.id),
        Recipient::Subscribers(event) => layout::event(event, &message.id),
    };
    let from = pending.content(message::encode(message, None).as_bytes())?;
    let copies = recipients.iter().map(|recipient| layout::inbox_message(recipient, &message.id));
    let links = std::iter::once(record).chain(copies).map(|to| RedoOp::Link { from: from.clone(), to });
    pending.entry.steps.extend(links);
    Ok(())
}

/// One who is named twice gets one copy.
pub(super) fn distinct(names: &[AgentName]) -> BTreeSet<&AgentName> {
    BTreeSet::from_iter(names)
}
