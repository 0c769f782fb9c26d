//! Agents on the mailbox protocol's shell snippets and agents on Huddle share one bus.

mod conversation;
mod damage;
mod documents;
mod fixture;

use huddle_tests::test_project::TestProject;
use serde_json::Value;

/// Lists a field of each entry of a list.
fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let entries = list.as_array().unwrap_or_else(|| panic!("not a list: {list}"));
    entries.iter().map(|entry| entry[field].as_str().unwrap_or_else(|| panic!("no {field}: {entry}"))).collect()
}

/// Lists the findings of an answer as `code place`; an answer without any has no such field.
fn findings(answer: &Value) -> Vec<String> {
    let found = answer.get("findings").and_then(Value::as_array).into_iter().flatten();
    found.map(|one| format!("{} {}", one["code"].as_str().unwrap(), one["place"].as_str().unwrap())).collect()
}

/// The time at which a bus of Huddle's is made.
const START: &str = "2025-11-29T14:30:00Z";

/// Creates a bus with Huddle on which Ann, Bob and Cyd are registered.
fn bus() -> TestProject {
    let project = TestProject::new().unwrap();
    project.json("", huddle_tests::test_project::at(START), &["init"]).unwrap();
    for (name, role) in [("ann", "architect"), ("bob", "builder"), ("cyd", "validator")] {
        let register = ["register", name, "--role", role, "--capability", "rust", "--capability", "sql"];
        project.json("", huddle_tests::test_project::at(START), &register).unwrap();
    }
    project
}
