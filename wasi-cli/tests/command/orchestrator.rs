//! Shared state, questions, typed broadcasts and sequential handoffs.

use std::fs;

use serde_json::{Value, json};

use crate::command::support::{Project, document, text};

/// Reads the log of communications, line by line.
fn log(project: &Project) -> Vec<Value> {
    let log = fs::read_to_string(project.path(".claude/state/decisions.jsonl")).unwrap_or_default();
    log.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// Returns one field of each line of the log.
fn logged(project: &Project, field: &str) -> Vec<Value> {
    log(project).iter().map(|line| line[field].clone()).collect()
}

#[test]
fn the_shared_state_is_kept_in_the_protocols_file() {
    let project = Project::empty();
    assert_eq!(project.run(&["state", "show"]).code, 3);
    assert_eq!(project.ok(&["state", "objective", "Ship", "--task", "t-1"]), "✅ Shared state changed (version 1)\n");
    assert_eq!(project.run(&["state", "decide", "Use JWT"]).code, 2, "who decided must be known");
    project.ok(&["state", "decide", "Use JWT", "--as", "ann"]);
    project.ok(&["state", "artifact", "a.rs", "--as", "ann"]);
    project.ok(&["state", "note", "mind the gap", "--as", "ann"]);
    project.ok(&["state", "phase", "5"]);
    project.ok(&["state", "agent", "bob", "in_progress", "--task", "tests"]);
    let blocked = project.ok(&["state", "block", "no keys", "--as", "bob"]);
    assert_eq!(blocked, "✅ Shared state changed (version 7)\n   ID: blocker-7\n");
    assert_eq!(project.run(&["state", "phase", "6", "--expect-version", "6"]).code, 5);
    project.ok(&["state", "unblock", "blocker-7", "--expect-version", "7"]);
    assert_eq!(project.run(&["state", "unblock", "blocker-7"]).code, 3);
    let shown = project.json(&["state", "show"]);
    let file = fs::read(project.path(".claude/state/shared-context.json")).unwrap();
    assert_eq!(shown, serde_json::from_slice::<Value>(&file).unwrap());
    assert_eq!((&shown["taskId"], &shown["currentPhase"]), (&json!("t-1"), &json!(5)));
    assert_eq!(shown["sharedContext"]["artifacts"], json!([{"type": "file", "path": "a.rs", "by": "ann"}]));
    assert_eq!(shown["agentStates"]["bob"], json!({"status": "in_progress", "current_task": "tests"}));
    let page = project.ok(&["state", "show"]);
    assert!(page.starts_with("Task: t-1\nPhase: 5\nObjective: Ship\nDecisions:\n   Use JWT · ann"), "{page}");
}

#[test]
fn a_damaged_state_is_refused_and_left_alone() {
    let project = Project::empty();
    fs::create_dir_all(project.path(".claude/state")).unwrap();
    fs::create_dir_all(project.path(".claude/config")).unwrap();
    project.write(".claude/state/shared-context.json", "{\"taskId\":");
    project.write(".claude/config/orchestrator-settings.json", "{");
    let ran = project.run(&["state", "phase", "1", "--json"]);
    assert_eq!((ran.code, &document(&ran.out)["error"]["kind"]), (6, &json!("invalid")));
    assert_eq!(document(&ran.out)["findings"][0]["code"], "damaged-settings");
    assert_eq!(fs::read(project.path(".claude/state/shared-context.json")).unwrap(), b"{\"taskId\":");
    let settings = project.run(&["state", "settings", "--json"]);
    assert_eq!(document(&settings.out)["timeoutMs"], 30000);
}

// The one who answers is a thread here, and WASI has none; there, two guests play this in the wasmtime tests.
#[cfg(not(target_os = "wasi"))]
#[test]
fn a_question_is_asked_and_answered() {
    let project = Project::new();
    let asked = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let schema = r#"{"type": "object", "required": ["port"]}"#;
            let options = ["--format", schema, "--timeout", "20", "--urgency", "high", "--as", "ann"];
            project.json(&[&["ask", "bob", "Which port?"], &options[..]].concat())
        });
        let inbox = project.json(&["inbox", "--wait", "20", "--as", "bob"]);
        let id = text(&inbox["notifications"][0]["id"]);
        assert_eq!(
            (&inbox["notifications"][0]["type"], &inbox["notifications"][0]["priority"]),
            (&json!("query"), &json!("high"))
        );
        project.ok(&["answer", &id, "--body", r#"{"port": 80}"#, "--as", "bob"]);
        asking.join().expect("the question ends")
    });
    assert_eq!((&asked["outcome"], &asked["answer"]), (&json!("answered"), &json!({"port": 80})));
    assert_eq!((&asked["partial"], &asked["fallback"]), (&json!(false), &json!(false)));
    assert_eq!(project.json(&["inbox", "--as", "ann"])["count"], 0);
    // Two processes log, and either may be first.
    let outcomes = logged(&project, "outcome");
    assert!(outcomes.len() == 2 && outcomes.contains(&json!("response")) && outcomes.contains(&json!("answered")));
}

