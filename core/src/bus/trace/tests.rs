use super::*;
use crate::bus::{Draft, InboxFilter, NewAgent, ReplyDraft};
use crate::engine::Engine;
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{EventName, Json, Span};

fn names() -> (AgentName, AgentName) {
    ("ann".parse().unwrap(), "bob".parse().unwrap())
}

/// Plays on a bus with ann and bob, both just registered.
fn on_a_bus(play: impl Fn(&Bus<'_>, &FixedHost, &dyn Engine)) {
    let host = FixedHost::at("2025-11-29T14:30:00Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    let (ann, bob) = names();
    bus.register(&ann, &NewAgent::with_role("architect")).unwrap();
    bus.register(&bob, &NewAgent::with_role("builder")).unwrap();
    play(&bus, &host, &engine);
}

#[test]
fn trace_stages_name_what_they_wait_for() {
    on_a_bus(|bus, host, _| {
        let (ann, bob) = names();
        let deadline = bus.now().plus(Span::from_hours(2));
        let draft = Draft { deadline: Some(deadline), ..Draft::to(&bob, "Which port?") };
        let id = bus.send(&ann, &draft).unwrap().id;
        let check = |step: DeliveryStage, waits_for: &str| {
            let trace = bus.trace(&id).unwrap().value;
            assert_eq!((trace.deliveries[0].step, trace.deliveries[0].waits_for.as_str()), (step, waits_for));
        };
        host.advance(Span::from_seconds(600));
        check(DeliveryStage::Stored, "bob to check its inbox (last seen 10 minutes ago), due in 1 hour 50 minutes");
        bus.inbox(&bob, &InboxFilter::default()).unwrap();
        host.advance(Span::from_seconds(60));
        check(DeliveryStage::Offered, "bob to read it (listed 1 minute ago), due in 1 hour 49 minutes");
        bus.read(&bob, &id).unwrap();
        check(DeliveryStage::Acked, "an answer, due in 1 hour 49 minutes");
        host.advance(Span::from_hours(2));
        check(DeliveryStage::Acked, "an answer, overdue since 2025-11-29T16:30:00Z");
        bus.reply(&bob, &id, &ReplyDraft { body: Json::from("8080"), ..ReplyDraft::default() }).unwrap();
        check(DeliveryStage::Answered, "nothing");
    });
}

#[test]
fn the_dead_the_gone_and_the_unheard_are_told_apart() {
    on_a_bus(|bus, _, engine| {
        let (ann, bob) = names();
        let id = bus.send(&ann, &Draft { needs_reply: true, ..Draft::to(&bob, "Hello?") }).unwrap().id;
        engine.dead_letter(&bob, &id, "no sign", bus.now()).unwrap();
        let traced = bus.trace(&id).unwrap().value.deliveries.remove(0);
        assert_eq!(traced.step, DeliveryStage::Dead);
        assert_eq!(traced.waits_for, format!("somebody to try again: no sign (huddle dead-letters retry {id})"));

        let mut snapshot = engine.snapshot().unwrap().value;
        snapshot.deliveries.clear();
        let directory = engine.directory().unwrap().value;
        let gone = trace_in(&snapshot, &directory, &id, bus.now()).unwrap().deliveries.remove(0);
        assert_eq!((gone.place, gone.step), (None, DeliveryStage::Stored));
        assert_eq!(gone.waits_for, "a copy for bob, which is gone: huddle check says more");

        let event: EventName = "TaskCompleted".parse().unwrap();
        let unheard = bus.publish(&ann, &event, Json::Null, false).unwrap().id;
        assert_eq!(bus.trace(&unheard).unwrap().value.deliveries, []);
        let nowhere = bus.trace(&"msg_x".parse().unwrap()).unwrap_err();
        assert!(matches!(*nowhere, Error::UnknownMessage { .. }));
    });
}

#[test]
fn a_decision_is_acknowledged_by_its_id_too() {
    on_a_bus(|bus, host, _| {
        let (ann, bob) = names();
        let body = serde_json::json!({"decision_id": "DEC-001"});
        let draft = Draft { body: body.clone(), ..Draft::new("RS256") };
        let id = bus.broadcast(&ann, &draft).unwrap().id;
        host.advance(Span::from_seconds(60));
        let kind = Some(crate::model::MessageType::new("acknowledgment"));
        bus.send(&bob, &Draft { kind, body, ..Draft::to(&ann, "Acknowledged decision DEC-001") }).unwrap();
        let traced = bus.trace(&id).unwrap().value.deliveries.remove(0);
        assert_eq!((traced.step, traced.seen_at), (DeliveryStage::Acked, None));
        assert_eq!(traced.acked_at, Some(bus.now()));
        assert_eq!(traced.waits_for, "nothing");
    });
}
