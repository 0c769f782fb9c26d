//! Every file of a mailbox with any content: one bad file costs that file, and nobody else anything.

use super::bus::{Tree, name, own_context};
use super::expect;
use super::planted::{Plant, is_in, plants};
use crate::Host;
use crate::bus::{
    Bus, Draft, Error, ErrorKind, HandoffDraft, InboxFilter, ReplyDraft, Result, SweepRules, blocker_in, broadcast_in,
    summarize, threads_in, trace_in,
};
use crate::engine::Engine;
use crate::engine::files::FilesEngine;
use crate::engine::journal::{LEASES, QUARANTINE, WORK};
use crate::model::{AgentName, MessageId, Span};
use crate::wire::mailbox::{context, handoff, layout, lock, message, receipt};

/// The files of ann, of cyd and of the bus itself: those have targets of their own.
const KEPT: [&str; 10] = [
    layout::REGISTRY,
    "inbox/ann",
    "inbox/cyd",
    "shared-context/own.md",
    "shared-context/own.md.lock",
    ".huddle/offered/ann.log",
    ".huddle/offered/cyd.log",
    ".huddle/origin",
    LEASES,
    QUARANTINE,
];

/// How much later what was sent is past its retention.
const LATER: Span = Span::from_hours(100);

/// Plants files in a bus and has agents work.
pub fn mailbox(data: &[u8]) {
    let mut plants = plants(data);
    plants.retain(|plant| !KEPT.iter().chain([&WORK]).any(|dir| is_in(&plant.path, dir)));
    plants.iter().for_each(decoded);
    let tree = Tree::with_planted(&plants);
    let began = tree.host.now();
    others_work(&tree);
    bob_reads(&tree);
    all_is_listed(&tree);
    documents_change(&tree);
    upkeep(&tree);
    others_work(&tree);
    let took = tree.host.now().since(began.plus(LATER));
    assert!(took < Span::from_seconds(1200), "all of it took {took}");
}

/// What can be read is the same when it is written and read again.
fn decoded(plant: &Plant<'_>) {
    let bytes = plant.bytes;
    if let Ok(message) = message::decode(bytes) {
        let again = expect("decoding", message::decode(message::encode(&message, None).as_bytes()));
        // Times in files count seconds.
        assert_eq!((again.sent_at, &again.body), (message.sent_at.floor(), &message.body));
        assert_eq!((again.id, again.from, again.subject), (message.id, message.from, message.subject));
    }
    if let Ok(metadata) = handoff::decode_metadata(bytes) {
        let again = expect("decoding", handoff::decode_metadata(handoff::encode_metadata(&metadata).as_bytes()));
        assert_eq!((again.id, again.from, again.to), (metadata.id, metadata.from, metadata.to));
    }
    let document = String::from_utf8_lossy(bytes);
    let before = context::decode(&own_context(), &document);
    let appended = context::appended(&document, &name("bob"), "more", crate::model::Timestamp::default());
    assert!(context::decode(&own_context(), &appended).version > before.version, "an update is a new version");
    drop((lock::holder(bytes), receipt::decode_read(bytes), receipt::decode_redelivered(bytes)));
    drop((receipt::decode_dead(bytes), receipt::decode_offered(bytes, None)));
}

/// Ann and cyd work as if nothing had been planted.
fn others_work(tree: &Tree) {
    let [ann, cyd] = ["ann", "cyd"].map(name);
    let id = tree.send(&ann, &cyd, "after");
    tree.act(|bus| expect("reading", bus.read(&cyd, &id)));
    let reply = tree.act(|bus| expect("replying", bus.reply(&cyd, &id, &ReplyDraft::default())));
    tree.act(|bus| expect("reading the reply", bus.read(&ann, &reply.id)));
    tree.act(|bus| expect("updating", bus.update_context(&ann, &own_context(), "more", None)));
    tree.act(|bus| expect("handing over", bus.create_handoff(&ann, HandoffDraft::new(&cyd, "a task"))));
    tree.act(|bus| expect("broadcasting", bus.broadcast(&cyd, &Draft::new("to all"))));
    tree.act(|bus| expect("listing the agents", bus.agents(None)));
}

