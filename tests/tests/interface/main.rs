//! The typed interface: what a function gives is held, field by field, against what the command prints of the same.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

use huddle_tests::bindings::Huddle;
use huddle_tests::bindings::exports::huddle::bus::handoffs::{ContextPackage, HandoffOptions};
use huddle_tests::bindings::exports::huddle::bus::messages::{InboxFilter, SendOptions};
use huddle_tests::bindings::exports::huddle::bus::sessions::{LogOptions, PlannedAgent};
use huddle_tests::bindings::exports::huddle::bus::types::{Error, Priority};
use huddle_tests::{Instance, Project, Run, State, artifact};
use serde::Serialize;
use serde_json::{Value, json};
use tempfile::TempDir;
use wasmtime::Store;

/// A project with ann and bob, the command in it, and one instance that stays open.
struct Scene {
    project: Project,
    instance: Instance,
    _dir: TempDir,
}

impl Scene {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let project = Project::with_agents(dir.path(), &["ann", "bob"]).unwrap();
        let instance = Run::new(artifact::component().unwrap()).dir(dir.path(), ".").open().unwrap();
        Self { project, instance, _dir: dir }
    }

    /// Calls a function of the instance.
    fn call<T>(&mut self, act: impl FnOnce(&Huddle, &mut Store<State>) -> wasmtime::Result<T>) -> T {
        self.instance.call(act).unwrap()
    }

    /// Says that a function gave what the command tells.
    fn same(&self, given: &impl Serialize, agent: &str, args: &[&str]) {
        let told = self.project.json(agent, args).unwrap();
        compare(&serde_json::to_value(given).unwrap(), &told, &args.join(" "));
    }
}

/// Every field that was given is one that was told, in whichever spelling; what was not told is none or empty.
fn compare(given: &Value, told: &Value, place: &str) {
    match (given, told) {
        (Value::Object(fields), Value::Object(_)) => {
            for (name, value) in fields {
                compare(value, spelled(told, name), &format!("{place}: {name}"));
            }
        }
        // An answer that lists something has it beside its count; what is listed by name has its name.
        (Value::Array(_), Value::Object(fields)) => {
            let listed = fields.values().find(|value| value.is_array());
            let named = || fields.iter().map(|(name, value)| entry(name, value)).collect();
            compare(given, &listed.cloned().unwrap_or_else(named), place);
        }
        (Value::Array(given), Value::Array(told)) => {
            assert_eq!(given.len(), told.len(), "{place}: {given:?} for {told:?}");
            given.iter().zip(told).for_each(|(given, told)| compare(given, told, place));
        }
        (Value::Array(given), Value::Null) => assert!(given.is_empty(), "{place}: {given:?}"),
        // Structure is passed as text.
        (Value::String(text), Value::Object(_) | Value::Array(_)) => {
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *told, "{place}");
        }
        (Value::Bool(false) | Value::Null, Value::Null) => {}
        (Value::Number(number), Value::Null) => assert_eq!(number.as_u64(), Some(0), "{place}"),
        (given, told) => assert_eq!(word(given), word(told), "{place}"),
    }
}

/// Gives an entry of a map as a list has it: a pair, or a record with a name.
fn entry(name: &str, value: &Value) -> Value {
    let Some(fields) = value.as_object() else { return json!([name, value]) };
    let mut fields = fields.clone();
    fields.insert("name".to_owned(), name.into());
    Value::Object(fields)
}

fn spelled<'a>(told: &'a Value, name: &str) -> &'a Value {
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    let mut fields = told.as_object().into_iter().flatten();
    fields.find(|(field, _)| letters(field) == letters(name)).map_or(&Value::Null, |(_, value)| value)
}

/// Leaves of a value what `PendingAcceptance` and `pending_acceptance` have in common.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace(['_', '-'], "").to_lowercase())
}

