//! The protocols' own examples: read with nothing lost, and changed with every field kept that we do not know.

use std::fs;

use serde_json::{Value, json};

use crate::sessions::{Desk, lines};

const ID: &str = "a1b2c3d4-e5f6-7890-abcd-ef1234567890";

/// Puts fields of somebody else's making into an object, one of them in front of all others.
fn strange(object: &mut Value) {
    let fields = object.as_object_mut().unwrap();
    let mut all = serde_json::Map::new();
    all.insert("x-first".to_owned(), json!({"deep": [1, {"er": null}], "ü\n": "ß", "large": u64::MAX, "half": 0.5}));
    all.append(fields);
    all.insert("x-last".to_owned(), json!([]));
    *fields = all;
}

/// Changes a JSON file of a fixture.
fn edit(desk: &Desk, path: &str, change: impl Fn(&mut Value)) {
    let mut document = desk.file(path);
    change(&mut document);
    fs::write(desk.path(path), document.to_string()).unwrap();
}

fn within(path: &str) -> String {
    format!("agents/context/{ID}/{path}")
}

fn session(desk: &Desk, agent: &str, args: &[&str]) -> Value {
    desk.json(agent, &[&["session"], args, &["--id", ID]].concat())
}

/// Gives the session's example, with strange fields wherever there can be some.
fn strange_session() -> Desk {
    let desk = Desk::copy_of("session-by-spec-example");
    edit(&desk, &within("coordination.json"), |document| {
        document["agents"].as_object_mut().unwrap().values_mut().for_each(strange);
        strange(document);
    });
    for file in ["reports/security-analyzer.json", "data/vulnerabilities.json"] {
        edit(&desk, &within(file), strange);
    }
    edit(&desk, &within("reports/security-analyzer.json"), |report| strange(&mut report["findings"][0]));
    let log = desk.text(&within("messages.jsonl"));
    let log = lines(&log).into_iter().map(|mut line| {
        strange(&mut line);
        format!("{line}\n")
    });
    fs::write(desk.path(&within("messages.jsonl")), log.collect::<String>()).unwrap();
    desk
}

/// Checks that everything that the files say is in what the command says.
#[track_caller]
fn check_session_is_read(desk: &Desk) {
    let document = desk.file(&within("coordination.json"));
    check_fields(&session(desk, "", &["status"]), &document);
    for (agent, entry) in document["agents"].as_object().unwrap() {
        check_fields(&session(desk, "", &["status", agent]), entry);
    }
    let events = session(desk, "", &["events"]);
    let log = Value::Array(lines(&desk.text(&within("messages.jsonl"))));
    assert_eq!(events["events"].to_string(), log.to_string());
    assert_eq!(
        session(desk, "", &["data", "get", "vulnerabilities"])["data"],
        desk.file(&within("data/vulnerabilities.json"))
    );
    let report = session(desk, "", &["report", "show", "security-analyzer"]);
    check_fields(&report, &desk.file(&within("reports/security-analyzer.json")));
}

/// Checks that an answer has all that a file has; it may have remarks beside that.
#[track_caller]
fn check_fields(answer: &Value, file: &Value) {
    for (field, value) in file.as_object().unwrap() {
        assert_eq!(answer[field].to_string(), value.to_string(), "{field}");
    }
}

#[test]
fn the_session_is_read_with_nothing_lost() {
    let desk = Desk::copy_of("session-by-spec-example");
    check_session_is_read(&desk);
    let listed = desk.json("", &["session", "list"]);
    assert_eq!((&listed["count"], &listed["sessions"][0]["session_id"]), (&json!(1), &json!(ID)));
    let report = session(&desk, "", &["report", "show", "security-analyzer"]);
    assert_eq!(report["huddle_findings"].as_array().unwrap().len(), 2, "it is the protocol's template: {report}");
    let merged = session(&desk, "", &["report", "merge"]);
    assert_eq!((&merged["automation_opportunities"], &merged["total_findings"]), (&json!(4), &json!(1)));
    let data = session(&desk, "", &["data", "list"]);
    assert_eq!(data["data"][0]["description"], "Detailed vulnerability data");
    let ready = session(&desk, "", &["ready"]);
    assert_eq!(ready["blocked"][0]["waits_for"], json!(["performance-analyzer", "code-quality-analyzer"]));
}

#[test]
fn reading_a_session_changes_nothing() {
    let desk = strange_session();
    let before = huddle_tests::stage::files(desk.project.root(), None).unwrap();
    check_session_is_read(&desk);
    for args in [&["ready"][..], &["recover"], &["report", "list"], &["report", "merge"], &["data", "list"]] {
        session(&desk, "", args);
    }
    assert_eq!(huddle_tests::stage::files(desk.project.root(), None).unwrap(), before);
}

