//! What the command says of every fixture, beside the snapshots of `golden/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::history::support::{Ran, directories, files, fixture_names, json, list, run, text};

#[test]
fn every_fixture_is_told_as_its_golden_files_say() {
    for fixture in fixture_names() {
        check(&fixture);
    }
}

#[test]
fn every_fixture_has_golden_files_and_every_golden_file_a_fixture() {
    let mut golden = directories(&folder());
    golden.sort();
    assert_eq!(golden, fixture_names());
}

/// Compares all that is said of a fixture with its snapshots.
fn check(fixture: &str) {
    let told = told(fixture);
    let folder = folder().join(fixture);
    insta::with_settings!({
        snapshot_path => &folder, prepend_module_to_snapshot => false, omit_expression => true
    }, {
        for (name, text) in &told {
            assert_eq!(*text, format!("{}\n", text.trim_end()), "{fixture}/{name}: insta does not compare how a text ends");
            insta::assert_snapshot!(name.as_str(), text);
        }
    });
    let snapshots: Vec<String> = files(&folder).into_keys().collect();
    let wanted: Vec<String> = told.keys().map(|name| format!("{name}.snap")).collect();
    assert_eq!(snapshots, wanted, "snapshots of {fixture}: remove what no command says any more");
}

/// Runs every command on a fixture.
fn told(fixture: &str) -> BTreeMap<String, String> {
    let mut told = BTreeMap::new();
    for command in ["history", "threads", "check", "timeline"] {
        told.insert(format!("{command}.txt"), shown(&[command, fixture]));
    }
    for command in ["history", "threads", "check"] {
        told.insert(format!("{command}.json"), document(&json(&[command, fixture])));
    }
    for thread in list(&json(&["threads", fixture])["threads"]) {
        let id = text(&thread["threadId"]);
        let name = id.replace(|letter: char| !letter.is_alphanumeric() && letter != '-', "_");
        told.insert(format!("thread-{name}.txt"), shown(&["thread", id, fixture]));
        told.insert(format!("thread-{name}.json"), document(&json(&["thread", id, fixture])));
    }
    told
}

/// Shows a command and all that came of it.
fn shown(args: &[&str]) -> String {
    let Ran { code, out, err } = run(args);
    let code = if code == 0 { String::new() } else { format!("exit code {code}\n") };
    let err: String = err.lines().map(|line| format!("! {line}\n")).collect();
    format!("$ huddle {}\n{out}{err}{code}", args.join(" "))
}

/// Writes a document with its lists on lines of their own, so that differences can be read.
fn document(value: &Value) -> String {
    format!("{value:#}\n")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/history/golden")
}