fn options() -> SendOptions {
    SendOptions {
        subject: None,
        needs_reply: None,
        deadline: None,
        key: None,
        task_id: None,
        related_files: None,
        large: None,
    }
}

#[test]
fn messages_are_what_the_command_says() {
    let mut scene = Scene::new();
    let plain = scene.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_send_message(
            store,
            "ann",
            "bob",
            "Look at it\nsoon",
            Some("task"),
            Some(Priority::High),
            None,
            None,
        )
    });
    let plain = plain.unwrap();
    let options = SendOptions {
        subject: Some("Übergabe".to_owned()),
        deadline: Some("2099-01-01T00:00:00Z".to_owned()),
        task_id: Some("t-1".to_owned()),
        related_files: Some(vec!["a.rs".to_owned(), "b.rs".to_owned()]),
        ..options()
    };
    let asked = scene.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_send_message(store, "ann", "bob", r#"{"n": [1, 2]}"#, None, None, Some("conv-7"), Some(&options))
    });
    let asked = asked.unwrap();
    assert_eq!((asked.thread_id.as_deref(), asked.duplicate), (Some("conv-7"), false));

    let inbox = scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", None)).unwrap();
    assert_eq!((inbox.count, inbox.notifications[0].subject.as_str()), (2, "Look at it"));
    scene.same(&inbox, "bob", &["inbox"]);
    let filter = InboxFilter {
        all: Some(true),
        type_: None,
        from: Some("ann".to_owned()),
        min_priority: Some(Priority::High),
        thread_id: None,
        limit: Some(5),
        wait_seconds: None,
    };
    let urgent = scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&filter)));
    scene.same(&urgent.unwrap(), "bob", &["inbox", "--all", "--from", "ann", "--min-priority", "high"]);

    let peeked =
        scene.call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, "bob", &asked.id, Some(true)));
    scene.same(&peeked.unwrap(), "bob", &["read", &asked.id, "--peek"]);
    let read = scene
        .call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, "bob", &asked.id, None))
        .unwrap();
    assert!(read.first_read && read.acknowledgment.is_some());
    assert_eq!(read.content, r#"{"n":[1,2]}"#);
    scene.call(|huddle, store| huddle.huddle_bus_messages().call_reply(store, "bob", &asked.id, "Yes", None)).unwrap();
    scene
        .call(|huddle, store| huddle.huddle_bus_messages().call_acknowledge(store, "bob", &plain.id, Some("ok")))
        .unwrap();
    for id in [&asked.id, &plain.id] {
        let trace = scene.call(|huddle, store| huddle.huddle_bus_messages().call_trace(store, id)).unwrap();
        assert_eq!(trace.deliveries.len(), 1);
        scene.same(&trace, "ann", &["trace", id]);
    }
}

#[test]
fn news_reach_everybody_and_those_who_listen() {
    let mut scene = Scene::new();
    let events = ["Built".to_owned(), "Tested".to_owned()];
    let heard = scene.call(|huddle, store| huddle.huddle_bus_messages().call_subscribe(store, "bob", &events)).unwrap();
    assert_eq!(heard, events);
    let left = scene.call(|huddle, store| huddle.huddle_bus_messages().call_unsubscribe(store, "bob", &events[1..]));
    assert_eq!(left.unwrap(), ["Built"]);
    let sent = scene.call(|huddle, store| {
        huddle.huddle_bus_messages().call_publish_event(store, "ann", "Built", Some(r#"{"ok": true}"#))
    });
    assert_eq!(sent.unwrap().recipients, ["bob"]);
    let sent = scene.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_broadcast(store, "ann", "Phase one is over", Some("checkpoint_reached"), None, None, None)
    });
    assert_eq!(sent.unwrap().recipients, ["bob"]);
    let inbox = scene.project.json("bob", &["inbox"]).unwrap();
    assert_eq!(inbox["count"], 2);
    let mut subjects = [0, 1].map(|place| inbox["notifications"][place]["subject"].clone());
    subjects.sort_by_key(Value::to_string);
    assert_eq!(subjects, ["Built", "Phase one is over"]);
}

