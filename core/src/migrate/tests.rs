//! A bus with a bit of everything, from place to place.

use serde_json::json;

use super::*;
use crate::Host;
use crate::bus::{Bus, Draft, ErrorKind, HandoffDraft, HandoffFile, InboxFilter, NewAgent, ReplyDraft};
use crate::engine::files::FilesEngine;
use crate::engine::fs::FileSystem;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{Delivery, Message, MessageId, Place, Priority, Recipient, Span};

const NOON: &str = "2025-11-29T12:00:00Z";

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// Creates a bus with letters in every place, a broadcast, events, contexts and handoffs.
fn fill(engine: &dyn Engine, host: &FixedHost) {
    let bus = Bus::new(engine, host);
    let (ann, bob, cyd) = (name("ann"), name("bob"), name("cyd"));
    bus.init().unwrap();
    for agent in [&ann, &bob, &cyd] {
        bus.register(agent, &NewAgent::with_role("builder")).unwrap();
    }
    bus.subscribe(&cyd, &["Done".parse().unwrap(), "Begun".parse().unwrap()]).unwrap();
    bus.subscribe(&bob, &["Done".parse().unwrap()]).unwrap();
    let mut send = |subject: &str| -> MessageId {
        host.advance(Span::from_seconds(60));
        let body = json!({"zeta": 1, "alpha": [true, null, 0.5, "ünï 🦀"]});
        let draft = Draft { body, task: Some("t-1".into()), priority: Priority::High, ..Draft::to(&bob, subject) };
        bus.send(&ann, &draft).unwrap().id
    };
    let [away, dead, again, asked] = ["put away", "given up", "offered anew", "asked"].map(&mut send);
    bus.inbox(&bob, &InboxFilter::default()).unwrap();
    bus.read(&bob, &away).unwrap();
    bus.archive(Some(host.now()), false).unwrap();
    engine.redeliver(&bob, &again, host.now()).unwrap();
    engine.dead_letter(&bob, &dead, "nobody \"answered\"\n", host.now()).unwrap();
    bus.reply(&bob, &asked, &ReplyDraft { body: json!("yes"), ..ReplyDraft::default() }).unwrap();
    bus.broadcast(&ann, &Draft::new("to all")).unwrap();
    bus.send(&cyd, &Draft { to: vec![ann.clone(), bob.clone()], ..Draft::to(&ann, "to two") }).unwrap();
    bus.publish(&ann, &"Done".parse().unwrap(), json!({"task": 1}), false).unwrap();
    bus.create_context(&ann, &"api".parse().unwrap(), "# API").unwrap();
    bus.update_context(&bob, &"api".parse().unwrap(), "more", None).unwrap();
    for task in ["first", "second"] {
        host.advance(Span::from_seconds(60));
        let bytes = vec![0, 255, 10, 13, 128];
        let files = vec![
            HandoffFile { source: "bin/tool".into(), bytes },
            HandoffFile { source: "empty".into(), bytes: Vec::new() },
        ];
        let made = bus.create_handoff(&ann, HandoffDraft { files, ..HandoffDraft::new(&bob, task) }).unwrap();
        if task == "first" {
            bus.accept_handoff(&bob, &made.handoff.id, "with pleasure").unwrap();
        }
    }
    engine.edit_directory(&mut |directory| directory.retention_hours = 24).unwrap();
}

fn moved(from: &dyn Engine, to: &dyn Engine) -> WithDiagnostics<MigrationSummary> {
    migrate(from, to, &mut |_| {}).unwrap()
}

/// Moves without anything to be told, and gives what was moved.
#[track_caller]
fn check_moved(from: &dyn Engine, to: &dyn Engine) -> Vec<KindSummary> {
    let found = moved(from, to);
    assert_eq!(found.findings, []);
    found.value.kinds
}

fn bus_snapshot(engine: &dyn Engine) -> BusSnapshot {
    BusSnapshot::of(engine).unwrap().value
}

#[test]
fn memory_to_files_and_back_is_the_same() {
    let host = FixedHost::at(NOON);
    let (first, fs, last) = (MemoryEngine::new(&host), MemoryFs::new(), MemoryEngine::new(&host));
    fill(&first, &host);
    host.advance(Span::from_hours(1));
    let files = FilesEngine::new(&fs, &host);
    let there = check_moved(&first, &files);
    let back = check_moved(&files, &last);
    assert_eq!(there, back);
    assert_eq!(bus_snapshot(&last), bus_snapshot(&first));
    let count = |kind: &str| there.iter().find(|summary| summary.kind == kind).unwrap().count;
    assert_eq!(["copies", "records", "contexts", "handoffs", "files", "agents"].map(count), [16, 3, 1, 2, 4, 3]);
}

