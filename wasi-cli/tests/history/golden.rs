//! What the command says of every fixture, beside the files of `golden/` that say what it should.
//!
//! After a change that is meant: run with `HUDDLE_BLESS=1`, and read the difference.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

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

/// Compares all that is said of a fixture with its golden files.
fn check(fixture: &str) {
    let told = told(fixture);
    let folder = folder().join(fixture);
    if env::var_os("HUDDLE_BLESS").is_some() {
        bless(&folder, &told);
    }
    let golden = files(&folder);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&golden), names(&told), "golden files of {fixture}; HUDDLE_BLESS=1 makes them anew");
    for (name, bytes) in &told {
        let [old, new] = [&golden[name], bytes].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let differs = old.lines().zip(new.lines()).enumerate().find(|(_, (old, new))| old != new);
        if let Some((line, (old, new))) = differs {
            panic!("{fixture}/{name}, line {}; HUDDLE_BLESS=1 if it is meant\n old: {old}\n new: {new}", line + 1);
        }
        assert_eq!(old, new, "{fixture}/{name} goes on where the other ends");
    }
}

/// Writes golden files anew, and removes those that are none any more.
fn bless(folder: &Path, told: &BTreeMap<String, Vec<u8>>) {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).expect("the directory can be made");
    for (name, bytes) in told {
        fs::write(folder.join(name), bytes).expect("the file can be written");
    }
}

/// Runs every command on a fixture.
fn told(fixture: &str) -> BTreeMap<String, Vec<u8>> {
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
fn shown(args: &[&str]) -> Vec<u8> {
    let Ran { code, out, err } = run(args);
    let code = if code == 0 { String::new() } else { format!("exit code {code}\n") };
    let err: String = err.lines().map(|line| format!("! {line}\n")).collect();
    format!("$ huddle {}\n{out}{err}{code}", args.join(" ")).into_bytes()
}

/// Writes a document with its lists on lines of their own, so that differences can be read.
fn document(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/history/golden")
}