#[test]
fn agents_contexts_and_handoffs_are_what_the_command_says() {
    let mut scene = Scene::new();
    let can = ["rust".to_owned(), "wasm".to_owned()];
    let made = scene
        .call(|huddle, store| huddle.huddle_bus_agents().call_register(store, "cid", "tester", Some(&can), Some("w")));
    assert!(made.unwrap().created);
    let beat =
        scene.call(|huddle, store| huddle.huddle_bus_agents().call_heartbeat(store, "cid", Some("busy"))).unwrap();
    assert_eq!((beat.status.as_str(), beat.capabilities.len(), beat.unread), ("busy", 2, None));
    let agents = scene.call(|huddle, store| huddle.huddle_bus_agents().call_list_agents(store, None)).unwrap();
    assert_eq!((agents.len(), agents[2].unread), (3, Some(0)));
    scene.same(&agents, "ann", &["agents"]);
    let gone = scene.call(|huddle, store| huddle.huddle_bus_agents().call_deregister(store, "cid")).unwrap();
    assert_eq!(gone.unread, 0);

    scene
        .call(|huddle, store| huddle.huddle_bus_contexts().call_create_context(store, "ann", "api", Some("# v1")))
        .unwrap();
    let updated = scene
        .call(|huddle, store| huddle.huddle_bus_contexts().call_update_context(store, "bob", "api", "v2", Some(1)));
    assert_eq!(updated.unwrap().told, ["ann"]);
    let stale = scene
        .call(|huddle, store| huddle.huddle_bus_contexts().call_update_context(store, "bob", "api", "v3", Some(1)));
    assert!(matches!(&stale, Err(Error::Conflict(told)) if !told.hint.is_empty()), "{stale:?}");
    let shown = scene.call(|huddle, store| huddle.huddle_bus_contexts().call_show_context(store, "api")).unwrap();
    scene.same(&shown, "ann", &["context", "show", "api"]);
    let listed = scene.call(|huddle, store| huddle.huddle_bus_contexts().call_list_contexts(store)).unwrap();
    scene.same(&listed, "ann", &["context", "list"]);

    let package = ContextPackage {
        summary: "The parser is done".to_owned(),
        key_findings: vec!["it is slow".to_owned()],
        next_action: Some("measure it".to_owned()),
        output_ref: None,
        tokens_used: Some(1200),
        state_snapshot: None,
    };
    let options = HandoffOptions {
        artifacts: Some(vec![".agent-messages/registry.json".to_owned()]),
        context: Some("all of it".to_owned()),
        done: None,
        next: Some(vec!["test".to_owned(), "ship".to_owned()]),
        issues: None,
        questions: None,
        criteria: None,
        package: Some(package),
    };
    let made = scene.call(|huddle, store| {
        huddle.huddle_bus_handoffs().call_create_handoff(store, "ann", "bob", "Parser", Some(&options))
    });
    let made = made.unwrap();
    assert!(made.notice.is_some() && made.artifacts[0].stored == "registry.json", "{made:?}");
    let context =
        scene.call(|huddle, store| huddle.huddle_bus_handoffs().call_request_context(store, "bob", &made.id, None));
    scene.same(&context.unwrap(), "bob", &["handoff", "request-context", &made.id]);
    scene
        .call(|huddle, store| huddle.huddle_bus_handoffs().call_accept_handoff(store, "bob", &made.id, Some("mine")))
        .unwrap();
    let again =
        scene.call(|huddle, store| huddle.huddle_bus_handoffs().call_decline_handoff(store, "bob", &made.id, "no"));
    assert!(again.is_err());
    let shown = scene.call(|huddle, store| huddle.huddle_bus_handoffs().call_show_handoff(store, &made.id)).unwrap();
    assert!(shown.document.is_some());
    scene.same(&shown, "bob", &["handoff", "show", &made.id]);
    let listed = scene.call(|huddle, store| huddle.huddle_bus_handoffs().call_list_handoffs(store)).unwrap();
    scene.same(&listed, "bob", &["handoff", "list"]);
}

