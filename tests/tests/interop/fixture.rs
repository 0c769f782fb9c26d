//! A bus that the protocol's snippets wrote is read whole, and only read.

use std::path::PathBuf;

use huddle_tests::Clock;
use huddle_tests::test_project::{TestProject, at, files};
use serde_json::{Value, json};

use super::{each, findings};

/// What running the snippets left behind.
fn fixture() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox-by-spec-scripts")
}

fn project() -> TestProject {
    TestProject::copy_of(&fixture()).unwrap()
}

/// An hour after the snippets were run.
fn later() -> Clock {
    at("2026-11-16T03:57:26Z")
}

fn ask(project: &TestProject, agent: &str, args: &[&str]) -> Value {
    let answer = project.json(agent, later(), args).unwrap();
    assert_eq!(findings(&answer), [""; 0], "{args:?}");
    answer
}

const AGENTS: [&str; 5] = ["architect-1", "builder-1", "builder-2", "orchestrator", "validator-1"];

#[test]
fn every_agent_is_there() {
    let answer = ask(&project(), "", &["agents"]);
    assert_eq!(answer["count"], 5);
    assert_eq!(each(&answer["agents"], "name"), AGENTS);
    assert_eq!(each(&answer["agents"], "role"), ["architect", "builder", "builder", "orchestrator", "validator"]);
    assert_eq!(each(&answer["agents"], "status"), ["active"; 5]);
    assert_eq!(each(&answer["agents"], "lastSeen"), ["2026-11-16T02:57:18Z"; 5]);
    let oldest = each(&answer["agents"], "oldestUnread").into_iter().map(|at| &at[17..19]).collect::<Vec<_>>();
    assert_eq!(oldest, ["23", "20", "21", "22", "22"]);
    let numbers = |field: &str| -> Vec<u64> {
        answer["agents"].as_array().unwrap().iter().map(|agent| agent[field].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers("unread"), [2, 2, 2, 3, 2]);
    assert_eq!(numbers("messageCount"), [2, 1, 2, 0, 0]);
    assert_eq!(answer["agents"][1]["capabilities"], json!(["jwt-implementation", "api-development", "typescript"]));
    assert_eq!(answer["agents"][1]["worktree"], "worktrees/builder-1");
    assert_eq!(ask(&project(), "", &["agents", "--capability", "sql"])["agents"][0]["name"], "builder-2");
}

/// Checks an inbox, read messages and all, as `id from type priority read`.
fn check_inbox(agent: &str, expected: &[&str]) {
    let project = project();
    let answer = ask(&project, agent, &["inbox", "--all"]);
    let shown = answer["notifications"].as_array().unwrap().iter().map(|one| {
        let word = |field: &str| one[field].as_str().unwrap();
        let read = if one["read"] == true { "read" } else { "unread" };
        format!("{} {} {} {} {read}", word("id"), word("from"), word("type"), word("priority"))
    });
    assert_eq!(shown.collect::<Vec<String>>(), expected, "{agent}");
    assert_eq!(answer["count"], expected.len());
    let unread = expected.iter().filter(|line| line.ends_with(" unread")).count();
    assert_eq!(ask(&project, agent, &["inbox"])["count"], unread, "{agent}");
}

#[test]
fn every_message_is_there_with_its_read_state() {
    check_inbox(
        "architect-1",
        &[
            "msg_20261116_025723_n1fkby builder-1 acknowledgment normal unread",
            "msg_20261116_025724_7lyg3p builder-2 acknowledgment normal unread",
        ],
    );
    check_inbox(
        "builder-1",
        &[
            "msg_20261116_025726_a2ftbx architect-1 handoff_request high unread",
            "resp_20261116_025720_9zzmua builder-2 response normal unread",
            "bcast_20261116_025722_v7nkow architect-1 decision_announcement normal read",
        ],
    );
    check_inbox(
        "builder-2",
        &[
            "msg_20261116_025725_w9obfy orchestrator priority_request critical unread",
            "msg_20261116_025718_jksk3l builder-1 interface_contract high read",
            "resp_20261116_025721_kah8qg builder-1 response normal unread",
            "bcast_20261116_025722_v7nkow architect-1 decision_announcement normal read",
        ],
    );
    check_inbox(
        "orchestrator",
        &[
            "bcast_20261116_025722_v7nkow architect-1 decision_announcement normal unread",
            "evt_20261116_025724_qp9p4n builder-1 BlockerEncountered normal unread",
            "evt_20261116_025726_mmsqc8 builder-1 TaskCompleted normal unread",
        ],
    );
    check_inbox(
        "validator-1",
        &[
            "bcast_20261116_025722_v7nkow architect-1 decision_announcement normal unread",
            "evt_20261116_025726_mmsqc8 builder-1 TaskCompleted normal unread",
        ],
    );
}

#[test]
fn a_message_and_an_event_have_all_their_fields() {
    let project = project();
    let read = ask(&project, "builder-2", &["read", "--peek", "resp_20261116_025721_kah8qg"]);
    let fields = ["from", "to", "type", "threadId", "inReplyTo", "createdAt", "subject"];
    let expected = [
        "builder-1",
        "builder-2",
        "response",
        "conv_20261116_025720",
        "resp_20261116_025720_9zzmua",
        "2026-11-16T02:57:21Z",
        "Re: Re: Proposed IUserService interface",
    ];
    assert_eq!(fields.map(|field| read[field].as_str().unwrap()), expected);
    assert_eq!(read["requiresResponse"], false);
    let content = |answer: &Value| -> Value { serde_json::from_str(answer["content"].as_str().unwrap()).unwrap() };
    assert_eq!(content(&read), json!({"status": "accepted"}));

    let event = ask(&project, "orchestrator", &["read", "--peek", "evt_20261116_025726_mmsqc8"]);
    assert_eq!((&event["event"], &event["from"]), (&json!("TaskCompleted"), &json!("builder-1")));
    assert_eq!(content(&event), json!({"task_id": "pg2-task-1", "task_name": "Implement JWT service"}));
}

#[test]
fn threads_are_joined_by_what_answers_what() {
    let project = project();
    let ids = ["msg_20261116_025718_jksk3l", "resp_20261116_025720_9zzmua", "resp_20261116_025721_kah8qg"];
    for wanted in ["conv_20261116_025720", ids[0], ids[2]] {
        let thread = ask(&project, "", &["thread", wanted]);
        assert_eq!(each(&thread["messages"], "id"), ids, "{wanted}");
        assert_eq!(thread["participants"], json!(["builder-1", "builder-2"]));
        assert_eq!(thread["threadId"], "conv_20261116_025720");
    }
    let threads = ask(&project, "", &["threads"]);
    let counts: Vec<u64> =
        threads["threads"].as_array().unwrap().iter().map(|one| one["messageCount"].as_u64().unwrap()).collect();
    assert_eq!(counts.iter().filter(|count| **count == 3).count(), 1, "{threads}");
    let summary = ask(&project, "", &["summary", "conv_20261116_025720"]);
    assert_eq!((&summary["messageCount"], &summary["status"]), (&json!(3), &json!("resolved")));
}

#[test]
fn messages_and_events_are_traced() {
    let project = project();
    let trace = ask(&project, "", &["trace", "msg_20261116_025718_jksk3l"]);
    let copy = &trace["deliveries"][0];
    assert_eq!((&copy["recipient"], &copy["step"]), (&json!("builder-2"), &json!("answered")));
    assert_eq!((&copy["seenAt"], &copy["offeredAt"]), (&json!("2026-11-16T02:57:20Z"), &Value::Null));
    assert_eq!(copy["answeredAt"], "2026-11-16T02:57:20Z");

    let trace = ask(&project, "", &["trace", "bcast_20261116_025722_v7nkow"]);
    assert_eq!(each(&trace["deliveries"], "recipient"), AGENTS[1..]);
    assert_eq!(each(&trace["deliveries"], "step"), ["acked", "acked", "stored", "stored"]);

    let trace = ask(&project, "", &["trace", "evt_20261116_025724_qp9p4n"]);
    assert_eq!(each(&trace["deliveries"], "recipient"), ["orchestrator"]);
    let trace = ask(&project, "", &["trace", "evt_20261116_025726_amy7oi"]);
    assert_eq!((&trace["type"], &trace["deliveries"]), (&json!("BlockerResolved"), &json!([])));
    let report = ask(&project, "", &["report", "blocker", "pg2-task-1"]);
    assert_eq!((&report["status"], &report["blockedSeconds"]), (&json!("resolved"), &json!(2)));
    let report = ask(&project, "", &["report", "broadcast", "bcast_20261116_025722_v7nkow"]);
    assert_eq!((&report["decision"], &report["acknowledged"]), (&json!("DEC-001"), &json!(2)));
}

#[test]
fn the_handoff_is_there() {
    let project = project();
    let id = "handoff_20261116_025726";
    let list = ask(&project, "", &["handoff", "list"]);
    assert_eq!((each(&list["handoffs"], "id"), &list["count"]), (vec![id], &json!(1)));
    let shown = ask(&project, "", &["handoff", "show", id]);
    let fields = ["from", "to", "status", "createdAt", "task"].map(|field| shown[field].as_str().unwrap());
    let expected = [
        "architect-1",
        "builder-1",
        "pending_acceptance",
        "2026-11-16T02:57:26Z",
        "Implement JWT service based on design",
    ];
    assert_eq!(fields, expected);
    assert_eq!(shown["artifacts"][0]["source"], "jwt-design.md");
    assert_eq!(shown["files"], json!(["jwt-design.md"]));
    assert!(shown["document"].as_str().unwrap().contains("\n## Context and Background\nDesign is complete.\n"));
}

#[test]
fn the_shared_context_is_there_to_the_byte() {
    let project = project();
    let list = ask(&project, "", &["context", "list"]);
    assert_eq!((each(&list["contexts"], "name"), &list["contexts"][0]["version"]), (vec!["api-contracts"], &json!(1)));
    let shown = ask(&project, "", &["context", "show", "api-contracts"]);
    let document = std::fs::read_to_string(project.bus("shared-context/api-contracts.md")).unwrap();
    assert_eq!(shown["content"], document);
    assert_eq!(shown["updatedAt"], "2026-11-16T02:57:26Z");
}

#[test]
fn fixture_has_no_diagnostics() {
    let answer = ask(&project(), "", &["check"]);
    // Five direct messages, two responses, a broadcast, three events.
    assert_eq!(answer, json!({"ok": true, "agents": 5, "messages": 11, "findings": []}));
}

#[test]
fn reading_changes_nothing_but_notes_of_our_own() {
    let project = project();
    for args in [
        &["agents"][..],
        &["threads"],
        &["thread", "conv_20261116_025720"],
        &["summary", "conv_20261116_025720"],
        &["trace", "msg_20261116_025725_w9obfy"],
        &["report", "broadcast", "bcast_20261116_025722_v7nkow"],
        &["report", "blocker", "pg2-task-1"],
        &["handoff", "list"],
        &["handoff", "show", "handoff_20261116_025726"],
        &["context", "list"],
        &["context", "show", "api-contracts"],
        &["dead-letters"],
        &["check"],
    ] {
        ask(&project, "", args);
    }
    for agent in AGENTS {
        ask(&project, agent, &["inbox"]);
        let all = ask(&project, agent, &["inbox", "--all"]);
        for id in each(&all["notifications"], "id") {
            ask(&project, agent, &["read", "--peek", id]);
        }
    }
    assert_eq!(files(project.root(), Some(".huddle")).unwrap(), files(&fixture(), None).unwrap());
}
