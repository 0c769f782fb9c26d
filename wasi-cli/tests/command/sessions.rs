//! Sessions: the protocol's example played with the command, and what its queries ask.

#[cfg(not(target_os = "wasi"))]
mod queries;

use std::fs;

use serde_json::json;

use crate::command::support::{Project, document, text};

/// Starts a session in which a generator waits for two analyzers.
pub(crate) fn started() -> (Project, String) {
    let project = Project::empty();
    let start = ["session", "start", "--type", "web_app", "--agent", "security-analyzer", "--agent"];
    let rest = ["performance-analyzer", "--agent", "generator:security-analyzer,performance-analyzer"];
    let id = text(&project.json(&[&start[..], &rest[..]].concat())["session_id"]);
    (project, id)
}

/// Creates the arguments of a command on a session.
pub(crate) fn with<'a>(id: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["session"];
    all.extend(args);
    all.extend(["--id", id]);
    all
}

const REPORT: &str = r#"{"status": "completed", "summary": "Two holes", "mine": {"kept": true},
    "findings": [
        {"type": "issue", "severity": "high", "title": "SQL", "description": "d", "recommendation": "Bind"},
        {"type": "info", "severity": "low", "title": "Log", "description": "d"}],
    "data_artifacts": ["data/holes.json"], "next_actions": ["Fix SQL"],
    "recommendations_for_automation": ["Skill: check SQL", "Hook: on write"]}"#;

const FINDING: &str = r#"{"title": "SQL", "location": "q:42"}"#;