#[test]
fn a_session_is_what_the_command_says() {
    let mut scene = Scene::new();
    let agent = |name: &str, needs: &[&str]| PlannedAgent {
        name: name.to_owned(),
        needs: needs.iter().map(ToString::to_string).collect(),
    };
    let plan = [agent("ann", &[]), agent("bob", &["ann"])];
    let started =
        scene.call(|huddle, store| huddle.huddle_bus_sessions().call_start_session(store, &plan, None)).unwrap();
    let id = started.session_id.as_str();
    let joined =
        scene.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "bob", id, None, None));
    assert_eq!(joined.unwrap().waits_for, ["ann"]);
    scene.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "ann", id, None, None)).unwrap();
    scene.call(|huddle, store| huddle.huddle_bus_sessions().call_session_progress(store, "ann", id, "half")).unwrap();
    let ready = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_ready(store, id)).unwrap();
    scene.same(&ready, "ann", &["session", "ready", "--id", id]);
    let options = LogOptions {
        severity: Some("high".to_owned()),
        message: Some("too slow".to_owned()),
        error: None,
        data: Some(r#"{"ms": 12}"#.to_owned()),
        artifact: None,
        description: None,
    };
    scene
        .call(|huddle, store| huddle.huddle_bus_sessions().call_log_event(store, "ann", id, "finding", Some(&options)))
        .unwrap();
    let events = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_list_events(store, id, None)).unwrap();
    scene.same(&events, "ann", &["session", "events", "--id", id]);
    scene
        .call(|huddle, store| {
            huddle.huddle_bus_sessions().call_put_data(
                store,
                "ann",
                id,
                "times",
                &"[1, 2]".to_owned(),
                Some("in ms"),
                None,
            )
        })
        .unwrap();
    let data = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_get_data(store, id, "times")).unwrap();
    scene.same(&data, "ann", &["session", "data", "get", "times", "--id", id]);
    let report = r#"{"status": "completed", "summary": "slow", "findings": [{"type": "issue", "severity": "high",
        "title": "slow", "description": "12 ms", "recommendation": "cache"}], "next_actions": ["measure"]}"#;
    scene
        .call(|huddle, store| huddle.huddle_bus_sessions().call_put_report(store, "ann", id, &report.to_owned()))
        .unwrap();
    let bad =
        scene.call(|huddle, store| huddle.huddle_bus_sessions().call_put_report(store, "ann", id, &"[]".to_owned()));
    assert!(matches!(bad, Err(Error::Invalid(_))), "{bad:?}");
    let read = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_get_report(store, "ann", id)).unwrap();
    scene.same(&read, "ann", &["session", "report", "show", "ann", "--id", id]);
    let merged = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_merged_report(store, id, None)).unwrap();
    assert_eq!(merged.by_severity[0], ("high".to_owned(), 1));
    scene.same(&merged, "ann", &["session", "report", "merge", "--id", id]);
    scene
        .call(|huddle, store| huddle.huddle_bus_sessions().call_session_complete(store, "ann", id, None, None))
        .unwrap();
    scene.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "bob", id, None, None)).unwrap();
    let failed =
        scene.call(|huddle, store| huddle.huddle_bus_sessions().call_session_fail(store, "bob", id, "no disk"));
    assert_eq!(failed.unwrap().error.as_deref(), Some("no disk"));
    let status = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_session_status(store, id)).unwrap();
    assert_eq!((status.agents.len(), status.agents[1].name.as_str()), (2, "bob"));
    scene.same(&status, "ann", &["session", "status", "--id", id]);
    let all = scene.call(|huddle, store| huddle.huddle_bus_sessions().call_list_sessions(store)).unwrap();
    scene.same(&all, "ann", &["session", "list"]);
}

