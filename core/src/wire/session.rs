//! The session protocol's files under `.claude/agents/context/{session-id}/`, as its snippets write and read them.

pub mod coordination;
pub mod event;
pub mod layout;
pub mod report;
