//! Every input that fuzzing kept, once more: what it found once does not come back.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use huddle_core::{engine, history, session};

fn replay(target: &str, run: fn(&[u8])) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/fuzz/corpus").join(target);
    let mut inputs: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "there is nothing to replay in {}", dir.display());
    let failed = inputs.iter().filter(|input| {
        let data = fs::read(input).unwrap();
        catch_unwind(|| run(&data)).is_err()
    });
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "{} of {} inputs fail: {failed:?}", failed.len(), inputs.len());
}

#[test]
fn loaded_history_can_be_reloaded() {
    replay("loader", history::fuzzing::loader);
}

#[test]
fn question_is_asked_again() {
    replay("query", history::fuzzing::query);
}

#[test]
fn every_planted_journal_entry_is_met_again() {
    replay("journal", engine::fuzzing::journal);
}

#[test]
fn every_planted_lease_is_met_again() {
    replay("lease", engine::fuzzing::lease);
}

#[test]
fn every_planted_registry_is_met_again() {
    replay("registry", engine::fuzzing::registry);
}

#[test]
fn every_planted_session_file_is_met_again() {
    replay("session", session::fuzzing::session);
}

#[test]
fn every_planted_mailbox_file_is_met_again() {
    replay("mailbox", engine::fuzzing::mailbox);
}
