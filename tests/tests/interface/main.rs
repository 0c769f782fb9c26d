//! The typed interface: what a function gives is held, field by field, against what the command prints of the same.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

mod asking;
mod history;
mod jobs;
mod messages;
mod scene;
mod tools;
