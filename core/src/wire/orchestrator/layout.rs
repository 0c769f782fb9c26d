//! Where things lie, relative to `.claude/`.

/// The directory that holds the orchestrator's files, in a project's root.
pub const ROOT: &str = ".claude";
/// What agents share and what they have said.
pub const STATE: &str = "state";
/// The shared state.
pub const SHARED_CONTEXT: &str = "state/shared-context.json";
/// The log of communications.
pub const DECISIONS: &str = "state/decisions.jsonl";
/// The settings.
pub const SETTINGS: &str = "config/orchestrator-settings.json";

/// Returns a path as seen from the project's root, which is how people and messages name it.
pub fn from_project(path: &str) -> String {
    format!("{ROOT}/{path}")
}
