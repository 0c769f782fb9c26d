//! Changes: one document is one insert, several are a transaction.

use std::collections::BTreeSet;

use bson::{Document, doc};
use huddle_core::Host;
use huddle_core::engine::{CommitOutcome, Envelope, Error, Result, SendKey, Transaction};
use huddle_core::model::{AgentName, Delivery, MessageId, MessageType, Place, Receipt, Recipient};
use huddle_core::wire::documents;
use mongodb::ClientSession;
use mongodb::error::Result as DriverResult;

use crate::MongoEngine;
use crate::connection::{Collections, with_retries};
use crate::contexts::{check_context, write_context};
use crate::errors::{TransactionConflict, is_duplicate, to_engine_error};
use crate::handoffs::{check_handoff, write_handoff};
use crate::stored::{CLAIM, KEY, PRINT, copy_of, date, encode, in_inbox, unread};

const SENDING: &str = "sending";

impl<H: Host> MongoEngine<H> {
    pub(crate) fn commit_transaction(&self, change: &Transaction) -> Result<CommitOutcome> {
        let documents = self.documents_of(change)?;
        let is_alone = change.seen.is_none() && change.context.is_none() && change.handoff.is_none();
        let done = match &documents[..] {
            [one] if is_alone => {
                self.connection.try_run(async |collections| send(collections, one).await.map(|()| None))?
            }
            _ => self.connection.try_run(async |collections| {
                collections.in_transaction(async |session| make(collections, session, change, &documents).await).await
            })?,
        };
        match done {
            Ok(None) => {}
            Ok(Some(earlier)) => return used_before(change, &earlier),
            Err(error) if is_duplicate(&error) => return self.taken(change),
            Err(error) => return Err(to_engine_error(self.connection.address(), SENDING, &error)),
        }
        self.update_counters(&change.by, change.at, &counted(&change.envelopes));
        Ok(CommitOutcome::Done)
    }

    fn documents_of(&self, change: &Transaction) -> Result<Vec<Document>> {
        let all: DriverResult<Vec<Document>> =
            change.envelopes.iter().flat_map(copies).map(|one| encode(&one)).collect();
        let mut all = all.map_err(|error| to_engine_error(self.connection.address(), SENDING, &error))?;
        if let (Some(SendKey { key, fingerprint }), Some(first)) = (&change.key, all.first_mut()) {
            first.insert(KEY, key);
            first.insert(PRINT, fingerprint);
        }
        Ok(all)
    }

    /// Says what it means that an id or a key is taken.
    fn taken(&self, change: &Transaction) -> Result<CommitOutcome> {
        // A repetition may bear the same id, too, and the server names only one of the two.
        if let Some(key) = &change.key {
            let filter = by_key(change, key);
            let earlier = self
                .connection
                .retry(SENDING, async |collections| collections.messages.find_one(filter.clone()).await)?;
            if let Some(earlier) = earlier {
                return used_before(change, &earlier);
            }
        }
        let id = change.envelopes.first().map_or(String::new(), |envelope| envelope.message.id.to_string());
        let (expected, found) = ("an id of its own".to_owned(), "one that is taken".to_owned());
        Err(Error::Conflict { what: format!("message {id}"), expected, found }.into())
    }
}

/// Creates the documents of a message: a copy for each who gets it, or a record of its own where nobody does.
fn copies(envelope: &Envelope) -> Vec<documents::Document> {
    let Envelope { message, recipients } = envelope;
    let names: BTreeSet<&AgentName> = recipients.iter().collect();
    if names.is_empty() {
        return vec![documents::Document::Record(message.clone())];
    }
    let copy = |name: &AgentName| Delivery {
        recipient: name.clone(),
        message: message.clone(),
        receipt: Receipt::default(),
        place: Place::Inbox,
    };
    names.into_iter().map(|name| documents::Document::Copy { delivery: copy(name), recorded: true }).collect()
}

