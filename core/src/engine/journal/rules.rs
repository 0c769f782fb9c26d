//! The operations that the transactions of each directory tree can contain.
//!
//! A journal entry is a file, so anybody can have written it. These rules list what our own transactions do, and an entry
//! that asks for anything else is quarantined before a byte moves.

use super::KEYS;
use super::entry::Operation;
use crate::wire::mailbox::layout as mailbox;
use crate::wire::{orchestrator, session};

/// Permits what the bus does below `.agent-messages/`.
pub(crate) fn mailbox(operation: Operation<'_>) -> bool {
    match operation {
        Operation::CreateDir(path) => matches!(&segments(path)[..], [mailbox::HANDOFFS, _, "artifacts"]),
        Operation::Publish(path) => is_record(path) || is_sidecar(path) || is_handoff_file(path),
        Operation::Replace(path) => is_sidecar(path) || is_context(path) || is_handoff_file(path),
        Operation::Relocate { from, to } => is_relocation(from, to),
        Operation::Remove(path) => is_sidecar(path),
        Operation::Append(_) => false,
        Operation::Claim(path) => is_key(path),
    }
}

/// Permits what sessions and the shared state do below `.claude/`.
pub(crate) fn claude(operation: Operation<'_>) -> bool {
    let in_session = |path: &str| session_path(path).map(str::to_owned);
    match operation {
        Operation::CreateDir(path) => {
            in_session(path).is_some_and(|path| path == session::layout::REPORTS || path == session::layout::DATA)
        }
        Operation::Replace(path) => {
            path == orchestrator::layout::SHARED_CONTEXT || in_session(path).is_some_and(|path| is_session_file(&path))
        }
        Operation::Append(path) => in_session(path).is_some_and(|path| path == session::layout::LOG),
        Operation::Publish(_) | Operation::Relocate { .. } | Operation::Remove(_) | Operation::Claim(_) => false,
    }
}

/// Splits a path into its segments; none when one of them is empty, hidden, or leads anywhere but down.
fn segments(path: &str) -> Vec<&str> {
    let segments: Vec<&str> = path.split('/').collect();
    if segments.iter().all(|segment| is_plain(segment)) { segments } else { Vec::new() }
}

fn is_plain(segment: &str) -> bool {
    const MAX_BYTES: usize = 255;
    let is_special =
        segment == "." || segment == ".." || segment.contains('\\') || segment.chars().any(char::is_control);
    !segment.is_empty() && segment.len() <= MAX_BYTES && !is_special
}

/// Recognizes a copy of a message, or the bus's own record of one.
fn is_record(path: &str) -> bool {
    path.ends_with(".json")
        && matches!(
            &segments(path)[..],
            [mailbox::INBOX | mailbox::DEAD_LETTERS | mailbox::EVENTS, _, _]
                | [mailbox::OUTBOX | mailbox::BROADCASTS, _]
        )
}

fn is_sidecar(path: &str) -> bool {
    message_of(path).is_some_and(is_record)
}

/// Returns the message that a sidecar belongs to.
fn message_of(path: &str) -> Option<&str> {
    mailbox::SIDECARS.iter().find_map(|ending| path.strip_suffix(ending))
}

fn is_context(path: &str) -> bool {
    let is_document = path.strip_suffix(".lock").unwrap_or(path).ends_with(".md");
    is_document && matches!(&segments(path)[..], [mailbox::CONTEXTS, _])
}

fn is_handoff_file(path: &str) -> bool {
    matches!(
        &segments(path)[..],
        [mailbox::HANDOFFS, _, "HANDOFF.md" | "context-links.md" | "acceptance-checklist.md" | "metadata.json"]
            | [mailbox::HANDOFFS, _, "artifacts", _]
    )
}

/// Recognizes a move to the archive, to the dead letters, or back from there: the same file, in another folder.
fn is_relocation(from: &str, to: &str) -> bool {
    let is_movable = is_record(from) || is_sidecar(from);
    let archive = to.strip_prefix(mailbox::ARCHIVE).and_then(|rest| rest.strip_prefix('/'));
    let is_archived =
        archive.and_then(|rest| rest.split_once('/')).is_some_and(|(date, path)| is_date(date) && path == from);
    is_movable && (is_archived || changes_folder(from, to))
}

fn changes_folder(from: &str, to: &str) -> bool {
    let below = |path: &str, dir: &str| path.strip_prefix(dir).filter(|rest| rest.starts_with('/')).map(str::to_owned);
    let moves = |source: &str, target: &str| below(from, source).is_some_and(|rest| below(to, target) == Some(rest));
    moves(mailbox::INBOX, mailbox::DEAD_LETTERS) || moves(mailbox::DEAD_LETTERS, mailbox::INBOX)
}

