//! The session protocol's files under `.claude/agents/context/{session-id}/`, as its snippets write and read them.

/// Reads a file of the protocol's own example of a session, which tests of other packages use, too.
#[cfg(test)]
macro_rules! by_spec {
    ($path:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/fixtures/session-by-spec-example/.claude/agents/context/a1b2c3d4-e5f6-7890-abcd-ef1234567890/",
            $path
        ))
    };
}
#[cfg(test)]
pub(crate) use by_spec;

pub mod coordination;
pub mod event;
pub mod layout;
pub mod report;
