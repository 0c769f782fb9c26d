//! Handoff packages.

use bson::spec::BinarySubtype;
use bson::{Binary, Bson, Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::{Error, HandoffChange, HandoffPackage, Result};
use huddle_core::model::{Handoff, HandoffId, HandoffStatus, WithDiagnostics};
use huddle_core::wire::mailbox::handoff;
use mongodb::ClientSession;
use mongodb::error::Result as DriverResult;

use crate::MongoEngine;
use crate::connection::Collections;
use crate::contexts::foreign;
use crate::errors::{TransactionConflict, is_duplicate};

/// How much of a file one document holds: the server takes 16 MB in one.
const PIECE: usize = 8 << 20;

impl<H: Host> MongoEngine<H> {
    pub(crate) fn read_handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        let found = self.connection.retry("reading a handoff", async |collections| {
            collections.handoffs.find_one(doc! { "_id": id.as_str() }).await
        })?;
        let Some(document) = found else { return Ok(None) };
        let damaged = |fault| Error::Damaged { path: format!("handoffs/{id}"), fault };
        Ok(Some(package_of(&document).map_err(damaged)?))
    }

    pub(crate) fn list_handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>> {
        let documents: Vec<Document> = self.connection.retry("listing handoffs", async |collections| {
            collections.handoffs.find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await
        })?;
        let mut found = WithDiagnostics::clean(Vec::new());
        for document in documents {
            match package_of(&document) {
                Ok(package) => found.value.push(package.handoff),
                Err(fault) => found.findings.push(foreign("handoffs", &document, &fault)),
            }
        }
        Ok(found)
    }

    pub(crate) fn read_artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>> {
        // By the one index that there is: names of pieces, which begin alike (a zero is what comes after a slash).
        let [first, end] = ['/', '0'].map(|last| format!("{id}/{stored}{last}"));
        let filter = doc! { "_id": { "$gte": first, "$lt": end }, "handoff": id.as_str(), "name": stored };
        let pieces: Vec<Document> = self.connection.retry("reading a file of a handoff", async |collections| {
            collections.handoff_files.find(filter.clone()).sort(doc! { "piece": 1 }).await?.try_collect().await
        })?;
        let bytes = |piece: &Document| piece.get_binary_generic("data").cloned().unwrap_or_default();
        Ok((!pieces.is_empty()).then(|| pieces.iter().flat_map(bytes).collect()))
    }
}

fn package_of(document: &Document) -> Result<HandoffPackage, String> {
    let text = |key: &str| document.get_str(key).unwrap_or_default().to_owned();
    let names = document.get_array("files").into_iter().flatten().filter_map(Bson::as_str);
    Ok(HandoffPackage {
        handoff: handoff::decode_metadata(text("metadata").as_bytes())?,
        document: text("document"),
        context_links: text("contextLinks"),
        checklist: text("checklist"),
        files: names.map(|name| (name.to_owned(), Vec::new())).collect(),
    })
}

/// Ensures that a handoff is where a change expects it.
pub(crate) async fn check_handoff(
    collections: &Collections,
    session: &mut ClientSession,
    change: &HandoffChange,
) -> DriverResult<()> {
    let (id, expected) = match change {
        HandoffChange::Create(package) => (&package.handoff.id, "none"),
        HandoffChange::Decide { handoff, .. } => (&handoff.id, HandoffStatus::Pending.as_str()),
    };
    let found = collections.handoffs.find_one(doc! { "_id": id.as_str() }).projection(doc! { "status": 1 });
    let found = found.session(session).await?;
    let found = found.as_ref().map_or("none", |found| found.get_str("status").unwrap_or("unknown"));
    if found == expected { Ok(()) } else { Err(TransactionConflict::error(format!("handoff {id}"), expected, found)) }
}

/// Writes what a change makes of a handoff.
pub(crate) async fn write_handoff(
    collections: &Collections,
    session: &mut ClientSession,
    change: &HandoffChange,
) -> DriverResult<()> {
    match change {
        HandoffChange::Create(package) => create(collections, session, package).await,
        HandoffChange::Decide { handoff, document } => {
            let filter = doc! { "_id": handoff.id.as_str(), "status": HandoffStatus::Pending.as_str() };
            let set = doc! {
                "status": handoff.status.as_str(),
                "metadata": handoff::encode_metadata(handoff),
                "document": document,
            };
            let written = collections.handoffs.update_one(filter, doc! { "$set": set }).session(session).await?;
            let pending = HandoffStatus::Pending.as_str();
            let refused = || TransactionConflict::error(format!("handoff {}", handoff.id), pending, "another state");
            if written.matched_count == 1 { Ok(()) } else { Err(refused()) }
        }
    }
}

async fn create(collections: &Collections, session: &mut ClientSession, package: &HandoffPackage) -> DriverResult<()> {
    let id = package.handoff.id.as_str();
    for (name, bytes) in &package.files {
        // A file without a byte has one piece, too: it is there.
        let pieces = if bytes.is_empty() { vec![&bytes[..]] } else { bytes.chunks(PIECE).collect() };
        for (number, piece) in pieces.into_iter().enumerate() {
            let data = Binary { subtype: BinarySubtype::Generic, bytes: piece.to_vec() };
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            let filter = doc! { "_id": format!("{id}/{name}/{number}") };
            let file = doc! { "handoff": id, "name": name, "piece": number, "data": data };
            collections.handoff_files.replace_one(filter, file).upsert(true).session(&mut *session).await?;
        }
    }
    let names: Vec<&str> = package.files.iter().map(|(name, _)| name.as_str()).collect();
    // The package comes last: without transactions, it is there when it is.
    let new = doc! {
        "_id": id,
        "status": package.handoff.status.as_str(),
        "metadata": handoff::encode_metadata(&package.handoff),
        "document": &package.document,
        "contextLinks": &package.context_links,
        "checklist": &package.checklist,
        "files": names,
    };
    let made = collections.handoffs.insert_one(new).session(session).await;
    made.map(drop).map_err(|error| match is_duplicate(&error) {
        true => TransactionConflict::error(format!("handoff {id}"), "none", "another"),
        false => error,
    })
}