#[test]
fn a_session_is_changed_and_every_strange_field_kept() {
    let desk = strange_session();
    let (mut wanted, log) = (desk.file(&within("coordination.json")), desk.text(&within("messages.jsonl")));
    let others = ["reports/security-analyzer.json", "data/vulnerabilities.json"].map(|path| desk.text(&within(path)));

    let performance = "performance-analyzer";
    session(&desk, performance, &["progress", performance, "Nearly there"]);
    session(&desk, performance, &["log", performance, "finding", "--severity", "low"]);
    let report = r#"{"status":"completed","summary":"S","findings":[],"x-own":{"z":1,"a":[2]}}"#;
    session(&desk, performance, &["complete", performance, "--report", report]);
    session(&desk, performance, &["data", "put", "profile", r#"{"x-own": 1}"#, "--from", performance]);
    session(&desk, "", &["join", "code-quality-analyzer"]);
    session(&desk, "", &["fail", "code-quality-analyzer", "--error", "no rules"]);
    session(&desk, "", &["retry", "code-quality-analyzer"]);
    check_session_is_read(&desk);

    let document = desk.file(&within("coordination.json"));
    let entry = wanted["agents"][performance].as_object_mut().unwrap();
    for field in ["status", "progress", "completed_at", "report_path"] {
        let value = &document["agents"][performance][field];
        assert!(value.is_string(), "{field}: {document}");
        entry.insert(field.to_owned(), value.clone());
    }
    let newcomer = document["agents"]["code-quality-analyzer"].clone();
    assert_eq!(newcomer["status"], "waiting");
    wanted["agents"].as_object_mut().unwrap().insert("code-quality-analyzer".to_owned(), newcomer);
    assert_eq!(document.to_string(), wanted.to_string(), "all else is as it was, in its place");
    assert!(desk.text(&within("messages.jsonl")).starts_with(&log), "what was logged stays");
    let now = ["reports/security-analyzer.json", "data/vulnerabilities.json"].map(|path| desk.text(&within(path)));
    assert_eq!(now, others, "nobody has touched these");
    let report = desk.file(&within("reports/performance-analyzer.json"));
    assert_eq!(report["x-own"].to_string(), r#"{"z":1,"a":[2]}"#);
}

const SHARED: &str = "state/shared-context.json";
const DECISIONS: &str = "state/decisions.jsonl";
const SETTINGS: &str = "config/orchestrator-settings.json";

/// Gives the state's example, with strange fields wherever there can be some.
fn strange_state() -> Desk {
    let desk = Desk::copy_of("state-by-spec-example");
    edit(&desk, SHARED, |document| {
        let shared = &mut document["sharedContext"];
        strange(&mut shared["keyDecisions"][0]);
        strange(&mut shared["artifacts"][0]);
        strange(shared);
        document["agentStates"].as_object_mut().unwrap().values_mut().for_each(strange);
        strange(document);
    });
    edit(&desk, SETTINGS, |document| {
        strange(&mut document["agentCommunication"]);
        strange(document);
    });
    desk
}

#[track_caller]
fn check_state_is_read(desk: &Desk) {
    check_fields(&desk.json("", &["state", "show"]), &desk.file(SHARED));
    let settings = desk.json("", &["state", "settings"]);
    let file = &desk.file(SETTINGS)["agentCommunication"];
    for field in ["protocols", "sharedStateEnabled", "contextCompression", "maxContextTokens", "timeoutMs"] {
        assert_eq!(settings[field], file[field], "{field}");
    }
}

#[test]
fn the_state_is_read_with_nothing_lost() {
    check_state_is_read(&Desk::copy_of("state-by-spec-example"));
    let desk = strange_state();
    let before = huddle_tests::stage::files(desk.project.root(), None).unwrap();
    check_state_is_read(&desk);
    assert_eq!(huddle_tests::stage::files(desk.project.root(), None).unwrap(), before);
}

#[test]
fn the_state_is_changed_and_every_strange_field_kept() {
    let desk = strange_state();
    let (mut wanted, log, settings) = (desk.file(SHARED), desk.text(DECISIONS), desk.text(SETTINGS));
    for args in [
        &["phase", "6"][..],
        &["objective", "Implement it all"],
        &["decide", "Use RS256"],
        &["artifact", "src/auth/keys.ts"],
        &["block", "No keys"],
        &["unblock", "blocker-5"],
        &["note", "Keys come later"],
        &["agent", "frontend-expert", "completed", "--output-ref", "out.json"],
    ] {
        desk.json("backend-expert", &[&["state"], args].concat());
    }
    desk.json("", &["init"]);
    for agent in ["backend-expert", "frontend-expert"] {
        desk.json(agent, &["register", agent, "--role", "expert"]);
    }
    desk.json("backend-expert", &["broadcast", "Phase 6", "--type", "checkpoint_reached"]);
    check_state_is_read(&desk);

    let document = desk.file(SHARED);
    wanted["currentPhase"] = 6.into();
    wanted["sharedContext"]["objective"] = "Implement it all".into();
    for (list, field, text) in [
        ("keyDecisions", "decision", "Use RS256"),
        ("artifacts", "path", "src/auth/keys.ts"),
        ("notes", "note", "Keys come later"),
    ] {
        let added = document["sharedContext"][list].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&added[field], &added["by"]), (&json!(text), &json!("backend-expert")), "{added}");
        wanted["sharedContext"][list].as_array_mut().unwrap().push(added);
    }
    let frontend = wanted["agentStates"]["frontend-expert"].as_object_mut().unwrap();
    frontend.insert("status".to_owned(), "completed".into());
    frontend.shift_remove("current_task");
    frontend.insert("output_ref".to_owned(), "out.json".into());
    wanted.as_object_mut().unwrap().insert("version".to_owned(), document["version"].clone());
    assert_eq!(document["version"], 8, "eight changes");
    assert_eq!(document.to_string(), wanted.to_string(), "all else is as it was, in its place");
    assert_eq!(desk.text(SETTINGS), settings);
    let now = desk.text(DECISIONS);
    assert!(now.starts_with(&log), "what was logged stays");
    assert_eq!(lines(&now).last().unwrap()["protocol"], "broadcast");
}
