//! The protocols' own examples: read with nothing lost, and changed with every field kept that we do not know.

use std::fs;

use serde_json::{Value, json};

use crate::sessions::{SessionFixture, lines};

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
fn edit(fixture: &SessionFixture, path: &str, change: impl Fn(&mut Value)) {
    let mut document = fixture.file(path);
    change(&mut document);
    fs::write(fixture.path(path), document.to_string()).unwrap();
}

fn within(path: &str) -> String {
    format!("agents/context/{ID}/{path}")
}

fn session(fixture: &SessionFixture, agent: &str, args: &[&str]) -> Value {
    fixture.json(agent, &[&["session"], args, &["--id", ID]].concat())
}

/// Returns the session's example, with strange fields wherever there can be some.
fn strange_session() -> SessionFixture {
    let fixture = SessionFixture::copy_of("session-by-spec-example");
    edit(&fixture, &within("coordination.json"), |document| {
        document["agents"].as_object_mut().unwrap().values_mut().for_each(strange);
        strange(document);
    });
    for file in ["reports/security-analyzer.json", "data/vulnerabilities.json"] {
        edit(&fixture, &within(file), strange);
    }
    edit(&fixture, &within("reports/security-analyzer.json"), |report| strange(&mut report["findings"][0]));
    let log = fixture.text(&within("messages.jsonl"));
    let log = lines(&log).into_iter().map(|mut line| {
        strange(&mut line);
        format!("{line}\n")
    });
    fs::write(fixture.path(&within("messages.jsonl")), log.collect::<String>()).unwrap();
    fixture
}

/// Checks that everything that the files say is in what the command says.
#[track_caller]
fn check_session_is_read(fixture: &SessionFixture) {
    let document = fixture.file(&within("coordination.json"));
    check_fields(&session(fixture, "", &["status"]), &document);
    for (agent, entry) in document["agents"].as_object().unwrap() {
        check_fields(&session(fixture, "", &["status", agent]), entry);
    }
    let events = session(fixture, "", &["events"]);
    let log = Value::Array(lines(&fixture.text(&within("messages.jsonl"))));
    assert_eq!(events["events"].to_string(), log.to_string());
    assert_eq!(
        session(fixture, "", &["data", "get", "vulnerabilities"])["data"],
        fixture.file(&within("data/vulnerabilities.json"))
    );
    let report = session(fixture, "", &["report", "show", "security-analyzer"]);
    check_fields(&report, &fixture.file(&within("reports/security-analyzer.json")));
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
    let fixture = SessionFixture::copy_of("session-by-spec-example");
    check_session_is_read(&fixture);
    let listed = fixture.json("", &["session", "list"]);
    assert_eq!((&listed["count"], &listed["sessions"][0]["session_id"]), (&json!(1), &json!(ID)));
    let report = session(&fixture, "", &["report", "show", "security-analyzer"]);
    assert_eq!(report["huddle_findings"].as_array().unwrap().len(), 2, "it is the protocol's template: {report}");
    let merged = session(&fixture, "", &["report", "merge"]);
    assert_eq!((&merged["automation_opportunities"], &merged["total_findings"]), (&json!(4), &json!(1)));
    let data = session(&fixture, "", &["data", "list"]);
    assert_eq!(data["data"][0]["description"], "Detailed vulnerability data");
    let ready = session(&fixture, "", &["ready"]);
    assert_eq!(ready["blocked"][0]["waits_for"], json!(["performance-analyzer", "code-quality-analyzer"]));
}

#[test]
fn reading_a_session_changes_nothing() {
    let fixture = strange_session();
    let before = huddle_tests::test_project::files(fixture.project.root(), None).unwrap();
    check_session_is_read(&fixture);
    for args in [&["ready"][..], &["recover"], &["report", "list"], &["report", "merge"], &["data", "list"]] {
        session(&fixture, "", args);
    }
    assert_eq!(huddle_tests::test_project::files(fixture.project.root(), None).unwrap(), before);
}

