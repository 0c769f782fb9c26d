//! Waiting for mail: a change stream tells of it where there is a replica set; elsewhere one has to look.

use std::thread;
use std::time::{Duration, Instant};

use huddle_core::bus::{Bus, Draft, InboxFilter, NewAgent};
use huddle_core::engine::Engine;
use huddle_core::model::{MessageId, Span};
use huddle_mongod::Server;

use crate::clock::Clock;
use crate::support::{name, new_database, open};

const LONG: Span = Span::from_seconds(30);

/// How long others take before they do anything.
const SOON: Duration = Duration::from_millis(300);

/// Creates a bus at an address, with three agents on it.
fn make_bus(address: &str) {
    let engine = open(address);
    let bus = Bus::new(&engine, &Clock);
    bus.init().unwrap();
    for agent in ["ann", "bob", "cyd"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
}

/// Has another do something soon, with a connection of its own.
fn soon(address: &str, act: impl FnOnce(&dyn Engine, &Bus<'_>) + Send + 'static) -> thread::JoinHandle<()> {
    let address = address.to_owned();
    thread::spawn(move || {
        let engine = open(&address);
        thread::sleep(SOON);
        act(&engine, &Bus::new(&engine, &Clock));
    })
}

/// Sends a message from Ann, and gives its id.
fn send(bus: &Bus<'_>, to: &str) -> MessageId {
    bus.send(&name("ann"), &Draft::to(&name(to), "News")).unwrap().id
}

/// Checks that a wait, which is one, ends long before its time.
#[track_caller]
fn check_woken(engine: &dyn Engine) {
    let began = Instant::now();
    assert!(engine.wait(&name("bob"), LONG).unwrap(), "the engine can tell");
    let waited = began.elapsed();
    assert!(waited > SOON / 2 && waited < Duration::from_secs(10), "woken after {waited:?}");
}

#[test]
fn a_stream_tells_what_came_and_what_is_offered_anew() {
    let address = new_database();
    make_bus(&address);
    let engine = open(&address);
    let bob = name("bob");
    assert!(engine.wait(&bob, LONG).unwrap(), "there is a stream from now on");
    let other = soon(&address, |_, bus| drop(send(bus, "bob")));
    check_woken(&engine);
    other.join().unwrap();
    let inbox = engine.inbox(&bob, true).unwrap().value;
    assert_eq!(inbox.len(), 1);

    let id = inbox[0].message.id.clone();
    let other = soon(&address, move |engine, bus| {
        bus.read(&name("bob"), &id).unwrap();
        engine.redeliver(&name("bob"), &id, inbox[0].message.sent_at).unwrap();
    });
    check_woken(&engine);
    other.join().unwrap();
}

#[test]
fn what_comes_between_two_waits_ends_the_second() {
    let address = new_database();
    make_bus(&address);
    let engine = open(&address);
    let bob = name("bob");
    assert!(engine.wait(&bob, LONG).unwrap());
    soon(&address, |_, bus| drop(send(bus, "bob"))).join().unwrap();
    let began = Instant::now();
    assert!(engine.wait(&bob, LONG).unwrap());
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn what_comes_for_another_wakes_nobody() {
    let address = new_database();
    make_bus(&address);
    let engine = open(&address);
    let span = Span::from_millis(1200);
    assert!(engine.wait(&name("bob"), span).unwrap());
    let other = soon(&address, |_, bus| drop(send(bus, "cyd")));
    let began = Instant::now();
    assert!(engine.wait(&name("bob"), span).unwrap());
    assert!(began.elapsed() >= Duration::from_millis(1100), "woken after {:?}", began.elapsed());
    other.join().unwrap();
}

#[test]
fn a_bus_waits_with_and_without_a_stream() {
    let server = Server::standalone().unwrap();
    for address in [new_database(), server.url("db")] {
        make_bus(&address);
        let engine = open(&address);
        let bus = Bus::new(&engine, &Clock);
        let other = soon(&address, |_, bus| drop(send(bus, "bob")));
        let inbox = bus.wait_inbox(&name("bob"), &InboxFilter::default(), LONG).unwrap();
        assert_eq!((inbox.total, inbox.findings), (1, Vec::new()));
        other.join().unwrap();
    }
    let began = Instant::now();
    assert!(!open(&server.url("db")).wait(&name("bob"), LONG).unwrap(), "a server without a set cannot tell");
    assert!(began.elapsed() < Duration::from_secs(10), "and says so at once");
}
