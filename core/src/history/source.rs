//! What a file is, by where it lies: recognised before a byte of it is read.

use std::collections::BTreeSet;

use crate::wire::{mailbox, orchestrator, session};

/// Directories of a project that protocols keep their files in. A project that has one is read as those only.
pub const PROTOCOL_DIRS: [&str; 2] = [mailbox::layout::ROOT, orchestrator::layout::ROOT];

/// Directories that never contain messages.
pub const IGNORED_DIRS: [&str; 3] = [".git", "node_modules", "target"];

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
    /// An inbox of Claude Code teams.
    TeamInbox(String),
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

/// Describes what a file is for, and in which of the directories it lies.
pub fn role_of(path: &str, roots: &[Root], explicit: bool) -> (Role, Option<usize>) {
    let containing = (0..roots.len()).filter(|root| path.starts_with(&roots[*root].path));
    let Some(root) = containing.max_by_key(|root| roots[*root].path.len()) else {
        return (plain(path, explicit), None);
    };
    let inner = &path[roots[root].path.len()..];
    let parts: Vec<&str> = inner.split('/').collect();
    let role = match roots[root].kind {
        RootKind::Mailbox => in_mailbox(&parts, false),
        RootKind::Session => in_session(&parts),
        RootKind::State => in_state(&parts, path, explicit),
        RootKind::Config => match parts[..] {
            ["orchestrator-settings.json"] => Role::Known("the orchestrator's settings"),
            _ => plain(path, explicit),
        },
        RootKind::Team => match parts[..] {
            ["inboxes", file] => file.strip_suffix(".json").map_or(NO_MESSAGE, |agent| Role::TeamInbox(agent.into())),
            ["config.json"] => Role::Known("the team's settings"),
            _ => plain(path, explicit),
        },
    };
    (role, Some(root))
}

const NO_MESSAGE: Role = Role::Ignored("it is no message and does not belong here");

fn in_mailbox(parts: &[&str], archived: bool) -> Role {
    use mailbox::layout;
    match *parts {
        [layout::REGISTRY] => Role::Registry,
        [layout::ROUTING] => Role::Known("the routing table"),
        [layout::INBOX, agent, file] => {
            let agent = agent.to_owned();
            mail(file, if archived { MailboxFolder::Archive(agent) } else { MailboxFolder::Inbox(agent) })
        }
        [layout::DEAD_LETTERS, agent, file] => mail(file, MailboxFolder::DeadLetters(agent.to_owned())),
        [layout::OUTBOX, file] => {
            let to = file.strip_suffix(".json").and_then(|stem| stem.rsplit_once("_to_"));
            to.map_or(NO_MESSAGE, |(_, to)| mail(file, MailboxFolder::Outbox(to.to_owned())))
        }
        [layout::BROADCASTS, file] | [layout::EVENTS, _, file] => mail(file, MailboxFolder::Record),
        [layout::ARCHIVE, _, ref inner @ ..] if !archived => in_mailbox(inner, true),
        [layout::CONTEXTS, file] if file.ends_with(".md") => Role::Context,
        [layout::CONTEXTS, file] if file.ends_with(".md.lock") => Role::Known("a lock of a shared context"),
        [layout::HANDOFFS, _, "metadata.json"] => Role::Handoff,
        [layout::HANDOFFS, ..] => Role::Artifact,
        [".huddle", "offered", file] => {
            file.strip_suffix(".log").map_or(Role::Known(OWN), |agent| Role::Offered(agent.to_owned()))
        }
        [".huddle", ..] => Role::Known(OWN),
        _ => NO_MESSAGE,
    }
}

const OWN: &str = "Huddle's own notes";

fn mail(file: &str, place: MailboxFolder) -> Role {
    use mailbox::layout::{DEAD, READ, REDELIVERED};
    let markers = [(READ, MailboxMarker::Read), (REDELIVERED, MailboxMarker::Redelivered), (DEAD, MailboxMarker::Dead)];
    let marker =
        markers.into_iter().find(|(ending, _)| file.strip_suffix(ending).is_some_and(|name| name.ends_with(".json")));
    match marker {
        Some((_, marker)) => Role::Marker(marker),
        None if file.ends_with(".json") => Role::Mail(place),
        None => NO_MESSAGE,
    }
}

