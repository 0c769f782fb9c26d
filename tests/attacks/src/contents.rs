//! Odd contents of files that are JSON, Markdown or logs.

use serde_json::{Value, json};

use crate::audit::{Audit, Expect};
use crate::commands::{READING, WRITING, concerns};
use crate::{Counts, Extent, Target, Template};

/// A text that means something to a terminal: clipboard, title, clear screen, C1, a bidirectional override, zero width.
pub(crate) const ESCAPES: &str = "x\u{1b}]52;c;cm0=\u{7}\u{1b}]0;t\u{1b}\\\u{1b}[2J\u{9b}2J\u{202e}y\u{200b}\u{7f}\rz";

/// Returns values that no field expects.
fn values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(1e308),
        json!(u64::MAX),
        json!(""),
        json!(ESCAPES),
        json!("../../../x"),
        json!("x".repeat(70_000)),
        json!("日🦀".repeat(30_000)),
        json!("a\u{0}b\nc"),
        json!("9999-99-99T99:99:99Z"),
        json!("-9999-01-01T00:00:00Z"),
        json!([[[[[[[["x"]]]]]]]]),
        json!({"": {"x": []}}),
    ]
}

/// The documents whose fields are replaced: path, topics that may fail, and a document that has nothing wrong with it.
fn documents() -> Vec<(&'static str, &'static str, Value)> {
    let message = json!({
        "message_id": "msg_odd", "timestamp": "2025-11-29T14:30:52Z", "from_agent": "ann", "to_agent": "bob",
        "message_type": "question", "subject": "Odd", "priority": "high", "requires_response": true,
        "deadline": "2025-11-29T15:30:52Z", "conversation_id": "conv_odd", "in_reply_to": "msg_0", "payload": "x",
        "metadata": {"files": ["a"]},
    });
    let handoff = json!({
        "handoff_id": "x", "from_agent": "ann", "to_agent": "bob", "task": "t", "status": "pending_acceptance",
        "created_at": "2025-11-29T14:30:52Z", "artifacts": ["a"], "context_package": {"summary": "s"},
    });
    let session = json!({
        "session_id": "x", "started_at": "2025-11-29T14:30:52Z", "project_type": "web", "project_path": ".",
        "agents": {"ann": {"status": "in_progress", "dependencies": ["bob"], "reason": "r", "output_file": "reports/ann.json"}},
    });
    let report = json!({
        "agent_name": "bob", "timestamp": "2025-11-29T14:30:52Z", "status": "completed", "summary": "s",
        "findings": [{"type": "issue", "severity": "high", "title": "t", "description": "d", "location": "l"}],
        "metrics": {"n": 1}, "next_actions": ["a"], "data_artifacts": ["d"], "recommendations_for_automation": ["r"],
    });
    let event = json!({
        "timestamp": "2025-11-29T14:30:52Z", "from": "ann", "type": "finding", "severity": "high", "message": "m",
        "data": {"title": "t"}, "error": "e", "artifact": "data/d.json", "event_id": "1",
    });
    let state = json!({
        "taskId": "t", "currentPhase": 1, "version": 3, "agentStates": {"ann": {"status": "x"}},
        "sharedContext": {"objective": "o", "keyDecisions": [], "artifacts": [], "blockers": [], "notes": []},
    });
    let agent = json!({
        "agents": {"ann": {"role": "builder", "status": "active", "registered_at": "2025-11-29T14:30:52Z",
            "last_seen": "2025-11-29T14:30:52Z", "message_count": 1, "capabilities": ["x"], "worktree": "w"},
            "bob": {"role": "builder"}, "cyd": {"role": "builder"}},
        "event_subscriptions": {"Done": ["cyd"]}, "message_count": 1, "retention_hours": 72,
    });
    vec![
        (".agent-messages/inbox/bob/msg_odd.json", "", message.clone()),
        (".agent-messages/outbox/msg_odd_to_bob.json", "", message.clone()),
        (".agent-messages/broadcasts/msg_odd.json", "", message.clone()),
        (".agent-messages/archive/2025-11-29/inbox/bob/msg_odd.json", "", message),
        (".agent-messages/handoffs/x/metadata.json", "", handoff),
        (".agent-messages/registry.json", "", agent),
        (".claude/agents/context/x/coordination.json", "", session),
        (".claude/agents/context/s1/reports/bob.json", "", report),
        (".claude/agents/context/s1/messages.jsonl", "", event),
        (".claude/state/shared-context.json", "state", state),
    ]
}

/// Puts odd values into every field of every document, all values of one field at a time into copies of one project.
pub fn contents(target: &dyn Target, extent: Extent) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    let mut row = 0;
    for (path, planted, document) in documents() {
        for pointer in fields_of(&document) {
            for value in values() {
                row += 1;
                // A registry may say that nobody is there.
                let says_nobody = pointer == "/agents" && value.is_object();
                if says_nobody || !extent.includes(row, 0) {
                    continue;
                }
                audit.begin(format!("{path}{pointer} = {:.60}", value.to_string()));
                let project = template.copy();
                let mut odd = document.clone();
                *odd.pointer_mut(&pointer).expect("the field is there") = value;
                project.write(path, odd.to_string() + "\n");
                // Each field meets a part of the commands; all of them meet all.
                let commands = READING.iter().chain(WRITING).enumerate();
                for (_, (command, topics)) in commands.filter(|(column, _)| (row + column).is_multiple_of(5)) {
                    let expect = if concerns(topics, planted) { Expect::Any } else { Expect::Success };
                    audit.run(&project, command, expect);
                }
            }
        }
    }
    audit.finish()
}

/// Lists the places of all values in a document.
fn fields_of(document: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match document {
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(number, value)| (number.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let mut fields = Vec::new();
    for (name, value) in children {
        fields.push(format!("/{name}"));
        fields.extend(fields_of(value).into_iter().map(|rest| format!("/{name}{rest}")));
    }
    fields
}
