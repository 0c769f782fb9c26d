//! Committing a change: checked against what is there, written to the work directory, carried out.

use std::collections::{BTreeMap, BTreeSet};

use super::work::{Draft, EntryKey, Outcome, Step, Tally};
use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::FileSystem;
use crate::engine::{Change, Committed, Error, Lease, Post, Result, SendKey};
use crate::model::{AgentName, MessageType, Recipient};
use crate::wire::mailbox::message;

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn commit_change(&self, change: &Change) -> Result<Committed> {
        let key = change.key.as_ref().map(|key| entry_key(&change.by, key));
        if let (Some(key), Some(given)) = (&key, &change.key)
            && let Some(first) = self.read_key(&key.path)?
        {
            return repeated(&first, key, given);
        }
        self.refuse_taken_ids(change)?;
        let leases = self.hold_documents(change)?;
        let written = self.write_change(change, key.clone(), &leases);
        leases.iter().for_each(|lease| self.let_go(lease));
        match (written?, key, &change.key) {
            (Outcome::Lost(_), Some(key), Some(given)) => match self.read_key(&key.path)? {
                Some(first) => repeated(&first, &key, given),
                None => Ok(Committed::Done),
            },
            _ => Ok(Committed::Done),
        }
    }

    fn write_change(&self, change: &Change, key: Option<EntryKey>, leases: &[Lease]) -> Result<Outcome> {
        let mut draft = self.draft();
        draft.entry.key = key;
        draft.entry.message = change.posts.first().map(|post| post.message.id.to_string());
        draft.entry.tally = Some(tally(change));
        let prepared = change
            .posts
            .iter()
            .try_for_each(|post| add_post(&mut draft, post))
            .and_then(|()| self.add_documents(&mut draft, change))
            .and_then(|()| leases.iter().try_for_each(|lease| self.still_held(lease)));
        match prepared {
            Ok(()) => draft.commit(),
            Err(error) => {
                draft.discard()?;
                self.unlock_documents(change)?;
                Err(error)
            }
        }
    }

    fn refuse_taken_ids(&self, change: &Change) -> Result<()> {
        for post in &change.posts {
            for recipient in &post.recipients {
                let path = layout::inbox_message(recipient, &post.message.id);
                if self.exists(&path)? {
                    let (expected, found) = ("a free id".to_owned(), "a message".to_owned());
                    return Err(Error::Conflict { what: path, expected, found });
                }
            }
        }
        Ok(())
    }
}

fn entry_key(by: &AgentName, key: &SendKey) -> EntryKey {
    let name = ids::fingerprint(&[by.as_str(), &key.key]);
    EntryKey { path: format!("{}/{name}.json", layout::KEYS), fingerprint: key.fingerprint.clone() }
}

/// Answers one who used a key again.
fn repeated(first: &super::work::Entry, key: &EntryKey, given: &SendKey) -> Result<Committed> {
    let earlier = first.message_id(&key.path)?;
    let same = first.key.as_ref().is_some_and(|first| first.fingerprint == key.fingerprint);
    if same { Ok(Committed::Duplicate(earlier)) } else { Err(Error::KeyReused { key: given.key.clone(), earlier }) }
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
fn distinct(names: &[AgentName]) -> BTreeSet<&AgentName> {
    names.iter().collect()
}

/// Counts what the protocol's `send_message` counts: direct messages, not responses.
fn tally(change: &Change) -> Tally {
    let mut direct = BTreeMap::new();
    for post in &change.posts {
        let counts = matches!(post.message.to, Recipient::Agents(_)) && post.message.kind.as_str() != MessageType::RESPONSE;
        for recipient in distinct(&post.recipients).into_iter().filter(|_| counts) {
            *direct.entry(recipient.to_string()).or_insert(0) += 1;
        }
    }
    Tally { by: change.by.to_string(), at: change.at.to_string(), messages: change.posts.len() as u64, direct }
}