fn in_session(parts: &[&str]) -> Role {
    use session::layout;
    match *parts {
        [layout::COORDINATION] => Role::Coordination,
        [layout::LOG] => Role::Log,
        [layout::REPORTS, file] if file.ends_with(".json") => Role::Report(file.trim_end_matches(".json").to_owned()),
        [layout::DATA, ..] => Role::Artifact,
        [name, ..] if name.starts_with(".huddle") => Role::Known(OWN),
        [.., file] if file.ends_with(".jsonl") => Role::Log,
        _ => Role::Ignored("it is no part of a session"),
    }
}

fn in_state(parts: &[&str], path: &str, explicit: bool) -> Role {
    let file = |path: &'static str| path.rsplit('/').next().unwrap_or(path);
    match *parts {
        [name] if name == file(orchestrator::layout::SHARED_CONTEXT) => Role::SharedState,
        [name] if name == file(orchestrator::layout::DECISIONS) => Role::Log,
        [name, ..] if name.starts_with(".huddle") => Role::Known(OWN),
        _ => plain(path, explicit),
    }
}

/// Describes what a file is that lies in no directory of a protocol.
fn plain(path: &str, explicit: bool) -> Role {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "jsonl" | "ndjson" => Role::Log,
        "json" => Role::Records,
        _ if explicit => Role::Unsure,
        _ => Role::Ignored("by its name it is neither JSON nor a log"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], wanted: &[&str]) {
        let roots = roots_of(paths.iter().copied());
        let shown = paths.iter().map(|path| {
            let (role, root) = role_of(path, &roots, false);
            let root = root.map_or("", |root| roots[root].kind.as_str());
            format!("{root}: {role:?}")
        });
        assert_eq!(shown.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_mailbox_is_known_by_its_name_or_by_its_registry() {
        check(
            &[
                "p/.agent-messages/registry.json",
                "p/.agent-messages/inbox/bob/m.json",
                "p/.agent-messages/inbox/bob/m.json.read",
                "p/.agent-messages/archive/2025-11-29/inbox/bob/m.json",
                "p/.agent-messages/outbox/m_to_bob.json",
                "p/.agent-messages/inbox/bob/notes.txt",
            ],
            &[
                "mailbox: Registry",
                "mailbox: Mail(Inbox(\"bob\"))",
                "mailbox: Marker(Read)",
                "mailbox: Mail(Archive(\"bob\"))",
                "mailbox: Mail(Outbox(\"bob\"))",
                "mailbox: Ignored(\"it is no message and does not belong here\")",
            ],
        );
        check(&["registry.json", "events/E/e.json"], &["mailbox: Registry", "mailbox: Mail(Record)"]);
    }

    #[test]
    fn sessions_state_and_teams_are_known_by_their_files() {
        check(
            &[
                ".claude/agents/context/s1/messages.jsonl",
                ".claude/agents/context/s1/reports/a.json",
                ".claude/agents/context/s1/data/x.bin",
                ".claude/state/decisions.jsonl",
                ".claude/state/shared-context.json",
            ],
            &[
                "session: Log",
                "session: Report(\"a\")",
                "session: Artifact",
                "shared state: Log",
                "shared state: SharedState",
            ],
        );
        check(&["x/coordination.json", "x/messages.jsonl"], &["session: Coordination", "session: Log"]);
        check(
            &["teams/red/inboxes/lead.json", "teams/red/config.json"],
            &["team: TeamInbox(\"lead\")", "team: Known(\"the team's settings\")"],
        );
        check(&["inboxes/lead.json"], &["team: TeamInbox(\"lead\")"]);
    }

    #[test]
    fn other_files_are_recognized_by_extension() {
        check(
            &["a.jsonl", "b.json", "c.txt", "d"],
            &[
                ": Log",
                ": Records",
                ": Ignored(\"by its name it is neither JSON nor a log\")",
                ": Ignored(\"by its name it is neither JSON nor a log\")",
            ],
        );
    }
}
