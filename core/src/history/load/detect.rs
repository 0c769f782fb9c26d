//! What a file is, by what it begins with.

use huddle_scan::{Field, Fields, ScannedRecord, scan_object};

use crate::history::source::{MailboxFolder, Role};

/// What a log is whose records do not tell.
pub(super) const RECORDS: &str = "records";

/// Describes what kind of log a record comes from.
pub(super) fn format_of(found: &ScannedRecord<'_>) -> &'static str {
    let has = |field| found.fields.has(field);
    let spells = |key: &str| found.record.windows(key.len()).any(|part| part == key.as_bytes());
    if has(Field::Protocol) && spells("\"agent_communication\"") {
        "decisions log"
    } else if spells("\"message_id\"") || spells("\"event_type\"") {
        "mailbox messages"
    } else if spells("\"createdAt\"") {
        "documents"
    } else if ["\"timestamp\"", "\"from\"", "\"type\""].into_iter().all(spells) {
        "session log"
    } else if has(Field::Time) && (has(Field::From) || has(Field::Text)) {
        "plain log"
    } else {
        RECORDS
    }
}

/// The reason why text is passed over.
const PLAIN_TEXT: &str = "it is plain text, without records";

/// Distinguishes a log from a document by its first bytes, and both from plain text.
pub(super) fn detect_role(chunk: &[u8]) -> Role {
    let start = text(chunk);
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if !line.is_empty() && !line.iter().any(|byte| matches!(byte, b'{' | b'[' | 0)) {
        return Role::Ignored(PLAIN_TEXT);
    }
    let is_line = scan_object(line, &mut Fields::default()).is_ok();
    if start.starts_with(b"[") || (start.starts_with(b"{") && !is_line && line.len() < start.len()) {
        Role::Records
    } else {
        Role::Log
    }
}

/// Returns bytes without what may stand before a text and means nothing.
pub(super) fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Names what a file is for people, where its records did not tell.
pub(super) fn name_of(role: &Role) -> &'static str {
    match role {
        Role::Log | Role::Records | Role::Unsure => "nothing yet",
        Role::Mail(MailboxFolder::Record) => "mailbox record",
        Role::Mail(_) => "mailbox message",
        Role::Marker(_) | Role::Offered(_) => "delivery notes",
        Role::Registry => "directory of agents",
        Role::Handoff => "handoff",
        Role::Context => "shared context",
        Role::Coordination => "coordination",
        Role::Report(_) => "report",
        Role::SharedState => "shared state",
        Role::Settings => "the orchestrator's settings",
        Role::TeamInbox(_) => "Claude teams inbox",
        Role::TeamTask(_) => "Claude teams task",
        Role::Artifact => "artifact",
        Role::Known(what) | Role::Ignored(what) => what,
    }
}
