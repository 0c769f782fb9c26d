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
        assert_eq!(traced.waits_for, "somebody to try again: no sign");

        let mut snapshot = engine.snapshot().unwrap().value;
        snapshot.deliveries.clear();
        let directory = engine.directory().unwrap().value;
        let gone = trace_in(&snapshot, &directory, &id, bus.now()).unwrap().deliveries.remove(0);
        assert_eq!((gone.place, gone.step), (None, DeliveryStage::Stored));
        assert_eq!(gone.waits_for, "a copy for bob, which is gone");

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

/// Sends a message in a conversation without naming what it replies to: all that the documents protocol has.
fn say(bus: &Bus<'_>, kind: &str, thread: &crate::model::ThreadId) {
    let (ann, bob) = names();
    let (kind, thread) = (Some(crate::model::MessageType::new(kind)), Some(thread.clone()));
    bus.send(&bob, &Draft { kind, thread, ..Draft::to(&ann, "About it") }).unwrap();
}

#[test]
fn an_answer_may_come_by_its_conversation_alone() {
    on_a_bus(|bus, host, _| {
        let (ann, bob) = names();
        let sent = bus.send(&ann, &Draft { needs_reply: true, ..Draft::to(&bob, "Research it") }).unwrap();
        let thread = sent.thread.unwrap();
        let step = || bus.trace(&sent.id).unwrap().value.deliveries.remove(0).step;
        let waiting = || bus.threads().unwrap().value[0].waiting.len();
        for kind in ["question", "status", "progress_update"] {
            host.advance(Span::from_seconds(10));
            say(bus, kind, &thread);
            let expected = if kind == "question" { DeliveryStage::Stored } else { DeliveryStage::Acked };
            assert_eq!((step(), waiting()), (expected, 1), "{kind}");
        }
        host.advance(Span::from_hours(2));
        say(bus, "result", &thread);
        assert_eq!((step(), waiting()), (DeliveryStage::Answered, 0), "late, and an answer");
    });
}

#[test]
fn a_status_reply_settles_nothing() {
    on_a_bus(|bus, _, _| {
        let (ann, bob) = names();
        let id = bus.send(&ann, &Draft { needs_reply: true, ..Draft::to(&bob, "Build it") }).unwrap().id;
        let kind = Some(crate::model::MessageType::new("status"));
        bus.reply(&bob, &id, &ReplyDraft { kind, body: "25 %".into(), ..ReplyDraft::default() }).unwrap();
        assert_eq!(bus.trace(&id).unwrap().value.deliveries[0].step, DeliveryStage::Acked);
    });
}

#[test]
fn a_result_of_another_task_is_no_answer() {
    use crate::bus::thread::fixture::{message, name, put};
    let at = |id: &str, at: &str, from: &str, to: &str, kind: &str, task: &str| {
        let body = serde_json::json!({"taskId": task});
        Message { thread: Some("t".parse().unwrap()), ..message(id, at, from, to, kind, body) }
    };
    let mut snapshot = MailSnapshot::default();
    let tasks = ["t1", "t2"].map(|task| at(task, "10:00:00", "ann", "bob", "task", task));
    tasks.iter().for_each(|task| put(&mut snapshot, task, &[("bob", None)]));
    put(&mut snapshot, &at("r1", "10:05:00", "bob", "ann", "result", "t1"), &[("ann", None)]);
    let early = at("r0", "09:00:00", "bob", "ann", "result", "t2");
    put(&mut snapshot, &early, &[("ann", None)]);
    let index = ReplyIndex::of(&snapshot);
    let answered = tasks.each_ref().map(|task| index.answered(task, &name("bob")).is_some());
    assert_eq!(answered, [true, false]);
}

#[test]
fn what_was_said_before_a_question_was_read_is_no_answer() {
    use crate::bus::thread::fixture::{message, name, put};
    let check = |read: Option<&str>, is_answered: bool| {
        let mut snapshot = MailSnapshot::default();
        let said = |id: &str, at: &str, from: &str, to: &str, kind: &str| Message {
            thread: Some("t".parse().unwrap()),
            ..message(id, at, from, to, kind, Json::Null)
        };
        let asked = said("q", "10:00:00", "ann", "bob", "question");
        put(&mut snapshot, &asked, &[("bob", read)]);
        put(&mut snapshot, &said("u", "10:02:00", "bob", "ann", "status_update"), &[("ann", None)]);
        let answered = ReplyIndex::of(&snapshot).answered(&asked, &name("bob"));
        assert_eq!(answered.is_some(), is_answered, "{read:?}");
    };
    check(Some("10:05:00"), false);
    check(Some("10:02:00"), true);
    check(None, true);
}

#[test]
fn an_answer_to_a_repetition_answers_what_was_repeated() {
    use crate::bus::thread::fixture::{answer, message, name, put};
    let mut snapshot = MailSnapshot::default();
    let ask = |id: &str, at: &str| message(id, at, "ann", "bob", "query", Json::Null);
    let (first, again) = (ask("q1", "10:00:00"), answer(ask("q2", "10:01:00"), "q1", "t"));
    put(&mut snapshot, &first, &[("bob", None)]);
    put(&mut snapshot, &again, &[("bob", None)]);
    let reply = answer(message("r", "10:02:00", "bob", "ann", "response", Json::Null), "q2", "t");
    put(&mut snapshot, &reply, &[("ann", None)]);
    let index = ReplyIndex::of(&snapshot);
    assert!(index.answered(&first, &name("bob")).is_some() && index.answered(&again, &name("bob")).is_some());
}