#[test]
fn a_session_is_changed_and_every_strange_field_kept() {
    let fixture = strange_session();
    let (mut wanted, log) = (fixture.file(&within("coordination.json")), fixture.text(&within("messages.jsonl")));
    let others =
        ["reports/security-analyzer.json", "data/vulnerabilities.json"].map(|path| fixture.text(&within(path)));

    let performance = "performance-analyzer";
    session(&fixture, performance, &["progress", performance, "Nearly there"]);
    session(&fixture, performance, &["log", performance, "finding", "--severity", "low"]);
    let report = r#"{"status":"completed","summary":"S","findings":[],"x-own":{"z":1,"a":[2]}}"#;
    session(&fixture, performance, &["complete", performance, "--report", report]);
    session(&fixture, performance, &["data", "put", "profile", r#"{"x-own": 1}"#, "--from", performance]);
    session(&fixture, "", &["join", "code-quality-analyzer"]);
    session(&fixture, "", &["fail", "code-quality-analyzer", "--error", "no rules"]);
    session(&fixture, "", &["retry", "code-quality-analyzer"]);
    check_session_is_read(&fixture);

    let document = fixture.file(&within("coordination.json"));
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
    assert!(fixture.text(&within("messages.jsonl")).starts_with(&log), "what was logged stays");
    let now = ["reports/security-analyzer.json", "data/vulnerabilities.json"].map(|path| fixture.text(&within(path)));
    assert_eq!(now, others, "nobody has touched these");
    let report = fixture.file(&within("reports/performance-analyzer.json"));
    assert_eq!(report["x-own"].to_string(), r#"{"z":1,"a":[2]}"#);
}

const SHARED: &str = "state/shared-context.json";
const DECISIONS: &str = "state/decisions.jsonl";
const SETTINGS: &str = "config/orchestrator-settings.json";

/// Returns the state's example, with strange fields wherever there can be some.
fn strange_state() -> SessionFixture {
    let fixture = SessionFixture::copy_of("state-by-spec-example");
    edit(&fixture, SHARED, |document| {
        let shared = &mut document["sharedContext"];
        strange(&mut shared["keyDecisions"][0]);
        strange(&mut shared["artifacts"][0]);
        strange(shared);
        document["agentStates"].as_object_mut().unwrap().values_mut().for_each(strange);
        strange(document);
    });
    edit(&fixture, SETTINGS, |document| {
        strange(&mut document["agentCommunication"]);
        strange(document);
    });
    fixture
}

#[track_caller]
fn check_state_is_read(fixture: &SessionFixture) {
    check_fields(&fixture.json("", &["state", "show"]), &fixture.file(SHARED));
    let settings = fixture.json("", &["state", "settings"]);
    let file = &fixture.file(SETTINGS)["agentCommunication"];
    for field in ["protocols", "sharedStateEnabled", "contextCompression", "maxContextTokens", "timeoutMs"] {
        assert_eq!(settings[field], file[field], "{field}");
    }
}

#[test]
fn the_state_is_read_with_nothing_lost() {
    check_state_is_read(&SessionFixture::copy_of("state-by-spec-example"));
    let fixture = strange_state();
    let before = huddle_tests::test_project::files(fixture.project.root(), None).unwrap();
    check_state_is_read(&fixture);
    assert_eq!(huddle_tests::test_project::files(fixture.project.root(), None).unwrap(), before);
}

#[test]
fn the_state_is_changed_and_every_strange_field_kept() {
    let fixture = strange_state();
    let (mut wanted, log, settings) = (fixture.file(SHARED), fixture.text(DECISIONS), fixture.text(SETTINGS));
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
        fixture.json("backend-expert", &[&["state"], args].concat());
    }
    fixture.json("", &["init"]);
    for agent in ["backend-expert", "frontend-expert"] {
        fixture.json(agent, &["register", agent, "--role", "expert"]);
    }
    fixture.json("backend-expert", &["broadcast", "Phase 6", "--type", "checkpoint_reached"]);
    check_state_is_read(&fixture);

    let document = fixture.file(SHARED);
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
    assert_eq!(fixture.text(SETTINGS), settings);
    let now = fixture.text(DECISIONS);
    assert!(now.starts_with(&log), "what was logged stays");
    assert_eq!(lines(&now).last().unwrap()["protocol"], "broadcast");
}
