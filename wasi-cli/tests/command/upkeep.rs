//! Sweeping, dead letters, archive and check.

use serde_json::json;

use crate::command::support::{Project, text};

#[test]
fn a_sweep_redelivers_then_gives_up_and_a_retry_brings_it_back() {
    let project = Project::new();
    let id = project.send("Which port?", &["--needs-reply"]);
    assert_eq!(project.ok(&["sweep"]), "✅ Swept: 0 redelivered, 0 given up on, 0 archived\n");
    let swept = project.json(&["sweep", "--timeout", "0", "--attempts", "1"]);
    assert_eq!(swept["redelivered"], json!([{"recipient": "bob", "id": id}]));
    let swept = project.ok(&["sweep", "--timeout", "0s", "--attempts", "1", "--as", "bob"]);
    assert!(swept.contains(&format!("given up on {id} for bob")), "{swept}");
    let dead = project.json(&["dead-letters"]);
    assert_eq!((&dead["count"], &dead["deadLetters"][0]["recipient"]), (&json!(1), &json!("bob")));
    assert!(project.ok(&["dead-letters"]).contains(&id));
    let told = project.json(&["inbox", "--type", "delivery_failed", "--as", "ann"]);
    assert_eq!(told["count"], 1);
    assert_eq!(project.json(&["dead-letters", "retry", &id]), json!({"id": id, "recipients": ["bob"]}));
    assert_eq!(project.ok(&["dead-letters"]), "No dead letters.\n");
    assert_eq!(project.run(&["dead-letters", "retry", &id]).code, 3);
    assert_eq!(project.json(&["inbox", "--as", "bob"])["count"], 1);
}

#[test]
fn the_archive_takes_what_was_read_and_more_if_asked() {
    let project = Project::new();
    let read = project.send("Read", &[]);
    project.send("Unread", &[]);
    project.ok(&["read", &read, "--as", "bob"]);
    assert_eq!(project.json(&["archive"]), json!({"archived": 0}));
    assert_eq!(project.ok(&["archive", "--before", "2100-01-01T00:00:00Z"]), "✅ Archived 1 message\n");
    assert_eq!(project.json(&["inbox", "--all", "--as", "bob"])["count"], 1);
    let shown = project.json(&["read", &read, "--as", "bob"]);
    assert_eq!(shown["delivery"]["place"], "archive");
    assert_eq!(project.json(&["archive", "--before", "2100-01-01T00:00:00Z", "--unread"]), json!({"archived": 1}));
}

#[test]
fn a_clean_bus_has_no_findings() {
    let project = Project::new();
    project.send("Hello", &[]);
    let check = project.json(&["check"]);
    assert_eq!(check, json!({"ok": true, "agents": 2, "messages": 1, "findings": []}));
    assert_eq!(project.ok(&["check"]), "✅ Checked 2 agents, 1 message: 0 findings\n");
    assert_eq!(text(&project.json(&["agents"])["agents"][0]["name"]), "ann");
}
