//! The orchestrator protocol's files under `.claude/`, and what its three protocols put into messages.

pub mod decision;
pub mod layout;
pub mod notice;
pub mod package;
pub mod query;
pub mod settings;
pub mod shared_context;
