//! Buses that were moved, and messages that were taken in.

use super::texts;
use crate::model::Json;
use crate::moving::{Moved, TakenIn, Tally};

/// Writes what was moved where, and that it is the same there.
pub fn moved(from: &str, to: &str, moved: &Moved) -> Json {
    let kinds: Vec<Json> = moved.kinds.iter().map(kind).collect();
    object!({"from": from, "to": to, "newBus": moved.is_new, "newCopies": moved.new_copies, "kinds": kinds})
}

fn kind(tally: &Tally) -> Json {
    object!({"kind": tally.kind, "count": tally.count, "hash": tally.hash, "others": tally.others})
}

/// Writes how many documents were read, and what of them is new.
pub fn taken_in(documents: usize, copies: usize, taken: &TakenIn) -> Json {
    object!({
        "documents": documents,
        "copies": copies,
        "newCopies": taken.new_copies,
        "registered": texts(&taken.registered),
    })
}
