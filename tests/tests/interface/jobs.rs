//! Agents, shared contexts, handoffs and sessions.

use huddle_tests::bindings::exports::huddle::bus::handoffs::{ContextPackage, HandoffOptions};
use huddle_tests::bindings::exports::huddle::bus::sessions::{LogOptions, PlannedAgent};
use huddle_tests::bindings::exports::huddle::bus::types::Error;

use crate::interface::fixture::InterfaceFixture;

#[test]
fn agents_contexts_and_handoffs_are_what_the_command_says() {
    let mut fixture = InterfaceFixture::new();
    let can = ["rust".to_owned(), "wasm".to_owned()];
    let made = fixture
        .call(|huddle, store| huddle.huddle_bus_agents().call_register(store, "cid", "tester", Some(&can), Some("w")));
    assert!(made.unwrap().created);
    let beat =
        fixture.call(|huddle, store| huddle.huddle_bus_agents().call_heartbeat(store, "cid", Some("busy"))).unwrap();
    assert_eq!((beat.status.as_str(), beat.capabilities.len(), beat.unread), ("busy", 2, None));
    let agents = fixture.call(|huddle, store| huddle.huddle_bus_agents().call_list_agents(store, None)).unwrap();
    assert_eq!((agents.len(), agents[2].unread), (3, Some(0)));
    fixture.same(&agents, "ann", &["agents"]);
    let gone = fixture.call(|huddle, store| huddle.huddle_bus_agents().call_deregister(store, "cid")).unwrap();
    assert_eq!(gone.unread, 0);

    fixture
        .call(|huddle, store| huddle.huddle_bus_contexts().call_create_context(store, "ann", "api", Some("# v1")))
        .unwrap();
    let updated = fixture
        .call(|huddle, store| huddle.huddle_bus_contexts().call_update_context(store, "bob", "api", "v2", Some(1)));
    assert_eq!(updated.unwrap().told, ["ann"]);
    let stale = fixture
        .call(|huddle, store| huddle.huddle_bus_contexts().call_update_context(store, "bob", "api", "v3", Some(1)));
    assert!(matches!(&stale, Err(Error::Conflict(told)) if !told.hint.is_empty()), "{stale:?}");
    let shown = fixture.call(|huddle, store| huddle.huddle_bus_contexts().call_show_context(store, "api")).unwrap();
    fixture.same(&shown, "ann", &["context", "show", "api"]);
    let listed = fixture.call(|huddle, store| huddle.huddle_bus_contexts().call_list_contexts(store)).unwrap();
    fixture.same(&listed, "ann", &["context", "list"]);

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
    let made = fixture.call(|huddle, store| {
        huddle.huddle_bus_handoffs().call_create_handoff(store, "ann", "bob", "Parser", Some(&options))
    });
    let made = made.unwrap();
    assert!(made.notice.is_some() && made.artifacts[0].stored == "registry.json", "{made:?}");
    let context =
        fixture.call(|huddle, store| huddle.huddle_bus_handoffs().call_request_context(store, "bob", &made.id, None));
    fixture.same(&context.unwrap(), "bob", &["handoff", "request-context", &made.id]);
    fixture
        .call(|huddle, store| huddle.huddle_bus_handoffs().call_accept_handoff(store, "bob", &made.id, Some("mine")))
        .unwrap();
    let again =
        fixture.call(|huddle, store| huddle.huddle_bus_handoffs().call_decline_handoff(store, "bob", &made.id, "no"));
    assert!(again.is_err());
    let shown = fixture.call(|huddle, store| huddle.huddle_bus_handoffs().call_show_handoff(store, &made.id)).unwrap();
    assert!(shown.document.is_some());
    fixture.same(&shown, "bob", &["handoff", "show", &made.id]);
    let listed = fixture.call(|huddle, store| huddle.huddle_bus_handoffs().call_list_handoffs(store)).unwrap();
    fixture.same(&listed, "bob", &["handoff", "list"]);
}

