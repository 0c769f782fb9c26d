//! Compressing the protocol documents and everything else that agents hand over.

mod limits;
mod saving;
mod tokens;

use super::{Compressed, Form, compress};

/// The four protocol documents, byte for byte.
const DOCUMENTS: [(&str, &str); 4] = [
    ("mailbox", include_str!("testdata/mailbox.md")),
    ("documents", include_str!("testdata/documents.md")),
    ("orchestrator", include_str!("testdata/orchestrator.md")),
    ("session", include_str!("testdata/session.md")),
];

/// The snapshots of the same documents, compressed.
const SNAPSHOTS: [(&str, &str); 4] = [
    ("mailbox", include_str!("testdata/mailbox.short.snap")),
    ("documents", include_str!("testdata/documents.short.snap")),
    ("orchestrator", include_str!("testdata/orchestrator.short.snap")),
    ("session", include_str!("testdata/session.short.snap")),
];

/// Returns the text of a snapshot: what follows its header, without the newline that insta adds.
fn reviewed(name: &str) -> &'static str {
    let (_, snapshot) = SNAPSHOTS.iter().find(|(known, _)| *known == name).unwrap();
    snapshot.splitn(3, "---\n").nth(2).unwrap().strip_suffix('\n').unwrap()
}

#[cfg(not(target_family = "wasm"))]
fn assert_reviewed(name: &str, text: &str) {
    assert_eq!(text, text.trim_end(), "{name}: insta does not compare how a text ends");
    insta::with_settings!({
        snapshot_path => "testdata", prepend_module_to_snapshot => false, omit_expression => true
    }, {
        insta::assert_snapshot!(format!("{name}.short"), text);
    });
}

/// On WASI no test sees the files of the repository, which insta reads: the snapshots are compiled in.
#[cfg(target_family = "wasm")]
fn assert_reviewed(name: &str, text: &str) {
    assert_eq!(text, reviewed(name), "{name}");
}

fn document(name: &str) -> &'static str {
    DOCUMENTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text).unwrap()
}

/// Compresses a protocol document, and checks that what a reader must know is there.
fn check(name: &str, facts: &[&str]) {
    let short = compress(document(name).as_bytes(), 500);
    assert!(short.after < 500, "{name}: {} tokens", short.after);
    assert_eq!(short.form, Form::Markdown);
    assert_reviewed(name, &short.text);
    for fact in facts {
        assert!(short.text.to_lowercase().contains(&fact.to_lowercase()), "{name} lost {fact:?}:\n{}", short.text);
    }
}

#[test]
fn the_mailbox_document() {
    let facts = [
        "inter-agent messaging and coordination system",
        ".agent-messages/",
        "registry.json",
        "inbox/",
        "outbox/",
        "broadcasts/",
        "events/",
        "archive/",
        "Message Sending and Routing",
        "Shared Context Management",
        "shared context lock",
        "Handoff Documentation",
        "interface_contract, decision_announcement, blocker_notification, handoff_request",
        "Broadcast messages must reach all registered agents",
        "Race Conditions in Shared Context Updates",
    ];
    check("mailbox", &facts);
}

#[test]
fn the_documents_document() {
    let facts = [
        "MongoDB message bus",
        "checkInbox()",
        "readMessage(messageId)",
        "sendMessage(to, content, type, priority?, threadId?)",
        "task: ",
        "result: ",
        "status: ",
        "error: ",
        "high, normal, low",
        "< 10KB",
        "Always check inbox at work cycle start",
        "Duplicate message",
    ];
    check("documents", &facts);
}

#[test]
fn the_orchestrator_document() {
    let facts = [
        "how agents communicate, share context, and coordinate",
        "Handoff Protocol",
        "Broadcast Protocol",
        "Query Protocol",
        ".claude/state/shared-context.json",
        "<500 tokens",
        "timeout: Agent didn't respond in 30s",
        "timeout: Retry once",
        "invalid_response: Request clarification",
        "context_update, priority_change, abort_signal, checkpoint_reached",
        "decisions.jsonl",
        "tokensTransferred",
        "Minimize Context Transfer",
    ];
    check("orchestrator", &facts);
}

