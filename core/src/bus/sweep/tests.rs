use super::*;
use crate::bus::{Error, InboxFilter, NewAgent, ReplyDraft};
use crate::engine::Engine;
use crate::engine::files::FilesEngine;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;

const HOUR: Span = Span::from_hours(1);

fn agents() -> [AgentName; 3] {
    ["ann", "bob", "cat"].map(|name| name.parse().unwrap())
}

/// Plays on a bus where ann has asked bob something that needs an answer.
fn after_a_question(draft: impl Fn(Draft) -> Draft, play: impl Fn(&Bus<'_>, &FixedHost, &dyn Engine, &MessageId)) {
    let host = FixedHost::at("2025-11-29T14:00:00Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    let [ann, bob, cat] = agents();
    for name in [&ann, &bob, &cat] {
        bus.register(name, &NewAgent::with_role("builder")).unwrap();
    }
    let id = bus.send(&ann, &draft(Draft { needs_reply: true, ..Draft::to(&bob, "Which port?") })).unwrap().id;
    play(&bus, &host, &engine, &id);
}

fn notices(bus: &Bus<'_>, agent: &AgentName) -> Vec<Message> {
    let wanted = InboxFilter { kind: Some(MessageType::new("delivery_failed")), ..InboxFilter::default() };
    bus.inbox(agent, &wanted).unwrap().shown.into_iter().map(|delivery| delivery.message).collect()
}

#[test]
fn unacknowledged_message_is_redelivered_then_dead_lettered() {
    after_a_question(
        |draft| draft,
        |bus, host, _, id| {
            let [ann, bob, cat] = agents();
            let copy = vec![(bob, id.clone())];
            let rules = SweepRules::default();
            assert_eq!(bus.sweep(Some(&cat), &rules).unwrap(), SweepReport::default(), "too early");
            for _ in 0..3 {
                host.advance(HOUR);
                let redelivered = SweepReport { redelivered: copy.clone(), ..SweepReport::default() };
                assert_eq!(bus.sweep(Some(&cat), &rules).unwrap(), redelivered);
                assert_eq!(bus.sweep(Some(&cat), &rules).unwrap(), SweepReport::default(), "twice does nothing");
            }
            host.advance(HOUR);
            assert_eq!(bus.sweep(Some(&cat), &rules).unwrap(), SweepReport { dead: copy, ..SweepReport::default() });
            assert_eq!(bus.sweep(None, &rules).unwrap(), SweepReport::default(), "twice does nothing");

            let told = notices(bus, &ann);
            assert_eq!(told.len(), 1);
            assert_eq!(
                (&told[0].from, told[0].priority, &told[0].in_reply_to),
                (&cat, Priority::High, &Some(id.clone()))
            );
            let reason = "no sign from bob after 3 redeliveries, 4 hours after it was sent";
            let body = serde_json::json!({"message_id": id.as_str(), "recipient": "bob", "reason": reason});
            assert_eq!(told[0].body, body);
        },
    );
}

/// Lets bob give a sign, and makes sure that the sweep leaves the message alone then.
fn check_alone(sign: impl Fn(&Bus<'_>, &AgentName, &MessageId) -> Result<()>) {
    after_a_question(
        |draft| draft,
        |bus, host, _, id| {
            let [_, bob, _] = agents();
            sign(bus, &bob, id).unwrap();
            host.advance(HOUR);
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap(), SweepReport::default());
        },
    );
}

#[test]
fn acknowledged_message_is_not_swept() {
    check_alone(|bus, bob, id| bus.ack(bob, id, None).map(drop));
    check_alone(|bus, bob, id| bus.read(bob, id).map(drop));
    check_alone(|bus, bob, id| bus.reply(bob, id, &ReplyDraft::default()).map(drop));
}

#[test]
fn a_deadline_comes_before_the_time_out() {
    let deadline = Timestamp::parse("2025-11-29T18:00:00Z");
    after_a_question(
        |draft| Draft { deadline, ..draft },
        |bus, host, _, _| {
            host.advance(Span::from_seconds(4 * 3600 - 1));
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().redelivered, []);
            host.advance(Span::from_seconds(1));
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().redelivered.len(), 1);
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().redelivered, []);
        },
    );
}

