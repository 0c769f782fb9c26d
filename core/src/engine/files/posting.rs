//! Committing a change: checked against what is there, written to the work directory, carried out.

use std::collections::BTreeSet;

use super::keys::KeyState;
use super::tally::{Outcome, Tally};
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::disk::{Draft, Entry, EntryKey, Step};
use crate::engine::fs::FileSystem;
use crate::engine::{Change, Committed, Error, Lease, Post, Result, SendKey};
use crate::model::{AgentName, MessageId, Recipient};
use crate::wire::mailbox::{message, receipt};

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn commit_change(&self, change: &Change) -> Result<Committed> {
        self.disk.ensure_origin()?;
        let key = match &change.key {
            None => None,
            Some(given) => match self.find_key(&change.by, given)? {
                KeyState::Used(first) => return repeated(&first, given),
                KeyState::Free(path) => Some(EntryKey { path, fingerprint: given.fingerprint.clone() }),
            },
        };
        self.refuse_taken_ids(change)?;
        let committed = self.disk.retry_fenced(|| self.try_change(change, key.as_ref()))?;
        if matches!(committed, Committed::Done) {
            self.index_posts(&change.posts);
        }
        Ok(committed)
    }

    fn try_change(&self, change: &Change, key: Option<&EntryKey>) -> Result<Committed> {
        let leases = self.hold_documents(change)?;
        let written = self.write_change(change, key.cloned(), &leases);
        leases.iter().for_each(|lease| self.disk.let_go(lease));
        match (written?, &change.key) {
            (Outcome::Lost(first), Some(given)) => self.repeat(&first, given),
            _ => Ok(Committed::Done),
        }
    }

    /// Answers one who used a key again, when the first change is carried out: that one was interrupted, or is suspended,
    /// or somebody's inbox could not be written.
    fn repeat(&self, first: &Entry, given: &SendKey) -> Result<Committed> {
        if self.disk.is_waiting(first)? {
            self.carry_out_committed(first)?;
        }
        repeated(first, given)
    }

    fn write_change(&self, change: &Change, key: Option<EntryKey>, leases: &[Lease]) -> Result<Outcome> {
        let mut draft = self.disk.draft();
        draft.entry.key = key;
        draft.entry.note = Tally::of(change).to_note();
        let prepared = change
            .posts
            .iter()
            .try_for_each(|post| add_post(&mut draft, post))
            .and_then(|()| self.add_marker(&mut draft, change))
            .and_then(|()| self.add_documents(&mut draft, change));
        match prepared {
            Ok(()) => match draft.commit(leases) {
                Ok(entry) => self.carry_out_committed(&entry),
                Err(error) => {
                    self.unlock_documents(change)?;
                    Err(error)
                }
            },
            Err(error) => {
                draft.discard()?;
                self.unlock_documents(change)?;
                Err(error)
            }
        }
    }

    /// Adds the marker of the message that was read, if it is there to be read.
    fn add_marker(&self, draft: &mut Draft<'_, F, H>, change: &Change) -> Result<()> {
        let Some(id) = &change.seen else { return Ok(()) };
        let path = layout::inbox_message(&change.by, id);
        if !self.disk.exists(&path)? {
            return Ok(());
        }
        draft.link_new(format!("{path}{}", layout::READ), receipt::read(change.at).as_bytes())
    }

    fn refuse_taken_ids(&self, change: &Change) -> Result<()> {
        for post in &change.posts {
            for recipient in &post.recipients {
                let path = layout::inbox_message(recipient, &post.message.id);
                // An inbox that cannot be looked into cannot be written either: then its agent is named.
                if self.disk.exists(&path).unwrap_or(false) {
                    let (expected, found) = ("a free id".to_owned(), "a message".to_owned());
                    return Err(Error::Conflict { what: path, expected, found }.into());
                }
            }
        }
        Ok(())
    }
}

/// Answers one who used a key again.
fn repeated(first: &Entry, given: &SendKey) -> Result<Committed> {
    let earlier = Tally::in_entry(first).and_then(|tally| tally.message).unwrap_or_default();
    let (path, fingerprint) = first.key.as_ref().map_or(("", ""), |key| (&key.path, &key.fingerprint));
    let earlier =
        MessageId::new(earlier).map_err(|error| Error::Damaged { path: path.to_owned(), fault: error.to_string() })?;
    let same = fingerprint == given.fingerprint;
    if same {
        Ok(Committed::Duplicate(earlier))
    } else {
        Err(Error::KeyReused { key: given.key.clone(), earlier }.into())
    }
}

/// Adds the delivery of one message: a copy for each recipient, and the record that the protocol keeps of it.
fn add_post<F: FileSystem, H: Host>(draft: &mut Draft<'_, F, H>, post: &Post) -> Result<()> {
    let message = &post.message;
    let recipients = distinct(&post.recipients);
    let record = match &message.to {
        Recipient::Agents(_) => {
            for recipient in recipients {
                let from = draft.content(message::encode(message, Some(recipient)).as_bytes())?;
                let to = [layout::inbox_message(recipient, &message.id), layout::outbox(&message.id, recipient)];
                draft.entry.steps.extend(to.map(|to| Step::Link { from: from.clone(), to }));
            }
            return Ok(());
        }
        Recipient::All => layout::broadcast(&message.id),
        Recipient::Subscribers(event) => layout::event(event, &message.id),
    };
    let from = draft.content(message::encode(message, None).as_bytes())?;
    let copies = recipients.iter().map(|recipient| layout::inbox_message(recipient, &message.id));
    let links = std::iter::once(record).chain(copies).map(|to| Step::Link { from: from.clone(), to });
    draft.entry.steps.extend(links);
    Ok(())
}

/// One who is named twice gets one copy.
pub(super) fn distinct(names: &[AgentName]) -> BTreeSet<&AgentName> {
    BTreeSet::from_iter(names)
}
