//! Where the session protocol keeps what, seen from `.claude/`. The only place that knows.

use crate::model::{AgentName, SessionId};

/// What the root is called when people are told of a path.
pub const ROOT: &str = ".claude";
/// The directory that has a directory for each session.
pub const SESSIONS: &str = "agents/context";

/// Returns a session's directory.
pub fn session(id: &SessionId) -> String {
    format!("{SESSIONS}/{id}")
}

/// Returns the path of something in a session's directory.
pub fn within(id: &SessionId, path: &str) -> String {
    format!("{SESSIONS}/{id}/{path}")
}

/// Returns the session that a path lies in.
pub fn session_of(path: &str) -> Option<SessionId> {
    let (id, _) = path.strip_prefix(SESSIONS)?.strip_prefix('/')?.split_once('/')?;
    SessionId::new(id).ok()
}

/// Status and dependencies of all agents.
pub const COORDINATION: &str = "coordination.json";
/// The log.
pub const LOG: &str = "messages.jsonl";
/// The directory of the reports.
pub const REPORTS: &str = "reports";
/// The directory of the shared data.
pub const DATA: &str = "data";

/// Returns where an agent's report is, seen from the session's directory.
pub fn report(agent: &AgentName) -> String {
    format!("{REPORTS}/{agent}.json")
}

/// Returns where shared data are, seen from the session's directory; the name's ending may be left out.
pub fn artifact(name: &str) -> String {
    format!("{DATA}/{}.json", name.strip_suffix(".json").unwrap_or(name))
}