#[test]
fn files_to_memory_and_back_is_the_same() {
    let host = FixedHost::at(NOON);
    let (first, middle, last) = (MemoryFs::new(), MemoryEngine::new(&host), MemoryFs::new());
    let (first, last) = (FilesEngine::new(&first, &host), FilesEngine::new(&last, &host));
    fill(&first, &host);
    host.advance(Span::from_hours(1));
    assert_eq!(check_moved(&first, &middle), check_moved(&middle, &last));
    assert_eq!(bus_snapshot(&last), bus_snapshot(&first));
    // Both can be worked on as before.
    let bus = Bus::new(&last, &host);
    assert_eq!(bus.check().unwrap().findings, Bus::new(&first, &host).check().unwrap().findings);
}

#[test]
fn a_second_time_moves_nothing() {
    let host = FixedHost::at(NOON);
    let (first, fs) = (MemoryEngine::new(&host), MemoryFs::new());
    fill(&first, &host);
    let files = FilesEngine::new(&fs, &host);
    let once = moved(&first, &files).value;
    let tree = |fs: &MemoryFs| {
        fs.files().into_iter().map(|path| (fs.read(&path, u64::MAX).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = tree(&fs);
    let twice = moved(&first, &files).value;
    assert!(once.is_new && !twice.is_new);
    assert_eq!((once.new_copies, twice.new_copies), (16, 0));
    assert_eq!(once.kinds, twice.kinds);
    let is_lease = |path: &str| path.starts_with(".huddle/leases");
    assert_eq!(
        tree(&fs).into_iter().filter(|(_, path)| !is_lease(path)).collect::<Vec<_>>(),
        before.into_iter().filter(|(_, path)| !is_lease(path)).collect::<Vec<_>>(),
    );
}

/// Kills the one who moves after every so many steps, and has another begin again.
fn check_killed(pause: Span, end: fn(&MemoryFs)) {
    let host = FixedHost::at(NOON);
    let first = MemoryEngine::new(&host);
    fill(&first, &host);
    let expected = bus_snapshot(&first);
    for (kills, steps) in (0..).step_by(3).enumerate() {
        let fs = MemoryFs::new();
        fs.fail_after(steps);
        let result = migrate(&first, &FilesEngine::new(&fs, &host), &mut |_| {});
        let killed = fs.is_killed();
        fs.restart();
        end(&fs);
        assert!(killed || result.is_ok(), "it fails only when it is killed: {result:?}");
        host.advance(pause);
        let files = FilesEngine::new(&fs, &host);
        let found = migrate(&first, &files, &mut |_| {}).unwrap_or_else(|error| panic!("{steps}: {error}"));
        assert_eq!(found.findings, [], "after {steps} steps");
        assert_eq!(bus_snapshot(&files), expected, "after {steps} steps");
        if !killed {
            assert!(kills > 20, "it takes many steps, not {steps}");
            return;
        }
    }
}

#[test]
fn migration_resumes_after_kill() {
    check_killed(Span::from_seconds(61), |_| {});
    check_killed(Span::default(), |_| {});
}

#[test]
fn migration_resumes_after_power_cut() {
    check_killed(Span::from_seconds(61), MemoryFs::power_cut);
    check_killed(Span::from_seconds(61), MemoryFs::power_cut_keeping_names);
}

#[test]
fn extra_items_in_target_are_reported() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    fill(&first, &host);
    let bus = Bus::new(&other, &host);
    bus.init().unwrap();
    for agent in ["dee", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("tester")).unwrap();
    }
    bus.subscribe(&name("dee"), &["Done".parse().unwrap()]).unwrap();
    bus.send(&name("dee"), &Draft::to(&name("bob"), "before")).unwrap();
    let found = moved(&first, &other);
    let told: Vec<&str> = found.findings.iter().map(|finding| finding.message.as_str()).collect();
    let expected = [
        "the target has 1 more copies than the source",
        "the target has 1 more sent than the source",
        "the target has 1 more agents than the source",
        "the target has 1 more subscriptions than the source",
    ];
    assert_eq!(told, expected);
    let directory = other.directory().unwrap().value;
    assert_eq!(directory.agents[&name("bob")].role, "builder", "the source knows better");
    let done = &directory.subscriptions[&"Done".parse().unwrap()];
    assert_eq!(done.iter().map(AgentName::as_str).collect::<Vec<_>>(), ["cyd", "bob", "dee"]);
    assert_eq!(found.value.kinds[0].hash, check_moved(&first, &MemoryEngine::new(&host))[0].hash);
}

#[test]
fn target_difference_is_an_error_that_names_it() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    fill(&first, &host);
    moved(&first, &other);
    let again =
        first.snapshot().unwrap().value.deliveries.into_iter().find(|copy| copy.receipt.redelivered > 0).unwrap();
    first.redeliver(&name("bob"), &again.message.id, host.now()).unwrap();
    let error = migrate(&first, &other, &mut |_| {}).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let expected =
        format!("of 16 copies in the source, 0 are missing and 1 are different ({} of bob)", again.message.id);
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn another_context_or_handoff_of_the_same_name_is_refused() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    fill(&first, &host);
    moved(&first, &other);
    Bus::new(&other, &host).update_context(&name("ann"), &"api".parse().unwrap(), "and more", None).unwrap();
    let error = migrate(&first, &other, &mut |_| {}).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.to_string().starts_with("shared context api in the target"), "{error}");
}