#[test]
fn a_history_is_read_once_and_asked_often() {
    let mut scene = Scene::new();
    for (from, to, subject) in [("ann", "bob", "First of all"), ("bob", "ann", "Second thoughts")] {
        scene.project.json(from, &["send", to, subject, "--thread", "conv-1", "--needs-reply"]).unwrap();
    }
    let history = scene.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap();
    let other = scene.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap();
    let overview =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_overview(store, history)).unwrap();
    scene.same(&overview, "ann", &["history", "."]);
    let threads =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_threads(store, history, None)).unwrap();
    scene.same(&threads, "ann", &["threads", "."]);
    let thread = scene
        .call(|huddle, store| huddle.huddle_bus_history().history().call_thread(store, history, "conv-1"))
        .unwrap();
    assert_eq!(thread.messages.len(), 2);
    scene.same(&thread, "ann", &["thread", "conv-1", "."]);
    let none = scene.call(|huddle, store| huddle.huddle_bus_history().history().call_thread(store, history, "absent"));
    assert!(matches!(none, Err(Error::NotFound(_))), "{none:?}");
    let timeline =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_timeline(store, history, None)).unwrap();
    scene.same(&timeline, "ann", &["timeline", "."]);
    let found =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, history, "thoughts", None));
    scene.same(&found.unwrap(), "ann", &["search", "thoughts", "."]);
    let bad =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, history, "from:", None));
    assert!(matches!(bad, Err(Error::Usage(_))), "{bad:?}");
    let checkup = scene.call(|huddle, store| huddle.huddle_bus_history().history().call_check(store, history)).unwrap();
    scene.same(&checkup, "ann", &["check", "."]);
    scene.call(|_, store| history.resource_drop(store));
    let still =
        scene.call(|huddle, store| huddle.huddle_bus_history().history().call_search(store, other, "first", None));
    assert_eq!(still.unwrap().count, 1);
}

#[test]
fn what_is_damaged_is_told_when_it_is_asked_for() {
    let mut scene = Scene::new();
    scene.project.json("ann", &["send", "bob", "whole"]).unwrap();
    std::fs::write(scene.project.path("inbox/bob/msg_cut.json"), r#"{"message_id": "msg_c"#).unwrap();
    let inbox = scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", None)).unwrap();
    assert_eq!(inbox.count, 1);
    let found = scene.call(|huddle, store| huddle.huddle_bus_project().call_last_findings(store));
    assert_eq!(found.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["damaged-message"]);
    assert!(scene.call(|huddle, store| huddle.huddle_bus_project().call_last_findings(store)).is_empty());
}

#[test]
fn failures_are_of_the_kinds_of_exit_codes() {
    let mut scene = Scene::new();
    let nobody = scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "nobody", None));
    assert!(matches!(&nobody, Err(Error::NotFound(told)) if told.message.contains("ann, bob")), "{nobody:?}");
    let unnamed = scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "../x", None));
    assert!(matches!(unnamed, Err(Error::Usage(_))), "{unnamed:?}");
    let filter = InboxFilter {
        all: None,
        type_: None,
        from: None,
        min_priority: None,
        thread_id: None,
        limit: None,
        wait_seconds: Some(0),
    };
    let nothing =
        scene.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&filter)));
    assert!(matches!(nothing, Err(Error::TimedOut(_))), "{nothing:?}");
    let long = "x".repeat(20_000);
    let large = scene.call(|huddle, store| {
        huddle.huddle_bus_messages().call_send_message(store, "ann", "bob", &long, None, None, None, None)
    });
    assert!(matches!(large, Err(Error::Invalid(_))), "{large:?}");
    let options = SendOptions { large: Some(true), ..options() };
    let large = scene.call(|huddle, store| {
        huddle.huddle_bus_messages().call_send_message(store, "ann", "bob", &long, None, None, None, Some(&options))
    });
    large.unwrap();
}
