//! Shared contexts.

use bson::{Document, doc};
use futures_util::TryStreamExt;
use huddle_core::Host;
use huddle_core::engine::{ContextChange, Result};
use huddle_core::model::{Context, ContextName, Diagnostic, Severity, WithDiagnostics};
use huddle_core::wire::mailbox::context;
use mongodb::ClientSession;
use mongodb::error::Result as DriverResult;

use crate::MongoEngine;
use crate::connection::Collections;
use crate::errors::{TransactionConflict, is_duplicate};

impl<H: Host> MongoEngine<H> {
    pub(crate) fn read_context(&self, name: &ContextName) -> Result<Option<Context>> {
        let found = self.connection.retry("reading a shared context", async |collections| {
            collections.contexts.find_one(doc! { "_id": name.as_str() }).await
        })?;
        Ok(found.map(|document| context_of(name, &document)))
    }

    pub(crate) fn list_contexts(&self) -> Result<WithDiagnostics<Vec<Context>>> {
        let documents: Vec<Document> = self.connection.retry("listing shared contexts", async |collections| {
            collections.contexts.find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await
        })?;
        let mut found = WithDiagnostics::clean(Vec::new());
        for document in documents {
            match ContextName::new(document.get_str("_id").unwrap_or_default()) {
                Ok(name) => found.value.push(context_of(&name, &document)),
                Err(error) => found.findings.push(foreign("contexts", &document, &error.to_string())),
            }
        }
        Ok(found)
    }
}

fn context_of(name: &ContextName, document: &Document) -> Context {
    let read = context::decode(name, document.get_str("text").unwrap_or_default());
    // The stored number is the one that the next update is compared with.
    let version = document.get_i64("version").ok().and_then(|version| u64::try_from(version).ok());
    Context { version: version.unwrap_or(read.version), ..read }
}

pub(crate) fn foreign(collection: &str, document: &Document, fault: &str) -> Diagnostic {
    let id = document.get("_id").cloned().unwrap_or_default();
    Diagnostic {
        severity: Severity::Warning,
        code: "damaged-document",
        place: format!("{collection}/{id}"),
        message: format!("a document cannot be read: {fault}"),
        hint: "mend the document, or remove it".into(),
    }
}

/// Ensures that a context is at the version that a change expects.
pub(crate) async fn check_context(
    collections: &Collections,
    session: &mut ClientSession,
    change: &ContextChange,
) -> DriverResult<()> {
    let filter = doc! { "_id": change.context.name.as_str() };
    let found = collections.contexts.find_one(filter).projection(doc! { "version": 1 }).session(session).await?;
    let found = found.and_then(|found| found.get_i64("version").ok()).and_then(|version| u64::try_from(version).ok());
    if found == change.expected { Ok(()) } else { Err(stale(change, found)) }
}

fn stale(change: &ContextChange, found: Option<u64>) -> mongodb::error::Error {
    let shown = |version: Option<u64>| version.map_or("none".to_owned(), |version| format!("version {version}"));
    TransactionConflict::error(format!("shared context {}", change.context.name), shown(change.expected), shown(found))
}

/// Writes a context over the version that the change expects.
pub(crate) async fn write_context(
    collections: &Collections,
    session: &mut ClientSession,
    change: &ContextChange,
) -> DriverResult<()> {
    let Context { name, text, version, .. } = &change.context;
    let number = |version: u64| i64::try_from(version).unwrap_or(i64::MAX);
    let fields = doc! { "text": text, "version": number(*version) };
    let Some(expected) = change.expected else {
        let mut new = doc! { "_id": name.as_str() };
        new.extend(fields);
        let made = collections.contexts.insert_one(new).session(session).await;
        return made.map(drop).map_err(|error| if is_duplicate(&error) { stale(change, None) } else { error });
    };
    let filter = doc! { "_id": name.as_str(), "version": number(expected) };
    let written = collections.contexts.update_one(filter, doc! { "$set": fields }).session(session).await?;
    if written.matched_count == 1 { Ok(()) } else { Err(stale(change, None)) }
}
