//! Messages, findings and failures.

use huddle_tests::bindings::exports::huddle::bus::messages::{InboxFilter, SendOptions};
use huddle_tests::bindings::exports::huddle::bus::types::{Error, Priority};
use serde_json::Value;

use crate::interface::fixture::InterfaceFixture;

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
    let mut fixture = InterfaceFixture::new();
    let plain = fixture.call(|huddle, store| {
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
    let asked = fixture.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_send_message(store, "ann", "bob", r#"{"n": [1, 2]}"#, None, None, Some("conv-7"), Some(&options))
    });
    let asked = asked.unwrap();
    assert_eq!((asked.thread_id.as_deref(), asked.duplicate), (Some("conv-7"), false));

    let inbox =
        fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", None)).unwrap();
    assert_eq!((inbox.count, inbox.notifications[0].subject.as_str()), (2, "Look at it"));
    fixture.same(&inbox, "bob", &["inbox"]);
    let filter = InboxFilter {
        all: Some(true),
        type_: None,
        from: Some("ann".to_owned()),
        min_priority: Some(Priority::High),
        thread_id: None,
        limit: Some(5),
        wait_seconds: None,
    };
    let urgent =
        fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&filter)));
    fixture.same(&urgent.unwrap(), "bob", &["inbox", "--all", "--from", "ann", "--min-priority", "high"]);

    let peeked = fixture
        .call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, "bob", &asked.id, Some(true)));
    fixture.same(&peeked.unwrap(), "bob", &["read", &asked.id, "--peek"]);
    let read = fixture
        .call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, "bob", &asked.id, None))
        .unwrap();
    assert!(read.first_read && read.acknowledgment.is_some());
    assert_eq!(read.content, r#"{"n":[1,2]}"#);
    fixture
        .call(|huddle, store| huddle.huddle_bus_messages().call_reply(store, "bob", &asked.id, "Yes", None))
        .unwrap();
    fixture
        .call(|huddle, store| huddle.huddle_bus_messages().call_acknowledge(store, "bob", &plain.id, Some("ok")))
        .unwrap();
    for id in [&asked.id, &plain.id] {
        let trace = fixture.call(|huddle, store| huddle.huddle_bus_messages().call_trace(store, id)).unwrap();
        assert_eq!(trace.deliveries.len(), 1);
        fixture.same(&trace, "ann", &["trace", id]);
    }
}

#[test]
fn news_reach_everybody_and_those_who_listen() {
    let mut fixture = InterfaceFixture::new();
    let events = ["Built".to_owned(), "Tested".to_owned()];
    let heard =
        fixture.call(|huddle, store| huddle.huddle_bus_messages().call_subscribe(store, "bob", &events)).unwrap();
    assert_eq!(heard, events);
    let left = fixture.call(|huddle, store| huddle.huddle_bus_messages().call_unsubscribe(store, "bob", &events[1..]));
    assert_eq!(left.unwrap(), ["Built"]);
    let sent = fixture.call(|huddle, store| {
        huddle.huddle_bus_messages().call_publish_event(store, "ann", "Built", Some(r#"{"ok": true}"#))
    });
    assert_eq!(sent.unwrap().recipients, ["bob"]);
    let sent = fixture.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_broadcast(store, "ann", "Phase one is over", Some("checkpoint_reached"), None, None, None)
    });
    assert_eq!(sent.unwrap().recipients, ["bob"]);
    let inbox = fixture.project.json("bob", &["inbox"]).unwrap();
    assert_eq!(inbox["count"], 2);
    let mut subjects = [0, 1].map(|place| inbox["notifications"][place]["subject"].clone());
    subjects.sort_by_key(Value::to_string);
    assert_eq!(subjects, ["Built", "Phase one is over"]);
}

#[test]
fn damage_is_reported_on_request() {
    let mut fixture = InterfaceFixture::new();
    fixture.project.json("ann", &["send", "bob", "whole"]).unwrap();
    std::fs::write(fixture.project.path("inbox/bob/msg_cut.json"), r#"{"message_id": "msg_c"#).unwrap();
    let inbox =
        fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", None)).unwrap();
    assert_eq!(inbox.count, 1);
    let found = fixture.call(|huddle, store| huddle.huddle_bus_project().call_last_findings(store));
    assert_eq!(found.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["damaged-message"]);
    assert!(fixture.call(|huddle, store| huddle.huddle_bus_project().call_last_findings(store)).is_empty());
}

#[test]
fn failures_are_of_the_kinds_of_exit_codes() {
    let mut fixture = InterfaceFixture::new();
    let nobody = fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "nobody", None));
    assert!(matches!(&nobody, Err(Error::NotFound(told)) if told.message.contains("ann, bob")), "{nobody:?}");
    let unnamed = fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "../x", None));
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
        fixture.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&filter)));
    assert!(matches!(nothing, Err(Error::TimedOut(_))), "{nothing:?}");
    let long = "x".repeat(20_000);
    let large = fixture.call(|huddle, store| {
        huddle.huddle_bus_messages().call_send_message(store, "ann", "bob", &long, None, None, None, None)
    });
    assert!(matches!(large, Err(Error::Invalid(_))), "{large:?}");
    let options = SendOptions { large: Some(true), ..options() };
    let large = fixture.call(|huddle, store| {
        huddle.huddle_bus_messages().call_send_message(store, "ann", "bob", &long, None, None, None, Some(&options))
    });
    large.unwrap();
}
