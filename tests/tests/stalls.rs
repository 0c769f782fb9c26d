//! Processes that are suspended: each durable command sleeps at its host calls for longer than its leases, while others
//! commit, and then goes on.
//!
//! What anybody was told is done must be there exactly once afterwards, the counters exact and the check clean. By default
//! a command is suspended before and after each host call that changes files, and at a sample of the others; with
//! `HUDDLE_ALL=1` at every host call, for six seconds, a minute and a day each.

mod bus_cases;
mod cases;
mod session_cases;
mod suspend;
mod view;

use cases::Case;

/// Suspends a command everywhere, and prints what was found as a line of a table.
#[track_caller]
fn check(case: &'static Case) {
    match suspend::everywhere(case) {
        Ok(tally) => println!("{tally}"),
        Err(error) => panic!("{}: {error:#}", case.name),
    }
}

macro_rules! cases {
    ($($test:ident => $case:expr;)*) => {
        $(
            #[test]
            fn $test() {
                check(&$case);
            }
        )*
    };
}

cases! {
    init => bus_cases::INIT;
    register => bus_cases::REGISTER;
    send => bus_cases::SEND;
    send_with_a_key => bus_cases::SEND_WITH_A_KEY;
    broadcast => bus_cases::BROADCAST;
    publish => bus_cases::PUBLISH;
    read => bus_cases::READ;
    read_of_a_message_that_needs_no_reply => bus_cases::READ_PLAIN;
    reply => bus_cases::REPLY;
    ack => bus_cases::ACK;
    context_create => bus_cases::CONTEXT_CREATE;
    context_update => bus_cases::CONTEXT_UPDATE;
    handoff_create => bus_cases::HANDOFF_CREATE;
    handoff_accept => bus_cases::HANDOFF_ACCEPT;
    handoff_decline => bus_cases::HANDOFF_DECLINE;
    archive => bus_cases::ARCHIVE;
    sweep => bus_cases::SWEEP;
    session_start => session_cases::START;
    session_join => session_cases::JOIN;
    session_progress => session_cases::PROGRESS;
    session_complete => session_cases::COMPLETE;
    session_fail => session_cases::FAIL;
    session_report_put => session_cases::REPORT_PUT;
    session_data_put => session_cases::DATA_PUT;
    session_log => session_cases::LOG;
    session_log_of_a_long_record => session_cases::LONG_LOG;
    state_decide => session_cases::DECIDE;
    state_note => session_cases::NOTE;
    state_block => session_cases::BLOCK;
    state_artifact => session_cases::ARTIFACT;
}
