//! How commands on history end.

use crate::history::support::{Scratch, fixture_names, json, run};

/// Runs a command and compares its exit code and a part of what it says, to whomever.
fn check(args: &[&str], code: u8, part: &str) {
    let ran = run(args);
    assert_eq!(ran.code, code, "{args:?}: {ran:?}");
    assert!(ran.out.contains(part) || ran.err.contains(part), "{args:?}: {ran:?}");
}

#[test]
fn a_check_ends_in_failure_when_there_are_errors_and_only_then() {
    for fixture in fixture_names() {
        let told = json(&["check", &fixture]);
        let errors = told["findings"].as_array().expect("a list").iter().any(|found| found["severity"] == "error");
        assert_eq!(told["ok"], !errors, "{fixture}");
        check(&["check", &fixture], if errors { 6 } else { 0 }, "Checked");
    }
    for troubled in ["damaged-log", "troubled-mailbox", "troubled-session"] {
        check(&["check", troubled], 6, "error[");
    }
}

#[test]
fn a_path_that_is_not_there_is_not_found() {
    for command in ["history", "threads", "check", "timeline"] {
        check(&[command, "no/such/place"], 3, "no/such/place");
    }
    check(&["search", "word", "no/such/place"], 3, "no/such/place");
    check(&["thread", "t", "no/such/place"], 3, "no/such/place");
    check(&["export", "no/such/place", "--to", "jsonl"], 3, "no/such/place");
    check(&["thread", "nobody-s", "documents"], 3, "nobody-s");
}

#[test]
fn an_empty_directory_is_a_short_history() {
    let empty = Scratch::new();
    check(&["history", empty.root()], 0, "0 entries in 0 files");
    check(&["threads", empty.root()], 0, "No conversations.");
    check(&["check", empty.root()], 0, "Checked 0 files, 0 entries: 0 findings");
    check(&["timeline", empty.root()], 0, "there is no timeline");
    check(&["search", "word", empty.root()], 0, "0 matches");
    check(&["export", empty.root(), "--to", "markdown"], 0, "0 messages in 0 conversations");
    assert_eq!(json(&["history", empty.root()])["entries"], 0);
}

#[test]
fn impossible_requests_are_usage_errors() {
    check(&["export", "documents", "--to", "mailbox"], 2, "--out");
    check(&["export", "documents", "--to", "papyrus"], 2, "papyrus");
    check(&["timeline", "documents", "--after", "soon"], 2, "soon");
    check(&["search", "is:red", "documents"], 2, "is:red\n   ^");
}
