//! From a mailbox to documents and back: nothing is lost on the way but what is said to be.

use serde_json::json;

use super::*;
use crate::bus::{Bus, Draft, InboxFilter, NewAgent, ReplyDraft, check_in, threads_in};
use crate::engine::Engine;
use crate::engine::files::FilesEngine;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::{FileSystem, parent};
use crate::host::FixedHost;
use crate::model::{AgentName, Delivery, Json, JsonMap, Place, Recipient, Span, Timestamp};
use crate::wire::documents::{Document, decode};
use crate::wire::mailbox::layout;

macro_rules! scripts {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!(
            "../../../../tests/fixtures/mailbox-by-spec-scripts/.agent-messages/", $path
        )))),*]
    };
}

/// What the protocol's own shell scripts left behind.
const SCRIPTS: [(&str, &str); 24] = scripts![
    "registry.json",
    "routing.json",
    "broadcasts/bcast_20261116_025722_v7nkow.json",
    "events/BlockerEncountered/evt_20261116_025724_qp9p4n.json",
    "events/BlockerResolved/evt_20261116_025726_amy7oi.json",
    "events/TaskCompleted/evt_20261116_025726_mmsqc8.json",
    "inbox/architect-1/msg_20261116_025723_n1fkby.json",
    "inbox/architect-1/msg_20261116_025724_7lyg3p.json",
    "inbox/builder-1/bcast_20261116_025722_v7nkow.json",
    "inbox/builder-1/bcast_20261116_025722_v7nkow.json.read",
    "inbox/builder-1/msg_20261116_025726_a2ftbx.json",
    "inbox/builder-1/resp_20261116_025720_9zzmua.json",
    "inbox/builder-2/bcast_20261116_025722_v7nkow.json",
    "inbox/builder-2/bcast_20261116_025722_v7nkow.json.read",
    "inbox/builder-2/msg_20261116_025718_jksk3l.json",
    "inbox/builder-2/msg_20261116_025718_jksk3l.json.read",
    "inbox/builder-2/resp_20261116_025721_kah8qg.json",
    "inbox/orchestrator/evt_20261116_025724_qp9p4n.json",
    "inbox/validator-1/bcast_20261116_025722_v7nkow.json",
    "outbox/msg_20261116_025718_jksk3l_to_builder-2.json",
    "outbox/msg_20261116_025723_n1fkby_to_architect-1.json",
    "outbox/msg_20261116_025724_7lyg3p_to_architect-1.json",
    "outbox/msg_20261116_025725_w9obfy_to_builder-2.json",
    "outbox/msg_20261116_025726_a2ftbx_to_builder-1.json",
];

fn host() -> FixedHost {
    FixedHost::at("2025-11-29T14:30:00Z")
}

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn planted<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> MemoryFs {
    let fs = MemoryFs::new();
    for (path, bytes) in files {
        fs.create_dir(parent(path)).unwrap();
        fs.write_new(path, bytes).unwrap();
    }
    fs
}

/// Reads all of a bus, and is sure that nothing is wrong with it.
fn read(fs: &MemoryFs) -> (MailSnapshot, Directory) {
    let host = host();
    let engine = FilesEngine::new(fs, &host);
    let (snapshot, directory) = (engine.snapshot().unwrap(), engine.directory().unwrap());
    assert_eq!((snapshot.findings, directory.findings), (Vec::new(), Vec::new()));
    (snapshot.value, directory.value)
}

fn letters<'a>(snapshot: &'a MailSnapshot, directory: &'a Directory) -> ExportSource<'a> {
    ExportSource { snapshot, directory, extra_files: &[] }
}

/// Reads the lines of an export.
fn documents(exported: &Exported) -> Vec<Document> {
    let text = String::from_utf8(exported.files[0].1.clone()).unwrap();
    text.lines().map(|line| decode(serde_json::from_str::<JsonMap>(line).unwrap()).unwrap()).collect()
}

