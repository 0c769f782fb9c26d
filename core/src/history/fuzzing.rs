//! What must hold of reading history, whatever the bytes: for fuzzers, and for tests that replay what they found.
//!
//! Each function takes bytes that may be anything, and panics when something does not hold.

mod loader;
pub(super) mod memory_files;
mod query;
#[cfg(test)]
mod tests;

pub use loader::{PATHS, SEPARATOR, loader};
pub use query::query;

use crate::model::Timestamp;

/// The moment as of which all is asked: 2026-01-10T10:30:00Z.
const NOW: Timestamp = Timestamp::from_seconds(1_768_041_000);