/// Plays a session until only the generator is at work.
pub(crate) fn played() -> (Project, String) {
    let (project, id) = started();
    let ok = |args: &[&str]| project.ok(&with(&id, args));
    ok(&["join", "security-analyzer"]);
    ok(&["join", "performance-analyzer"]);
    assert!(ok(&["join", "generator"]).contains("waiting for security-analyzer, performance-analyzer"));
    ok(&["log", "security-analyzer", "finding", "--severity", "high", "--data", FINDING]);
    ok(&["data", "put", "holes", r#"{"holes": [1]}"#, "--from", "security-analyzer", "--description", "All holes"]);
    ok(&["complete", "security-analyzer", "--report", REPORT, "--message", "Found 2 issues"]);
    let file = project.write("perf.json", &REPORT.replace("Two holes", "Slow").replace("high", "medium"));
    ok(&["report", "put", "performance-analyzer", &file]);
    ok(&["complete", "performance-analyzer"]);
    ok(&["wait", "--agents", "*-analyzer", "--timeout", "5"]);
    assert_eq!(ok(&["join", "generator"]), "✅ generator is in_progress\n");
    (project, id)
}

#[test]
fn a_session_is_played() {
    let (project, id) = played();
    let json = |args: &[&str]| project.json(&with(&id, args));
    let status = json(&["status"]);
    assert_eq!(status["completed"], json!(["security-analyzer", "performance-analyzer"]));
    assert_eq!(status["agents"]["security-analyzer"]["report_path"], "reports/security-analyzer.json");
    assert_eq!(status["project_type"], "web_app");
    assert_eq!(json(&["status", "generator"])["status"], "in_progress");
    assert_eq!(json(&["ready"]), json!({"ready": [], "blocked": []}));
    assert_eq!(json(&["report", "show", "security-analyzer"])["mine"], json!({"kept": true}));
    assert_eq!(json(&["data", "get", "holes"])["data"], json!({"holes": [1]}));
    assert_eq!(json(&["data", "list"])["data"][0]["from"], "security-analyzer");
    assert_eq!(json(&["recover"])["count"], 0);
    let late = project.run(&with(&id, &["wait", "generator", "--timeout", "0", "--json"]));
    assert_eq!((late.code, &document(&late.out)["error"]["kind"]), (4, &json!("timed-out")));
    let busy = project.run(&with(&id, &["close"]));
    assert_eq!(busy.code, 5, "{busy:?}");
    project.ok(&with(&id, &["fail", "generator", "--error", "no disk"]));
    let failed = project.run(&with(&id, &["wait", "--all"]));
    assert_eq!((failed.code, failed.err.lines().next()), (1, Some("error[failed]: generator failed: no disk")));
    assert_eq!(json(&["wait", "--all", "--keep-going"])["failed"][0]["error"], "no disk");
    assert_eq!(json(&["recover"])["agents"][0]["problem"], "failed");
    project.ok(&with(&id, &["retry", "generator"]));
    assert_eq!(project.ok(&with(&id, &["close"])), format!("✅ Closed session {id}\n"));
    assert!(project.ok(&["session", "list"]).contains("closed"));
}

#[test]
fn help_and_text_output_for_people() {
    let (project, id) = played();
    let ok = |args: &[&str]| project.ok(&with(&id, args));
    let status = ok(&["status"]);
    assert!(status.starts_with(&format!("Session {id} · started ")), "{status}");
    assert!(status.contains("\nsecurity-analyzer     completed    -"), "{status}");
    assert!(status.contains("  Found 2 issues\n"), "{status}");
    assert!(ok(&["status", "generator"]).starts_with("generator  in_progress  Started"));
    assert_eq!(ok(&["ready"]), "Ready: -\n");
    let merged = ok(&["report", "merge"]);
    assert!(merged.starts_with("2 reports, 4 findings: 1 high, 1 medium, 2 low\n"), "{merged}");
    assert!(merged.contains("Data:\n   - data/holes.json\n"), "{merged}");
    assert!(ok(&["report", "list"]).contains("security-analyzer     completed  2         1     Two holes"));
    assert!(ok(&["data", "list"]).contains("data/holes.json  security-analyzer  "));
    assert_eq!(ok(&["data", "get", "holes"]), "{\"holes\": [1]}\n");
    assert_eq!(ok(&["recover"]), "✅ Nobody has failed or is silent\n");
    let silent = ok(&["recover", "--silent", "0"]);
    assert!(silent.starts_with("⚠️ generator (in_progress) silent · last heard of "), "{silent}");
    assert!(silent.contains(&format!("\n      huddle session retry generator --id {id}\n")), "{silent}");
    assert!(project.ok(&["session", "list"]).contains("open   2 completed, 1 in_progress"));
}

#[test]
fn caller_errors_are_named() {
    let (project, id) = started();
    let check = |args: &[&str], code: u8, words: &str| {
        let ran = project.run(&with(&id, args));
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.err.contains(words), "{args:?}: {ran:?}");
    };
    check(&["complete", "generator"], 5, "cannot complete generator: it is waiting");
    check(&["complete", "zoe"], 3, "no agent \"zoe\" is in session");
    check(&["join", "security-analyzer", "--needs", "generator"], 2, "→");
    check(&["wait"], 2, "say whom to wait for");
    check(&["wait", "--agents", "x*"], 3, "x*");
    check(&["report", "put", "generator", r#"{"status": "completed"}"#], 6, "summary is missing");
    check(&["report", "put", "generator", "{oops"], 6, "a report is a JSON object");
    check(&["report", "put", "generator", "/no/such/file"], 3, "/no/such/file");
    check(&["report", "show", "generator"], 3, "no report of generator");
    check(&["data", "put", "x", "{}"], 2, "which agent is acting");
    check(&["log", "a", "two words"], 6, "one word");
    check(&["events", "--count-by", "size"], 2, "count by type");
    check(&["status", "zoe"], 3, "no agent \"zoe\"");
    let circular = project.run(&["session", "start", "--agent", "a:b", "--agent", "b:a"]);
    assert!(circular.code == 2 && circular.err.contains("a → b → a"), "{circular:?}");
    let which = project.run(&["session", "status"]);
    assert!(which.code == 2 && which.err.contains(&format!("the newest open session is {id}")), "{which:?}");
    let none = project.run(&["session", "status", "--id", "none"]);
    assert!(none.code == 3 && none.err.contains(&id), "{none:?}");
}

#[test]
fn the_log_is_read_followed_and_counted() {
    let (project, id) = started();
    let file = project.write("long.json", &format!("{{\"blob\": \"{}\"}}", "x".repeat(100_000)));
    project.ok(&with(&id, &["log", "a", "finding", "--message", "long", "--data", &format!("@{file}")]));
    project.ok(&with(&id, &["log", "b", "note", "--message", "own word"]));
    let found = project.json(&with(&id, &["events", "--from", "a"]));
    let path = text(&found["events"][0]["data_ref"]);
    let kept = project.json(&with(&id, &["data", "get", &path["data/".len()..]]));
    assert_eq!(text(&kept["data"]["blob"]).len(), 100_000);
    let counts = project.json(&with(&id, &["events", "--count-by", "type"]));
    assert_eq!(counts["counts"][0], json!({"type": "finding", "count": 1}));
    let lines = project.ok(&with(&id, &["events", "--follow", "--for", "0"]));
    assert_eq!(lines.lines().count(), 3);
    assert!(project.ok(&with(&id, &["events"])).contains(" [b] note: own word\n"));
    let log = project.path(&format!(".claude/agents/context/{id}/messages.jsonl"));
    let damaged = format!("{}oops\n{{\"half", fs::read_to_string(&log).unwrap());
    fs::write(&log, damaged).unwrap();
    let ran = project.run(&with(&id, &["events", "--json"]));
    let answer = document(&ran.out);
    let codes: Vec<_> = answer["findings"].as_array().unwrap().iter().map(|one| text(&one["code"])).collect();
    assert_eq!((ran.code, codes), (0, vec!["damaged-line".to_owned(), "being-written".to_owned()]));
}
