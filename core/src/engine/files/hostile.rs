//! Files that somebody else wrote: none of them makes a command fail, hang or write where it should not.

use serde_json::{Value, json};

use super::FilesEngine;
use super::documents::lease_name;
use crate::bus::{Bus, Draft, InboxFilter, NewAgent};
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::{FileSystem, parent};
use crate::engine::journal::{KEYS, LEASES, WORK};
use crate::host::FixedHost;
use crate::model::{AgentName, ContextName, Span};

const TX: &str = "019ad00000007000800000000000000a";

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn plant(fs: &MemoryFs, path: &str, bytes: &[u8]) {
    fs.create_dir(parent(path)).unwrap();
    fs.remove(path).unwrap();
    fs.write_new(path, bytes).unwrap();
    fs.sync_dir(parent(path)).unwrap();
}

/// Has agents work on a bus in which something was planted, and checks that each of them could; returns the paths of all
/// files outside of Huddle's own directory.
#[track_caller]
fn check_work(what: &str, plant: impl FnOnce(&MemoryFs)) -> Vec<String> {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let api: ContextName = "api".parse().unwrap();
    let start = |act: &dyn Fn(&Bus<'_>)| {
        let engine = FilesEngine::new(&fs, &host);
        act(&Bus::new(&engine, &host));
        host.advance(Span::from_seconds(1));
    };
    start(&|bus| {
        bus.init().unwrap();
        for agent in ["ann", "bob"] {
            bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
        }
        bus.create_context(&name("ann"), &api, "first").unwrap();
        // With a change of its own the journal is known to have been written here.
        bus.send(&name("ann"), &Draft::to(&name("bob"), "before")).unwrap();
    });
    plant(&fs);
    host.advance(Span::from_seconds(90));
    let began = crate::Host::now(&host);
    start(&|bus| {
        drop(bus.inbox(&name("bob"), &InboxFilter::default()).unwrap_or_else(|error| panic!("{what}: {error}")));
    });
    start(&|bus| {
        bus.send(&name("ann"), &Draft::to(&name("bob"), "after")).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
    start(&|bus| {
        bus.update_context(&name("bob"), &api, "more", None).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
    start(&|bus| {
        let first = InboxFilter { limit: Some(1), ..InboxFilter::default() };
        let inbox = bus.inbox(&name("bob"), &first).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(inbox.shown.len(), 1, "{what}");
        bus.trace(&inbox.shown[0].message.id).unwrap_or_else(|error| panic!("{what}: {error}"));
    });
    start(&|bus| drop(bus.check().unwrap_or_else(|error| panic!("{what}: {error}"))));
    start(&|bus| {
        let inbox = bus.inbox(&name("bob"), &InboxFilter::default()).unwrap();
        let subjects: Vec<&str> = inbox.shown.iter().map(|one| one.message.subject.as_str()).collect();
        assert!(subjects.contains(&"before") && subjects.contains(&"after"), "{what}: {subjects:?}");
        let bob = bus.agents(None).unwrap().value.into_iter().find(|agent| agent.name == name("bob")).unwrap();
        assert_eq!(bob.agent.message_count, 2, "{what}");
    });
    let waited = crate::Host::now(&host).since(began);
    assert!(waited < Span::from_seconds(30), "{what}: all of it took {waited}");
    fs.files().into_iter().filter(|path| !path.starts_with(".huddle/")).collect()
}

#[test]
fn a_forged_journal_entry_moves_nothing_and_stops_nobody() {
    let clean = check_work("nothing", |_| {});
    let step = |words: Value| json!({"tx": TX, "contents": 1, "steps": [words], "key": null, "note": null});
    let own = format!("{WORK}/{TX}.0");
    let forged = [
        step(json!(["move", own, "../.git/hooks/pre-commit"])),
        step(json!(["move", own, "registry.json"])),
        step(json!(["link", own, "inbox/../../x.json"])),
        step(json!(["link", "registry.json", "inbox/bob/stolen.json"])),
        step(json!(["move", "registry.json", "archive/2025-11-29/registry.json"])),
        step(json!(["move", "inbox/bob/x.json", "outbox/x.json"])),
        step(json!(["remove", "registry.json"])),
        step(json!(["remove", "inbox"])),
        step(json!(["dir", "nonexist/../../outside"])),
        step(json!(["dir", "a\u{0}b"])),
        step(json!(["append", "registry.json", "x\n", "x"])),
        step(json!(["append", "inbox/bob/x.json", "x\n", ""])),
        step(json!(["explode"])),
        json!({"tx": TX, "contents": 4_294_967_295_u64, "steps": [], "key": null, "note": null}),
        json!({"tx": "another", "contents": 0, "steps": [], "key": null, "note": null}),
        json!({"tx": TX, "contents": 0, "steps": [], "key": ["../../x", "y"], "note": null}),
        json!([]),
        json!("x".repeat(1000)),
    ];
    for entry in &forged {
        let left = check_work(&entry.to_string(), |fs| {
            plant(fs, &own, b"#!/bin/sh");
            plant(fs, &format!("{WORK}/{TX}.json"), entry.to_string().as_bytes());
        });
        assert_eq!(left.len(), clean.len(), "{entry}");
    }
    println!("{} forged journal entries: none was carried out, nobody was stopped", forged.len());
}

#[test]
fn odd_files_in_the_work_directory_stop_nobody() {
    let dir = |path: String| move |fs: &MemoryFs| fs.create_dir(&path).unwrap();
    check_work("a directory as entry", dir(format!("{WORK}/{TX}.json")));
    check_work("a directory as content", dir(format!("{WORK}/{TX}.0/x")));
    check_work("a directory as part", dir(format!("{WORK}/{TX}.part/x")));
    check_work("a name that is no transaction", |fs| plant(fs, &format!("{WORK}/x.json"), b"{}"));
    check_work("no ending", |fs| plant(fs, &format!("{WORK}/x"), b"{}"));
    check_work("a directory in the inbox", dir("inbox/bob/x.json/y".to_owned()));
    check_work("a directory as marker", dir("inbox/bob/x.json.read/y".to_owned()));
    check_work("a directory as log", dir(".huddle/offered/bob.log/y".to_owned()));
    check_work("a directory as index", dir(".huddle/index/ann.log/y".to_owned()));
    check_work("a directory as stamp", dir(".huddle/index/ann.stamp/y".to_owned()));
    check_work("a file as context lease", |fs| plant(fs, &format!("{LEASES}/{}/x", lease_name("api")), b""));
    check_work("a forged key", |fs| plant(fs, &format!("{KEYS}/{TX}.json"), b"{}"));
}

#[test]
fn a_forged_lease_holds_nobody_up() {
    let held = |until: &str| json!({"owner": "mallory", "taken_at": "2025-11-29T14:30:52Z", "expires_at": until, "released": false});
    let files = [
        ("000000000099", held("9999-01-01T00:00:00Z").to_string()),
        ("000000000099", held("2025-11-29T15:35:00Z").to_string()),
        ("18446744073709551615", json!({"released": true}).to_string()),
        ("18446744073709551614", held("2025-11-29T14:33:00Z").to_string()),
        ("999999999999", json!({"released": true}).to_string()),
        ("099999999998", json!({"released": true}).to_string()),
        ("000000000099", String::new()),
        ("000000000099", "[".repeat(200_000)),
    ];
    for (number, text) in &files {
        for lease in ["registry", lease_name("api").as_str()] {
            let path = format!("{LEASES}/{lease}/{number}");
            check_work(&format!("{path}: {text:.80}"), |fs| plant(fs, &path, text.as_bytes()));
        }
    }
    check_work("a directory as lease", |fs| fs.create_dir(&format!("{LEASES}/registry/000000000099")).unwrap());
}
