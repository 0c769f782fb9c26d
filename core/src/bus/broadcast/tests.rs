//! Broadcasts of the orchestrator's types, and what is logged of them.

use serde_json::json;

use super::*;
use crate::bus::ErrorKind;
use crate::bus::ask::tests::{BusFixture, name};
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
    fixture.bus().broadcast(&name("ann"), &Draft::new("a plain one is the mailbox's")).unwrap();
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
}
