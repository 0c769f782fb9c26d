//! Every jq line of the session protocol, run on a session that Huddle wrote, beside what Huddle itself answers.
//!
//! The lines are the protocol's own, in its order; shell around them (`cat`, `watch`, `mv`) is left out. Two are not what
//! their author meant and stand in both loops that wait for analysts: `map(select(.key | endswith("analyzer")) and …)`
//! asks `and` of what `select` let through, so that it counts every analyst; and `map(select(.key | endswith("analyzer"))
//! | length` lacks a parenthesis. They are run as they are evidently meant.

use std::fs;
use std::process::Command;

use huddle_tests::test_project::at;
use huddle_tests::tools;
use serde_json::{Value, json};

use crate::sessions::SessionFixture;

/// A line of the protocol, and where Huddle says the same.
struct Query {
    /// The flags and the filter.
    jq: &'static [&'static str],
    /// The files that it reads; a `*` stands for anything.
    files: &'static str,
    huddle: &'static [&'static str],
    /// Takes jq's answer out of Huddle's: several documents are a list.
    take: fn(Value) -> Value,
}

const COORDINATION: &str = "coordination.json";
const LOG: &str = "messages.jsonl";
const REPORTS: &str = "reports/*.json";
const ANALYSTS: &str = "reports/*-analyzer.json";