#[test]
fn a_session_is_what_the_command_says() {
    let mut fixture = InterfaceFixture::new();
    let agent = |name: &str, needs: &[&str]| PlannedAgent {
        name: name.to_owned(),
        needs: needs.iter().map(ToString::to_string).collect(),
    };
    let plan = [agent("ann", &[]), agent("bob", &["ann"])];
    let started =
        fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_start_session(store, &plan, None)).unwrap();
    let id = started.session_id.as_str();
    let joined =
        fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "bob", id, None, None));
    assert_eq!(joined.unwrap().waits_for, ["ann"]);
    fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "ann", id, None, None)).unwrap();
    fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_session_progress(store, "ann", id, "half")).unwrap();
    let ready = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_ready(store, id)).unwrap();
    fixture.same(&ready, "ann", &["session", "ready", "--id", id]);
    let options = LogOptions {
        severity: Some("high".to_owned()),
        message: Some("too slow".to_owned()),
        error: None,
        data: Some(r#"{"ms": 12}"#.to_owned()),
        artifact: None,
        description: None,
    };
    fixture
        .call(|huddle, store| huddle.huddle_bus_sessions().call_log_event(store, "ann", id, "finding", Some(&options)))
        .unwrap();
    let events = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_list_events(store, id, None)).unwrap();
    fixture.same(&events, "ann", &["session", "events", "--id", id]);
    fixture
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
    let data = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_get_data(store, id, "times")).unwrap();
    fixture.same(&data, "ann", &["session", "data", "get", "times", "--id", id]);
    let report = r#"{"status": "completed", "summary": "slow", "findings": [{"type": "issue", "severity": "high",
        "title": "slow", "description": "12 ms", "recommendation": "cache"}], "next_actions": ["measure"]}"#;
    fixture
        .call(|huddle, store| huddle.huddle_bus_sessions().call_put_report(store, "ann", id, &report.to_owned()))
        .unwrap();
    let bad =
        fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_put_report(store, "ann", id, &"[]".to_owned()));
    assert!(matches!(bad, Err(Error::Invalid(_))), "{bad:?}");
    let read = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_get_report(store, "ann", id)).unwrap();
    fixture.same(&read, "ann", &["session", "report", "show", "ann", "--id", id]);
    let merged =
        fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_merged_report(store, id, None)).unwrap();
    assert_eq!(merged.by_severity[0], ("high".to_owned(), 1));
    fixture.same(&merged, "ann", &["session", "report", "merge", "--id", id]);
    fixture
        .call(|huddle, store| huddle.huddle_bus_sessions().call_session_complete(store, "ann", id, None, None))
        .unwrap();
    fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_join_session(store, "bob", id, None, None)).unwrap();
    let failed =
        fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_session_fail(store, "bob", id, "no disk"));
    assert_eq!(failed.unwrap().error.as_deref(), Some("no disk"));
    let status = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_session_status(store, id)).unwrap();
    assert_eq!((status.agents.len(), status.agents[1].name.as_str()), (2, "bob"));
    fixture.same(&status, "ann", &["session", "status", "--id", id]);
    let all = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_list_sessions(store)).unwrap();
    fixture.same(&all, "ann", &["session", "list"]);
}

#[test]
fn json_output_is_always_valid() {
    let mut fixture = InterfaceFixture::new();
    let plan = [PlannedAgent { name: "ann".to_owned(), needs: Vec::new() }];
    let started = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_start_session(store, &plan, None));
    let id = started.unwrap().session_id;
    // Passed, and given: a text is in quotes, however it was passed.
    let cases = [("plain words", r#""plain words""#), (r#""quoted""#, r#""quoted""#), ("[1, 2]", "[1,2]"), ("7", "7")];
    for (number, (passed, given)) in cases.into_iter().enumerate() {
        let options = LogOptions {
            severity: None,
            message: None,
            error: None,
            data: Some(passed.to_owned()),
            artifact: None,
            description: None,
        };
        let logged = fixture.call(|huddle, store| {
            huddle.huddle_bus_sessions().call_log_event(store, "ann", &id, "data", Some(&options))
        });
        assert_eq!(logged.unwrap().data.as_deref(), Some(given));
        // What is written to a file is valid JSON from the beginning.
        let (name, data) = (format!("data-{number}"), given.to_owned());
        fixture
            .call(|huddle, store| {
                huddle.huddle_bus_sessions().call_put_data(store, "ann", &id, &name, &data, None, None)
            })
            .unwrap();
        let read = fixture.call(|huddle, store| huddle.huddle_bus_sessions().call_get_data(store, &id, &name));
        assert_eq!(read.unwrap().data, given);
    }
}
