//! Compressing a text, and expanding what was left out.

use serde_json::json;

use crate::command::support::{Project, document, fields, text};

const SPEC: &str = include_str!("../../../core/src/compress/testdata/orchestrator.md");

#[test]
fn a_text_is_made_short_and_comes_back_whole() {
    let project = Project::empty();
    let file = project.write("phase3.md", SPEC);
    let shown = project.ok(&["compress", &file]);
    assert!(shown.starts_with("Agent Communication Protocol - Orchestrator v3.7\nObjective: Define how agents"));
    let piped = project.run_with(&["compress", "-", "--json"], SPEC);
    let answer = document(&piped.out);
    assert_eq!(shown, format!("{}\n", text(&answer["text"])));
    assert!(answer["tokens"]["after"].as_u64().unwrap() < 500, "{answer}");
    let wanted = ["summary", "objective", "key_points", "findings", "decisions", "next_action", "next_actions", "refs"];
    assert_eq!(fields(&answer)[..8], wanted);
    for (name, path) in answer["refs"].as_object().unwrap() {
        let path = path.as_str().unwrap();
        let saved = std::fs::read_to_string(project.path(path)).unwrap();
        assert!(SPEC.contains(&saved), "{name}");
        let digits = path.rsplit('/').next().unwrap().split('.').next().unwrap();
        assert_eq!(project.ok(&["expand", digits]), saved);
        assert_eq!(project.ok(&["expand", &format!("[expand:{digits}]")]), saved);
        assert_eq!(project.ok(&["expand", &format!("full:{digits}")]), saved);
        let listed = answer["expandable"].as_array().unwrap();
        assert!(listed.iter().any(|line| text(line).ends_with(&format!(": [expand:{digits}]"))), "{listed:?}");
    }
    assert!(!project.path(".agent-messages").exists(), "no bus is needed, and none is made");
}

#[test]
fn a_limit_is_kept_or_refused() {
    let project = Project::empty();
    let file = project.write("phase3.md", SPEC);
    assert!(project.json(&["compress", &file, "--max-tokens", "60"])["tokens"]["after"].as_u64().unwrap() < 60);
    assert_eq!(project.run(&["compress", &file, "--max-tokens", "10"]).code, 2);
    assert_eq!(project.run(&["compress", "/no/such/file"]).code, 3);
    assert_eq!(project.json(&["compress"])["tokens"], json!({"before": 0, "after": 0}));
}

#[test]
fn unsaved_reference_is_not_found() {
    let project = Project::empty();
    let unknown = project.run(&["expand", "000000000000", "--json"]);
    assert_eq!((unknown.code, &document(&unknown.out)["error"]["kind"]), (3, &json!("not-found")));
    assert_eq!(project.run(&["expand", "../../secret"]).code, 2);
}
