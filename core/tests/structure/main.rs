//! Checks of core's own source: its layers, and the words that it must not use.

#![cfg(not(target_family = "wasm"))]
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "these tests read the source itself")]

mod layers;
mod sources;
mod texts;
