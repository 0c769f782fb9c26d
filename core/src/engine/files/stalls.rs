//! A process that is suspended at any of its calls, for any time, while others go on: no confirmed change is lost.

use std::cell::Cell;

use super::FilesEngine;
use crate::Host;
use crate::bus::{Bus, Draft, InboxFilter, NewAgent, SweepRules};
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::memory::stalling::{StallingFs, Then, at_every_call};
use crate::engine::journal::{TAKEN, WORK};
use crate::engine::{Engine, Seen};
use crate::host::FixedHost;
use crate::model::{AgentName, ContextName, Span, Timestamp};

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn api() -> ContextName {
    "api".parse().unwrap()
}

fn with_bus<F: FileSystem, T>(fs: F, host: &FixedHost, act: impl FnOnce(&Bus<'_>) -> T) -> T {
    let engine = FilesEngine::new(fs, host);
    act(&Bus::new(&engine, host))
}

/// Creates a bus with ann, bob and cyd on it, and a shared context.
fn prepared(host: &FixedHost) -> MemoryFs {
    let fs = MemoryFs::new();
    with_bus(&fs, host, |bus| {
        bus.init().unwrap();
        for agent in ["ann", "bob", "cyd"] {
            bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
        }
        bus.create_context(&name("ann"), &api(), "first").unwrap();
    });
    fs
}

/// Lists what is left of changes.
fn left_over(fs: &MemoryFs) -> Vec<String> {
    fs.files().into_iter().filter(|path| path.starts_with(WORK) || path.starts_with(TAKEN)).collect()
}

/// Suspends ann's process at each of its calls while bob's works, and checks what is left of both.
fn check(slow: impl Fn(&Bus<'_>) -> bool, quick: impl Fn(&Bus<'_>), left: impl Fn(&Bus<'_>, bool)) {
    at_every_call(|call, pause| {
        let host = FixedHost::at("2025-11-29T14:30:52Z");
        let fs = prepared(&host);
        let stalling = StallingFs::new(&fs, call, || {
            host.advance(pause);
            with_bus(&fs, &host, &quick);
        });
        let confirmed = with_bus(&stalling, &host, &slow);
        if !stalling.has_stalled() {
            return false;
        }
        host.advance(Span::from_seconds(61));
        with_bus(&fs, &host, |bus| left(bus, confirmed));
        let kept: Vec<String> = left_over(&fs);
        assert!(kept.is_empty(), "call {call}, pause {pause}: {kept:?}");
        true
    });
}

#[test]
fn no_confirmed_update_of_a_context_is_lost() {
    check(
        |bus| bus.update_context(&name("ann"), &api(), "from ann", None).is_ok(),
        |bus| {
            for text in ["from bob", "again from bob"] {
                bus.update_context(&name("bob"), &api(), text, None).unwrap();
            }
        },
        |bus, confirmed| {
            let context = bus.context(&api()).unwrap();
            let count = |text: &str| context.text.lines().filter(|line| *line == text).count();
            assert_eq!((count("from bob"), count("again from bob")), (1, 1), "{}", context.text);
            assert_eq!(count("from ann"), usize::from(confirmed), "{}", context.text);
            assert_eq!(context.version, 3 + u64::from(confirmed));
        },
    );
}

#[test]
fn no_confirmed_message_is_lost_or_counted_twice() {
    check(
        |bus| bus.send(&name("ann"), &Draft::to(&name("cyd"), "from ann")).is_ok(),
        |bus| drop(bus.send(&name("bob"), &Draft::to(&name("cyd"), "from bob")).unwrap()),
        |bus, confirmed| {
            let inbox = bus.inbox(&name("cyd"), &InboxFilter::default()).unwrap();
            let count = |subject: &str| inbox.shown.iter().filter(|one| one.message.subject == subject).count();
            assert_eq!((count("from bob"), count("from ann")), (1, usize::from(confirmed)));
            let cyd = bus.agents(None).unwrap().value.into_iter().find(|agent| agent.name == name("cyd")).unwrap();
            assert_eq!(cyd.agent.message_count, 1 + u64::from(confirmed));
        },
    );
}

#[test]
fn no_confirmed_registration_is_lost() {
    let register = |bus: &Bus<'_>, agent: &str| bus.register(&name(agent), &NewAgent::with_role("new")).is_ok();
    check(
        |bus| register(bus, "dan"),
        |bus| assert!(register(bus, "eve") && register(bus, "fay")),
        |bus, confirmed| {
            let agents = bus.agents(None).unwrap().value;
            let is_there = |agent: &str| agents.iter().any(|one| one.name == name(agent));
            assert!(is_there("eve") && is_there("fay"));
            assert!(is_there("dan") || !confirmed);
        },
    );
}

/// What a process does in a test: with the engine, and with the clock.
type Act<'a> = &'a dyn Fn(&dyn Engine, &FixedHost);

/// Suspends a process at each of its calls while others work, and then again, or kills it, at each of the calls after that.
fn check_twice(
    prepare: Act<'_>,
    slow: Act<'_>,
    [first, second]: [Act<'_>; 2],
    left: &dyn Fn(&dyn Engine, &Bus<'_>, &str),
) {
    // More than a removal has; what comes after it is suspended once in other tests.
    const LATER: usize = 12;
    let mut tried = 0;
    for is_killed in [false, true] {
        for call in 0.. {
            let mut later = 0;
            while later < LATER {
                let host = FixedHost::at("2025-11-29T14:30:52Z");
                let fs = prepared(&host);
                let start = |act: Act<'_>, pause: i64| {
                    host.advance(Span::from_seconds(pause));
                    act(&FilesEngine::new(&fs, &host), &host);
                };
                start(prepare, 0);
                let then = if is_killed { Then::Kill } else { Then::Suspend(Box::new(|| start(second, 61))) };
                let stalling = StallingFs::new(&fs, call, || start(first, 1)).and_then(later, then);
                slow(&FilesEngine::new(&stalling, &host), &host);
                if !stalling.has_stalled_twice() {
                    break;
                }
                if is_killed {
                    start(second, 61);
                }
                let what = format!("call {call}, then {later}, killed: {is_killed}");
                for _ in 0..2 {
                    let check = |engine: &dyn Engine, host: &FixedHost| left(engine, &Bus::new(engine, host), &what);
                    start(&check, 61);
                }
                assert_eq!(left_over(&fs), Vec::<String>::new(), "{what}");
                tried += 1;
                later += 1;
            }
            if later == 0 {
                break;
            }
        }
    }
    assert!(tried > 1000, "{tried} times");
}

#[test]
fn a_late_removal_loses_no_marker_and_makes_no_second_first_reader() {
    let rules = SweepRules { timeout: Span::from_seconds(10), ..SweepRules::default() };
    let question = |engine: &dyn Engine| {
        let copies = engine.inbox(&name("bob"), false).unwrap().value;
        copies.into_iter().find(|copy| copy.message.subject == "question").unwrap()
    };
    let (firsts, was_offered, checked) = (Cell::new(0), Cell::new(false), Cell::new(0));
    let read = |engine: &dyn Engine, host: &FixedHost| {
        let seen = engine.mark_seen(&name("bob"), &question(engine).message.id, host.now()).unwrap();
        firsts.set(firsts.get() + usize::from(seen == Seen::First));
    };
    check_twice(
        &|engine, host| {
            let draft = Draft { needs_reply: true, ..Draft::to(&name("bob"), "question") };
            Bus::new(engine, &host).send(&name("ann"), &draft).unwrap();
            read(engine, host);
            host.advance(Span::from_seconds(60));
            firsts.set(0);
        },
        // Offers the question anew, for which the marker is removed.
        &|engine, host| drop(Bus::new(engine, &host).sweep(None, &rules)),
        [
            &|engine, host| {
                engine.directory().unwrap();
                // Whoever reads before that reads what is then offered anew.
                was_offered.set(question(engine).receipt.redelivered > 0);
                host.advance(Span::from_seconds(1));
                read(engine, host);
            },
            &read,
        ],
        &|engine, _, what| {
            if !was_offered.get() {
                return;
            }
            checked.set(checked.get() + 1);
            assert!(firsts.get() <= 1, "{what}: {} readers were told to be the first", firsts.get());
            assert!(question(engine).receipt.seen_at.is_some(), "{what}: it was read, and counts as unread");
        },
    );
    assert!(checked.get() > 100, "{} times", checked.get());
}

#[test]
fn a_late_removal_loses_no_key() {
    let draft = || Draft { key: Some("k".to_owned()), ..Draft::to(&name("bob"), "keyed") };
    let send =
        |engine: &dyn Engine, host: &FixedHost| drop(Bus::new(engine, &host).send(&name("ann"), &draft()).unwrap());
    let archive_before = |engine: &dyn Engine| engine.archive(Timestamp::parse("2025-11-29T14:31:00Z").unwrap(), true);
    check_twice(
        &|engine, host| {
            send(engine, host);
            host.advance(Span::from_seconds(60));
        },
        &|engine, _| drop(archive_before(engine)),
        [
            &|engine, host| {
                archive_before(engine).unwrap();
                send(engine, host);
            },
            &send,
        ],
        &|engine, bus, what| {
            bus.send(&name("ann"), &draft()).unwrap();
            let unread = engine.unread(&name("bob")).unwrap().count;
            assert_eq!(unread, 1, "{what}: it was sent {unread} times under its key");
        },
    );
}
