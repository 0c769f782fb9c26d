//! Shared contexts and handoff packages.

use bson::spec::BinarySubtype;
use bson::{Binary, Bson, Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::{ContextChange, Error, HandoffChange, HandoffPackage, Result};
use huddle_core::model::{Context, ContextName, Finding, Found, Handoff, HandoffId, HandoffStatus, Severity};
use huddle_core::wire::mailbox::{context, handoff};
use mongodb::ClientSession;
use mongodb::error::Result as DriverResult;

use crate::MongoEngine;
use crate::errors::{Refused, is_duplicate};
use crate::link::Store;

/// How much of a file one document holds: the server takes 16 MB in one.
const PIECE: usize = 8 << 20;

impl<H: Host> MongoEngine<H> {
    pub(crate) fn read_context(&self, name: &ContextName) -> Result<Option<Context>> {
        let found = self.link.repeat("reading a shared context", async |store| {
            store.contexts.find_one(doc! { "_id": name.as_str() }).await
        })?;
        Ok(found.map(|document| context_of(name, &document)))
    }

    pub(crate) fn list_contexts(&self) -> Result<Found<Vec<Context>>> {
        let documents: Vec<Document> = self.link.repeat("listing shared contexts", async |store| {
            store.contexts.find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await
        })?;
        let mut found = Found::clean(Vec::new());
        for document in documents {
            match ContextName::new(document.get_str("_id").unwrap_or_default()) {
                Ok(name) => found.value.push(context_of(&name, &document)),
                Err(error) => found.findings.push(foreign("contexts", &document, &error.to_string())),
            }
        }
        Ok(found)
    }

    pub(crate) fn read_handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        let found = self
            .link
            .repeat("reading a handoff", async |store| store.handoffs.find_one(doc! { "_id": id.as_str() }).await)?;
        let Some(document) = found else { return Ok(None) };
        let damaged = |fault| Error::Damaged { path: format!("handoffs/{id}"), fault };
        Ok(Some(package_of(&document).map_err(damaged)?))
    }

    pub(crate) fn list_handoffs(&self) -> Result<Found<Vec<Handoff>>> {
        let documents: Vec<Document> = self.link.repeat("listing handoffs", async |store| {
            store.handoffs.find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await
        })?;
        let mut found = Found::clean(Vec::new());
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
        let pieces: Vec<Document> = self.link.repeat("reading a file of a handoff", async |store| {
            store.handoff_files.find(filter.clone()).sort(doc! { "piece": 1 }).await?.try_collect().await
        })?;
        let bytes = |piece: &Document| piece.get_binary_generic("data").cloned().unwrap_or_default();
        Ok((!pieces.is_empty()).then(|| pieces.iter().flat_map(bytes).collect()))
    }
}