#[test]
fn mailbox_migration_reports_losses_once() {
    let host = FixedHost::at(NOON);
    let (first, fs) = (MemoryEngine::new(&host), MemoryFs::new());
    fill(&first, &host);
    let mut records = first.snapshot().unwrap().value.records.into_iter();
    let message = records.find(|record| record.event().is_some()).unwrap();
    let message =
        Message { id: "evt_x".parse().unwrap(), subject: "more to say".into(), priority: Priority::Low, ..message };
    let fine = Message {
        id: "m-fine".parse().unwrap(),
        to: Recipient::Agents(vec![name("bob")]),
        sent_at: Timestamp::from_micros(1_500_000),
        ..message.clone()
    };
    let copy = |message: &Message| Delivery {
        recipient: name("bob"),
        message: message.clone(),
        receipt: Default::default(),
        place: Place::Inbox,
    };
    first
        .import_snapshot(&MailSnapshot {
            deliveries: vec![copy(&message), copy(&fine)],
            records: vec![message],
            sent: Vec::new(),
        })
        .unwrap();
    let found = moved(&first, &FilesEngine::new(&fs, &host));
    let told: Vec<&str> = found.findings.iter().map(|finding| finding.message.as_str()).collect();
    let expected = [
        "fractions of seconds in the times of 1 message",
        "subject, type, priority, thread, deadline or metadata of 1 event",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        moved(&first, &FilesEngine::new(&fs, &host)),
        WithDiagnostics {
            value: MigrationSummary { is_new: false, new_copies: 0, ..found.value },
            findings: found.findings
        }
    );
}

#[test]
fn a_source_without_a_bus_leaves_the_target_as_it_is() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    assert_eq!(migrate(&first, &other, &mut |_| {}).unwrap_err().kind(), ErrorKind::NotFound);
    assert!(other.directory().is_err(), "no bus was made");
}

#[test]
fn progress_is_told_to_the_end() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    fill(&first, &host);
    let mut told = Vec::new();
    migrate(&first, &other, &mut |progress| told.push(progress)).unwrap();
    assert!(told.contains(&Progress { doing: "moving messages", done: 16, of: 16 }), "{told:?}");
    assert!(told.contains(&Progress { doing: "moving contexts and handoffs", done: 3, of: 3 }), "{told:?}");
}

#[test]
fn import_registers_unknown_agents() {
    let host = FixedHost::at(NOON);
    let (first, other) = (MemoryEngine::new(&host), MemoryEngine::new(&host));
    fill(&first, &host);
    let bus = Bus::new(&other, &host);
    bus.init().unwrap();
    bus.register(&name("bob"), &NewAgent::with_role("tester")).unwrap();
    let snapshot = first.snapshot().unwrap().value;
    let check = |new_copies, registered: &[&str]| {
        let registered = registered.iter().map(|text| name(text)).collect();
        let expected = WithDiagnostics::clean(ImportSummary { new_copies, registered });
        assert_eq!(import(&other, &snapshot, &mut |_| {}).unwrap(), expected);
    };
    check(16, &["ann", "cyd"]);
    let directory = other.directory().unwrap().value;
    assert_eq!(directory.names(), [name("ann"), name("bob"), name("cyd")]);
    assert_eq!(directory.agents[&name("bob")].message_count, 0, "bob was known");
    let ann = &first.directory().unwrap().value.agents[&name("ann")];
    assert_eq!(directory.agents[&name("ann")].message_count, ann.message_count);
    check(0, &[]);
    assert_eq!(other.directory().unwrap().value, directory);
}