/// Recognizes the name of a day of the archive.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == "2025-11-29".len() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn is_key(path: &str) -> bool {
    let name =
        path.strip_prefix(KEYS).and_then(|rest| rest.strip_prefix('/')).and_then(|rest| rest.strip_suffix(".json"));
    name.is_some_and(|name| uuid::Uuid::try_parse(name).is_ok() && name.len() == 32)
}

/// Returns a path as seen from its session's directory.
fn session_path(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(session::layout::SESSIONS)?.strip_prefix('/')?;
    let (_, within) = rest.split_once('/').filter(|_| !segments(path).is_empty())?;
    Some(within)
}

fn is_session_file(path: &str) -> bool {
    path == session::layout::COORDINATION
        || (path.ends_with(".json")
            && matches!(&segments(path)[..], [session::layout::REPORTS | session::layout::DATA, _]))
}

#[cfg(test)]
mod tests {
    use super::Operation::*;
    use super::*;

    #[test]
    fn the_bus_writes_only_its_own_kinds_of_files() {
        let (message, dead) = ("inbox/bob/msg-1.json", "dead-letters/bob/msg-1.json");
        let permitted = [
            Publish(message),
            Publish("outbox/msg-1_to_bob.json"),
            Publish("broadcasts/msg-1.json"),
            Publish("events/build done/msg-1.json"),
            Publish("inbox/bob/msg-1.json.read"),
            Publish("handoffs/h-1/artifacts/.env"),
            Publish("handoffs/h-1/metadata.json"),
            CreateDir("handoffs/h-1/artifacts"),
            Replace("shared-context/api.md"),
            Replace("shared-context/api.md.lock"),
            Replace("handoffs/h-1/HANDOFF.md"),
            Replace("dead-letters/bob/msg-1.json.dead"),
            Remove("inbox/bob/msg-1.json.read"),
            Relocate { from: message, to: dead },
            Relocate { from: dead, to: message },
            Relocate { from: message, to: "archive/2025-11-29/inbox/bob/msg-1.json" },
            Relocate { from: "outbox/a.json", to: "archive/2025-11-29/outbox/a.json" },
            Claim(".huddle/keys/019a0000000070008000000000000001.json"),
        ];
        for operation in permitted {
            assert!(mailbox(operation), "{operation:?}");
            assert!(!claude(operation), "{operation:?}");
        }
        let refused = [
            Publish("../.git/hooks/pre-commit"),
            Publish("inbox/../../x.json"),
            Publish("inbox/bob/../../../x.json"),
            Publish("/etc/x.json"),
            Publish("registry.json"),
            Publish("inbox/bob/msg-1.sh"),
            Publish("inbox//msg-1.json"),
            Publish("inbox/bob/a\0.json"),
            Publish("handoffs/h-1/artifacts/../../../x"),
            CreateDir("nonexist/../../../outside/new"),
            CreateDir("handoffs/h-1"),
            Replace("inbox/bob/msg-1.json"),
            Replace("registry.json"),
            Replace(".huddle/keys/019a0000000070008000000000000001.json"),
            Remove(message),
            Remove("registry.json"),
            Relocate { from: message, to: "inbox/ann/msg-1.json" },
            Relocate { from: message, to: "archive/../../x/inbox/bob/msg-1.json" },
            Relocate { from: "registry.json", to: "archive/2025-11-29/registry.json" },
            Relocate { from: "../secret.json", to: "archive/2025-11-29/../secret.json" },
            Append("inbox/bob/msg-1.json"),
            Claim(".huddle/keys/../../x.json"),
        ];
        for operation in refused {
            assert!(!mailbox(operation), "{operation:?}");
        }
    }

    #[test]
    fn sessions_write_only_their_own_kinds_of_files() {
        let permitted = [
            CreateDir("agents/context/s-1/reports"),
            Replace("agents/context/s-1/coordination.json"),
            Replace("agents/context/s-1/reports/ann.json"),
            Replace("agents/context/s-1/data/x.json"),
            Replace("state/shared-context.json"),
            Append("agents/context/s-1/messages.jsonl"),
        ];
        for operation in permitted {
            assert!(claude(operation), "{operation:?}");
        }
        let refused = [
            Replace("settings.local.json"),
            Replace("agents/context/s-1/../../../settings.local.json"),
            Replace("agents/context/../coordination.json"),
            Replace("agents/context/s-1/messages.jsonl"),
            Append("state/decisions.jsonl"),
            Append("agents/context/../messages.jsonl"),
            Publish("agents/context/s-1/data/x.json"),
            Remove("agents/context/s-1/coordination.json"),
        ];
        for operation in refused {
            assert!(!claude(operation), "{operation:?}");
        }
    }
}
