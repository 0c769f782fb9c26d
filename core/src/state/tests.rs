//! The shared state on files: changed, contested, damaged, and killed at every step.

use serde_json::json;

use super::*;
use crate::bus::{ErrorKind, Result};
use crate::engine::LockOwner;
use crate::engine::fs::memory::MemoryFs;
use crate::host::FixedHost;
use crate::model::{AgentName, Json, Span};
use crate::wire::orchestrator::shared_context::SharedContext;

const FILE: &str = "state/shared-context.json";

type Files<'a> = State<&'a MemoryFs, &'a FixedHost>;

fn host() -> FixedHost {
    FixedHost::at("2025-11-29T14:30:52Z")
}

fn put(fs: &MemoryFs, path: &str, text: &str) {
    fs.create_dir(crate::engine::fs::parent(path)).unwrap();
    fs.remove(path).unwrap();
    fs.write_new(path, text.as_bytes()).unwrap();
    fs.sync_dir(crate::engine::fs::parent(path)).unwrap();
}

fn document(fs: &MemoryFs) -> Option<Json> {
    fs.read(FILE, u64::MAX).unwrap().map(|bytes| serde_json::from_slice(&bytes).expect("it is whole"))
}

fn change(state: &Files<'_>, edit: Edit<'_>) -> Result<SharedContext> {
    let ann: AgentName = "ann".parse().unwrap();
    state.change(Some(&ann), edit, None)
}

#[test]
fn a_state_is_started_and_changed() {
    let (fs, host) = (MemoryFs::new(), host());
    let state = Files::new(&fs, &host);
    assert_eq!(state.shared().unwrap(), None);
    change(&state, Edit::Objective { text: "Ship", task: Some("task_1") }).unwrap();
    change(&state, Edit::Phase("3")).unwrap();
    let blocked = change(&state, Edit::Block("no keys")).unwrap();
    assert_eq!(blocked.list("blockers")[0]["id"], "blocker-3");
    let unblocked = change(&state, Edit::Unblock("blocker-3")).unwrap();
    assert_eq!(change(&state, Edit::Unblock("blocker-3")).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(state.shared().unwrap(), Some(unblocked));
    let expected = json!({
        "taskId": "task_1",
        "currentPhase": 3,
        "sharedContext": {"objective": "Ship", "keyDecisions": [], "artifacts": [], "blockers": [], "notes": []},
        "agentStates": {},
        "version": 4,
    });
    assert_eq!(document(&fs), Some(expected));
}

#[test]
fn a_stale_change_is_refused() {
    let (fs, host) = (MemoryFs::new(), host());
    let state = Files::new(&fs, &host);
    assert_eq!(state.change(None, Edit::Phase("1"), Some(0)).unwrap().version(), 1);
    let stale = state.change(None, Edit::Phase("2"), Some(0)).unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::Conflict);
    assert_eq!(stale.to_string(), "the shared state changed meanwhile: expected version 0, found version 1");
    assert_eq!(document(&fs).unwrap()["currentPhase"], 1);
    assert_eq!(state.change(None, Edit::Phase("2"), Some(1)).unwrap().version(), 2);
}

#[test]
fn a_damaged_state_is_told_and_left_alone() {
    for text in ["", "{\"taskId\": ", "[1]", r#"{"sharedContext": {"notes": {}}}"#] {
        let (fs, host) = (MemoryFs::new(), host());
        put(&fs, FILE, text);
        let state = Files::new(&fs, &host);
        let error = change(&state, Edit::Note("hello")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().ends_with(": .claude/state/shared-context.json"), "{error}");
        assert_eq!(fs.read(FILE, u64::MAX).unwrap().as_deref(), Some(text.as_bytes()));
    }
}