#[test]
fn silence_ends_in_a_fallback_or_in_exit_code_4() {
    let project = Project::new();
    let ask = ["ask", "bob", "Which port?", "--timeout", "0.2", "--as", "ann"];
    assert_eq!(project.run(&ask).code, 4);
    let ran = project.run(&[&ask[..], &["--fallback", "8080"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, "8080\n"));
    assert!(ran.err.starts_with("warning[fallback-used]: no answer came"), "{}", ran.err);
    assert_eq!(logged(&project, "outcome"), ["timed_out", "timed_out", "timed_out", "fallback"]);
    assert_eq!(logged(&project, "success"), [false; 4]);
    assert_eq!(project.json(&["inbox", "--type", "query", "--as", "bob"])["count"], 4);
    assert_eq!(project.run(&["ask", "bob", "x", "--format", "{", "--as", "ann"]).code, 2);
    assert_eq!(project.run(&["ask", "bob", "x", "--urgency", "now", "--as", "ann"]).code, 2);
}

#[test]
fn typed_broadcasts_have_the_protocols_structure() {
    let project = Project::new();
    let ran = ["broadcast", "Spanish, please", "--type", "context_update", "--about", "user_preference_change"];
    project.ok(&[&ran[..], &["--body", "User prefers Spanish", "--priority", "high", "--as", "ann"]].concat());
    project.ok(&["broadcast", "Stop", "--type", "abort_signal", "--action-required", "--as", "ann"]);
    let bodies: Vec<Value> = project.json(&["inbox", "--as", "bob"])["notifications"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| project.json(&["read", &text(&note["id"]), "--as", "bob"]))
        .map(|message| serde_json::from_str(&text(&message["content"])).unwrap())
        .collect();
    let stop = json!({"type": "abort_signal", "content": "Stop", "priority": "critical", "action_required": true});
    assert_eq!(bodies[0], json!({"broadcast_type": "abort_signal", "message": stop}));
    let spanish = json!({
        "type": "user_preference_change",
        "content": "User prefers Spanish",
        "priority": "high",
        "action_required": false,
    });
    assert_eq!(bodies[1], json!({"broadcast_type": "context_update", "message": spanish}));
    assert_eq!(logged(&project, "to"), ["all_active_agents"; 2]);
    assert_eq!(project.run(&["broadcast", "x", "--action-required", "--as", "ann"]).code, 2);
}

#[test]
fn a_sequential_handoff_carries_its_context() {
    let project = Project::new();
    project.ok(&["state", "objective", "Ship"]);
    let create = ["handoff", "create", "bob", "--task", "Decompose", "--summary", "Listed 5 tasks", "--as", "ann"];
    let more = ["--finding", "T1", "--finding", "T2", "--next-action", "Go on", "--tokens-used", "450"];
    let id = text(&project.json(&[&create[..], &more[..]].concat())["id"]);
    let metadata = fs::read(project.path(&format!(".agent-messages/handoffs/{id}/metadata.json"))).unwrap();
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    assert_eq!(metadata["context_package"]["handoff_type"], "sequential");
    assert_eq!(metadata["context_package"]["context"]["key_findings"], json!(["T1", "T2"]));
    assert_eq!(metadata["context_package"]["state_snapshot"], "artifacts/shared-context.json");
    let context = project.json(&["handoff", "request-context", &id, "--as", "bob"]);
    assert_eq!((&context["source"], &context["context"]["tokens_used"]), (&json!("package"), &json!(450)));
    project.ok(&["handoff", "accept", &id, "--as", "bob"]);
    assert_eq!(logged(&project, "outcome"), ["created", "accepted"]);

    let bare = ["handoff", "create", "bob", "--task", "Build", "--as", "ann", "--json"];
    let id = text(&document(&project.ok(&bare))["id"]);
    let request = ["handoff", "request-context", &id, "--timeout", "0.1", "--as", "bob"];
    let context = project.json(&request);
    assert_eq!((&context["source"], &context["reconstructed"]), (&json!("state"), &json!(true)));
    assert_eq!(context["context"]["summary"], "Objective: Ship.");
    assert!(project.ok(&request).starts_with("Put together from the shared state.\n\nObjective: Ship."));
    assert_eq!(project.run(&["handoff", "create", "bob", "--task", "x", "--sequential", "--as", "ann"]).code, 2);
}

#[test]
fn plain_messages_are_logged_only_beside_an_orchestrator() {
    let project = Project::new();
    project.ok(&["broadcast", "hello", "--as", "ann"]);
    assert!(!project.path(".claude").exists());
    fs::create_dir_all(project.path(".claude/state")).unwrap();
    project.ok(&["broadcast", "hello", "--as", "ann"]);
    assert_eq!(logged(&project, "protocol"), ["broadcast"]);
}

#[test]
fn a_situation_calls_for_a_protocol() {
    let project = Project::empty();
    let chosen = project.json(&["protocol", "Frontend needs API schema"]);
    assert_eq!((&chosen["matched"], chosen["choices"].as_array().unwrap().len()), (&json!(true), 1));
    let expected = json!({
        "scenario": "Frontend needs API schema",
        "protocol": "query",
        "reason": "Specific info request",
        "command": "huddle ask TO QUESTION",
    });
    assert_eq!(chosen["choices"][0], expected);
    let all = project.json(&["protocol", "zebra"]);
    assert_eq!((&all["matched"], all["choices"].as_array().unwrap().len()), (&json!(false), 5));
    assert!(project.ok(&["protocol"]).starts_with("PROTOCOL   WHEN"));
}
