//! What a file is, by where it lies: recognised before a byte of it is read.

mod role;
#[cfg(test)]
mod tests;

pub use role::role_of;

use std::collections::BTreeSet;

use crate::wire::{mailbox, orchestrator, session};

/// Directories of a project that protocols keep their files in. A project that has one is read as those only.
pub const PROTOCOL_DIRS: [&str; 2] = [mailbox::layout::ROOT, orchestrator::layout::ROOT];

/// Those of [`PROTOCOL_DIRS`] that any directory may have beside its own contents: one that has such a directory is read whole
/// when it is named.
pub const SETTINGS_DIRS: [&str; 1] = [orchestrator::layout::ROOT];

/// How names of files end that are read wherever they lie.
pub const READ_ENDINGS: [&str; 5] = [".json", ".jsonl", ".log", ".ndjson", ".traj"];

/// Directories that never contain messages.
pub const IGNORED_DIRS: [&str; 3] = [".git", "node_modules", "target"];

/// Returns the directories of a project that are read instead of all of it; none if it is read whole.
///
/// # Behavior
/// - `has` tells whether there is a directory of a name in it.
/// - `is_named` tells whether somebody asked for this directory.
pub fn kept_dirs(has: impl Fn(&str) -> bool, is_named: bool) -> Vec<&'static str> {
    let kept: Vec<_> = PROTOCOL_DIRS.into_iter().filter(|name| has(name)).collect();
    // Settings lie beside anything, and say nothing of what else is there.
    let is_whole = is_named && kept.iter().any(|name| SETTINGS_DIRS.contains(name));
    if is_whole { Vec::new() } else { kept }
}

/// The protocol of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RootKind {
    /// A mailbox: `.agent-messages/`.
    Mailbox,
    /// A session's directory.
    Session,
    /// The orchestrator's state.
    State,
    /// The orchestrator's settings.
    Config,
    /// A team of Claude Code.
    Team,
}

impl RootKind {
    /// Names it for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mailbox => "mailbox",
            Self::Session => "session",
            Self::State => "shared state",
            Self::Config => "settings",
            Self::Team => "team",
        }
    }
}

/// A directory that was recognised.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// Its path, a slash at its end; empty for the directory that paths are seen from.
    pub path: String,
    /// Its contents.
    pub kind: RootKind,
}

impl Root {
    /// Returns the directory's own name.
    pub fn name(&self) -> &str {
        let path = self.path.trim_end_matches('/');
        path.rsplit('/').next().unwrap_or(path)
    }
}

/// The folder of a mailbox message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailboxFolder {
    /// In somebody's inbox.
    Inbox(String),
    /// Put away, from somebody's inbox.
    Archive(String),
    /// Given up on.
    DeadLetters(String),
    /// In the senders' log, as sent to somebody.
    Outbox(String),
    /// Among the broadcasts or the events.
    Record,
}

/// A marker file beside a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailboxMarker {
    /// It was read.
    Read,
    /// It was offered anew.
    Redelivered,
    /// It was dead-lettered.
    Dead,
}

/// The role of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A log: a record a line.
    Log,
    /// A document with records in it.
    Records,
    /// A document or a log: its first bytes tell.
    Unsure,
    /// A message of a mailbox.
    Mail(MailboxFolder),
    /// A marker file beside a message.
    Marker(MailboxMarker),
    /// What inbox checks have listed to an agent.
    Offered(String),
    /// The directory of agents.
    Registry,
    /// A handoff's metadata.
    Handoff,
    /// A shared context.
    Context,
    /// Status and dependencies of a session's agents.
    Coordination,
    /// An agent's report.
    Report(String),
    /// The orchestrator's shared state.
    SharedState,
    /// The orchestrator's settings.
    Settings,
    /// An inbox of Claude Code teams.
    TeamInbox(String),
    /// A task of a team of Claude Code, which is named.
    TeamTask(String),
    /// A file that others refer to; that it is there is all that counts.
    Artifact,
    /// A file that is part of a protocol and says nothing of what happened.
    Known(&'static str),
    /// A file that is passed over, and why.
    Ignored(&'static str),
}

impl Role {
    /// Returns whether the file's bytes are wanted.
    pub const fn is_read(&self) -> bool {
        !matches!(self, Self::Artifact | Self::Known(_) | Self::Ignored(_))
    }
}

/// Finds the directories that protocols keep their files in, from the paths of all files.
pub fn roots_of<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Root> {
    let mut roots = BTreeSet::from_iter(std::iter::empty());
    for path in paths {
        if let Some(root) = root_of(path) {
            roots.insert(root);
        }
    }
    roots.into_iter().collect()
}

fn root_of(path: &str) -> Option<Root> {
    let root = |end: usize, kind| Some(Root { path: path[..end].to_owned(), kind });
    if let Some(end) = after(path, mailbox::layout::ROOT) {
        return root(end, RootKind::Mailbox);
    }
    if let Some(start) = after(path, session::layout::SESSIONS) {
        // Only what lies in a session's directory: a file beside them is none.
        return path[start..].find('/').and_then(|length| root(start + length + 1, RootKind::Session));
    }
    let dir = path.rfind('/').map_or(0, |slash| slash + 1);
    match &path[dir..] {
        mailbox::layout::REGISTRY => root(dir, RootKind::Mailbox),
        session::layout::COORDINATION => root(dir, RootKind::Session),
        "shared-context.json" | "decisions.jsonl" => root(dir, RootKind::State),
        "orchestrator-settings.json" => root(dir, RootKind::Config),
        name if name.ends_with(".json") => after(path, "inboxes")
            .filter(|end| *end == dir)
            .and_then(|end| root(end - "inboxes/".len(), RootKind::Team)),
        _ => None,
    }
}

/// Finds the end of a directory in a path, its slash included.
fn after(path: &str, dir: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(place) = path[from..].find(dir) {
        let (start, end) = (from + place, from + place + dir.len());
        if (start == 0 || path[..start].ends_with(['/', '!'])) && path[end..].starts_with('/') {
            return Some(end + 1);
        }
        from = end;
    }
    None
}
