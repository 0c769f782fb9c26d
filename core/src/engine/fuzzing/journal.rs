//! Journal entries of any content: what no transaction writes changes nothing, and nobody is stopped.

use super::bus::{Tree, name, own_context};
use super::expect;
use super::planted::{Kind, Plant, contents, is_in, is_path, plants};
use crate::bus::{Draft, ErrorKind, InboxFilter};
use crate::engine::journal::{JournalEntry, KEYS, QUARANTINE, RedoOp, Rules, WORK, rules};
use crate::model::Span;
use crate::wire::mailbox::layout;

/// Where a transaction of the bus may write.
const PERMITTED: [&str; 7] = [
    layout::INBOX,
    layout::OUTBOX,
    layout::BROADCASTS,
    layout::EVENTS,
    layout::CONTEXTS,
    layout::HANDOFFS,
    layout::DEAD_LETTERS,
];

/// Plants files in the journal of a bus (or, if the first byte is odd, of sessions) and has agents work.
pub fn journal(data: &[u8]) {
    let [tree, files @ ..] = data else { return };
    let plants = plants(files);
    plants.iter().for_each(|plant| decoded(plant.bytes));
    if tree % 2 == 1 {
        crate::session::fuzzing::journal(&plants);
    } else {
        on_a_bus(plants);
    }
}

/// An entry is written as it was read, and one that is permitted stays where its tree's transactions write.
fn decoded(bytes: &[u8]) {
    let Some(entry) = JournalEntry::decode(bytes) else { return };
    assert_eq!(JournalEntry::decode(entry.encode().as_bytes()).as_ref(), Some(&entry));
    if entry.fault(rules::mailbox).is_none() {
        for path in touched(&entry) {
            let is_archived = is_in(path, layout::ARCHIVE) && path.split('/').count() > 3;
            let is_permitted = is_archived || PERMITTED.iter().any(|dir| is_in(path, dir) && path != *dir);
            assert!(is_path(path) && is_permitted, "{path:?} is not a path of the bus");
        }
    }
    if entry.fault(rules::claude).is_none() {
        for path in touched(&entry) {
            let is_permitted = is_in(path, "agents/context") || path == "state/shared-context.json";
            assert!(is_path(path) && is_permitted, "{path:?} is not a path of sessions");
        }
    }
}

/// Lists what an entry would change, besides its own contents.
pub(crate) fn touched(entry: &JournalEntry) -> Vec<&str> {
    let own = format!("{WORK}/{}.", entry.tx);
    let paths = entry.steps.iter().flat_map(|step| match step {
        RedoOp::Dir { path } | RedoOp::Remove { path, .. } | RedoOp::Append { path, .. } => vec![path.as_str()],
        RedoOp::Link { from, to } | RedoOp::Move { from, to } => vec![from.as_str(), to.as_str()],
    });
    paths.filter(|path| !path.starts_with(&own)).collect()
}

/// Lists what the planted entries change that can be carried out.
pub(crate) fn changed_by(plants: &[Plant<'_>], rules: Rules) -> Vec<String> {
    let entries = plants.iter().filter_map(|plant| JournalEntry::decode(plant.bytes));
    let valid = entries.filter(|entry| entry.fault(rules).is_none());
    valid.flat_map(|entry| touched(&entry).into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn on_a_bus(mut plants: Vec<Plant<'_>>) {
    // Beside the journal, only what an entry can fail on: a directory or a file in its way.
    plants.retain(|plant| {
        let in_journal = [WORK, QUARANTINE, KEYS].iter().any(|dir| is_in(&plant.path, dir));
        let is_obstacle = is_in(&plant.path, layout::HANDOFFS) || is_in(&plant.path, "shared-context/obstacle.md");
        in_journal || (is_obstacle && plant.kind != Kind::Fifo)
    });
    let changed = changed_by(&plants, rules::mailbox);
    let is_changed = |dir: &str| changed.iter().any(|path| is_in(path, dir));
    let tree = Tree::with_planted(&plants);
    let before = contents(&tree.fs);
    let [ann, bob, cyd] = ["ann", "bob", "cyd"].map(name);
    // By then the entries are old enough to be carried out by others, and files without an entry old enough to be removed.
    tree.host.advance(Span::from_seconds(90));
    let limit = Span::from_seconds(5);
    tree.act_within(limit, |bus| expect("listing the inbox", bus.inbox(&cyd, &InboxFilter::default())));
    tree.act_within(limit, |bus| {
        let sent = bus.send(&ann, &Draft { key: Some("key-cyd".into()), ..Draft::to(&cyd, "before") });
        // A key that somebody recorded is believed; what else is recorded there has its error.
        if let Err(error) = sent {
            assert!(matches!(error.kind(), ErrorKind::Conflict | ErrorKind::Invalid), "sending with a key: {error}");
        }
    });
    let counted = tree.count(&cyd);
    tree.send(&ann, &cyd, "after");
    if !is_changed(layout::CONTEXTS) {
        tree.act_within(limit, |bus| expect("updating", bus.update_context(&bob, &own_context(), "more", None)));
    }
    tree.act_within(limit, |bus| expect("checking", bus.check()));
    tree.act_within(limit, |bus| expect("listing threads", bus.threads()));
    tree.act_within(limit, |bus| expect("listing handoffs", bus.handoffs()));
    if changed.is_empty() {
        assert_eq!(tree.count(&cyd), counted + 1, "what cyd was sent is counted once");
    }
    let after = contents(&tree.fs);
    for (path, bytes) in before.iter().filter(|(path, _)| !may_change(path, &changed)) {
        assert_eq!(after.get(path), Some(bytes), "{path} was changed");
    }
    for path in after.keys().filter(|path| !before.contains_key(*path)) {
        let is_ours = path.starts_with(".huddle/") || PERMITTED.iter().any(|dir| is_in(path, dir));
        assert!(is_ours || is_changed(path), "{path} was made");
    }
}

/// Returns whether a file may be another one after agents have worked: those that they keep, and those of valid entries.
fn may_change(path: &str, changed: &[String]) -> bool {
    let is_kept = path == layout::REGISTRY || path.starts_with(".huddle/") || is_in(path, "shared-context");
    is_kept || changed.iter().any(|one| one == path)
}
