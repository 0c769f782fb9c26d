//! Shared contexts, handoffs, conversations and reports.

use serde_json::json;

use crate::command::support::{Project, document, text};

#[test]
fn a_context_grows_and_refuses_a_stale_update() {
    let project = Project::new();
    assert_eq!(project.ok(&["context", "create", "api", "- first", "--as", "ann"]), "✅ Created shared context: api\n");
    let taken = project.run(&["context", "create", "api", "--as", "bob"]);
    assert_eq!(taken.code, 5);
    let updated = project.json(&["context", "update", "api", "- second", "--expect-version", "1", "--as", "bob"]);
    assert_eq!((&updated["version"], &updated["told"]), (&json!(2), &json!(["ann"])));
    let stale = project.run(&["context", "update", "api", "third", "--expect-version", "1", "--as", "ann", "--json"]);
    assert_eq!((stale.code, &document(&stale.out)["error"]["kind"]), (5, &json!("conflict")));
    let piped = project.run_with(&["context", "update", "api", "-", "--as", "ann"], "piped\n");
    assert!(piped.out.starts_with("✅ Updated shared context: api (version 3)\n   Notice: "), "{piped:?}");
    let shown = project.ok(&["context", "show", "api"]);
    assert!(shown.starts_with("# Shared Context: api\n") && shown.contains("- first") && shown.ends_with("piped\n"));
    assert_eq!(project.json(&["context", "show", "api"])["content"], shown);
    assert_eq!(project.json(&["context", "list"])["contexts"][0]["version"], 3);
    assert!(project.ok(&["context", "list"]).contains("\napi      3        "));
    assert_eq!(project.json(&["inbox", "--type", "context_updated", "--as", "ann"])["count"], 1);
}

#[test]
fn a_handoff_is_made_shown_accepted_and_declined() {
    let project = Project::new();
    assert_eq!(project.ok(&["handoff", "list"]), "No handoffs.\n");
    let file = project.write("design.md", "# Design\n");
    let create =
        ["handoff", "create", "bob", "--task", "Build it", "--artifact", &file, "--next", "Read", "--as", "ann"];
    let made = project.json(&create);
    assert_eq!((&made["status"], &made["artifacts"][0]["stored"]), (&json!("pending_acceptance"), &json!("design.md")));
    let id = text(&made["id"]);
    assert!(project.ok(&["handoff", "list"]).contains(&id));
    let foreign = project.run(&["handoff", "accept", &id, "--as", "ann"]);
    assert_eq!(foreign.code, 5);
    let accepted = project.json(&["handoff", "accept", &id, "--notes", "On it", "--as", "bob"]);
    assert_eq!((&accepted["status"], &accepted["notes"]), (&json!("accepted"), &json!("On it")));
    let shown = project.json(&["handoff", "show", &id]);
    assert_eq!((&shown["files"], &shown["decidedBy"]), (&json!(["design.md"]), &json!("bob")));
    let shown = project.ok(&["handoff", "show", &id]);
    let files = format!("Status: accepted\nFiles: design.md\nPrint one: huddle handoff artifact {id} NAME\n");
    assert!(shown.ends_with(&files), "{shown}");
    assert_eq!(project.ok(&["handoff", "artifact", &id, "design.md"]), "# Design\n");
    let copy = project.path("copy.md").to_str().unwrap().to_owned();
    let write = ["handoff", "artifact", &id, "design.md", "--out", &copy];
    assert_eq!(project.ok(&write), "📄 9 bytes: ROOT/copy.md\n");
    assert_eq!(std::fs::read(&copy).unwrap(), b"# Design\n");
    assert_eq!(project.run(&write).code, 5, "nothing is written over");
    let none = project.run(&["handoff", "artifact", &id, "../metadata.json"]);
    assert!(none.code == 3 && none.err.contains("hint: it has design.md"), "{none:?}");
    let other = text(&project.json(&create)["id"]);
    let declined = project.ok(&["handoff", "decline", &other, "--reason", "No time", "--as", "bob"]);
    assert_eq!(declined, format!("✅ Handoff declined: {other}\n"));
    assert_eq!(project.run(&["handoff", "accept", &other, "--as", "bob"]).code, 5);
    let missing = project.run(&["handoff", "create", "bob", "--task", "x", "--artifact", "/no/such", "--as", "ann"]);
    assert_eq!(missing.code, 3, "{missing:?}");
}

#[test]
fn a_conversation_is_shown_listed_and_summed_up() {
    let project = Project::new();
    let id = project.send("Which port?", &["--needs-reply", "--body", "8080?"]);
    project.ok(&["reply", &id, "--body", "80", "--as", "bob"]);
    let thread = project.json(&["thread", &id]);
    assert_eq!((&thread["messageCount"], &thread["participants"]), (&json!(2), &json!(["ann", "bob"])));
    assert_eq!(thread["messages"][1]["content"], "80");
    let shown = project.ok(&["thread", &text(&thread["threadId"])]);
    assert!(shown.starts_with("💬 Which port?\n") && shown.contains("ann → bob: Which port? (question)"), "{shown}");
    assert_eq!(project.json(&["threads"])["threads"][0]["threadId"], thread["threadId"]);
    assert!(project.ok(&["threads"]).contains("Which port?"));
    assert_eq!(project.json(&["summary", &id])["messageCount"], 2);
    assert!(project.ok(&["summary", &id]).starts_with("Conversation Summary:\n"));
}

#[test]
fn broadcasts_and_blockers_are_reported() {
    let project = Project::new();
    let body = r#"{"decision_id": "DEC-1"}"#;
    let id = text(&project.json(&["broadcast", "Use RS256", "--body", body, "--as", "ann"])["id"]);
    project.ok(&["ack", &id, "--as", "bob"]);
    let report = project.json(&["report", "broadcast", &id]);
    assert_eq!((&report["decision"], &report["acknowledged"]), (&json!("DEC-1"), &json!(1)));
    assert!(project.ok(&["report", "broadcast", &id]).starts_with("Broadcast Report:\n"));
    let data = r#"{"task_id": "t-1", "blocker_type": "missing_dependency"}"#;
    let event = text(&project.json(&["publish", "BlockerEncountered", "--data", data, "--as", "bob"])["id"]);
    let report = project.json(&["report", "blocker", "t-1"]);
    assert_eq!((&report["event"], &report["status"]), (&json!(event), &json!("open")));
    assert!(project.ok(&["report", "blocker", &event]).starts_with("Blocker Resolution Report:\n"));
}

#[test]
fn a_trace_says_what_a_message_waits_for() {
    let project = Project::new();
    let id = project.send("Which port?", &["--needs-reply"]);
    let step = || text(&project.json(&["trace", &id])["deliveries"][0]["step"]);
    assert_eq!(step(), "stored");
    project.ok(&["inbox", "--as", "bob"]);
    assert_eq!(step(), "offered");
    project.ok(&["read", &id, "--as", "bob"]);
    assert_eq!(step(), "acked");
    project.ok(&["reply", &id, "--body", "80", "--as", "bob"]);
    assert_eq!(step(), "answered");
    let shown = project.ok(&["trace", &id]);
    assert!(shown.starts_with("ann → bob: Which port? (question)\nbob: answered"), "{shown}");
}
