//! What a file is, by its name and by the directory of a protocol that it lies in.

use super::{MailboxFolder, MailboxMarker, Role, Root, RootKind};
use crate::wire::{mailbox, orchestrator, session};

/// Describes what a file is for, and in which of the directories it lies.
pub fn role_of(path: &str, roots: &[Root], explicit: bool) -> (Role, Option<usize>) {
    if path.ends_with('/') {
        return (Role::Ignored("directories of this name contain no messages"), None);
    }
    if let Some(team) = task_of_team(path, roots) {
        return (Role::TeamTask(team.to_owned()), None);
    }
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
            ["orchestrator-settings.json"] => Role::Settings,
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

/// Returns the team whose task a file is: `tasks/red/1.json` beside `teams/red/`.
fn task_of_team<'p>(path: &'p str, roots: &[Root]) -> Option<&'p str> {
    let (dir, file) = path.rsplit_once('/')?;
    let (dir, team) = dir.rsplit_once('/')?;
    let above = dir.strip_suffix("tasks")?;
    let is_team = |root: &Root| root.kind == RootKind::Team && root.path == format!("{above}teams/{team}/");
    let is_number = file.strip_suffix(".json").is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    (is_number && roots.iter().any(is_team)).then_some(team)
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
        ["expand", ..] => Role::Known("the original of a text that was compressed"),
        _ => plain(path, explicit),
    }
}

/// Describes what a file is that lies in no directory of a protocol.
fn plain(path: &str, explicit: bool) -> Role {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "jsonl" | "ndjson" => Role::Log,
        "json" | "traj" => Role::Records,
        "log" => Role::Unsure,
        _ if explicit => Role::Unsure,
        _ => Role::Ignored("by its name it is neither JSON nor a log"),
    }
}
