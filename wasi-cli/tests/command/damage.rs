//! A damaged registry, a half message, a foreign file: the command says so, works with the rest, loses nothing.

use std::fs;

use serde_json::json;

use crate::command::support::{Project, document};

const INBOX: &str = ".agent-messages/inbox/bob";

#[test]
fn a_half_message_and_a_foreign_file_are_told_and_do_not_hide_the_rest() {
    let project = Project::new();
    let id = project.send("Whole", &[]);
    project.write(&format!("{INBOX}/msg_20251129_143052_half.json"), "{\"message_id\": \"msg_2025");
    project.write(&format!("{INBOX}/note.txt"), "not a message");
    let listed = project.run(&["inbox", "--as", "bob"]);
    assert_eq!(listed.code, 0);
    assert!(listed.out.starts_with("📬 bob: 1 unread message\n"), "{listed:?}");
    assert!(listed.err.contains("warning[") && listed.err.contains("msg_20251129_143052_half.json"), "{listed:?}");
    let listed = project.run(&["inbox", "--as", "bob", "--json"]);
    let inbox = document(&listed.out);
    assert_eq!((listed.code, listed.err.as_str(), &inbox["notifications"][0]["id"]), (0, "", &json!(id)));
    assert!(!inbox["findings"].as_array().unwrap().is_empty());
    let traced = project.run(&["trace", &id, "--json"]);
    assert!(document(&traced.out)["findings"].is_null(), "other messages are not read: {traced:?}");
    for command in ["thread", "summary"] {
        let told = document(&project.run(&[command, &id, "--json"]).out);
        assert_eq!(told["findings"][0]["code"], "damaged-message", "{command}: {told}");
    }
    let half = project.run(&["read", "msg_20251129_143052_half", "--as", "bob", "--json"]);
    assert_eq!((half.code, &document(&half.out)["error"]["kind"]), (6, &json!("invalid")));
    let check = project.run(&["check"]);
    assert_eq!(check.code, 6, "{check:?}");
    assert!(check.out.contains("msg_20251129_143052_half.json") && check.out.contains("hint: "), "{check:?}");
    let check = project.run(&["check", "--json"]);
    assert_eq!((check.code, &document(&check.out)["ok"]), (6, &json!(false)));
    assert_eq!(fs::read_to_string(project.path(&format!("{INBOX}/note.txt"))).unwrap(), "not a message");
    assert!(project.path(&format!("{INBOX}/msg_20251129_143052_half.json")).exists());
}

#[test]
fn a_damaged_registry_is_told_by_whatever_reads_it() {
    let project = Project::new();
    let id = project.send("Before", &[]);
    project.write(".agent-messages/registry.json", "{\"agents\": {\"ann\": {\"ro");
    for args in [&["agents"][..], &["inbox", "--as", "bob"], &["threads"], &["trace", &id]] {
        let ran = project.run(args);
        assert!(ran.err.contains("warning[") && ran.err.contains("registry.json"), "{args:?}: {ran:?}");
        let ran = project.run(&[args, &["--json"]].concat());
        assert!(ran.err.is_empty() && document(&ran.out)["findings"].is_array(), "{args:?}: {ran:?}");
    }
    assert_eq!(project.run(&["check"]).code, 6);
    let all = project.files();
    assert!(all.iter().any(|(path, _)| path.ends_with(format!("{id}.json"))), "the message is still there");
}

#[test]
fn a_message_with_control_characters_in_its_subject_is_read_answered_and_acknowledged() {
    let project = Project::new();
    for (id, command) in [("msg_1", "read"), ("msg_2", "ack"), ("msg_3", "reply")] {
        let subject = json!("Which\n\u{1b}[2Jport?");
        let message = json!({
            "message_id": id, "timestamp": "2025-11-29T14:30:52Z", "from_agent": "ann", "to_agent": "bob",
            "message_type": "question", "subject": subject, "requires_response": true, "payload": "8080?",
        });
        project.write(&format!("{INBOX}/{id}.json"), &message.to_string());
        let body: &[&str] = if command == "reply" { &["--body", "80"] } else { &[] };
        project.json(&[&[command, id, "--as", "bob"], body].concat());
    }
    let inbox = project.json(&["inbox", "--as", "ann"]);
    let mut subjects: Vec<_> = inbox["notifications"].as_array().unwrap().iter().map(|one| &one["subject"]).collect();
    subjects.sort_by_key(|subject| subject.to_string());
    let acknowledged = json!("Acknowledged: Which  [2Jport?");
    assert_eq!(subjects, [&acknowledged, &acknowledged, &json!("Re: Which  [2Jport?")]);
    assert_eq!(project.json(&["inbox", "--as", "bob"])["count"], 0);
}