/// What bob's inbox lists can be read, and answered where its sender is known.
fn bob_reads(tree: &Tree) {
    let bob = name("bob");
    tree.act(|bus| expect("counting", bus.unread(&bob)));
    let inbox = tree
        .act(|bus| expect("listing the inbox", bus.inbox(&bob, &InboxFilter { all: true, ..InboxFilter::default() })));
    assert_eq!(inbox.total, inbox.shown.len());
    let ids: Vec<MessageId> = inbox.shown.into_iter().map(|one| one.message.id).collect();
    for id in &ids {
        tree.act(|bus| expect("peeking", bus.peek(&bob, id)));
        tree.act(|bus| expect("reading", bus.read(&bob, id)));
        tree.act(|bus| refused("acknowledging", bus.ack(&bob, id, Some("seen"))));
        tree.act(|bus| refused("replying", bus.reply(&bob, id, &ReplyDraft::default())));
    }
    let unread = tree.act(|bus| expect("listing the inbox", bus.inbox(&bob, &InboxFilter::default())));
    let left = unread.shown.iter().find(|one| ids.contains(&one.message.id));
    assert!(left.is_none(), "{:?} was read and is unread", left.map(|one| &one.message.id));
}

/// Ensures that an operation was done, or refused for what it was asked for: storage has not failed.
#[track_caller]
fn refused<T>(doing: &str, result: Result<T>) {
    if let Err(error) = result {
        let is_refusal = matches!(
            error.kind(),
            ErrorKind::Usage | ErrorKind::NotFound | ErrorKind::TimedOut | ErrorKind::Conflict | ErrorKind::Invalid
        );
        assert!(is_refusal && !error.hint().is_empty(), "{doing}: {error}");
    }
}

/// Whoever asks for all that there is gets it, and whatever is asked of it has an answer.
fn all_is_listed(tree: &Tree) {
    tree.act(|bus| expect("checking", bus.check()));
    tree.act(|bus| expect("listing dead letters", bus.dead_letters()));
    tree.act(|bus| expect("listing threads", bus.threads()));
    let engine = FilesEngine::new(&tree.fs, &tree.host);
    let snapshot = expect("reading everything", engine.snapshot()).value;
    let directory = expect("reading the directory", engine.directory()).value;
    for thread in threads_in(&snapshot) {
        drop(summarize(&thread, &snapshot));
        for message in &thread.messages {
            let trace = trace_in(&snapshot, &directory, &message.id, tree.host.now());
            assert!(trace.is_some(), "{} is listed and cannot be traced", message.id);
            drop((broadcast_in(&snapshot, message), blocker_in(&snapshot, message.id.as_str(), tree.host.now())));
        }
    }
}

/// Documents that anybody edited are listed; who cannot change one is told why.
fn documents_change(tree: &Tree) {
    let bob = name("bob");
    for context in tree.act(|bus| expect("listing contexts", bus.contexts())).value {
        tree.act(|bus| drop(expect("reading a context", bus.context(&context.name))));
        tree.act(|bus| update(bus, &bob, &context));
    }
    for handoff in tree.act(|bus| expect("listing handoffs", bus.handoffs())).value {
        tree.act(|bus| refused("reading a handoff", bus.handoff(&handoff.id)));
        tree.act(|bus| {
            refused("taking the context", bus.handoff_context(&handoff.to, &handoff.id, Some(Span::from_millis(100))));
        });
        tree.act(|bus| refused("accepting", bus.accept_handoff(&handoff.to, &handoff.id, "ok")));
    }
}

fn update(bus: &Bus<'_>, bob: &AgentName, before: &crate::model::Context) {
    match bus.update_context(bob, &before.name, "more", None) {
        Ok(updated) => assert!(updated.context.version > before.version),
        Err(error) => {
            // The document, or the shell snippets' lock of it, cannot be read.
            let is_told = matches!(*error, Error::Engine(_)) && !error.hint().is_empty();
            assert!(is_told, "updating {}: {error}", before.name);
        }
    }
}

/// Upkeep serves all agents, so nobody's file stops it.
fn upkeep(tree: &Tree) {
    tree.act(|bus| expect("sweeping", bus.sweep(None, &SweepRules::default())));
    tree.host.advance(LATER);
    tree.act(|bus| expect("sweeping", bus.sweep(None, &SweepRules::default())));
    for letter in tree.act(|bus| expect("listing dead letters", bus.dead_letters())).value {
        tree.act(|bus| refused("retrying", bus.retry_dead_letter(&letter.delivery.message.id)));
    }
    tree.act(|bus| expect("archiving", bus.archive(Some(tree.host.now()), true)));
    tree.act(|bus| expect("checking", bus.check()));
}
