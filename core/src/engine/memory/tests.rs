use super::*;
use crate::engine::{Envelope, suite};
use crate::host::FixedHost;
use crate::model::{Message, MessageType, Priority, Recipient};

const NOON: &str = "2025-11-29T12:00:00Z";

fn message(id: &str, to: Recipient) -> Message {
    Message {
        id: id.parse().unwrap(),
        kind: MessageType::new("question"),
        from: "ann".parse().unwrap(),
        to,
        subject: String::new(),
        body: "hello".into(),
        priority: Priority::Normal,
        sent_at: Timestamp::parse(NOON).unwrap(),
        thread: None,
        in_reply_to: None,
        requires_response: false,
        deadline: None,
        metadata: Default::default(),
        extra: Default::default(),
    }
}

fn to_bob(id: &str) -> Transaction {
    let bob: AgentName = "bob".parse().unwrap();
    Transaction::deliver(Envelope { message: message(id, Recipient::Agents(vec![bob.clone()])), recipients: vec![bob] })
}

fn engine() -> MemoryEngine<FixedHost> {
    let engine = MemoryEngine::new(FixedHost::at(NOON));
    engine.init().unwrap();
    engine
}

#[test]
fn it_passes_the_suite() {
    suite::run(&mut |case| {
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let engine = MemoryEngine::new(&host);
        (case.run)(&suite::Engines { one: &engine, two: &engine, host: &host, advance: &|span| host.advance(span) });
    });
}

#[test]
fn an_id_is_used_once() {
    let engine = engine();
    engine.commit(to_bob("m")).unwrap();
    assert!(matches!(*engine.commit(to_bob("m")).unwrap_err(), Error::Conflict { .. }));
    let all = Transaction::deliver(Envelope { message: message("m", Recipient::All), recipients: Vec::new() });
    assert!(matches!(*engine.commit(all).unwrap_err(), Error::Conflict { .. }));
    let twice = Transaction { envelopes: [to_bob("n").envelopes, to_bob("n").envelopes].concat(), ..to_bob("n") };
    assert!(matches!(*engine.commit(twice).unwrap_err(), Error::Conflict { .. }));
    assert_eq!(engine.snapshot().unwrap().value.deliveries.len(), 1);
}

#[test]
fn an_edit_runs_more_than_once() {
    let (engine, mut runs) = (engine(), 0);
    engine.edit_directory(&mut |_| runs += 1).unwrap();
    assert!(runs > 1);
}

#[test]
fn a_lease_on_a_host_without_a_clock_is_not_waited_for_for_ever() {
    struct Stopped;
    impl Host for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::default()
        }
        fn random(&self) -> u128 {
            0
        }
        fn sleep(&self, _: Span) {}
    }
    let engine = MemoryEngine::new(Stopped);
    engine.init().unwrap();
    let take = || engine.lease(&"work".parse().unwrap(), "ann", Span::from_seconds(1), Span::from_seconds(1));
    take().unwrap();
    assert!(matches!(*take().unwrap_err(), Error::Locked { .. }));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "is posted to nobody")]
fn a_direct_message_to_nobody_is_a_bug() {
    let mut change = to_bob("m");
    change.envelopes[0].recipients.clear();
    let _ = engine().commit(change);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "fraction of a second")]
fn a_time_with_a_fraction_is_a_bug() {
    let mut change = to_bob("m");
    change.envelopes[0].message.sent_at = Timestamp::from_micros(1);
    let _ = engine().commit(change);
}

#[test]
#[should_panic(expected = "must not call the engine")]
fn an_edit_that_calls_the_engine_is_a_bug() {
    let engine = engine();
    let _ = engine.edit_directory(&mut |_| drop(engine.snapshot()));
}
