//! Reading back under wasmtime: the same as natively, to the byte, and in little memory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use huddle_tests::{Guest, Outcome, Run, artifact};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn run(guest: &Guest, args: &[&str]) -> Outcome {
    Run::new(guest).args(args.iter().copied()).dir(fixtures(), ".").start().unwrap()
}

/// Compares what a command says under wasmtime with what it says natively: words and exit code.
fn check(args: &[&str]) {
    let mut native = Command::new(artifact::native().unwrap());
    let native = native.args(args).current_dir(fixtures()).output().unwrap();
    let ran = run(artifact::component().unwrap(), args);
    assert_eq!(ran.stdout, String::from_utf8_lossy(&native.stdout), "{args:?}");
    assert_eq!(ran.stderr, String::from_utf8_lossy(&native.stderr), "{args:?}");
    // A component ends with 0 or 1.
    assert_eq!(Some(ran.code), native.status.code().map(|code| code.min(1)), "{args:?}");
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
#[ignore = "for `cargo xtask test --all`: the module"]
fn the_module_says_what_the_component_says_and_has_exit_codes() {
    for args in [
        &["search", "from:builder-1", "mailbox-by-spec-scripts", "--json"][..],
        &["check", "mailbox-by-spec-scripts", "--json"],
        &["search", "from:", "mailbox-by-spec-scripts"],
    ] {
        let [component, module] = [artifact::component(), artifact::module()].map(|guest| run(guest.unwrap(), args));
        assert_eq!((&component.stdout, &component.stderr), (&module.stdout, &module.stderr), "{args:?}");
        assert_eq!(component.code, module.code.min(1), "{args:?}");
    }
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
