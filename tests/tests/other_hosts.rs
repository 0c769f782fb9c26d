//! The component, as it is shipped, under hosts that are not ours: Node by way of jco, and Python.

use std::process::Command;

use huddle_tests::{Project, artifact, hosts, tree};
use serde_json::Value;

/// Has a host tell the story of two agents, and checks that the bus is as the command would have left it.
fn check(script: impl FnOnce(&Project) -> Command) {
    let dir = tempfile::tempdir().unwrap();
    let project = Project::at(dir.path());
    let said: Value = serde_json::from_str(&hosts::finish(&mut script(&project)).unwrap()).unwrap();
    let (question, answer) = (said["question"].as_str().unwrap(), said["answer"].as_str().unwrap());

    let traced = project.json("", &["trace", question]).unwrap();
    assert_eq!(traced["deliveries"][0]["step"], "answered", "{traced}");
    let read = project.json("alice", &["read", answer, "--peek"]).unwrap();
    assert_eq!(read["content"], "Yes, it is.", "{read}");

    let other = tempfile::tempdir().unwrap();
    tell_by_command(&Project::at(other.path()));
    tree::ensure_same(&tree::read_plain(dir.path()).unwrap(), &tree::read_plain(other.path()).unwrap()).unwrap();
}

/// Tells the same story by the command.
fn tell_by_command(project: &Project) {
    project.json("", &["init"]).unwrap();
    for agent in ["alice", "bob"] {
        project.json(agent, &["register", agent, "--role", "builder"]).unwrap();
    }
    let question = ["send", "bob", "User service", "--body", "Is the user service yours?", "--type", "question"];
    let options = ["--priority", "high", "--needs-reply"];
    let sent = project.json("alice", &[&question[..], &options].concat()).unwrap();
    let id = sent["id"].as_str().unwrap();
    project.json("bob", &["inbox"]).unwrap();
    project.json("bob", &["read", id]).unwrap();
    project.json("bob", &["inbox"]).unwrap();
    project.json("bob", &["reply", id, "--body", "Yes, it is."]).unwrap();
    project.json("alice", &["inbox", "--type", "response"]).unwrap();
}

#[test]
#[ignore = "for `cargo xtask test --all`: Node"]
fn node_sends_reads_and_replies() {
    let made = tempfile::tempdir().unwrap();
    check(|project| {
        let mut node = hosts::node("story.mjs").unwrap();
        node.arg(artifact::path("huddle.wasm").unwrap()).arg(project.root()).arg(made.path());
        node
    });
}

#[test]
#[ignore = "for `cargo xtask test --all`: Python"]
fn python_sends_reads_and_replies() {
    check(|project| {
        let mut python = hosts::python("story.py").unwrap();
        python.arg(artifact::path("huddle.wasm").unwrap()).arg(project.root());
        python
    });
}
