//! Tools keep to the project even where the host has opened more to the guest.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::{Value, json};

use super::fixture::Bus;

/// Serves the project `sub` of a directory that is open as a whole, and gives the answer to each call.
fn serve(bus: &Bus, options: &[&str], calls: &[Value]) -> Vec<Value> {
    let mut server = bus.server();
    server.args(["--root", "sub"]).args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().unwrap();
    let mut lines = String::new();
    for call in calls {
        lines += &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).to_string();
        lines.push('\n');
    }
    server.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let said = server.wait_with_output().unwrap();
    assert!(said.status.success(), "{said:?}");
    String::from_utf8(said.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asks the tools that take paths for each of some paths.
fn ask_for(bus: &Bus, options: &[&str], paths: &[&str]) -> Vec<Value> {
    let mut calls = vec![json!({"name": "register", "arguments": {"name": "alice", "role": "builder"}})];
    for path in paths {
        let handoff = json!({"action": "create", "to": "alice", "task": "x", "artifacts": [path]});
        calls.push(json!({"name": "handoff", "arguments": handoff}));
        calls.push(json!({"name": "search_history", "arguments": {"query": "hidden", "paths": [path]}}));
    }
    serve(bus, options, &calls).split_off(1)
}

#[test]
fn tools_read_the_project_and_what_is_allowed_and_nothing_else() {
    let bus = Bus::new();
    let at = |path: &str| bus.project.root().join(path);
    fs::create_dir(at("sub")).unwrap();
    fs::create_dir(at("logs")).unwrap();
    fs::write(at("logs/secret.jsonl"), r#"{"from":"eve","message":"hidden"}"#).unwrap();
    fs::copy(at("logs/secret.jsonl"), at("sub/own.jsonl")).unwrap();
    symlink("../logs/secret.jsonl", at("sub/link.jsonl")).unwrap();
    symlink("../logs", at("sub/dir")).unwrap();
    symlink("own.jsonl", at("sub/alias.jsonl")).unwrap();
    let outside = ["../logs/secret.jsonl", "link.jsonl", "dir/secret.jsonl", "dir", "/etc/passwd", "x/../../logs"];
    for answer in ask_for(&bus, &[], &outside) {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(answer["result"]["isError"], true, "{text}");
        assert!(text.contains("is outside of the project") || text.contains("leads out of"), "{text}");
    }
    for answer in ask_for(&bus, &[], &["own.jsonl", "alias.jsonl"]) {
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    for answer in ask_for(&bus, &["--allow", "logs"], &["../logs/secret.jsonl"]) {
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
}
