//! Hostile files of each kind, without a fuzzer: what fuzzing found once, in words.

use serde_json::{Value, json};

use super::{SEPARATOR, journal, lease, mailbox, registry};
use crate::engine::journal::{LEASES, WORK};
use crate::session::fuzzing::session;

const TX: &str = "019ad00d8ba070008000000000000001";

/// Writes an input that plants these files; a path's ending tells directories and FIFOs from files.
fn planted(files: &[(&str, &str)]) -> Vec<u8> {
    let sections: Vec<Vec<u8>> = files.iter().map(|(path, text)| format!("{path}\n{text}").into_bytes()).collect();
    sections.join(&SEPARATOR[..])
}

/// Writes an input that plants files in a bus (0) or in sessions (1).
fn planted_in(tree: u8, files: &[(&str, &str)]) -> Vec<u8> {
    [vec![tree], planted(files)].concat()
}

fn entry(steps: &Value, note: &Value) -> String {
    json!({"tx": TX, "contents": 1, "steps": steps, "key": null, "note": note}).to_string()
}

#[test]
fn a_forged_entry_counts_no_more_than_it_delivers() {
    let (own, path) = (format!("{WORK}/{TX}.0"), format!("{WORK}/{TX}.json"));
    let note = json!({"by": "ann", "at": "2025-11-29T14:39:00Z", "message": "m1", "messages": u64::MAX,
        "direct": {"bob": u64::MAX, "cyd": u64::MAX}});
    let steps = json!([["link", own, "inbox/bob/m1.json"]]);
    journal(&planted_in(0, &[(&own, "{}"), (&path, &entry(&steps, &note))]));
}

#[test]
fn an_entry_that_cannot_be_carried_out_stops_only_what_it_changes() {
    let (own, path) = (format!("{WORK}/{TX}.0"), format!("{WORK}/{TX}.json"));
    let steps = json!([["move", own, "handoffs/x/HANDOFF.md"], ["link", own, "handoffs/x/artifacts/y"]]);
    journal(&planted_in(0, &[(&own, "x"), ("handoffs/x", "a file"), (&path, &entry(&steps, &Value::Null))]));
    let steps = json!([["move", own, "shared-context/obstacle.md"]]);
    let files = [(own.as_str(), "x"), ("shared-context/obstacle.md/", ""), (&path, &entry(&steps, &Value::Null))];
    journal(&planted_in(0, &files));
    // The lease of one session, the files of another.
    let report = "agents/context/s/reports/x.json";
    let steps = json!([["move", own, report]]);
    for note in [json!({"lease": "session-t"}), Value::Null] {
        let files = [(own.as_str(), "x"), ("agents/context/s/reports/x.json/", ""), (&path, &entry(&steps, &note))];
        journal(&planted_in(1, &files));
    }
}

#[test]
fn a_lease_of_any_name_ends() {
    let released = r#"{"released":true}"#;
    for name in ["99999999999", "099999999998/", "000000000099/", "+99", "99", "000000000099|"] {
        for lease_name in ["registry", "context-own", "sweep"] {
            lease(&planted_in(0, &[(&format!("{LEASES}/{lease_name}/{name}"), released)]));
        }
        for lease_name in ["session-t", "state"] {
            lease(&planted_in(1, &[(&format!("{LEASES}/{lease_name}/{name}"), released)]));
        }
    }
    for obstacle in ["sweep", "sweep|"] {
        lease(&planted_in(0, &[(&format!("{LEASES}/{obstacle}"), "")]));
    }
    let part = format!("{WORK}/{TX}.{}-5.part/", crate::bus::ids::fingerprint(&["registry"]));
    let lapsed = r#"{"owner":"mallory","expires_at":"2025-01-01T00:00:00Z","released":false}"#;
    lease(&planted_in(0, &[(&format!("{LEASES}/registry/000000000099"), lapsed), (&part, "")]));
}

#[test]
fn counters_at_their_end_stay_there() {
    registry(
        br#"{"agents":{"ann":{},"cyd":{"message_count":18446744073709551615}},"message_count":18446744073709551615}"#,
    );
    let retries = r#"{"agents":{"ann":{"status":"failed","retries":18446744073709551615}}}"#;
    session(&planted(&[("agents/context/s/coordination.json", retries)]));
    session(&planted(&[("state/shared-context.json", r#"{"version":18446744073709551615,"sharedContext":{}}"#)]));
}

#[test]
fn a_send_key_that_somebody_recorded_for_no_message_keeps_nothing_from_being_read() {
    let key = format!(".huddle/keys/{}.json", crate::bus::ids::fingerprint(&["bob", "ack:m1"]));
    let forged = json!({"tx": TX, "contents": 0, "steps": [], "key": [key, "f"], "note": {"by": "bob"}}).to_string();
    mailbox(&planted(&[(&key, &forged), ("inbox/bob/m1.json", &message())]));
}

#[test]
fn what_stands_in_the_way_of_one_message_stops_no_sweep() {
    let old = ("inbox/bob/m1.json", message());
    for (path, text) in [
        ("archive/2025-11-29", "a file"),
        ("archive/2025-11-29/inbox/bob/m1.json/", ""),
        ("archive/2025-11-29/.huddle/offered/bob.log/", ""),
        ("inbox/bob/m1.json.read/", ""),
        ("inbox/bob/m1.json.redelivered/", ""),
        ("dead-letters/bob", "a file"),
        ("dead-letters/bob/m1.json/", ""),
    ] {
        for redelivered in ["{}", r#"{"count":9,"at":"2025-11-29T14:31:00Z"}"#] {
            let noted = ("inbox/bob/m1.json.redelivered", redelivered);
            mailbox(&planted(&[(old.0, &old.1), noted, (path, text)]));
        }
    }
}

fn message() -> String {
    json!({"message_id": "m1", "timestamp": "2025-11-29T14:31:00Z", "from_agent": "ann", "to_agent": "bob",
        "message_type": "question", "subject": "S", "payload": "x", "requires_response": true})
    .to_string()
}