const STATUS: &[Query] = &[
    Query { jq: &[".agents"], files: COORDINATION, huddle: &["status"], take: |said| json!([said["agents"]]) },
    Query {
        jq: &[r#".agents["security-analyzer"]"#],
        files: COORDINATION,
        huddle: &["status", "security-analyzer"],
        take: |said| json!([said]),
    },
    Query {
        jq: &[r#".agents | to_entries | map(select(.value.status == "completed")) | map(.key)"#],
        files: COORDINATION,
        huddle: &["status"],
        take: |said| json!([said["completed"]]),
    },
    Query {
        jq: &[
            r#".agents | to_entries | map(select(.value.status == "waiting")) | map({name: .key, deps: .value.dependencies})"#,
        ],
        files: COORDINATION,
        huddle: &["status"],
        take: |said| json!([said["waiting"]]),
    },
    Query {
        jq: &[r#".agents | to_entries | map(select(.value.status == "failed"))"#],
        files: COORDINATION,
        huddle: &["status"],
        take: |said| {
            let failed = said["failed"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            json!([failed.map(|name| json!({"key": name, "value": said["agents"][name]})).collect::<Value>()])
        },
    },
    // COMPLETED of the loops that wait.
    Query {
        jq: &[
            "-r",
            r#".agents | to_entries | map(select((.key | endswith("analyzer")) and .value.status == "completed")) | length"#,
        ],
        files: COORDINATION,
        huddle: &["status"],
        take: |said| json!([analysts(said["completed"].as_array().unwrap())]),
    },
    // TOTAL of the loops that wait.
    Query {
        jq: &["-r", r#".agents | to_entries | map(select(.key | endswith("analyzer"))) | length"#],
        files: COORDINATION,
        huddle: &["status"],
        take: |said| {
            json!([analysts(&said["agents"].as_object().unwrap().keys().map(|name| json!(name)).collect::<Vec<_>>())])
        },
    },
];

const EVENTS: &[Query] = &[
    // `tail -f … | jq` shows them all, as they come.
    Query { jq: &["."], files: LOG, huddle: &["events"], take: events },
    Query {
        jq: &[r#"select(.from == "security-analyzer")"#],
        files: LOG,
        huddle: &["events", "--from", "security-analyzer"],
        take: events,
    },
    Query {
        jq: &[r#"select(.type == "finding")"#],
        files: LOG,
        huddle: &["events", "--type", "finding"],
        take: events,
    },
    Query {
        jq: &[r#"select(.type == "finding" and .severity == "high")"#],
        files: LOG,
        huddle: &["events", "--type", "finding", "--severity", "high"],
        take: events,
    },
    Query {
        jq: &["-s", "group_by(.type) | map({type: .[0].type, count: length})"],
        files: LOG,
        huddle: &["events", "--count-by", "type"],
        take: |said| json!([said["counts"]]),
    },
    Query { jq: &[r#"select(.type == "error")"#], files: LOG, huddle: &["events", "--type", "error"], take: events },
    Query {
        jq: &[r#"select(.type == "data") | {from: .from, artifact: .artifact}"#],
        files: LOG,
        huddle: &["data", "list"],
        take: |said| {
            let data = said["data"].as_array().unwrap().iter();
            data.map(|one| json!({"from": one["from"], "artifact": one["artifact"]})).collect()
        },
    },
];

const RESULTS: &[Query] = &[
    Query {
        jq: &["."],
        files: "reports/security-analyzer.json",
        huddle: &["report", "show", "security-analyzer"],
        take: |said| json!([said]),
    },
    Query {
        jq: &[".summary"],
        files: "reports/performance-analyzer.json",
        huddle: &["report", "show", "performance-analyzer"],
        take: |said| json!([said["summary"]]),
    },
    Query { jq: &[".summary"], files: REPORTS, huddle: &["report", "merge"], take: summaries },
    Query {
        jq: &["-s", r#"map(.findings[]) | map(select(.severity == "high"))"#],
        files: REPORTS,
        huddle: &["report", "merge"],
        take: |said| json!([said["high_severity_findings"]]),
    },
    Query {
        jq: &[
            "-s",
            r#"{
              total_findings: map(.findings | length) | add,
              high_severity: map(.findings[] | select(.severity == "high")) | length,
              automation_opportunities: map(.recommendations_for_automation) | flatten | length
            }"#,
        ],
        files: REPORTS,
        huddle: &["report", "merge"],
        take: |said| json!([some(&said, &["total_findings", "high_severity", "automation_opportunities"])]),
    },
    Query {
        jq: &["-s", "map(.data_artifacts) | flatten | unique"],
        files: REPORTS,
        huddle: &["report", "merge"],
        take: |said| json!([said["data_artifacts"]]),
    },
    Query {
        jq: &["."],
        files: "data/vulnerabilities.json",
        huddle: &["data", "get", "vulnerabilities"],
        take: |said| json!([said["data"]]),
    },
    // `for report in …; do jq '.summary, .recommendations_for_automation'`: here one after the other.
    Query {
        jq: &["-s", "map(.summary), (map(.recommendations_for_automation) | flatten)"],
        files: ANALYSTS,
        huddle: &["report", "merge", "--agents", "*-analyzer"],
        take: |said| json!([summaries(said.clone()), said["automation_suggestions"]]),
    },
    Query {
        jq: &[
            "-s",
            r#"{
              total_findings: map(.findings | length) | add,
              high_severity: map(.findings[] | select(.severity == "high")) | length,
              automation_suggestions: map(.recommendations_for_automation) | flatten
            }"#,
        ],
        files: ANALYSTS,
        huddle: &["report", "merge", "--agents", "*-analyzer"],
        take: |said| json!([some(&said, &["total_findings", "high_severity", "automation_suggestions"])]),
    },
    Query {
        jq: &["-s", "map(.recommendations_for_automation) | flatten"],
        files: REPORTS,
        huddle: &["report", "merge"],
        take: |said| json!([said["automation_suggestions"]]),
    },
];

#[expect(clippy::needless_pass_by_value, reason = "its type is that of all functions that take an answer apart")]
fn events(said: Value) -> Value {
    said["events"].clone()
}

#[expect(clippy::needless_pass_by_value, reason = "its type is that of all functions that take an answer apart")]
fn summaries(said: Value) -> Value {
    said["summaries"].as_array().unwrap().iter().map(|one| one["summary"].clone()).collect()
}

fn some(said: &Value, fields: &[&str]) -> Value {
    fields.iter().map(|field| ((*field).to_owned(), said[*field].clone())).collect()
}

fn analysts(names: &[Value]) -> usize {
    names.iter().filter(|name| name.as_str().unwrap().ends_with("analyzer")).count()
}

/// Writes a session with agents in all four states, with Huddle alone.
fn session() -> SessionFixture {
    let fixture = SessionFixture::at(at("2025-01-23T10:00:00Z").by_hand());
    let turn_to = |minute: u32| fixture.clock.turn_to(at(&format!("2025-01-23T10:{minute:02}:00Z")));
    let act = |agent: &str, args: &[&str]| drop(fixture.json(agent, &[&["session"], args, &["--id", "s"]].concat()));
    act(
        "",
        &[
            &["start", "--type", "web_app", "--agent", "security-analyzer", "--agent", "performance-analyzer"][..],
            &["--agent", "quality-analyzer", "--agent", "skill-generator:security-analyzer,performance-analyzer"],
            &["--agent", "doc-generator"],
        ]
        .concat(),
    );
    for agent in ["security-analyzer", "performance-analyzer", "quality-analyzer", "doc-generator"] {
        act(agent, &["join", agent]);
    }
    turn_to(1);
    act(
        "security-analyzer",
        &[
            "log",
            "security-analyzer",
            "finding",
            "--severity",
            "high",
            "--data",
            r#"{"title":"SQL Injection Risk","location":"src/db/queries.ts:42"}"#,
        ],
    );
    act(
        "performance-analyzer",
        &[
            "log",
            "performance-analyzer",
            "finding",
            "--severity",
            "low",
            "--message",
            "Slow \"query\"\nin two lines, ü",
        ],
    );
    act("quality-analyzer", &["log", "quality-analyzer", "own-type"]);
    turn_to(2);
    act(
        "security-analyzer",
        &[
            "data",
            "put",
            "vulnerabilities",
            r#"{"vulnerabilities":[{"id":"SQL-001","line":42}]}"#,
            "--description",
            "Detailed vulnerability data",
        ],
    );
    act("security-analyzer", &["complete", "security-analyzer", "--report", SECURITY]);
    turn_to(3);
    act("performance-analyzer", &["report", "put", "performance-analyzer", PERFORMANCE]);
    act("doc-generator", &["complete", "doc-generator", "--report", DOCUMENTS]);
    act(
        "quality-analyzer",
        &["log", "quality-analyzer", "error", "--message", "Failed to analyze X", "--error", "No rules"],
    );
    act("quality-analyzer", &["fail", "quality-analyzer", "--error", "No rules"]);
    fixture
}

const SECURITY: &str = r#"{"status":"completed","summary":"Five issues","findings":[
  {"type":"issue","severity":"high","title":"SQL Injection","description":"D","location":"src/db/queries.ts:42"},
  {"type":"issue","severity":"high","title":"Secret","description":"D","x-own":[1.5,null]},
  {"type":"info","severity":"low","title":"Hash","description":"D"}],
  "metrics":{"items_analyzed":150,"issues_found":5,"time_taken":"2m 34s"},
  "data_artifacts":["data/vulnerabilities.json","data/a.json"],"next_actions":["Fix SQL injection in queries.ts"],
  "recommendations_for_automation":["Skill: SQL injection checker","Command: /security-scan"]}"#;
const PERFORMANCE: &str = r#"{"status":"partial","summary":"Three bottlenecks so far","findings":[
  {"type":"recommendation","severity":"medium","title":"N+1","description":"D","recommendation":"Join"}],
  "data_artifacts":["data/vulnerabilities.json"],"recommendations_for_automation":["Skill: SQL injection checker"]}"#;
const DOCUMENTS: &str = r#"{"status":"completed","summary":"Nothing to say","findings":[]}"#;

/// Runs jq on files of the session, and gives what it printed.
#[track_caller]
fn jq(fixture: &SessionFixture, flags: &[&str], files: &str) -> String {
    let dir = fixture.path("agents/context/s");
    let mut paths: Vec<String> =
        huddle_tests::test_project::files(&dir, None).unwrap().into_iter().map(|(path, _)| path).collect();
    paths.retain(|path| match files.split_once('*') {
        Some((start, end)) => path.starts_with(start) && path.ends_with(end),
        None => path == files,
    });
    assert!(!paths.is_empty(), "there is no {files}");
    let output = Command::new("jq").current_dir(dir).args(flags).args(paths).output().unwrap();
    assert!(output.status.success(), "jq {flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn documents(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().unwrap()
}

#[track_caller]
fn check(queries: &[Query]) {
    tools::require_jq().unwrap();
    let fixture = session();
    for Query { jq: flags, files, huddle, take } in queries {
        let answer = Value::Array(documents(&jq(&fixture, flags, files)));
        let said = fixture.json("", &[&["session"], *huddle, &["--id", "s"]].concat());
        assert_ne!(answer, json!([]), "jq {flags:?} says nothing, so there is nothing to compare");
        assert_eq!(take(said), answer, "huddle session {} and jq {flags:?}", huddle.join(" "));
    }
}

#[test]
fn queries_of_the_coordination_are_answered_as_jq_does() {
    check(STATUS);
}

#[test]
fn queries_of_the_log_are_answered_as_jq_does() {
    check(EVENTS);
}

#[test]
fn queries_of_reports_and_data_are_answered_as_jq_does() {
    check(RESULTS);
}

#[test]
fn the_timeline_is_what_jq_prints() {
    tools::require_jq().unwrap();
    let fixture = session();
    let filter = r#"sort_by(.timestamp) | .[] | "\(.timestamp) [\(.from)] \(.type): \(.message // .data.title // "no message")""#;
    let timeline = fixture.run("", &["session", "events", "--id", "s"]).stdout;
    assert_eq!(timeline, jq(&fixture, &["-s", "-r", filter], LOG));
}

#[test]
fn followed_events_equal_the_log() {
    tools::require_jq().unwrap();
    let fixture = session();
    let followed = fixture.run("", &["session", "events", "--follow", "--for", "0", "--id", "s"]).stdout;
    assert_eq!(documents(&followed), documents(&jq(&fixture, &["."], LOG)));
}

#[test]
fn names_of_data_are_those_of_the_files() {
    let fixture = session();
    let files = huddle_tests::test_project::files(&fixture.path("agents/context/s/data"), None).unwrap();
    let files: Vec<Value> = files.into_iter().map(|(name, _)| format!("data/{name}").into()).collect();
    let said = fixture.json("", &["session", "data", "list", "--id", "s"]);
    let said: Vec<Value> = said["data"].as_array().unwrap().iter().map(|one| one["artifact"].clone()).collect();
    assert_eq!(said, files);
}

/// The protocol's lines that write: an agent that uses them and one that uses Huddle take turns.
#[test]
fn jq_written_state_is_read_and_continued() {
    tools::require_jq().unwrap();
    let fixture = session();
    let status = || fixture.json("", &["session", "status", "my-agent", "--id", "s"]);
    let write = |filter: &str| {
        let written = jq(&fixture, &[filter], COORDINATION);
        fs::write(fixture.path("agents/context/s/coordination.json"), written).unwrap();
    };
    write(
        r#".agents["my-agent"] = {
          "status": "in_progress",
          "started_at": "2025-01-23T10:04:00Z",
          "progress": "Starting analysis",
          "dependencies": []
        }"#,
    );
    assert_eq!((&status()["status"], &status()["progress"]), (&json!("in_progress"), &json!("Starting analysis")));
    fixture.json("my-agent", &["session", "progress", "my-agent", "Half of it", "--id", "s"]);
    write(
        r#".agents["my-agent"].status = "completed" |
           .agents["my-agent"].completed_at = "2025-01-23T10:05:00Z" |
           .agents["my-agent"].report_path = "reports/my-agent.json""#,
    );
    let waited = fixture.json("", &["session", "wait", "my-agent", "--id", "s"]);
    assert_eq!(waited["completed"], json!(["my-agent"]));
    assert_eq!(
        (&status()["progress"], &status()["report_path"]),
        (&json!("Half of it"), &json!("reports/my-agent.json"))
    );
    write(r#".agents["my-agent"].status = "failed" | .agents["my-agent"].error = "Error details""#);
    fixture.json("my-agent", &["session", "retry", "my-agent", "--id", "s"]);
    fixture.json("my-agent", &["session", "join", "my-agent", "--id", "s"]);
    assert_eq!(status()["status"], "in_progress");
    assert_eq!(jq(&fixture, &["-r", r#".agents["my-agent"].status"#], COORDINATION), "in_progress\n");
}