/// Lists who got how many messages that count.
fn counted(envelopes: &[Envelope]) -> Vec<(AgentName, u64)> {
    let counts = envelopes.iter().filter(|envelope| {
        let message = &envelope.message;
        matches!(message.to, Recipient::Agents(_)) && message.kind.as_str() != MessageType::RESPONSE
    });
    let mut counted: Vec<(AgentName, u64)> = Vec::new();
    for envelope in counts {
        let names: BTreeSet<&AgentName> = envelope.recipients.iter().collect();
        for name in names {
            match counted.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => counted.push((name.clone(), 1)),
            }
        }
    }
    counted
}

/// Inserts the one document of a change, as often as it takes.
async fn send(collections: &Collections, document: &Document) -> DriverResult<()> {
    with_retries(async |tried| match collections.messages.insert_one(document).await {
        // It was this call's own try that went through, though its answer was lost.
        Err(error) if tried > 0 && is_duplicate(&error) => {
            let own = doc! { "_id": document.get("_id").cloned().unwrap_or_default() };
            collections.messages.find_one(own).await?.map(drop).ok_or(error)
        }
        done => done.map(drop),
    })
    .await
}

/// Creates a change of several documents; returns the document that used its key before, if one did.
async fn make(
    collections: &Collections,
    session: &mut ClientSession,
    change: &Transaction,
    documents: &[Document],
) -> DriverResult<Option<Document>> {
    if let Some(key) = &change.key
        && let Some(earlier) = collections.messages.find_one(by_key(change, key)).session(&mut *session).await?
    {
        return Ok(Some(earlier));
    }
    // All is checked before anything is written: without transactions, nothing takes a write back.
    if let Some(context) = &change.context {
        check_context(collections, session, context).await?;
    }
    if let Some(handoff) = &change.handoff {
        check_handoff(collections, session, handoff).await?;
    }
    check_ids(collections, session, documents).await?;
    if let Some(context) = &change.context {
        write_context(collections, session, context).await?;
    }
    if let Some(handoff) = &change.handoff {
        write_handoff(collections, session, handoff).await?;
    }
    if !documents.is_empty() {
        collections.messages.insert_many(documents).session(&mut *session).await?;
    }
    if let Some(seen) = &change.seen {
        let filter = unread(in_inbox(copy_of(&change.by, seen)));
        let read = doc! { "$set": { "read": true, "readAt": date(change.at) }, "$unset": { CLAIM: "" } };
        collections.messages.update_one(filter, read).session(session).await?;
    }
    Ok(None)
}

async fn check_ids(collections: &Collections, session: &mut ClientSession, documents: &[Document]) -> DriverResult<()> {
    if documents.is_empty() || collections.is_replicated {
        // A transaction finds out by itself, and takes everything back.
        return Ok(());
    }
    let ids: Vec<_> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
    let taken = collections.messages.find_one(doc! { "_id": { "$in": ids } }).session(session).await?;
    match taken {
        Some(taken) => {
            let id = taken.get_str("id").unwrap_or_default();
            Err(TransactionConflict::error(format!("message {id}"), "an id of its own", "one that is taken"))
        }
        None => Ok(()),
    }
}

fn by_key(change: &Transaction, key: &SendKey) -> Document {
    doc! { "from": change.by.as_str(), KEY: &key.key }
}

/// Says what it means that the key of a change was used before.
fn used_before(change: &Transaction, earlier: &Document) -> Result<CommitOutcome> {
    let id = earlier.get_str("id").unwrap_or_default();
    let damaged = |error: huddle_core::model::NameError| Error::Damaged {
        path: format!("messages/{id}"),
        fault: error.to_string(),
    };
    let earlier_id = MessageId::new(id).map_err(damaged)?;
    match &change.key {
        Some(SendKey { key, fingerprint }) if earlier.get_str(PRINT).is_ok_and(|print| print != fingerprint) => {
            Err(Error::KeyReused { key: key.clone(), earlier: earlier_id }.into())
        }
        _ => Ok(CommitOutcome::Duplicate(earlier_id)),
    }
}
