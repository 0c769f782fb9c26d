//! What messages in logs say, against the schemas of their types.

use std::io;

use super::finding;
use crate::bus::body;
use crate::history::History;
use crate::history::record::ByteSource;
use crate::model::{Diagnostic, Json, MessageType, Priority, Severity};
use crate::wire;

/// The types of the documents protocol, whose contents have a schema.
const KINDS: [&str; 4] = ["task", "result", "status", "error"];
/// So many messages are read, and so many faults told.
const MAX_READ: usize = 10_000;
const MAX_TOLD: usize = 100;

/// Checks the messages of logs; those of mailboxes are checked as mail, and the records of sessions are no messages.
pub(super) fn check(history: &History, from: &mut dyn ByteSource) -> io::Result<Vec<Diagnostic>> {
    let table = &history.table;
    let kinds = KINDS.map(|kind| table.symbols.find(kind));
    let is_message = |row: usize| {
        let row = table.row(row as u32);
        let in_root = history.files[row.file as usize].root.is_some();
        !in_root && kinds.contains(&Some(row.kind))
    };
    let mut findings = Vec::new();
    for row in (0..table.len()).filter(|row| is_message(*row)).take(MAX_READ) {
        if findings.len() >= MAX_TOLD {
            break;
        }
        let record = history.record(row as u32, from)?;
        // Only a message has a recipient and a content.
        let (Some(content), true) = (record.get("content"), record.contains_key("to")) else { continue };
        let kind = MessageType::new(record.get("type").and_then(Json::as_str).unwrap_or_default());
        for fault in faults(&kind, content, record.get("priority")) {
            let hint = "ask its sender what is meant";
            findings.push(finding(Severity::Warning, "odd-body", history.place(row as u32), fault, hint));
        }
    }
    Ok(findings)
}

fn faults(kind: &MessageType, content: &Json, priority: Option<&Json>) -> Vec<String> {
    let mut faults = Vec::new();
    let is_structure = |text: &str| text.trim_start().starts_with(['{', '[']);
    let parsed = match content {
        Json::String(text) if is_structure(text) => wire::parse(text.as_bytes()),
        other => Ok(other.clone()),
    };
    match parsed {
        Ok(body) => faults.extend(body::fault(kind, &body)),
        Err(error) => faults.push(format!("the content begins as JSON and is none: {error}")),
    }
    if let Some(priority) = priority.filter(|priority| !priority.is_null()) {
        let is_known = priority.as_str().is_some_and(|word| Priority::parse(word).is_some());
        faults.extend((!is_known).then(|| format!("priority {priority} is not critical, high, normal or low")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn contents_and_priorities_are_held_against_their_schemas() {
        let check = |kind: &str, content: Json, priority: Json, expected: &[&str]| {
            let found = faults(&MessageType::new(kind), &content, Some(&priority));
            let fits =
                found.len() == expected.len() && found.iter().zip(expected).all(|(fault, part)| fault.contains(part));
            assert!(fits, "{kind} {content}: {found:?}");
        };
        let whole = json!({"taskId": "t", "title": "T", "description": "D"});
        check("task", whole.clone(), json!("high"), &[]);
        check("task", whole.to_string().into(), Json::Null, &[]);
        check("task", "just words".into(), Json::Null, &[]);
        check("task", json!({"taskId": "t"}), json!("urgent"), &["title", "priority \"urgent\""]);
        check("status", "{not json".into(), json!(1), &["begins as JSON", "priority 1"]);
        check("status", json!({"taskId": "t", "progress": 200}).to_string().into(), Json::Null, &["progress"]);
    }
}
