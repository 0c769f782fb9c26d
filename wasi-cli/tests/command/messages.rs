//! Agents and what they say to each other.

use serde_json::json;

use crate::command::support::{Project, document, fields, text};

#[test]
fn a_second_init_changes_nothing() {
    let project = Project::empty();
    assert_eq!(project.ok(&["init"]), "✅ Message bus initialized at ROOT/.agent-messages\n");
    let before = project.files();
    assert_eq!(project.json(&["init"]), json!({"path": "ROOT/.agent-messages", "created": false}));
    assert_eq!(project.files(), before);
}

#[test]
fn agents_are_registered_listed_seen_and_taken_off() {
    let project = Project::new();
    assert_eq!(project.ok(&["register", "ann", "--role", "lead"]), "✅ Updated agent: ann (lead)\n");
    assert_eq!(project.json(&["register", "cat", "--role", "tester", "--capability", "x"])["created"], true);
    project.send("Hello", &[]);
    let agents = project.json(&["agents"]);
    assert_eq!(agents["count"], 3);
    let bob = &agents["agents"][1];
    assert_eq!(
        (&bob["name"], &bob["role"], &bob["worktree"]),
        (&json!("bob"), &json!("builder"), &json!("worktrees/bob"))
    );
    assert_eq!((&bob["unread"], &bob["messageCount"], bob["oldestUnread"].is_string()), (&json!(1), &json!(1), true));
    let table = project.ok(&["agents", "--capability", "x"]);
    assert_eq!(table.lines().count(), 2);
    assert!(table.starts_with("AGENT  ROLE    STATUS") && table.contains("\ncat    tester  active"), "{table}");
    assert_eq!(project.ok(&["heartbeat", "--status", "busy", "--as", "bob"]), "✅ bob is busy\n");
    assert_eq!(project.json(&["heartbeat", "--as", "bob"])["status"], "busy");
    assert_eq!(project.json(&["deregister", "bob"]), json!({"name": "bob", "unread": 1}));
    assert_eq!(project.ok(&["deregister", "cat"]), "✅ Deregistered agent: cat (0 messages unread)\n");
}

