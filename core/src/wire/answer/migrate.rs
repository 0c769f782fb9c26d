//! Buses that were moved, and messages that were taken in.

use super::texts;
use crate::migrate::{ImportSummary, KindSummary, MigrationSummary};
use crate::model::Json;

/// Writes what was moved where, and that it is the same there.
pub fn migrated(from: &str, to: &str, migrated: &MigrationSummary) -> Json {
    let kinds: Vec<Json> = migrated.kinds.iter().map(kind).collect();
    object!({"from": from, "to": to, "newBus": migrated.is_new, "newCopies": migrated.new_copies, "kinds": kinds})
}

fn kind(summary: &KindSummary) -> Json {
    object!({"kind": summary.kind, "count": summary.count, "hash": summary.hash, "others": summary.others})
}

/// Writes how many documents were read, and what of them is new.
pub fn imported(documents: usize, copies: usize, summary: &ImportSummary) -> Json {
    object!({
        "documents": documents,
        "copies": copies,
        "newCopies": summary.new_copies,
        "registered": texts(&summary.registered),
    })
}
