//! The engine on real servers: beside agents that know the protocol alone, with many at once, and when servers fail.

// A guest cannot start servers; the suite runs there on one that it is told of.
#![cfg(not(target_os = "wasi"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod clock;
mod crowd;
mod errors;
mod keeping;
mod spec_only;
mod support;
mod waiting;
