//! Executes journal entries, and updates the registry: last-seen times and message counters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{IsFenced, JournalEntry, ORPHAN_AFTER};
use crate::engine::{Error, Lease, Result, Transaction};
use crate::host::WaitTimer;
use crate::model::{Json, MessageType, Recipient, Span};
use crate::wire;

/// The change of the registry that an entry implies.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RegistryDelta {
    /// The agent that committed the entry.
    pub(super) by: String,
    /// The time of the commit.
    pub(super) at: String,
    /// The first message of the transaction.
    pub(super) message: Option<String>,
    /// The number of messages sent.
    pub(super) messages: u64,
    /// The number of direct messages per recipient.
    pub(super) direct: BTreeMap<String, u64>,
}

/// The number of applied transaction ids from which the registry checks which of their entries are gone.
const MAX_APPLIED_TX_IDS: usize = 8;

/// The entries that an update of the registry applies.
#[derive(Clone, Copy)]
pub(super) enum PendingScope {
    /// The caller's entry. Others may be pending, some of them applied already.
    OwnOnly,
    /// All pending entries.
    All,
}

/// The outcome of executing an entry.
pub(super) enum Outcome {
    Done,
    /// Another entry had the key first.
    Lost(JournalEntry),
}

impl RegistryDelta {
    /// Counts what the protocol's `send_message` counts: direct messages, not responses.
    pub(super) fn of(change: &Transaction) -> Self {
        let mut direct = BTreeMap::new();
        for envelope in &change.envelopes {
            let letter = matches!(envelope.message.to, Recipient::Agents(_));
            let counts = letter && envelope.message.kind.as_str() != MessageType::RESPONSE;
            for recipient in super::commit::distinct(&envelope.recipients).into_iter().filter(|_| counts) {
                *direct.entry(recipient.to_string()).or_default() += 1;
            }
        }
        Self {
            by: change.by.to_string(),
            at: change.at.to_string(),
            message: change.envelopes.first().map(|envelope| envelope.message.id.to_string()),
            messages: change.envelopes.len() as u64,
            direct,
        }
    }

    /// Reads the delta of an entry; `None` for entries that only move files.
    ///
    /// Anybody can have written the entry, so it counts no more messages than it delivers.
    pub(super) fn from_entry(entry: &JournalEntry) -> Option<Self> {
        let mut delta = Self::deserialize(&entry.note).ok()?;
        delta.messages = delta.messages.min(entry.published_below(""));
        for (name, count) in &mut delta.direct {
            *count = (*count).min(entry.published_below(&format!("{}/{name}/", layout::INBOX)));
        }
        Some(delta)
    }

    pub(super) fn to_note(&self) -> Json {
        wire::json(self)
    }
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Finishes the entries that killed processes left. One that cannot be finished stays, for `check` to report, and keeps
    /// nobody from anything else.
    ///
    /// Reading needs no writing: on a full or read-only disk this does nothing.
    pub(super) fn recover(&self) {
        self.journal.end_removals(ORPHAN_AFTER);
        for entry in self.journal.orphaned_entries().unwrap_or_default() {
            drop(self.execute(&entry));
        }
    }

    /// Carries out an entry that was just committed, or that a key was used for before.
    ///
    /// The change is confirmed when all its steps are taken. That the registry could not be updated is no failure: whoever
    /// comes next does that.
    pub(super) fn execute_committed(&self, entry: &JournalEntry) -> Result<Outcome> {
        if let Some(first) = self.journal.redo(entry)? {
            drop(self.journal.remove_entry(entry));
            return Ok(Outcome::Lost(first));
        }
        drop(self.complete(entry));
        Ok(Outcome::Done)
    }

    pub(super) fn execute(&self, entry: &JournalEntry) -> Result<()> {
        if self.journal.redo(entry)?.is_some() {
            return self.journal.remove_entry(entry);
        }
        self.restore_placement(entry)?;
        self.complete(entry)
    }

    /// Applies the delta of the entry, if it has one, and removes the entry.
    fn complete(&self, entry: &JournalEntry) -> Result<()> {
        if RegistryDelta::from_entry(entry).is_some() {
            self.update_registry(entry)
        } else {
            self.journal.remove_entry(entry)
        }
    }

    /// Applies `own` to the registry. If other entries are pending, applies them in the same rewrite.
    fn update_registry(&self, own: &JournalEntry) -> Result<()> {
        let mut waiting = WaitTimer::begin(&self.journal.host);
        let mut pause = Span::from_millis(1);
        let mut scope = PendingScope::OwnOnly;
        loop {
            match self.try_registry_lease()? {
                Ok(lease) => {
                    let settled = self.update_registry_locked(&lease, own, scope);
                    self.journal.release_quietly(&lease);
                    match settled {
                        // The lease ran out under us: the work is still in line.
                        Err(error) if error.is_fenced() => {}
                        other => return other,
                    }
                }
                Err(holder) => {
                    let waited = waiting.so_far(&self.journal.host);
                    if waited >= self.journal.locks.timeout() {
                        return Err(Error::Locked { what: "registry".into(), holder, waited }.into());
                    }
                    pause = self.journal.pause(pause);
                    scope = PendingScope::All;
                    if !self.journal.is_pending(own)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn update_registry_locked(&self, lease: &Lease, own: &JournalEntry, scope: PendingScope) -> Result<()> {
        let registry = self.read_registry()?;
        let scope = if registry.value.registry.applied_tx_ids().count() < MAX_APPLIED_TX_IDS {
            scope
        } else {
            PendingScope::All
        };
        // Only under the lease is it sure whether an entry is still to be counted: our own may be done by now.
        let waiting = match scope {
            PendingScope::OwnOnly => Vec::from_iter(self.journal.is_pending(own)?.then(|| own.clone())),
            PendingScope::All => self.journal.pending_entries(Some(own))?,
        };
        let mut entries = Vec::new();
        for entry in waiting {
            let Some(delta) = RegistryDelta::from_entry(&entry) else { continue };
            if entry.tx == own.tx || matches!(self.journal.redo(&entry), Ok(None)) {
                entries.push((entry, delta));
            }
        }
        if entries.is_empty() {
            return Ok(());
        }
        self.apply_deltas(registry, &entries, scope, lease)?;
        entries.iter().try_for_each(|(entry, _)| self.journal.remove_entry(entry))
    }
}
