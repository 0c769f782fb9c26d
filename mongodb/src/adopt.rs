//! Taking over what another bus has kept.

use bson::{Bson, Document, doc};
use huddle_core::Host;
use huddle_core::engine::{Result, Survey};
use huddle_core::history::export::documents_of;
use huddle_core::model::Found;
use huddle_core::wire::documents;
use mongodb::error::{ErrorKind, Result as DriverResult};

use crate::MongoEngine;
use crate::errors::{DUPLICATE_KEY, is_duplicate, told};
use crate::link::Store;
use crate::stored::encode;

impl<H: Host> MongoEngine<H> {
    pub(crate) fn take_over(&self, survey: &Survey) -> Result<Found<usize>> {
        let doing = "taking over messages";
        let (copies, others): (Vec<_>, Vec<_>) =
            documents_of(survey).into_iter().partition(|one| matches!(one, documents::Document::Copy { .. }));
        let encoded = |all: &[documents::Document]| -> Result<Vec<Document>> {
            let all: DriverResult<Vec<Document>> = all.iter().map(encode).collect();
            all.map_err(|error| told(self.link.address(), doing, &error))
        };
        let (copies, others) = (encoded(&copies)?, encoded(&others)?);
        let mut new = 0;
        self.link.repeat(doing, async |store| {
            new += insert_new(store, &copies).await?;
            note_records(store, &copies).await?;
            insert_new(store, &others).await
        })?;
        Ok(Found::clean(new))
    }
}

/// Inserts what is not there yet, and says how much that was.
async fn insert_new(store: &Store, documents: &[Document]) -> DriverResult<usize> {
    if documents.is_empty() {
        return Ok(0);
    }
    match store.messages.insert_many(documents).ordered(false).await {
        Ok(_) => Ok(documents.len()),
        Err(error) if is_duplicate(&error) => match error.kind.as_ref() {
            ErrorKind::InsertMany(failed)
                if failed.write_errors.iter().flatten().all(|one| one.code == DUPLICATE_KEY) =>
            {
                Ok(documents.len() - failed.write_errors.iter().flatten().count())
            }
            _ => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// Lets copies that were there without a record tell of one, where what was taken over has it.
async fn note_records(store: &Store, copies: &[Document]) -> DriverResult<()> {
    let recorded = copies.iter().filter(|copy| !copy.contains_key("recorded"));
    let ids: Vec<Bson> = recorded.filter_map(|copy| copy.get("_id").cloned()).collect();
    let filter = doc! { "_id": { "$in": ids }, "recorded": false };
    store.messages.update_many(filter, doc! { "$unset": { "recorded": "" } }).await.map(drop)
}