#[test]
fn a_sweep_that_was_killed_before_it_told_is_made_good() {
    after_a_question(
        |draft| draft,
        |bus, host, engine, id| {
            let [ann, bob, _] = agents();
            engine.dead_letter(&bob, id, "no sign", bus.now()).unwrap();
            host.advance(Span::from_seconds(5));
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap(), SweepReport::default());
            bus.sweep(None, &SweepRules::default()).unwrap();
            let told = notices(bus, &ann);
            assert_eq!(told.iter().map(|notice| &notice.from).collect::<Vec<_>>(), [&ann], "a note to self, once");

            // Tried again and given up on again: that is news. Keys from before the archive's time are forgotten by then.
            bus.retry_dead_letter(id).unwrap();
            host.advance(Span::from_hours(100));
            engine.dead_letter(&bob, id, "no sign", bus.now()).unwrap();
            bus.sweep(None, &SweepRules::default()).unwrap();
            host.advance(Span::from_hours(100));
            bus.sweep(None, &SweepRules::default()).unwrap();
            assert_eq!(notices(bus, &ann).len(), 2);
        },
    );
}

#[test]
fn a_sender_who_left_is_not_told() {
    after_a_question(
        |draft| draft,
        |bus, host, _, _| {
            let [ann, ..] = agents();
            bus.deregister(&ann).unwrap();
            host.advance(HOUR);
            let rules = SweepRules { attempts: 0, ..SweepRules::default() };
            assert_eq!(bus.sweep(None, &rules).unwrap().dead.len(), 1);
            assert!(matches!(*bus.sweep(Some(&ann), &rules).unwrap_err(), Error::UnknownAgent { .. }));
        },
    );
}

#[test]
fn old_read_messages_are_archived() {
    after_a_question(
        |draft| Draft { needs_reply: false, ..draft },
        |bus, host, engine, id| {
            let [_, bob, _] = agents();
            host.advance(Span::from_hours(73));
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().archived, 0, "not read");
            bus.read(&bob, id).unwrap();
            let longer = SweepRules { retention: Some(Span::from_hours(74)), ..SweepRules::default() };
            assert_eq!(bus.sweep(None, &longer).unwrap().archived, 0, "not old");
            assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().archived, 1);
            assert_eq!(engine.inbox(&bob, false).unwrap().value, []);
            assert_eq!(bus.archive(None, true).unwrap(), 0);
        },
    );
}

#[test]
fn one_sweeps_at_a_time() {
    after_a_question(
        |draft| draft,
        |bus, _, engine, _| {
            let name = LeaseName::new("sweep").unwrap();
            engine.lease(&name, "cat", Span::from_seconds(3600), Span::default()).unwrap();
            let error = bus.sweep(None, &SweepRules::default()).unwrap_err();
            assert!(error.to_string().starts_with("sweep is locked by cat"), "{error}");
        },
    );
}

#[test]
fn a_sweep_killed_at_any_step_is_finished_by_the_next() {
    let rules = SweepRules { attempts: 0, ..SweepRules::default() };
    let [ann, bob, cat] = agents();
    for step in 0.. {
        let host = FixedHost::at("2025-11-29T14:00:00Z");
        let fs = MemoryFs::new();
        let engine = FilesEngine::new(&fs, &host);
        let bus = Bus::new(&engine, &host);
        bus.init().unwrap();
        for name in [&ann, &bob, &cat] {
            bus.register(name, &NewAgent::with_role("builder")).unwrap();
        }
        bus.send(&ann, &Draft { needs_reply: true, ..Draft::to(&bob, "Which port?") }).unwrap();
        host.advance(HOUR);
        fs.fail_after(step);
        let first = bus.sweep(Some(&cat), &rules);
        let killed = fs.is_killed();
        fs.restart();
        assert_eq!(first.is_err(), killed, "step {step}");

        // The lease of the dead sweeper runs out; somebody else sweeps.
        host.advance(LEASE);
        let engine = FilesEngine::new(&fs, &host);
        let bus = Bus::new(&engine, &host);
        bus.sweep(Some(&bob), &rules).unwrap();
        assert_eq!(bus.dead_letters().unwrap().value.len(), 1, "step {step}");
        assert_eq!(notices(&bus, &ann).len(), 1, "step {step}");
        assert_eq!(bus.check().unwrap().findings, [], "step {step}");
        if !killed {
            assert!(step > 5, "a sweep has steps to be killed at");
            break;
        }
    }
}
