//! Taking over what another bus has kept.

use std::collections::BTreeSet;

use bson::{Bson, Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::{MailSnapshot, Result};
use huddle_core::history::export::documents_of;
use huddle_core::model::WithDiagnostics;
use huddle_core::wire::documents;
use mongodb::error::{ErrorKind, IndexedWriteError, Result as DriverResult};

use crate::MongoEngine;
use crate::connection::Collections;
use crate::errors::{DUPLICATE_KEY, TransactionConflict, to_engine_error, unconfirmed};
use crate::stored::{ARCHIVED, by_id, date, encode};

impl<H: Host> MongoEngine<H> {
    pub(crate) fn import_mail(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>> {
        let doing = "taking over messages";
        let (copies, others): (Vec<_>, Vec<_>) =
            documents_of(snapshot).into_iter().partition(|one| matches!(one, documents::Document::Copy { .. }));
        let encoded = |all: &[documents::Document]| -> Result<Vec<Document>> {
            let all: DriverResult<Vec<Document>> = all.iter().map(encode).collect();
            all.map_err(|error| to_engine_error(self.connection.address(), doing, &error))
        };
        let filters = [&copies, &others].map(|all| doc! { "$or": by_id(all.iter().map(|one| &one.message().id)) });
        let (mut copies, others) = (encoded(&copies)?, encoded(&others)?);
        let now = date(self.host.now());
        for copy in copies.iter_mut().filter(|copy| is_at(copy, "archive")) {
            // What was put away elsewhere goes in its time, too, which begins here.
            copy.insert(ARCHIVED, now);
        }
        let mut new = 0;
        self.connection.retry(doing, async |collections| {
            new += insert_new(collections, &copies, &filters[0]).await?;
            note_records(collections, &copies).await?;
            insert_new(collections, &others, &filters[1]).await
        })?;
        Ok(WithDiagnostics::clean(new))
    }
}

fn is_at(document: &Document, place: &str) -> bool {
    document.get_str("place").is_ok_and(|found| found == place)
}

/// Inserts what is not there yet, and says how much that was. `filter` selects all that has the same ids.
async fn insert_new(collections: &Collections, documents: &[Document], filter: &Document) -> DriverResult<usize> {
    if documents.is_empty() {
        return Ok(0);
    }
    // Under whatever `_id`: another agent may have given it one of its own.
    let mut there = identities(collections, filter).await?;
    let new: Vec<&Document> = documents.iter().filter(|document| there.insert(identity(document))).collect();
    if new.is_empty() {
        return Ok(0);
    }
    let Err(error) = collections.messages.insert_many(new.iter().copied()).ordered(false).await else {
        return Ok(new.len());
    };
    let faults = match error.kind.as_ref() {
        ErrorKind::InsertMany(failed) if unconfirmed(&error).is_none() => failed.write_errors.as_deref(),
        _ => None,
    };
    let Some(faults) = faults.filter(|faults| faults.iter().all(is_there)) else { return Err(error) };
    // Somebody else has inserted it meanwhile, or an earlier try has; or its `_id` is that of something else.
    let there = identities(collections, filter).await?;
    let refused = faults.iter().filter_map(|fault| new.get(fault.index)).map(|document| identity(document));
    match refused.into_iter().find(|identity| !there.contains(identity)) {
        Some((id, to, _)) => {
            let what = format!("message {id} for {to}");
            Err(TransactionConflict::error(what, "an _id of its own", "one that another message has"))
        }
        None => Ok(new.len() - faults.len()),
    }
}

/// What tells documents apart: message, recipient, and whether it is a copy or the sender's own.
type Identity = (String, String, bool);

async fn identities(collections: &Collections, filter: &Document) -> DriverResult<BTreeSet<Identity>> {
    let there =
        collections.messages.find(filter.clone()).projection(doc! { "id": 1, "to": 1, "place": 1 }).batch_size(1000);
    let there: Vec<Document> = there.await?.try_collect().await?;
    Ok(there.iter().map(identity).collect())
}

/// Returns whether a document was not inserted because it is there: then its `_id` is taken, and not something else of it.
fn is_there(fault: &IndexedWriteError) -> bool {
    fault.code == DUPLICATE_KEY && fault.message.contains(" index: _id_ ")
}

fn identity(document: &Document) -> Identity {
    let id = match (document.get("id"), document.get("_id")) {
        (None | Some(Bson::Null), Some(Bson::ObjectId(id))) => id.to_hex(),
        (None | Some(Bson::Null), own) => own.and_then(Bson::as_str).unwrap_or_default().to_owned(),
        (id, _) => id.and_then(Bson::as_str).unwrap_or_default().to_owned(),
    };
    (id, document.get_str("to").unwrap_or_default().to_owned(), is_at(document, "outbox"))
}

/// Lets copies that were there without a record tell of one, where what was taken over has it.
async fn note_records(collections: &Collections, copies: &[Document]) -> DriverResult<()> {
    let recorded = copies.iter().filter(|copy| !copy.contains_key("recorded"));
    let ids: Vec<Bson> = recorded.filter_map(|copy| copy.get("_id").cloned()).collect();
    let filter = doc! { "_id": { "$in": ids }, "recorded": false };
    collections.messages.update_many(filter, doc! { "$unset": { "recorded": "" } }).await.map(drop)
}
