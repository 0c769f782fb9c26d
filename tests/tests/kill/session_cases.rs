//! The commands of sessions and of the shared state that are stopped, and what each of them leaves when it is done.

use anyhow::Result;
use huddle_tests::Project;

use crate::kill::cases::{Again, Case, TEXT, bus, words};
use crate::kill::snapshot::Snapshot;

const COORDINATION: &str = "agents/context/s/coordination.json";
const LOG: &str = "agents/context/s/messages.jsonl";
const REPORT: &str = r#"{"status":"completed","summary":"stopped","findings":[]}"#;

/// Starts a session in which Ann is at work and Bob waits for her.
fn at_work(project: &Project) -> Result<()> {
    bus(project)?;
    project.json("cid", &["session", "start", "--id", "s", "--agent", "ann", "--agent", "bob:ann"])?;
    project.json("ann", &["session", "join", "ann", "--id", "s"])?;
    // What was there before must not suffer either.
    project.json("ann", &["session", "data", "put", "before", "[0]", "--id", "s"])?;
    Ok(())
}

/// A command that Ann gives in the session.
fn in_session(
    name: &'static str,
    prepare: fn(&Project) -> Result<Vec<String>>,
    parts: fn(&Snapshot) -> Vec<(&'static str, u64)>,
    again: Again,
) -> Case {
    Case { name, agent: "ann", prepare, parts, marks: None, beside: Some(&["session", "list"]), again }
}

/// Returns whether Ann's entry has this in this field.
fn entry_has(snapshot: &Snapshot, field: &str, value: &str) -> u64 {
    u64::from(snapshot.document(COORDINATION)["agents"]["ann"][field] == value)
}

fn has(snapshot: &Snapshot, path: &str) -> u64 {
    u64::from(snapshot.claude.contains_key(path))
}

pub(crate) fn start() -> Case {
    in_session(
        "session start",
        |project| {
            bus(project)?;
            Ok(words(&["session", "start", "--id", "s", "--type", "web_app", "--agent", "ann", "--agent", "bob:ann"]))
        },
        |snapshot| {
            vec![
                ("coordination", entry_has(snapshot, "status", "waiting")),
                ("record", snapshot.in_log(LOG, "message", "Session started")),
                ("place for reports", has(snapshot, "agents/context/s/reports/")),
                ("place for data", has(snapshot, "agents/context/s/data/")),
            ]
        },
        Again::Refused,
    )
}

pub(crate) fn complete() -> Case {
    in_session(
        "session complete",
        |project| {
            at_work(project)?;
            Ok(words(&["session", "complete", "ann", "--report", REPORT, "--message", TEXT, "--id", "s"]))
        },
        |snapshot| {
            vec![
                ("status", entry_has(snapshot, "status", "completed")),
                ("report's path", entry_has(snapshot, "report_path", "reports/ann.json")),
                ("report", u64::from(snapshot.document("agents/context/s/reports/ann.json")["summary"] == TEXT)),
                ("record", snapshot.in_log(LOG, "message", TEXT)),
            ]
        },
        Again::Refused,
    )
}

pub(crate) fn fail() -> Case {
    in_session(
        "session fail",
        |project| {
            at_work(project)?;
            Ok(words(&["session", "fail", "ann", "--error", TEXT, "--id", "s"]))
        },
        |snapshot| {
            vec![
                ("status", entry_has(snapshot, "status", "failed")),
                ("error", entry_has(snapshot, "error", TEXT)),
                ("record", snapshot.in_log(LOG, "type", "error")),
            ]
        },
        Again::Refused,
    )
}

pub(crate) fn report_put() -> Case {
    in_session(
        "session report put",
        |project| {
            at_work(project)?;
            Ok(words(&["session", "report", "put", "ann", REPORT, "--id", "s"]))
        },
        |snapshot| {
            // A second report takes the place of the first, and is a second record.
            let records = snapshot.in_log(LOG, "artifact", "reports/ann.json");
            let report = &snapshot.document("agents/context/s/reports/ann.json")["summary"];
            vec![
                ("records", records),
                ("records, if there is a report", records * u64::from(report == TEXT)),
                ("records, if the path is noted", records * entry_has(snapshot, "report_path", "reports/ann.json")),
            ]
        },
        Again::Adds,
    )
}

pub(crate) fn data_put() -> Case {
    in_session(
        "session data put",
        |project| {
            at_work(project)?;
            Ok(words(&["session", "data", "put", TEXT, "[1,2]", "--id", "s"]))
        },
        |snapshot| {
            vec![
                ("data", has(snapshot, "agents/context/s/data/stopped.json")),
                ("record", snapshot.in_log(LOG, "artifact", "data/stopped.json")),
            ]
        },
        Again::Refused,
    )
}

pub(crate) fn log() -> Case {
    in_session(
        "session log",
        |project| {
            at_work(project)?;
            Ok(words(&["session", "log", "ann", "finding", "--message", TEXT, "--id", "s"]))
        },
        |snapshot| vec![("record", snapshot.in_log(LOG, "message", TEXT))],
        Again::Adds,
    )
}

pub(crate) fn log_of_a_long_record() -> Case {
    in_session(
        "session log, 70 KB",
        |project| {
            at_work(project)?;
            let data = format!("[\"{}\"]", "x".repeat(70_000));
            Ok(words(&["session", "log", "ann", "finding", "--message", TEXT, "--data", &data, "--id", "s"]))
        },
        |snapshot| {
            let kept = snapshot.claude.iter().filter(|(path, _)| path.starts_with("agents/context/s/data/ann-"));
            let whole = kept.filter(|(_, bytes)| bytes.len() > 70_000);
            vec![("record", snapshot.in_log(LOG, "message", TEXT)), ("its data", whole.count() as u64)]
        },
        Again::Adds,
    )
}

pub(crate) fn state_decide() -> Case {
    let prepare = |project: &Project| {
        bus(project)?;
        project.json("ann", &["state", "objective", "before"])?;
        Ok(words(&["state", "decide", TEXT]))
    };
    let parts = |snapshot: &Snapshot| {
        let state = snapshot.document("state/shared-context.json");
        let decisions = state["sharedContext"]["keyDecisions"].as_array().map_or(0, Vec::len);
        vec![("decisions", decisions as u64), ("version", state["version"].as_u64().unwrap_or_default())]
    };
    Case { beside: Some(&["state", "show"]), ..in_session("state decide", prepare, parts, Again::Adds) }
}