#[test]
fn the_session_document() {
    let facts = [
        ".claude/agents/context/{session-id}/",
        "coordination.json",
        "messages.jsonl",
        "reports/",
        "data/",
        "waiting, in_progress, completed, failed",
        "status, finding, error, data, completed",
        "Retry Agent, Continue Without, Manual Intervention, Partial Results",
        "Append-only for logs",
    ];
    check("session", &facts);
}

fn short(text: &str) -> Compressed {
    compress(text.as_bytes(), 500)
}

#[test]
fn topics_for_the_next_agent_are_separated() {
    let report = "# Login is slow\n\n\
        Objective: make login take less than a second.\n\n\
        Let me look at the traces first. I think the database is the problem. We found that every login reads all \
        sessions. Hmm, maybe an index would help.\n\n\
        ## Key decisions\n- Use an index on user_id\n- Decision by ann: keep sessions for a day\n\n\
        ## Next steps\n1. Write the migration\n2. Measure again\n";
    let short = short(report);
    assert_eq!(short.summary, "Login is slow");
    assert_eq!(short.objective.as_deref(), Some("make login take less than a second."));
    assert_eq!(short.findings, ["We found that every login reads all sessions."]);
    assert_eq!(short.decisions[0], "Use an index on user_id");
    assert_eq!(short.next_actions, ["Write the migration", "Measure again"]);
    assert!(!short.text.contains("I think") && !short.text.contains("Hmm"), "{}", short.text);
}

#[test]
fn json_is_read_by_its_keys() {
    let state = include_str!("testdata/texts/state.json.txt");
    let read = short(state);
    assert_eq!((read.form, read.objective.as_deref()), (Form::Json, Some("Implement user authentication")));
    assert_eq!(read.decisions, ["Use JWT (backend-expert)"]);
    let report = compress(include_bytes!("testdata/texts/report.json.txt"), 200);
    assert_eq!(report.next_actions[0], "Fix SQL injection in queries.ts");
    assert_eq!(report.findings, ["[high|medium|low] Short title (file:line or component)"]);
    let log = compress(include_bytes!("testdata/texts/messages.jsonl.txt"), 500);
    assert_eq!((log.form, log.summary.as_str()), (Form::Json, "4 records"));
    assert!(log.text.contains("- [high] SQL Injection Risk (security-analyzer)"), "{}", log.text);
    assert_eq!(log.parts[0].ending, "jsonl");
}

#[test]
fn large_outputs_become_references() {
    let rows: Vec<String> = (0..400).map(|n| format!("{{\"id\": {n}, \"name\": \"row {n}\"}}")).collect();
    let json = format!("{{\"objective\": \"Load rows\", \"rows\": [{}], \"tail\": [1, 2]}}", rows.join(", "));
    let read = short(&json);
    let part = read.parts.iter().find(|part| part.name == "rows_400_records").expect("the list is a part");
    assert_eq!(&json[part.range.clone()], format!("[{}]", rows.join(", ")));
    assert!(read.text.contains(&part.link()), "{}", read.text);

    let code = "let x = 1;\n".repeat(300);
    let text = format!("Built the parser.\n\n```rust\n{code}```\n\nNext: write the printer.\n");
    let read = short(&text);
    let part = read.parts.get(1).expect("the code is a part");
    assert_eq!((&text[part.range.clone()], part.ending), (code.as_str(), "rs"));
    assert_eq!(read.next_actions, ["write the printer."]);
}

#[test]
fn short_texts_are_left_alone() {
    for text in ["", "Done.", "Listed 5 tasks\n", "# T\n\n- a\n- b\n", "{\"a\": 1}", "\n\n\n"] {
        let read = short(text);
        assert_eq!((read.text.as_str(), read.after), (text, read.before), "{text:?}");
        assert_eq!(read.parts.len(), 1);
        assert!((read.ratio() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn bytes_that_are_no_text_get_a_line_and_a_reference() {
    let read = compress(b"\xff\xfe\0\x01 binary", 500);
    assert_eq!(read.form, Form::Binary);
    assert_eq!(read.text, format!("Binary data, 11 bytes: {}", read.parts[0].link()));
    assert_eq!(read.parts[0].ending, "bin");
}
