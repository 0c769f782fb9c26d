//! Importing messages from documents.

use huddle_core::history::export::snapshot_of;
use huddle_core::migrate::{self, Progress};
use serde::Serialize;

use crate::response::texts;
use crate::{Context, Error};

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentsImported {
    /// How many documents were read.
    pub documents: usize,
    /// How many copies of messages these are.
    pub copies: usize,
    /// How many of them are new.
    pub new_copies: usize,
    /// The agents that were registered.
    pub registered: Vec<String>,
}

/// Imports messages from documents of the documents protocol, one a line or in a list, and reports the progress. What is
/// there already stays as it is; diagnostics name `source`.
pub fn import_documents(
    documents: &[u8],
    source: &str,
    context: &mut Context<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Result<DocumentsImported, Error> {
    context.check_directory();
    let documents = context.collect(migrate::documents_in(documents, source));
    let read = documents.len();
    let snapshot = context.collect(snapshot_of(documents));
    let copies = snapshot.deliveries.len();
    let imported = migrate::import(context.project().engine(), &snapshot, progress)?;
    let imported = context.collect(imported);
    let registered = texts(&imported.registered);
    Ok(DocumentsImported { documents: read, copies, new_copies: imported.new_copies, registered })
}
