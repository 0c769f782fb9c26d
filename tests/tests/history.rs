//! Reading back under wasmtime: the same as natively, to the byte, and in little memory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use huddle_tests::{Outcome, Run, artifact};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn guest(dir: &Path, args: &[&str]) -> Outcome {
    let module = artifact::module().expect("the module was built");
    Run::new(module).args(args.iter().copied()).dir(dir, ".").start().expect("the module starts")
}

/// Compares what a command says under wasmtime with what it says natively: words and exit code.
fn check(args: &[&str]) {
    let mut native = Command::new(artifact::native().expect("the native command was built"));
    let native = native.args(args).current_dir(fixtures()).output().expect("the native command starts");
    let ran = guest(&fixtures(), args);
    assert_eq!(ran.stdout, String::from_utf8_lossy(&native.stdout), "{args:?}");
    assert_eq!(ran.stderr, String::from_utf8_lossy(&native.stderr), "{args:?}");
    assert_eq!(Some(ran.code), native.status.code(), "{args:?}");
}

#[test]
fn every_fixture_reads_the_same_natively_and_under_wasmtime() {
    let mut seen = 0;
    for entry in fs::read_dir(fixtures()).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        for command in ["history", "threads", "check", "timeline"] {
            check(&[command, &name]);
            check(&[command, &name, "--json"]);
        }
        check(&["search", "is:unread OR is:damaged OR type:finding", &name, "--json"]);
        check(&["export", &name, "--to", "documents"]);
        check(&["export", &name, "--to", "jsonl"]);
        check(&["export", &name, "--to", "markdown"]);
        seen += 1;
    }
    assert!(seen >= 10, "{seen} fixtures");
}

#[test]
fn the_component_finds_what_the_module_finds() {
    let args = ["search", "from:builder-1", "mailbox-by-spec-scripts", "--json"];
    let run = Run::new(artifact::component().unwrap()).args(args).dir(fixtures(), ".");
    assert_eq!(run.start().unwrap().stdout, guest(&fixtures(), &args).stdout);
}

#[test]
fn a_log_larger_than_the_memory_is_searched() {
    const MEMORY: usize = 16 << 20;
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("messages.jsonl");
    let generator = fixtures().join("make_log.py");
    let made = Command::new("python3").arg(generator).arg("150000").stdout(File::create(&log).unwrap()).status();
    assert!(made.expect("tests/fixtures/make_log.py writes the log: install python3").success());
    assert!(fs::metadata(&log).unwrap().len() > 2 * MEMORY as u64);
    let run = Run::new(artifact::component().unwrap()).dir(dir.path(), ".").memory_limit(MEMORY);
    let ran = run.args(["search", "type:finding severity:high", "messages.jsonl", "--limit", "2", "--json"]);
    let ran = ran.start().unwrap();
    assert_eq!((ran.code, ran.trap), (0, None), "{}", ran.stderr);
    let jq = "select(.type==\"finding\" and .severity==\"high\")";
    huddle_tests::tools::require_jq().unwrap();
    let wanted = Command::new("jq").args(["-c", jq]).arg(&log).output().unwrap().stdout;
    let wanted = wanted.iter().filter(|byte| **byte == b'\n').count();
    assert!(ran.stdout.starts_with(&format!("{{\"count\":{wanted},\"listed\":2,")), "{:.100} {wanted}", ran.stdout);
}
