//! A process that is suspended at any of its calls, for any time, while others go on: no confirmed change is lost.

use super::FilesEngine;
use crate::bus::{Bus, Draft, NewAgent, Wanted};
use crate::engine::disk::WORK;
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::memory::stalling::{StallingFs, at_every_call};
use crate::host::FixedHost;
use crate::model::{AgentName, ContextName, Span};

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

/// Makes a bus with ann, bob and cyd on it, and a shared context.
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
        let kept: Vec<String> = fs.files().into_iter().filter(|path| path.starts_with(WORK)).collect();
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
            let inbox = bus.inbox(&name("cyd"), &Wanted::default()).unwrap();
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
