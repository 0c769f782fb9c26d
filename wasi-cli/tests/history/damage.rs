//! Damaged logs: every byte is accounted for, wherever the file ends.

use huddle_scan::{ByteAccounting, LogReader, Table};

use crate::history::support::{Scratch, json, made_log};

/// How much of the end of the log is cut off, byte by byte.
const TAIL: usize = 2000;

#[test]
fn the_account_adds_up_wherever_a_long_damaged_log_is_cut() {
    let log = made_log(&["100000", "--damage"]);
    let (head, tail) = log.split_at(log.len() - TAIL);
    let (mut before, mut table) = (LogReader::new(0), Table::default());
    before.feed(head, &mut table);
    for cut in 0..=TAIL {
        // All cuts have the beginning in common: it is read once.
        let (mut reader, mut table) = (before.clone(), Table::default());
        reader.feed(&tail[..cut], &mut table);
        let account = reader.end(&mut table);
        check(&account, head.len() + cut);
        let damaged: u64 = table.damages.iter().map(|damage| damage.length).sum();
        assert!(damaged <= account.quarantined, "cut at {cut}");
    }
}

/// Compares an account with the size of what was read.
fn check(account: &ByteAccounting, size: usize) {
    assert_eq!(account.total(), size as u64, "{account:?}");
    // Of 100,000 lines every thousandth is broken, and most of those can be read all the same.
    assert!(account.records > 99_900 && account.damages < 100, "{account:?}");
}

#[test]
fn the_command_accounts_for_the_whole_file() {
    let (scratch, log) = (Scratch::new(), made_log(&["100000", "--damage"]));
    let told = json(&["history", &scratch.write("messages.jsonl", &log)]);
    let bytes = &told["bytes"];
    assert_eq!(bytes["total"], log.len());
    let parts = ["parsed", "recovered", "quarantined", "between", "beingWritten"];
    let sum: u64 = parts.iter().map(|part| bytes[*part].as_u64().expect("a count")).sum();
    assert_eq!(sum, log.len() as u64, "{bytes}");
    assert_eq!(told["records"], told["entries"]);
}

#[test]
fn the_command_accounts_for_a_short_file_wherever_it_is_cut() {
    let scratch = Scratch::new();
    let log = std::fs::read(crate::history::support::fixtures().join("damaged-log/agents.jsonl"))
        .expect("the fixture is there");
    for cut in (0..=log.len()).step_by(7) {
        let told = json(&["history", &scratch.write("agents.jsonl", &log[..cut])]);
        assert_eq!(told["bytes"]["total"], cut, "{told}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_skipped_and_told() {
    let (scratch, outside) = (Scratch::new(), Scratch::new());
    let line = br#"{"timestamp":"2026-01-10T10:00:00Z","from":"ann","message":"secret"}"#;
    let secret = outside.write("secret.jsonl", line);
    scratch.write("own.jsonl", br#"{"timestamp":"2026-01-10T10:00:00Z","from":"ann","message":"plain"}"#);
    std::os::unix::fs::symlink(&secret, scratch.path("link.jsonl")).expect("a link can be made");
    std::os::unix::fs::symlink(outside.root(), scratch.path("directory")).expect("a link can be made");
    let found = crate::history::support::run(&["search", "message:*", scratch.root()]);
    assert!(!found.out.contains("secret"), "{}", found.out);
    assert!(found.err.contains("not-a-regular-file"), "{}", found.err);
    assert_eq!(json(&["history", scratch.root()])["records"], 1);
    assert_eq!(json(&["history", &scratch.path("link.jsonl")])["records"], 1, "named by the user, it is read");
}