#[test]
fn a_message_is_sent_listed_read_and_answered() {
    let project = Project::new();
    let body = r#"{"question": "8080 or 80?"}"#;
    let id = project.send("Which port?", &["--needs-reply", "--body", body, "--priority", "high", "--file", "a.rs"]);
    let inbox = project.json(&["inbox", "--as", "bob"]);
    assert_eq!(fields(&inbox), ["count", "notifications"]);
    let note = &inbox["notifications"][0];
    assert_eq!(fields(note)[..5], ["id", "from", "type", "preview", "timestamp"]);
    assert_eq!((&note["id"], &note["preview"], &note["type"]), (&json!(id), &json!("8080 or 80?"), &json!("question")));
    assert!(project.ok(&["inbox", "--as", "bob"]).contains("[high] ann: Which port? (question) · needs a reply"));

    let peeked = project.json(&["read", &id, "--peek", "--as", "bob"]);
    assert_eq!(fields(&peeked)[..8], ["id", "from", "to", "content", "type", "threadId", "priority", "createdAt"]);
    assert_eq!((&peeked["firstRead"], &peeked["acknowledgment"]), (&json!(false), &json!(null)));
    assert_eq!(peeked["metadata"], json!({"related_files": ["a.rs"]}));
    let read = project.json(&["read", &id, "--as", "bob"]);
    assert_eq!((&read["content"], &read["firstRead"]), (&json!(r#"{"question":"8080 or 80?"}"#), &json!(true)));
    assert!(read["acknowledgment"].is_string());
    let again = project.ok(&["read", &id, "--as", "bob"]);
    assert!(again.starts_with("From: ann\nTo: bob\nType: question\nSubject: Which port?\n"), "{again}");
    assert!(again.ends_with("\n\n│ {\n│   \"question\": \"8080 or 80?\"\n│ }\n"), "{again}");

    let sent = project.json(&["reply", &id, "--body", "80", "--as", "bob"]);
    assert_eq!((&sent["recipients"], &sent["threadId"]), (&json!(["ann"]), &read["threadId"]));
    let answer = project.json(&["read", &text(&sent["id"]), "--as", "ann"]);
    assert_eq!((&answer["subject"], &answer["inReplyTo"]), (&json!("Re: Which port?"), &json!(id)));
    let acks = project.json(&["inbox", "--type", "acknowledgment", "--from", "bob", "--as", "ann"]);
    assert_eq!(acks["count"], 1);
}

#[test]
fn an_acknowledgment_goes_out_once_and_is_not_acknowledged() {
    let project = Project::new();
    let id = project.send("Deployed", &[]);
    let first = project.json(&["ack", &id, "--note", "- thanks", "--as", "bob"]);
    let second = project.json(&["ack", &id, "--as", "bob"]);
    assert_eq!((&first["id"], &second["duplicate"]), (&second["id"], &json!(true)));
    let refused = project.run(&["ack", &text(&first["id"]), "--as", "ann"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn a_message_to_several_and_a_key_that_makes_a_retry_harmless() {
    let project = Project::new();
    project.ok(&["register", "cat", "--role", "tester"]);
    let send = ["send", "bob,cat", "Done", "--key", "k1", "--body", "all green", "--task", "t-1", "--as", "ann"];
    let first = project.json(&send);
    assert_eq!(first["recipients"], json!(["bob", "cat"]));
    let second = project.json(&send);
    assert_eq!((&second["id"], &second["duplicate"]), (&first["id"], &json!(true)));
    assert!(project.ok(&send).starts_with("Message was sent before under this key"));
    assert_eq!(project.json(&["inbox", "--as", "cat"])["count"], 1);
    let read = project.json(&["read", &text(&first["id"]), "--as", "cat"]);
    assert_eq!((&read["to"], &read["content"]), (&json!("bob,cat"), &json!("all green")));
    let reused = project.run(&["send", "bob", "Other", "--key", "k1", "--as", "ann", "--json"]);
    assert_eq!((reused.code, &document(&reused.out)["error"]["kind"]), (5, &json!("conflict")));
}

#[test]
fn bodies_come_from_files_and_standard_input() {
    let project = Project::new();
    let file = project.write("body.json", "{\"a\": [1, 2]}\n");
    let id = project.send("From a file", &["--body", &format!("@{file}")]);
    assert_eq!(project.json(&["read", &id, "--as", "bob"])["content"], r#"{"a":[1,2]}"#);
    let ran = project.run_with(&["send", "bob", "Piped", "--body", "-", "--as", "ann", "--json"], "- one\n- two\n");
    let id = text(&document(&ran.out)["id"]);
    assert_eq!(project.json(&["read", &id, "--as", "bob"])["content"], "- one\n- two");
    let odd = project.run(&["send", "bob", "Odd", "--body", "{a: 1}", "--as", "ann"]);
    assert_eq!(odd.code, 0);
    assert!(odd.err.starts_with("warning[body-is-text]: "), "{odd:?}");
}

#[test]
fn broadcasts_and_events_reach_those_they_are_for() {
    let project = Project::new();
    let sent = project.json(&["broadcast", "Use RS256", "--type", "decision_announcement", "--as", "ann"]);
    assert_eq!(sent["recipients"], json!(["bob"]));
    assert_eq!(project.json(&["subscribe", "Built", "Shipped", "--as", "bob"])["events"], json!(["Built", "Shipped"]));
    assert_eq!(project.ok(&["unsubscribe", "Shipped", "--as", "bob"]), "✅ bob now listens for: Built\n");
    let event = project.json(&["publish", "Built", "--data", r#"{"n": 1}"#, "--as", "ann"]);
    assert_eq!(event["recipients"], json!(["bob"]));
    assert_eq!(project.json(&["read", &text(&event["id"]), "--as", "bob"])["event"], "Built");
    assert!(project.ok(&["publish", "Shipped", "--as", "ann"]).contains("nobody was there to get it"));
    assert_eq!(project.json(&["inbox", "--as", "ann"])["count"], 0);
}

#[test]
fn an_inbox_is_sorted_filtered_and_limited() {
    let project = Project::new();
    let low = project.send("Low", &["--priority", "low"]);
    let normal = project.send("Normal", &["--thread", "t"]);
    let critical = project.send("Critical", &["--priority", "critical", "--type", "task"]);
    let ids = |args: &[&str]| {
        let inbox = project.json(&[args, &["inbox", "--as", "bob"]].concat());
        let all = inbox["notifications"].as_array().unwrap().iter().map(|note| text(&note["id"]));
        (inbox["count"].as_u64().unwrap(), all.collect::<Vec<_>>())
    };
    assert_eq!(ids(&[]), (3, vec![critical.clone(), normal.clone(), low.clone()]));
    assert_eq!(ids(&["--json"]).0, 3);
    let limited = project.json(&["inbox", "--limit", "1", "--as", "bob"]);
    assert_eq!((&limited["count"], limited["notifications"].as_array().unwrap().len()), (&json!(3), 1));
    assert!(project.ok(&["inbox", "--limit", "1", "--as", "bob"]).ends_with("… and 2 more\n"));
    for (filter, id) in
        [(["--min-priority", "high"], &critical), (["--thread", "t"], &normal), (["--type", "task"], &critical)]
    {
        let inbox = project.json(&["inbox", filter[0], filter[1], "--as", "bob"]);
        assert_eq!((&inbox["count"], &inbox["notifications"][0]["id"]), (&json!(1), &json!(id)));
    }
    project.ok(&["read", &low, "--as", "bob"]);
    assert_eq!(project.json(&["inbox", "--as", "bob"])["count"], 2);
    assert_eq!(project.json(&["inbox", "--all", "--as", "bob"])["count"], 3);
}

#[test]
fn waiting_ends_when_something_is_there_and_times_out_otherwise() {
    let project = Project::new();
    let late = project.run(&["inbox", "--wait", "0.1", "--as", "bob", "--json"]);
    assert_eq!((late.code, &document(&late.out)["error"]["kind"]), (4, &json!("timed-out")));
    project.send("Hello", &[]);
    assert_eq!(project.json(&["inbox", "--wait", "60", "--as", "bob"])["count"], 1);
}

#[test]
fn a_watch_prints_a_line_for_each_message() {
    let project = Project::new();
    let first = project.send("One", &[]);
    let second = project.send("Two", &["--priority", "low"]);
    let out = project.ok(&["inbox", "--watch", "--for", "0.2", "--as", "bob"]);
    let ids: Vec<String> = out.lines().map(|line| text(&document(line)["id"])).collect();
    assert_eq!(ids, [first.clone(), second]);
    let out = project.ok(&["inbox", "--watch", "--limit", "1", "--as", "bob"]);
    assert_eq!(text(&document(&out)["id"]), first);
}

#[test]
fn a_batch_sends_what_it_can_and_names_the_rest() {
    let project = Project::new();
    let lines = r#"{"to": "bob", "content": "do it\nnow", "type": "task", "priority": "high", "threadId": "t"}
{"to": ["ann", "bob"], "subject": "Both", "body": {"a": 1}, "needs_reply": true, "deadline": "2h", "files": ["x"], "key": "k"}

not json
{"to": "nobody", "subject": "Lost"}
{"to": "bob", "subject": "Odd", "urgency": 1}
"#;
    let ran = project.run_with(&["send", "--batch", "--as", "ann"], lines);
    assert_eq!(ran.code, 6);
    assert!(ran.err.starts_with("error[invalid]: 3 messages not sent, 2 sent\nhint: "), "{}", ran.err);
    let answers: Vec<_> = ran.out.lines().map(document).collect();
    let told: Vec<_> =
        answers.iter().map(|answer| (answer["line"].as_u64().unwrap(), &answer["error"]["kind"])).collect();
    let (none, invalid) = (json!(null), json!("invalid"));
    assert_eq!(told, [(1, &none), (2, &none), (4, &invalid), (5, &json!("not-found")), (6, &invalid)]);
    let task = project.json(&["read", &text(&answers[0]["id"]), "--as", "bob"]);
    assert_eq!(
        (&task["subject"], &task["content"], &task["threadId"]),
        (&json!("do it"), &json!("do it\nnow"), &json!("t"))
    );
    let good = project.run_with(&["send", "--batch", "--as", "ann", "--json"], "{\"to\": \"bob\", \"subject\": \"x\"}");
    assert_eq!((good.code, good.out.lines().count(), good.err.as_str()), (0, 1, ""));
}
