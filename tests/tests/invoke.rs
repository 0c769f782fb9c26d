//! `wasmtime run --invoke` on the component as it is shipped, by wasmtime's own command.

use std::path::Path;
use std::process::Command;

use huddle_tests::{Project, artifact, hosts, tree};

/// Calls a function as somebody would type it, and gives what wasmtime prints.
fn invoke(dir: &Path, call: &str) -> String {
    let mut wasmtime = Command::new(hosts::wasmtime().unwrap());
    wasmtime.args(["run", "--dir", ".", "--invoke", call]).arg(artifact::path("huddle.wasm").unwrap());
    hosts::finish(wasmtime.current_dir(dir)).unwrap()
}

#[test]
fn check_inbox_is_called_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let project = Project::with_agents(dir.path(), &["alice", "bob"]).unwrap();
    assert_eq!(invoke(dir.path(), r#"check-inbox("bob")"#), "ok({count: 0, notifications: []})\n");
    let sent = project.json("alice", &["send", "bob", "Hello", "--priority", "high"]).unwrap();
    let said = invoke(dir.path(), r#"check-inbox("bob", {limit: 5})"#);
    let begins = format!("ok({{count: 1, notifications: [{{id: {}, from: \"alice\", ", sent["id"]);
    assert!(said.starts_with(&begins), "{said}");
    assert!(said.contains("subject: \"Hello\", priority: high"), "{said}");
    let said = invoke(dir.path(), r#"check-inbox("nobody")"#);
    assert!(said.starts_with("err(not-found({message: \"no agent"), "{said}");
}

#[test]
fn a_message_leaves_the_same_bytes_as_the_command() {
    let (called, commanded) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for dir in [&called, &commanded] {
        Project::with_agents(dir.path(), &["alice", "bob"]).unwrap();
    }
    let said = invoke(called.path(), r#"send-message("alice", "bob", "All is well", some("status"), some(high))"#);
    assert!(said.starts_with("ok({id: \"msg_"), "{said}");
    invoke(called.path(), r#"check-inbox("bob")"#);
    let project = Project::at(commanded.path());
    let message = ["send", "bob", "--body", "All is well", "--type", "status", "--priority", "high"];
    project.json("alice", &message).unwrap();
    project.json("bob", &["inbox"]).unwrap();
    let [called, commanded] = [&called, &commanded].map(|dir| tree::read_plain(dir.path()).unwrap());
    tree::ensure_same(&called, &commanded).unwrap();
}