fn context_of(name: &ContextName, document: &Document) -> Context {
    let read = context::decode(name, document.get_str("text").unwrap_or_default());
    // The stored number is the one that the next update is compared with.
    let version = document.get_i64("version").ok().and_then(|version| u64::try_from(version).ok());
    Context { version: version.unwrap_or(read.version), ..read }
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

fn foreign(collection: &str, document: &Document, fault: &str) -> Finding {
    let id = document.get("_id").cloned().unwrap_or_default();
    Finding {
        severity: Severity::Warning,
        code: "damaged-document",
        place: format!("{collection}/{id}"),
        message: format!("a document cannot be read: {fault}"),
        hint: "mend the document, or remove it".into(),
    }
}

/// Makes sure that a context is at the version that a change expects.
pub(crate) async fn check_context(
    store: &Store,
    session: &mut ClientSession,
    change: &ContextChange,
) -> DriverResult<()> {
    let filter = doc! { "_id": change.context.name.as_str() };
    let found = store.contexts.find_one(filter).projection(doc! { "version": 1 }).session(session).await?;
    let found = found.and_then(|found| found.get_i64("version").ok()).and_then(|version| u64::try_from(version).ok());
    if found == change.expected { Ok(()) } else { Err(stale(change, found)) }
}

fn stale(change: &ContextChange, found: Option<u64>) -> mongodb::error::Error {
    let shown = |version: Option<u64>| version.map_or("none".to_owned(), |version| format!("version {version}"));
    Refused::error(format!("shared context {}", change.context.name), shown(change.expected), shown(found))
}

/// Writes a context over the version that the change expects.
pub(crate) async fn write_context(
    store: &Store,
    session: &mut ClientSession,
    change: &ContextChange,
) -> DriverResult<()> {
    let Context { name, text, version, .. } = &change.context;
    let number = |version: u64| i64::try_from(version).unwrap_or(i64::MAX);
    let fields = doc! { "text": text, "version": number(*version) };
    let Some(expected) = change.expected else {
        let mut new = doc! { "_id": name.as_str() };
        new.extend(fields);
        let made = store.contexts.insert_one(new).session(session).await;
        return made.map(drop).map_err(|error| if is_duplicate(&error) { stale(change, None) } else { error });
    };
    let filter = doc! { "_id": name.as_str(), "version": number(expected) };
    let written = store.contexts.update_one(filter, doc! { "$set": fields }).session(session).await?;
    if written.matched_count == 1 { Ok(()) } else { Err(stale(change, None)) }
}

/// Makes sure that a handoff is where a change expects it.
pub(crate) async fn check_handoff(
    store: &Store,
    session: &mut ClientSession,
    change: &HandoffChange,
) -> DriverResult<()> {
    let (id, expected) = match change {
        HandoffChange::Create(package) => (&package.handoff.id, "none"),
        HandoffChange::Decide { handoff, .. } => (&handoff.id, HandoffStatus::Pending.as_str()),
    };
    let found = store.handoffs.find_one(doc! { "_id": id.as_str() }).projection(doc! { "status": 1 });
    let found = found.session(session).await?;
    let found = found.as_ref().map_or("none", |found| found.get_str("status").unwrap_or("unknown"));
    if found == expected { Ok(()) } else { Err(Refused::error(format!("handoff {id}"), expected, found)) }
}

/// Writes what a change makes of a handoff.
pub(crate) async fn write_handoff(
    store: &Store,
    session: &mut ClientSession,
    change: &HandoffChange,
) -> DriverResult<()> {
    match change {
        HandoffChange::Create(package) => create(store, session, package).await,
        HandoffChange::Decide { handoff, document } => {
            let filter = doc! { "_id": handoff.id.as_str(), "status": HandoffStatus::Pending.as_str() };
            let set = doc! {
                "status": handoff.status.as_str(),
                "metadata": handoff::encode_metadata(handoff),
                "document": document,
            };
            let written = store.handoffs.update_one(filter, doc! { "$set": set }).session(session).await?;
            let pending = HandoffStatus::Pending.as_str();
            let refused = || Refused::error(format!("handoff {}", handoff.id), pending, "another state");
            if written.matched_count == 1 { Ok(()) } else { Err(refused()) }
        }
    }
}

async fn create(store: &Store, session: &mut ClientSession, package: &HandoffPackage) -> DriverResult<()> {
    let id = package.handoff.id.as_str();
    for (name, bytes) in &package.files {
        // A file without a byte has one piece, too: it is there.
        let pieces = if bytes.is_empty() { vec![&bytes[..]] } else { bytes.chunks(PIECE).collect() };
        for (number, piece) in pieces.into_iter().enumerate() {
            let data = Binary { subtype: BinarySubtype::Generic, bytes: piece.to_vec() };
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            let filter = doc! { "_id": format!("{id}/{name}/{number}") };
            let file = doc! { "handoff": id, "name": name, "piece": number, "data": data };
            store.handoff_files.replace_one(filter, file).upsert(true).session(&mut *session).await?;
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
    let made = store.handoffs.insert_one(new).session(session).await;
    made.map(drop).map_err(|error| match is_duplicate(&error) {
        true => Refused::error(format!("handoff {id}"), "none", "another"),
        false => error,
    })
}
