//! Broadcasts of the orchestrator's types, and what is logged of them.

use serde_json::json;

use super::*;
use crate::bus::ask::tests::{BusFixture, name};
use crate::model::ErrorKind;
use crate::model::{Json, Priority};

fn notice(kind: BroadcastType) -> Notice {
    Notice { kind, about: None, content: "Stop".into(), priority: kind.priority(), action_required: true }
}

#[test]
fn a_typed_broadcast_reaches_all_and_is_logged() {
    let fixture = BusFixture::new();
    let bus = fixture.bus();
    let draft = Draft::announcing("Stop", &notice(BroadcastType::AbortSignal));
    let sent = bus.broadcast(&name("ann"), &draft).unwrap();
    let got = bus.peek(&name("bob"), &sent.id).unwrap().delivery.message;
    assert_eq!((got.kind.as_str(), got.priority), ("abort_signal", Priority::Critical));
    let message = json!({"type": "abort_signal", "content": "Stop", "priority": "critical", "action_required": true});
    assert_eq!(got.body, json!({"broadcast_type": "abort_signal", "message": message}));
    let log = fixture.log();
    assert_eq!(log.len(), 1);
    assert_eq!((&log[0]["protocol"], &log[0]["to"]), (&json!("broadcast"), &json!("all_active_agents")));
    assert_eq!((&log[0]["success"], &log[0]["messageId"]), (&json!(true), &json!(sent.id.as_str())));
}

#[test]
fn a_typed_broadcast_without_its_structure_is_refused() {
    let fixture = BusFixture::new();
    let body = json!({"anything": 1});
    let draft = Draft { body, ..Draft::announcing("x", &notice(BroadcastType::ContextUpdate)) };
    assert_eq!(fixture.bus().broadcast(&name("ann"), &draft).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(fixture.log(), [] as [Json; 0]);
    fixture.settings(r#"{"agentCommunication": {"protocols": ["query"]}}"#);
    let draft = Draft::announcing("x", &notice(BroadcastType::ContextUpdate));
    assert_eq!(fixture.bus().broadcast(&name("ann"), &draft).unwrap_err().kind(), ErrorKind::Usage);
    let plain = fixture.bus().broadcast(&name("ann"), &Draft::new("hello")).unwrap_err();
    assert_eq!(plain.to_string(), "the settings do not permit the broadcast protocol");
    fixture.settings(r#"{"agentCommunication": {"protocols": ["handoff"], "timeoutMs": "1000"}}"#);
    assert_eq!(fixture.bus().broadcast(&name("ann"), &draft).unwrap_err().kind(), ErrorKind::Usage);
    fixture.settings("{");
    let bus = fixture.bus();
    assert_eq!(bus.broadcast(&name("ann"), &draft).unwrap_err().kind(), ErrorKind::Usage, "it does not fail open");
    assert_eq!(bus.take_findings()[0].code, "wrong-setting");
}

#[test]
fn a_plain_broadcast_is_logged_only_where_there_is_an_orchestrator() {
    let fixture = BusFixture::new();
    fixture.bus().broadcast(&name("ann"), &Draft::new("hello")).unwrap();
    assert_eq!(fixture.log().len(), 0);
    fixture.settings("{}");
    let keyed = Draft { key: Some("k".into()), ..Draft::new("hello") };
    fixture.bus().broadcast(&name("ann"), &keyed).unwrap();
    fixture.bus().broadcast(&name("ann"), &keyed).unwrap();
    assert_eq!(fixture.log().len(), 1, "and what was not sent again is not logged again");
    fixture.settings(r#"{"agentCommunication": {"sharedStateEnabled": false}}"#);
    fixture.bus().broadcast(&name("ann"), &Draft::new("hello")).unwrap();
    assert_eq!(fixture.log().len(), 1);
    let bus = fixture.bus();
    bus.broadcast(&name("ann"), &Draft::announcing("Stop", &notice(BroadcastType::AbortSignal))).unwrap();
    assert_eq!((fixture.log().len(), bus.take_findings()[0].code), (1, "logging-disabled"));
}

#[test]
fn a_typed_broadcast_is_as_urgent_as_its_body_says() {
    let fixture = BusFixture::new();
    let bus = fixture.bus();
    let message =
        json!({"type": "t", "content": {"summary": "Use port 80"}, "priority": "high", "action_required": true});
    let body = json!({"broadcast_type": "context_update", "message": message});
    let kind = Some(MessageType::new("context_update"));
    let sent = bus.broadcast(&name("ann"), &Draft { kind, body, ..Draft::new("") }).unwrap();
    let got = bus.peek(&name("bob"), &sent.id).unwrap().delivery.message;
    assert_eq!((got.priority, got.subject.as_str()), (Priority::High, "Action required: Use port 80"));
}

#[test]
fn related_updates_go_out_as_one_broadcast() {
    let fixture = BusFixture::new();
    let bus = fixture.bus();
    let update = |subject: &str, priority| Draft { priority, body: "details".into(), ..Draft::new(subject) };
    let updates = [update("Port is 80", Priority::Normal), update("Stop using 8080", Priority::High)];
    let sent = bus.broadcast_digest(&name("ann"), &updates).unwrap();
    assert_eq!((sent.recipients.len(), fixture.unread("bob").len()), (2, 1));
    let got = &fixture.unread("bob")[0];
    assert_eq!((got.kind.as_str(), got.priority), ("digest", Priority::High));
    assert_eq!(got.subject, "2 updates: Port is 80; Stop using 8080");
    assert_eq!(
        got.body["updates"][1],
        json!({"subject": "Stop using 8080", "type": "progress_update", "priority": "high", "body": "details"})
    );
    assert_eq!(bus.broadcast_digest(&name("ann"), &[]).unwrap_err().kind(), ErrorKind::Usage);
}
