//! Whole buses that are moved, and messages that are taken in.

use std::fs;

use serde_json::{Value, json};

use crate::command::support::{Project, text};

fn dir(project: &Project) -> String {
    project.path("").to_str().expect("test paths are text").to_owned()
}

/// Creates a project with something of each kind.
fn rich() -> Project {
    let project = Project::new();
    let read = project.send("Read", &[]);
    project.ok(&["read", &read, "--as", "bob"]);
    project.send("Unread", &["--priority", "high", "--body", "{\"port\": 80}"]);
    project.ok(&["subscribe", "Done", "--as", "bob"]);
    project.ok(&["publish", "Done", "--as", "ann"]);
    project.ok(&["broadcast", "To all", "--as", "ann"]);
    project.ok(&["context", "create", "api", "- first", "--as", "ann"]);
    fs::write(project.path("tool"), [0, 255, 10]).expect("the file can be written");
    let tool = project.path("tool").to_str().expect("test paths are text").to_owned();
    project.ok(&["handoff", "create", "bob", "--task", "Build", "--artifact", &tool, "--as", "ann"]);
    project
}

fn kinds(moved: &Value) -> Vec<(String, u64)> {
    let kinds = moved["kinds"].as_array().expect("a list").iter();
    kinds.map(|kind| (text(&kind["kind"]), kind["count"].as_u64().expect("a number"))).collect()
}

#[test]
fn a_bus_is_moved_and_a_second_time_nothing_is_new() {
    let (project, other) = (rich(), Project::empty());
    let (from, to) = (dir(&project), dir(&other));
    let moved = project.json(&["migrate", "--from", &from, "--to", &to]);
    assert_eq!((&moved["newBus"], &moved["newCopies"]), (&json!(true), &json!(5)), "{moved}");
    let expected = [("copies", 5), ("records", 2), ("sent", 3), ("contexts", 1), ("handoffs", 1), ("files", 1)];
    let expected = expected.into_iter().chain([("agents", 2), ("subscriptions", 1), ("settings", 3)]);
    assert_eq!(kinds(&moved), expected.map(|(kind, count)| (kind.to_owned(), count)).collect::<Vec<_>>());
    for list in [&["agents"][..], &["threads"], &["context", "list"], &["inbox", "--as", "bob"]] {
        assert_eq!(other.json(list), project.json(list), "{list:?}");
    }
    let handoff = text(&other.json(&["handoff", "list"])["handoffs"][0]["id"]);
    let out = other.path("copy").to_str().unwrap().to_owned();
    other.ok(&["handoff", "artifact", &handoff, "tool", "--out", &out]);
    assert_eq!(fs::read(out).unwrap(), [0, 255, 10]);
    let again = project.ok(&["migrate", "--from", &from, "--to", &format!("{to}/.agent-messages")]);
    assert!(again.starts_with("✅ Moved, compared and the same: ROOT"), "{again}");
    assert!(
        again.contains("(nothing was missing there)\nKIND           COUNT  HASH\ncopies         5      "),
        "{again}"
    );
}

#[test]
fn a_move_from_nowhere_or_to_itself_is_refused() {
    let (project, other) = (rich(), Project::empty());
    let (here, nowhere) = (dir(&project), dir(&other));
    assert_eq!(project.run(&["migrate", "--from", &nowhere, "--to", &here]).code, 3);
    assert_eq!(project.run(&["migrate", "--from", &here, "--to", &here]).code, 2);
    assert_eq!(project.run(&["migrate", "--from", &here]).code, 2);
    assert_eq!(other.files(), []);
}

#[test]
fn a_target_that_went_on_by_itself_is_told_apart() {
    let (project, other) = (rich(), Project::empty());
    let places = ["migrate", "--from", &dir(&project), "--to", &dir(&other)];
    project.ok(&places);
    other.ok(&["context", "update", "api", "- other", "--as", "ann"]);
    let refused = project.run(&places);
    assert!(refused.code == 5 && refused.err.contains("shared context api in the target"), "{refused:?}");
}

#[test]
fn exported_documents_are_imported_once() {
    let (project, other) = (rich(), Project::empty());
    let file = project.path("messages.jsonl").to_str().unwrap().to_owned();
    assert_eq!(project.run(&["export", "--to", "documents", "--out", &file, &dir(&project)]).code, 0);
    assert_eq!(other.run(&["import", &file]).code, 3, "there is no bus yet");
    other.ok(&["init"]);
    let taken = other.json(&["import", &file]);
    assert_eq!(taken, json!({"documents": 5, "copies": 5, "newCopies": 5, "registered": ["ann", "bob"]}));
    assert_eq!(other.json(&["inbox", "--as", "bob"]), project.json(&["inbox", "--as", "bob"]));
    let counts = |project: &Project| {
        let agents = project.json(&["agents"])["agents"].as_array().unwrap().clone();
        agents.iter().map(|agent| agent["messageCount"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(counts(&other), counts(&project), "counters fit");
    assert_eq!(other.ok(&["import", &file]), "📥 0 new copies of messages from 5 documents\n");
}

#[test]
fn damaged_documents_are_told_by_line_and_the_rest_is_taken() {
    let project = Project::new();
    let lines = "{\"id\":\"m-1\",\"from\":\"zoe\",\"to\":\"bob\",\"content\":\"Hi\",\"createdAt\":{\"$date\":\"2025-11-29T12:00:00Z\"}}\n\
                 {\"id\":\"m-2\",\"from\":\"zoe\"\n\
                 {\"id\":\"m-3\",\"from\":\"zoe\",\"to\":\"bob\",\"content\":\"Ho\",\"createdAt\":{\"$date\":{\"$numberLong\":\"1764417600000\"}}}\n";
    let ran = project.run_with(&["import", "-"], lines);
    assert_eq!((ran.code, ran.out.as_str()), (0, "📥 2 new copies of messages from 2 documents\n   Registered: zoe\n"));
    assert!(ran.err.starts_with("warning[damaged-document]: ") && ran.err.contains(": -:2\n"), "{}", ran.err);
    assert_eq!(project.json(&["inbox", "--as", "bob"])["count"], 2);
}
