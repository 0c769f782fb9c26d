//! What must hold of a bus among files that anybody can have written: for fuzzers, and for tests that replay what they
//! found.
//!
//! Each function takes bytes that may be anything, plants the files that they describe in a bus of three agents, and panics
//! when something does not hold. Planted files concern bob; ann and cyd must be able to work as if there were none.

mod bus;
mod journal;
mod lease;
mod mailbox;
pub(crate) mod planted;
mod registry;
#[cfg(test)]
mod tests;

pub(crate) use journal::changed_by;
pub use journal::journal;
pub use lease::lease;
pub use mailbox::mailbox;
pub use planted::SEPARATOR;
pub use registry::registry;

use std::fmt::Display;

/// Takes a result that has to be there.
#[track_caller]
pub(crate) fn expect<T, E: Display>(doing: &str, result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{doing}: {error}"))
}
