//! Both kinds of agent talk to each other on a bus that Huddle made.

use std::fs;

use huddle_tests::snippets::{Mail, Shell, jq, marker, read};
use huddle_tests::test_project::{TestProject, at};
use serde_json::{Value, json};

use super::{START, bus, each, findings};

fn shell(project: &TestProject) -> Shell {
    Shell::new(project.root(), START)
}

fn id(answer: &Value) -> String {
    answer["id"].as_str().unwrap().to_owned()
}

/// Shows what a snippet lists, without the file.
fn line(mail: &Mail) -> [&str; 4] {
    [&mail.from, &mail.kind, &mail.subject, &mail.priority]
}

fn message_count(project: &TestProject, agent: &str) -> Value {
    read(&project.bus("registry.json")).unwrap()["agents"][agent]["message_count"].clone()
}

#[test]
fn snippets_find_all_that_huddle_sends() {
    let project = bus();
    let shell = shell(&project);
    project.json("bob", at("2025-11-29T14:30:10Z"), &["subscribe", "TaskCompleted"]).unwrap();
    let send = ["send", "bob,cyd", "Please review", "--priority", "high", "--body", r#"{"pr":7}"#, "--file", "a.rs"];
    project.json("ann", at("2025-11-29T14:31:00Z"), &send).unwrap();
    project.json("ann", at("2025-11-29T14:32:00Z"), &["broadcast", "Freeze at noon", "--type", "note"]).unwrap();
    let publish = ["publish", "TaskCompleted", "--data", r#"{"task_id":"t"}"#];
    let event = id(&project.json("ann", at("2025-11-29T14:33:00Z"), &publish).unwrap());

    let mut mail = shell.check_inbox("bob").unwrap();
    mail.sort_by_key(|mail| read(&mail.file).unwrap()["timestamp"].to_string());
    let expected = [
        ["ann", "progress_update", "Please review", "high"],
        ["ann", "note", "Freeze at noon", "normal"],
        ["null", "null", "null", "null"],
    ];
    assert_eq!(mail.iter().map(line).collect::<Vec<_>>(), expected);
    assert_eq!(shell.check_inbox("cyd").unwrap().len(), 2);
    assert_eq!(shell.check_inbox("ann").unwrap(), []);
    let letter = shell.read_message("bob", &mail[0].file).unwrap();
    assert_eq!((letter.payload, letter.acknowledgment), (json!({"pr": 7}), None));

    let event = read(&shell.inbox("bob", &event)).unwrap();
    let fields: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["event_id", "event_type", "timestamp", "source_agent", "event_data"]);
    assert_eq!(event["event_data"], json!({"task_id": "t"}));
    assert_eq!(shell.subscribers("TaskCompleted").unwrap(), ["bob"]);
    assert_eq!(shell.subscribers("Unknown").unwrap(), [""; 0]);
}

#[test]
fn every_file_is_where_the_protocol_has_it() {
    let project = bus();
    let sent = id(&project.json("ann", at("2025-11-29T14:31:00Z"), &["send", "bob", "Hello"]).unwrap());
    let news = id(&project.json("ann", at("2025-11-29T14:32:00Z"), &["broadcast", "News"]).unwrap());
    let event = id(&project.json("ann", at("2025-11-29T14:33:00Z"), &["publish", "Done"]).unwrap());
    for path in ["inbox/ann", "inbox/bob", "outbox", "archive", "events", "broadcasts"] {
        assert!(project.bus(path).is_dir(), "{path}");
    }
    let letter = read(&project.bus(&format!("inbox/bob/{sent}.json"))).unwrap();
    assert_eq!(read(&project.bus(&format!("outbox/{sent}_to_bob.json"))).unwrap(), letter);
    assert_eq!(letter["message_id"], sent);
    assert_eq!(letter["protocol_version"], "1.0");
    assert_eq!((&letter["requires_response"], &letter["status"]), (&json!(false), &json!("delivered")));
    assert_eq!(letter["delivered_at"], "2025-11-29T14:31:00Z");
    let record = read(&project.bus(&format!("broadcasts/{news}.json"))).unwrap();
    assert_eq!((&record["to_agent"], &record["broadcast"]), (&json!("ALL"), &json!(true)));
    assert_eq!(read(&project.bus(&format!("inbox/cyd/{news}.json"))).unwrap(), record);
    assert_eq!(read(&project.bus(&format!("events/Done/{event}.json"))).unwrap()["event_type"], "Done");

    let routing = read(&project.bus("routing.json")).unwrap();
    assert_eq!(routing["routes"]["archive"], "archive/{date}/");
    assert_eq!(routing["priority_queues"], json!({"critical": 1, "high": 2, "normal": 3, "low": 4}));
    let registry = read(&project.bus("registry.json")).unwrap();
    assert_eq!(registry["initialized_at"], START);
    assert_eq!(registry["message_retention_hours"], 72);
    let bob = &registry["agents"]["bob"];
    assert_eq!(
        (&bob["role"], &bob["worktree_path"], &bob["status"]),
        (&json!("builder"), &json!("."), &json!("active"))
    );
    assert_eq!((&bob["capabilities"], &bob["message_count"]), (&json!(["rust", "sql"]), &json!(1)));
    assert_eq!((&bob["registered_at"], &bob["last_seen"]), (&json!(START), &json!(START)));
}

#[test]
fn a_conversation_goes_back_and_forth() {
    let project = bus();
    let mut shell = shell(&project);
    shell.register_agent("sue", "builder", "worktrees/sue", &["bash"]).unwrap();
    assert_eq!(shell.agents().unwrap(), ["ann", "bob", "cyd", "sue"]);
    let answer = project.json("", at(START), &["agents", "--capability", "bash"]).unwrap();
    assert_eq!(each(&answer["agents"], "name"), ["sue"]);

    shell.set_clock("2025-11-29T14:31:00Z");
    let asked = shell.send_message(["sue", "ann"], "question", "Which port?", &json!({"q": 1}), "high").unwrap();
    let inbox = project.json("ann", at("2025-11-29T14:32:00Z"), &["inbox"]).unwrap();
    assert_eq!(each(&inbox["notifications"], "id"), [asked.as_str()]);
    let reply = ["reply", &asked, "--body", r#"{"port":8080}"#];
    let reply = project.json("ann", at("2025-11-29T14:33:00Z"), &reply).unwrap();

    let mail = shell.check_inbox("sue").unwrap();
    assert_eq!(line(&mail[0]), ["ann", "response", "Re: Which port?", "normal"]);
    let written = read(&mail[0].file).unwrap();
    assert_eq!((&written["in_reply_to"], &written["conversation_id"]), (&json!(asked), &reply["threadId"]));
    shell.set_clock("2025-11-29T14:34:00Z");
    assert_eq!(shell.read_message("sue", &mail[0].file).unwrap().payload, json!({"port": 8080}));
    let (thanks, conversation) = shell.respond_to_message("sue", &mail[0].file, &json!({"status": "done"})).unwrap();
    assert_eq!(reply["threadId"], conversation);

    let thread = project.json("bob", at("2025-11-29T14:35:00Z"), &["thread", &conversation]).unwrap();
    assert_eq!(each(&thread["messages"], "id"), [asked.as_str(), reply["id"].as_str().unwrap(), &thanks]);
    assert_eq!(thread["participants"], json!(["sue", "ann"]));
    let check = project.json("", at("2025-11-29T14:40:00Z"), &["check"]).unwrap();
    assert_eq!((findings(&check), &check["messages"]), (vec![], &json!(3)));
}

#[test]
fn read_markers_hold_both_ways() {
    let project = bus();
    let mut shell = shell(&project);
    let one = id(&project.json("ann", at("2025-11-29T14:31:00Z"), &["send", "bob", "One"]).unwrap());
    let two = id(&project.json("ann", at("2025-11-29T14:31:01Z"), &["send", "bob", "Two"]).unwrap());
    shell.set_clock("2025-11-29T14:32:00Z");
    shell.read_message("bob", &shell.inbox("bob", &one)).unwrap();
    let inbox = project.json("bob", at("2025-11-29T14:33:00Z"), &["inbox"]).unwrap();
    assert_eq!(each(&inbox["notifications"], "id"), [two.as_str()]);
    let trace = project.json("ann", at("2025-11-29T14:33:00Z"), &["trace", &one]).unwrap();
    assert_eq!(trace["deliveries"][0]["seenAt"], "2025-11-29T14:32:00Z");
    let again = project.json("bob", at("2025-11-29T14:33:00Z"), &["read", &one]).unwrap();
    assert_eq!(again["firstRead"], false);

    let first = project.json("bob", at("2025-11-29T14:34:00Z"), &["read", &two]).unwrap();
    assert_eq!(first["firstRead"], true);
    assert_eq!(shell.check_inbox("bob").unwrap(), []);
    let written = fs::read_to_string(marker(&shell.inbox("bob", &two))).unwrap();
    assert_eq!(written, "2025-11-29T14:34:00Z\n");

    // Between `touch` and `echo`, the marker is empty: the message counts as read all the same.
    let three = id(&project.json("ann", at("2025-11-29T14:35:00Z"), &["send", "bob", "Three"]).unwrap());
    fs::write(marker(&shell.inbox("bob", &three)), "").unwrap();
    assert_eq!(project.json("bob", at("2025-11-29T14:36:00Z"), &["inbox"]).unwrap()["count"], 0);
}

#[test]
fn an_acknowledgment_goes_back_to_either_kind() {
    let project = bus();
    let shell = shell(&project);
    let ask = ["send", "bob,cyd", "Ready?", "--needs-reply", "--deadline", "1h"];
    let asked = id(&project.json("ann", at("2025-11-29T14:31:00Z"), &ask).unwrap());
    let letter = shell.read_message("bob", &shell.inbox("bob", &asked)).unwrap();
    let sent = letter.acknowledgment.unwrap();
    let read = project.json("cyd", at("2025-11-29T14:32:00Z"), &["read", &asked]).unwrap();
    let inbox = project.json("ann", at("2025-11-29T14:33:00Z"), &["inbox", "--type", "acknowledgment"]).unwrap();
    assert_eq!(each(&inbox["notifications"], "id"), [sent.as_str(), read["acknowledgment"].as_str().unwrap()]);
    let mut mail = shell.check_inbox("ann").unwrap();
    mail.sort_by(|a, b| a.from.cmp(&b.from));
    let lines: Vec<_> = mail.iter().map(line).collect();
    assert_eq!(lines[0], ["bob", "acknowledgment", "Acknowledged Ready?", "normal"]);
    assert_eq!(lines[1], ["cyd", "acknowledgment", "Acknowledged: Ready?", "normal"]);
}

#[test]
fn counters_count_what_both_kinds_send() {
    let project = bus();
    let shell = shell(&project);
    project.json("ann", at("2025-11-29T14:31:00Z"), &["send", "bob", "One"]).unwrap();
    shell.send_message(["ann", "bob"], "note", "Two", &json!({}), "normal").unwrap();
    project.json("ann", at("2025-11-29T14:31:02Z"), &["send", "bob,cyd", "Three"]).unwrap();
    shell.broadcast_message("ann", "note", "To all", &json!({})).unwrap();
    shell.send_message(["ann", "bob"], "note", "Four", &json!({}), "low").unwrap();
    project.json("ann", at("2025-11-29T14:31:03Z"), &["broadcast", "To all"]).unwrap();
    assert_eq!(["ann", "bob", "cyd"].map(|agent| message_count(&project, agent)), [json!(0), json!(4), json!(1)]);
    let agents = project.json("", at("2025-11-29T14:32:00Z"), &["agents"]).unwrap();
    let unread = agents["agents"].as_array().unwrap().iter().map(|agent| agent["unread"].as_u64().unwrap());
    assert_eq!(unread.collect::<Vec<u64>>(), [0, 6, 3]);
    let check = project.json("", at("2025-11-29T14:40:00Z"), &["check"]).unwrap();
    assert_eq!(findings(&check), [""; 0]);
}

#[test]
fn events_and_broadcasts_of_snippets_reach_huddle() {
    let project = bus();
    let shell = shell(&project);
    project.json("cyd", at(START), &["subscribe", "BlockerEncountered"]).unwrap();
    let (event, told) = shell.publish_event("BlockerEncountered", "bob", &json!({"task_id": "t-1"})).unwrap();
    assert_eq!(told, ["cyd"]);
    let news = shell.broadcast_message("ann", "decision_announcement", "RS256", &json!({"decision_id": "D"})).unwrap();
    let inbox = project.json("cyd", at("2025-11-29T14:31:00Z"), &["inbox"]).unwrap();
    assert_eq!(each(&inbox["notifications"], "id"), [news.as_str(), &event]);
    project.json("cyd", at("2025-11-29T14:32:00Z"), &["ack", &news]).unwrap();
    let report = project.json("ann", at("2025-11-29T14:33:00Z"), &["report", "broadcast", &news]).unwrap();
    assert_eq!((&report["acknowledged"], &report["recipients"][1]["name"]), (&json!(1), &json!("cyd")));
    let report = project.json("ann", at("2025-11-29T14:33:00Z"), &["report", "blocker", "t-1"]).unwrap();
    assert_eq!((&report["reportedBy"], &report["event"]), (&json!("bob"), &json!(event)));
}

#[test]
fn foreign_registry_fields_survive() {
    let project = bus();
    jq(&project.bus("registry.json"), |registry| {
        registry["project"] = json!({"name": "auth", "tags": [1, null]});
        registry["agents"]["bob"]["pid"] = json!(4711);
        registry["agents"]["no/name"] = json!({"role": "stranger"});
        registry["event_subscriptions"]["Not An/Event"] = json!(["bob"]);
        registry["message_retention_hours"] = json!(24);
        Ok(())
    })
    .unwrap();
    project.json("ann", at("2025-11-29T14:31:00Z"), &["send", "bob", "Hello"]).unwrap();
    project.json("bob", at("2025-11-29T14:32:00Z"), &["heartbeat", "--status", "busy"]).unwrap();
    project.json("bob", at("2025-11-29T14:33:00Z"), &["register", "bob", "--role", "lead"]).unwrap();
    project.json("bob", at("2025-11-29T14:34:00Z"), &["subscribe", "TaskCompleted"]).unwrap();
    let registry = read(&project.bus("registry.json")).unwrap();
    assert_eq!(registry["project"], json!({"name": "auth", "tags": [1, null]}));
    let bob = &registry["agents"]["bob"];
    assert_eq!((&bob["pid"], &bob["role"], &bob["message_count"]), (&json!(4711), &json!("lead"), &json!(1)));
    assert_eq!(registry["agents"]["no/name"], json!({"role": "stranger"}));
    assert_eq!(registry["event_subscriptions"]["Not An/Event"], json!(["bob"]));
    assert_eq!(registry["message_retention_hours"], 24);
}