/// Writes a mailbox and opens it.
fn mailbox(snapshot: &MailSnapshot, directory: &Directory) -> MemoryFs {
    let exported = to_mailbox(&letters(snapshot, directory));
    assert_eq!(exported.losses, []);
    let fs = planted(exported.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    exported.directories.iter().for_each(|dir| fs.create_dir(dir).unwrap());
    fs
}

/// Takes a bus to documents and back to a mailbox, and compares everything at every station.
fn check_round_trip(fs: &MemoryFs) -> MemoryFs {
    let (snapshot, directory) = read(fs);
    let exported = to_documents(&letters(&snapshot, &directory));
    let read_back = snapshot_of(documents(&exported));
    assert_eq!(read_back.findings, []);
    assert_eq!(read_back.value, snapshot, "by way of documents");
    let again = mailbox(&read_back.value, &directory);
    let (snapshot_again, directory_again) = read(&again);
    assert_eq!(snapshot_again, snapshot, "by way of a mailbox");
    assert_eq!(directory_again, directory);
    assert_eq!(threads_in(&snapshot_again), threads_in(&snapshot));
    assert_eq!(to_documents(&letters(&snapshot_again, &directory_again)), exported, "the same documents again");
    again
}

/// Creates a bus on which everything has happened that can happen to a message.
fn busy() -> MemoryFs {
    let (fs, host) = (MemoryFs::new(), host());
    let engine = FilesEngine::new(&fs, &host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    let [ann, bob, cyd] = ["ann", "bob", "cyd"].map(name);
    for agent in [&ann, &bob, &cyd] {
        bus.register(agent, &NewAgent::with_role("builder")).unwrap();
    }
    bus.subscribe(&bob, &["Built".parse().unwrap()]).unwrap();
    let send = |draft: Draft| {
        host.advance(Span::from_seconds(1));
        bus.send(&ann, &draft).unwrap().id
    };
    let old = send(Draft { body: json!({"title": "Parser", "taskId": "t"}), ..Draft::to(&bob, "Old and read") });
    bus.inbox(&bob, &InboxFilter::default()).unwrap();
    bus.read(&bob, &old).unwrap();
    bus.broadcast(&ann, &Draft { body: json!({"decision_id": "D1"}), ..Draft::new("Old and for all") }).unwrap();
    host.advance(Span::from_hours(80));
    bus.inbox(&bob, &InboxFilter::default()).unwrap();
    bus.archive(None, false).unwrap();

    let both = Draft { to: vec![bob.clone(), cyd.clone()], needs_reply: true, ..Draft::new("Which port?") };
    let both = send(Draft { body: "[80]".into(), ..both });
    bus.inbox(&bob, &InboxFilter::default()).unwrap();
    bus.read(&bob, &both).unwrap();
    bus.reply(&bob, &both, &ReplyDraft { body: json!([80]), ..ReplyDraft::default() }).unwrap();
    engine.redeliver(&cyd, &both, Timestamp::parse("2025-12-03T10:00:00Z").unwrap()).unwrap();
    bus.inbox(&cyd, &InboxFilter::default()).unwrap();
    let dead = send(Draft { body: Json::Null, ..Draft::to(&cyd, "Hello?") });
    bus.inbox(&cyd, &InboxFilter::default()).unwrap();
    engine.redeliver(&cyd, &dead, Timestamp::parse("2025-12-03T10:00:00Z").unwrap()).unwrap();
    engine.dead_letter(&cyd, &dead, "no \"sign\"", Timestamp::parse("2025-12-03T11:00:00Z").unwrap()).unwrap();
    for body in [json!(5), json!(""), json!("{}"), json!("ünï\n```"), json!({"$set": {"a.b": [null]}})] {
        send(Draft { body, ..Draft::to(&bob, "odd") });
    }
    bus.publish(&ann, &"Built".parse().unwrap(), json!({"ok": true}), false).unwrap();
    bus.publish(&ann, &"Unheard".parse().unwrap(), Json::Null, false).unwrap();
    bus.broadcast(&cyd, &Draft::new("To all")).unwrap();
    fs
}

#[test]
fn busy_bus_round_trips_through_documents() {
    let fs = busy();
    let again = check_round_trip(&fs);
    // An index is derived from the messages, when somebody asks.
    let is_own = |path: &str| path.starts_with(".huddle/") || path.contains(layout::INDEX);
    let is_mail = |path: &&String| !is_own(path) && *path != "registry.json";
    let tree = |fs: &MemoryFs| -> Vec<(String, Vec<u8>)> {
        let files = fs.files();
        files.iter().filter(is_mail).map(|path| (path.clone(), fs.read(path, u64::MAX).unwrap().unwrap())).collect()
    };
    assert_eq!(tree(&again), tree(&fs), "to the byte, and in the same places");
    let copies = read(&fs).0.deliveries;
    let has = |is_so: &dyn Fn(&Delivery) -> bool| assert!(copies.iter().any(is_so));
    has(&|copy| copy.place == Place::Archive && copy.receipt.offered_at.is_some());
    has(&|copy| matches!(copy.place, Place::DeadLetters { .. }) && copy.receipt.redelivered == 1);
    has(&|copy| copy.place == Place::Inbox && copy.receipt.seen_at.is_some());
    has(&|copy| copy.place == Place::Inbox && copy.receipt.redelivered == 1 && copy.receipt.offered_at.is_some());
}

#[test]
fn script_mailbox_round_trips_through_documents() {
    check_round_trip(&planted(SCRIPTS.map(|(path, text)| (path, text.as_bytes()))));
}

#[test]
fn broadcasts_and_events_are_told_by_their_copies() {
    let (snapshot, directory) = read(&busy());
    let documents = documents(&to_documents(&letters(&snapshot, &directory)));
    let records: Vec<_> = documents.iter().filter(|one| !matches!(one, Document::Copy { .. })).collect();
    let [Document::Record(unheard)] = records[..] else { panic!("{records:#?}") };
    assert_eq!(unheard.event().unwrap().as_str(), "Unheard");
    assert_eq!(documents.len(), snapshot.deliveries.len() + 1);
}

#[test]
fn a_record_that_says_something_else_than_its_copies_has_a_document_of_its_own() {
    let (mut snapshot, directory) = read(&busy());
    snapshot.records.iter_mut().for_each(|message| message.subject.push('!'));
    snapshot.sent.iter_mut().for_each(|(message, _)| message.subject.push('!'));
    // A copy that is gone leaves only what the sender's log says.
    snapshot.deliveries.pop().unwrap();
    let exported = to_documents(&letters(&snapshot, &directory));
    let found = snapshot_of(documents(&exported));
    assert_eq!((found.value, found.findings), (snapshot, Vec::new()));
}

#[test]
fn repeated_document_is_ignored_with_a_diagnostic() {
    let (snapshot, directory) = read(&busy());
    let documents = documents(&to_documents(&letters(&snapshot, &directory)));
    let found = snapshot_of(documents.iter().cloned().chain(documents.iter().cloned()));
    assert_eq!(found.value, snapshot);
    assert_eq!(found.findings.len(), documents.len());
    assert_eq!(found.findings[0].code, "repeated-document");
}

/// What another agent's database holds.
const FOREIGN: &str = include_str!("../../../../tests/fixtures/documents/messages.export.jsonl");

fn foreign() -> MailSnapshot {
    let documents = FOREIGN.lines().map(|line| decode(serde_json::from_str::<JsonMap>(line).unwrap()).unwrap());
    snapshot_of(documents).value
}

#[test]
fn documents_become_a_mailbox_with_everybody_in_it() {
    let snapshot = foreign();
    let fs = mailbox(&snapshot, &Directory::default());
    let (again, directory) = read(&fs);
    assert_eq!(again, snapshot, "with the database's own ids");
    let counts: Vec<_> = directory.agents.iter().map(|(name, agent)| (name.as_str(), agent.message_count)).collect();
    assert_eq!(counts, [("director-001", 3), ("researcher-001", 1), ("writer-002", 0)]);
    assert_eq!(directory.initialized_at, Timestamp::parse("2026-01-10T10:30:00Z"));
    assert_eq!(directory, directory_of(&snapshot));
    let now = Timestamp::parse("2026-01-10T12:00:00Z").unwrap();
    assert_eq!(check_in(&again, &directory, &[], now), []);
    let host = host();
    let engine = FilesEngine::new(&fs, &host);
    assert_eq!(Bus::new(&engine, &host).check().unwrap().findings, []);
    Bus::new(&engine, &host).send(&name("writer-002"), &Draft::to(&name("director-001"), "I go on")).unwrap();
}

#[test]
fn fields_that_the_mailbox_gives_another_meaning_survive() {
    let mut snapshot = foreign();
    for copy in &mut snapshot.deliveries {
        for field in ["status", "message_id", "event_id", "payload", "read"] {
            copy.message.extra.insert(field.to_owned(), "theirs".into());
        }
    }
    snapshot.sent = snapshot.deliveries.iter().map(|copy| (copy.message.clone(), copy.recipient.clone())).collect();
    assert_eq!(read(&mailbox(&snapshot, &Directory::default())).0, snapshot);
    let exported = to_documents(&letters(&snapshot, &Directory::default()));
    assert_eq!(snapshot_of(documents(&exported)).value, snapshot);
    assert_eq!(to_documents(&letters(&snapshot, &directory_of(&snapshot))).losses, [], "nothing was known but names");
}

#[test]
fn misfiled_messages_keep_their_recipient() {
    let mut snapshot = foreign();
    snapshot.sent.clear();
    snapshot.deliveries[0].message.to = Recipient::Agents(vec![name("nobody")]);
    let exported = to_mailbox(&letters(&snapshot, &Directory::default()));
    let fs = planted(exported.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    let host = host();
    let found = FilesEngine::new(&fs, &host).snapshot().unwrap();
    assert_eq!(found.value, snapshot);
    assert_eq!(found.findings[0].code, "misdelivered-message");
}

fn told(losses: &[Diagnostic]) -> Vec<(&str, &str)> {
    assert!(losses.iter().all(|loss| loss.code == "not-exported" && !loss.hint.is_empty()), "{losses:?}");
    losses.iter().map(|loss| (loss.place.as_str(), loss.message.as_str())).collect()
}

#[test]
fn documents_export_reports_losses() {
    let (snapshot, mut directory) = read(&busy());
    directory.retention_hours = 24;
    let beside =
        [("shared-context/api.md", "# api"), ("handoffs/h1/HANDOFF.md", "x"), ("handoffs/h1/metadata.json", "{}")];
    let beside = beside.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let letters = ExportSource { snapshot: &snapshot, directory: &directory, extra_files: &beside };
    let wanted = [
        ("registry.json", "roles, capabilities, status and counters of 3 agents: documents only have names"),
        ("registry.json", "1 subscription to 1 event: documents only have what was published"),
        ("registry.json", "the retention of 24 hours: documents are kept until somebody removes them"),
        ("handoffs", "2 files of 3 bytes: documents only hold messages"),
        ("shared-context", "1 file of 5 bytes: documents only hold messages"),
    ];
    assert_eq!(told(&to_documents(&letters).losses), wanted);
    let exported = to_mailbox(&letters);
    assert_eq!(exported.losses, []);
    for file in &beside {
        assert!(exported.files.contains(file), "{file:?}");
    }
}

#[test]
fn mailbox_export_reports_losses() {
    let mut snapshot = foreign();
    let add = |copy: &Delivery, id: &str| Delivery {
        message: crate::model::Message { id: id.parse().unwrap(), ..copy.message.clone() },
        ..copy.clone()
    };
    let mut event = add(&snapshot.deliveries[0], "e1");
    event.message.to = Recipient::Subscribers("Built".parse().unwrap());
    let mut fine = add(&snapshot.deliveries[1], "f1");
    fine.receipt.seen_at = Some(Timestamp::from_micros(1));
    let mut clash = snapshot.deliveries[2].clone();
    clash.message.subject = "another".to_owned();
    snapshot.deliveries.extend([event, fine, clash]);
    let id = snapshot.deliveries[2].message.id.clone();
    let beside = [("coordination.json", "{}"), ("shared-context/../../x", "x"), ("reports/a.json", "{}")];
    let beside = beside.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let exported =
        to_mailbox(&ExportSource { snapshot: &snapshot, directory: &Directory::default(), extra_files: &beside });
    let clash = format!("inbox/director-001/{id}.json");
    let wanted = [
        (clash.as_str(), "another message has the same id, and only one of them can lie here"),
        ("coordination.json", "1 file of 2 bytes: a mailbox has no place for it"),
        ("reports", "1 file of 2 bytes: a mailbox has no place for it"),
        ("shared-context", "1 file of 1 byte: a mailbox has no place for it"),
        ("inbox", "fractions of seconds in the times of 1 message"),
        ("events", "subject, type, priority, thread, deadline or metadata of 1 event"),
    ];
    assert_eq!(told(&exported.losses), wanted);
    assert!(exported.files.iter().all(|(path, _)| is_inside(path)));
}

#[test]
fn the_order_of_what_is_given_does_not_matter() {
    let (snapshot, directory) = read(&busy());
    let mut shuffled = snapshot.clone();
    shuffled.deliveries.reverse();
    shuffled.records.reverse();
    shuffled.sent.reverse();
    assert_eq!(to_documents(&letters(&shuffled, &directory)), to_documents(&letters(&snapshot, &directory)));
    assert_eq!(to_mailbox(&letters(&shuffled, &directory)), to_mailbox(&letters(&snapshot, &directory)));
}
