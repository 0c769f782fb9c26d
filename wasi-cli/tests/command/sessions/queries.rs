//! Every query of the protocol's document, asked of jq and of the command.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{played, with};

/// Asks jq, which agents that use the protocol's snippets have.
fn jq(query: &str, files: &[&Path]) -> Value {
    let asked = Command::new("jq").args(["-c", "-s", query]).args(files).output().expect("jq is installed");
    assert!(asked.status.success(), "{query}: {}", String::from_utf8_lossy(&asked.stderr));
    serde_json::from_slice(&asked.stdout).expect("jq answers with one document")
}

#[test]
fn the_protocols_queries_and_the_command_agree() {
    let (project, id) = played();
    let dir = project.path(&format!(".claude/agents/context/{id}"));
    let (coordination, log) = (dir.join("coordination.json"), dir.join("messages.jsonl"));
    let reports = ["performance-analyzer", "security-analyzer"].map(|name| dir.join(format!("reports/{name}.json")));
    let reports = reports.each_ref().map(|path| path.as_path());
    let json = |args: &[&str]| project.json(&with(&id, args));
    let check = |query: &str, files: &[&Path], ours: &Value| assert_eq!(&jq(query, files), ours, "{query}");

    let status = json(&["status"]);
    let file = [coordination.as_path()];
    check(".[0].agents", &file, &status["agents"]);
    check(r#".[0].agents["generator"]"#, &file, &json(&["status", "generator"]));
    let select = |state: &str| format!(r#".[0].agents | to_entries | map(select(.value.status == "{state}"))"#);
    check(&format!("{} | map(.key)", select("completed")), &file, &status["completed"]);
    let waiting = format!("{} | map({{name: .key, deps: .value.dependencies}})", select("waiting"));
    check(&waiting, &file, &status["waiting"]);
    check(&format!("{} | map(.key)", select("failed")), &file, &status["failed"]);

    let log = [log.as_path()];
    let events = |args: &[&str]| json(&[&["events"], args].concat())["events"].clone();
    check(".", &log, &events(&[]));
    check(r#"map(select(.from == "security-analyzer"))"#, &log, &events(&["--from", "security-analyzer"]));
    check(r#"map(select(.type == "data"))"#, &log, &events(&["--type", "data"]));
    check(r#"map(select(.type == "error"))"#, &log, &events(&["--type", "error"]));
    let high = r#"map(select(.type == "finding" and .severity == "high"))"#;
    check(high, &log, &events(&["--type", "finding", "--severity", "high"]));
    let counted = "group_by(.type) | map({type: .[0].type, count: length})";
    check(counted, &log, &json(&["events", "--count-by", "type"])["counts"]);
    let line = r#""\(.timestamp) [\(.from)] \(.type): \(.message // .data.title // "no message")""#;
    let lines: Vec<Value> = project.ok(&with(&id, &["events"])).lines().map(Value::from).collect();
    check(&format!("sort_by(.timestamp) | map({line})"), &log, &Value::Array(lines));

    let merged = json(&["report", "merge"]);
    for (query, ours) in [
        (r#"map(.findings[]) | map(select(.severity == "high"))"#, "high_severity_findings"),
        ("map(.findings | length) | add", "total_findings"),
        (r#"map(.findings[] | select(.severity == "high")) | length"#, "high_severity"),
        ("map(.recommendations_for_automation) | flatten | length", "automation_opportunities"),
        ("map(.recommendations_for_automation) | flatten", "automation_suggestions"),
        ("map(.data_artifacts) | flatten | unique", "data_artifacts"),
        ("map({agent_name, summary})", "summaries"),
    ] {
        check(query, &reports, &merged[ours]);
    }
}
