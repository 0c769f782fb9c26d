//! Kills at every step: each command is stopped after each host call that changes something, on the real file system.
//!
//! Files change only in host calls, so this visits every state that a kill can leave; with `cargo xtask test --all` it is
//! stopped after each call of all, which must leave no other state. What a command confirmed must be
//! there exactly once afterwards, what it did not confirm must be absent or whole, and the next command must work,
//! whether it comes at once, after a while, or after the leases of the dead have run out.

mod aftermath;
mod cases;
mod session_cases;
mod snapshot;
mod stops;

use cases::Case;

/// Stops a command everywhere, and prints what was found as a line of a table.
#[track_caller]
fn check(case: Case) {
    let name = case.name;
    match stops::everywhere(case) {
        Ok(tally) => println!("{tally}"),
        Err(error) => panic!("{name}: {error:#}"),
    }
}

#[test]
fn send() {
    check(cases::send());
}

#[test]
fn send_with_a_key() {
    check(cases::send_with_a_key());
}

#[test]
fn broadcast() {
    check(cases::broadcast());
}

#[test]
fn read() {
    check(cases::read());
}

#[test]
fn reply() {
    check(cases::reply());
}

#[test]
fn context_update() {
    check(cases::context_update());
}

#[test]
fn handoff_create() {
    check(cases::handoff_create());
}

#[test]
fn handoff_accept() {
    check(cases::handoff_accept());
}

#[test]
fn session_start() {
    check(session_cases::start());
}

#[test]
fn session_complete() {
    check(session_cases::complete());
}

#[test]
fn session_fail() {
    check(session_cases::fail());
}

#[test]
fn session_report_put() {
    check(session_cases::report_put());
}

#[test]
fn session_data_put() {
    check(session_cases::data_put());
}

#[test]
fn session_log() {
    check(session_cases::log());
}

#[test]
fn session_log_of_a_long_record() {
    check(session_cases::log_of_a_long_record());
}

#[test]
fn state_decide() {
    check(session_cases::state_decide());
}