#[test]
fn settings_may_forbid_sharing() {
    let (fs, host) = (MemoryFs::new(), host());
    put(&fs, "config/orchestrator-settings.json", r#"{"agentCommunication": {"sharedStateEnabled": false}}"#);
    let error = change(&Files::new(&fs, &host), Edit::Phase("1")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(document(&fs), None);
}

#[test]
fn a_line_that_was_cut_off_does_not_spoil_the_next() {
    let (fs, host) = (MemoryFs::new(), host());
    put(&fs, "state/decisions.jsonl", "{\"torn\"");
    let state = Files::new(&fs, &host);
    let record = CommunicationRecord {
        at: host.now(),
        protocol: Protocol::Handoff,
        from: "task-lister".parse().unwrap(),
        to: "task-decomposer".into(),
        tokens: 450,
        full_tokens: 3000,
        success: true,
        outcome: "created",
        message: None,
        always_logged: true,
    };
    use crate::bus::Orchestrator;
    state.log(&record).unwrap();
    state.log(&record).unwrap();
    let found = state.communications().unwrap();
    assert_eq!((found.value.len(), found.findings.len()), (2, 1));
    let expected = r#"{"timestamp":"2025-11-29T14:30:52Z","type":"agent_communication","protocol":"handoff","from":"task-lister","to":"task-decomposer","tokensTransferred":450,"compressionRatio":0.15,"success":true,"outcome":"created"}"#;
    assert_eq!(found.value[1].to_string(), expected);
}

/// Ends a process at every step of a change, in every way, and checks that the change is whole or absent.
#[test]
fn a_change_is_whole_or_absent() {
    type End = (fn(&MemoryFs, usize), fn(&MemoryFs));
    let ends: [End; 4] = [
        (MemoryFs::fail_after, |_| {}),
        (MemoryFs::fail_torn_after, |_| {}),
        (MemoryFs::fail_after, MemoryFs::power_cut),
        (MemoryFs::fail_after, MemoryFs::power_cut_keeping_names),
    ];
    let before = r#"{"taskId": "t", "x": [1], "sharedContext": {"notes": ["one"]}}"#;
    for (arm, strike) in ends {
        for steps in 0.. {
            let (fs, host) = (MemoryFs::new(), host());
            put(&fs, FILE, before);
            arm(&fs, steps);
            let confirmed = change(&Files::new(&fs, &host), Edit::Note("two")).is_ok();
            let cut_short = fs.is_killed();
            strike(&fs);
            fs.restart();
            // The next change must find what was committed, however short a while ago.
            let again = change(&Files::new(&fs, &host).with_lock_timeout(Span::from_seconds(9)), Edit::Note("three"));
            let again = again.unwrap().document();
            let notes: Vec<Json> = again["sharedContext"]["notes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|note| note.get("note").unwrap_or(note).clone())
                .collect();
            let with = json!(notes) == json!(["one", "two", "three"]);
            assert!(with || (!confirmed && json!(notes) == json!(["one", "three"])), "after {steps} steps: {notes:?}");
            assert_eq!((&again["x"], &again["taskId"]), (&json!([1]), &json!("t")));
            host.advance(Span::from_seconds(61));
            Files::new(&fs, &host).shared().unwrap();
            assert_eq!(document(&fs), Some(again));
            let left: Vec<String> = fs.files().into_iter().filter(|path| path.starts_with(".huddle/work")).collect();
            assert_eq!(left, [] as [&str; 0], "after {steps} steps");
            if !cut_short {
                break;
            }
            assert!(steps < 200);
        }
    }
}

#[test]
fn no_confirmed_decision_is_lost_while_a_process_is_suspended() {
    use crate::engine::fs::memory::stalling::{StallingFs, at_every_call};
    at_every_call(|call, pause| {
        let (fs, host) = (MemoryFs::new(), host());
        change(&Files::new(&fs, &host), Edit::Decide("first")).unwrap();
        let stalling = StallingFs::new(&fs, call, || {
            host.advance(pause);
            change(&Files::new(&fs, &host), Edit::Decide("quick")).unwrap();
        });
        let slow = State::new(&stalling, &host);
        let confirmed = slow.change(None, Edit::Decide("slow"), None).is_ok();
        if !stalling.has_stalled() {
            return false;
        }
        host.advance(Span::from_seconds(61));
        let shared = Files::new(&fs, &host).shared().unwrap().unwrap();
        let decisions = serde_json::to_string(&shared.list("keyDecisions")).unwrap();
        let count = |text: &str| decisions.matches(&format!("\"{text}\"")).count();
        assert_eq!((count("quick"), count("slow")), (1, usize::from(confirmed)), "call {call}: {decisions}");
        assert_eq!(shared.version(), 2 + u64::from(confirmed));
        true
    });
}
