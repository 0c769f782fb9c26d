//! Moves between inbox, dead letters and archive.

use super::*;
use crate::engine::{Seen, SendKey};
use crate::model::{Place, Receipt};

theme!("moving":
    the_buried_leave_the_inbox,
    reasons_may_be_any_text,
    what_is_absent_cannot_be_buried,
    the_buried_keep_their_receipt,
    the_revived_are_as_new,
    what_is_not_buried_cannot_be_revived,
    one_may_be_buried_and_revived_again,
    the_archive_takes_what_is_read_and_old,
    the_archive_takes_the_unread_if_asked,
    the_archive_goes_by_time_sent,
    the_archive_takes_from_every_inbox,
    the_archived_keep_their_receipt,
    the_archived_stay_there,
    the_archive_leaves_the_buried,
    records_and_log_outlast_the_archive,
    old_keys_are_forgotten,
    the_other_recipients_copy_stays,
    the_archive_is_pruned_by_whole_days,
    only_inboxes_count_as_used,
);

#[track_caller]
fn dead_letter(engine: &dyn Engine, message: &str, reason: &str, seconds: i64) -> bool {
    engine.dead_letter(&agent("bob"), &id(message), reason, at(seconds)).expect("dead-lettering works")
}

#[track_caller]
fn requeue(engine: &dyn Engine, message: &str) -> bool {
    engine.requeue(&agent("bob"), &id(message)).expect("reviving works")
}

#[track_caller]
fn see(engine: &dyn Engine, name: &str, message: &str, seconds: i64) -> Seen {
    engine.mark_seen(&agent(name), &id(message), at(seconds)).expect("a message in the inbox can be read")
}

#[track_caller]
fn archive(engine: &dyn Engine, before: i64, unread_too: bool) -> usize {
    engine.archive(at(before), unread_too).expect("archiving works")
}

fn place(engine: &dyn Engine, message: &str) -> Place {
    delivery(engine, "bob", message).place
}

fn with_mail(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m-1", 0);
    send(engines.one, "m-2", 10);
}

fn the_buried_leave_the_inbox(engines: &Engines<'_>) {
    with_mail(engines);
    assert!(dead_letter(engines.one, "m-1", "nobody answered", 20), "it was in the inbox");
    check_inbox(engines.two, "bob", &["m-2"]);
    check_unread(engines.two, "bob", &["m-2"]);
    let dead = Place::DeadLetters { reason: "nobody answered".to_owned(), at: at(20) };
    assert_eq!(place(engines.two, "m-1"), dead);
    assert_eq!(delivery(engines.two, "bob", "m-1").message.subject, "about m-1");
    assert_eq!(snapshot(engines.two).deliveries[0].place, dead, "the snapshot shows dead letters");
    assert_eq!(snapshot(engines.two).deliveries.len(), 2);
}

fn reasons_may_be_any_text(engines: &Engines<'_>) {
    with_bus(engines);
    for (turn, reason) in ["", "two\nlines \"and\" \\", "ünï 🦀"].into_iter().enumerate() {
        let name = format!("m-{turn}");
        send(engines.one, &name, 0);
        assert!(dead_letter(engines.one, &name, reason, 20));
        assert_eq!(place(engines.two, &name), Place::DeadLetters { reason: reason.to_owned(), at: at(20) });
    }
}

fn what_is_absent_cannot_be_buried(engines: &Engines<'_>) {
    with_mail(engines);
    assert!(!dead_letter(engines.one, "other", "why", 20), "it never was there");
    assert!(dead_letter(engines.one, "m-1", "first", 20));
    assert!(!dead_letter(engines.two, "m-1", "second", 30), "it is buried already");
    assert_eq!(place(engines.one, "m-1"), Place::DeadLetters { reason: "first".to_owned(), at: at(20) });
    assert!(!engines.one.dead_letter(&agent("nobody"), &id("m-2"), "why", at(20)).expect("dead-lettering works"));
    check_inbox(engines.two, "bob", &["m-2"]);
}

fn the_buried_keep_their_receipt(engines: &Engines<'_>) {
    with_mail(engines);
    engines.one.redeliver(&agent("bob"), &id("m-1"), at(20)).expect("redelivery works");
    engines.one.mark_offered(&agent("bob"), &[id("m-1")], at(30)).expect("an offer can be noted");
    let before = delivery(engines.one, "bob", "m-1").receipt;
    assert!(dead_letter(engines.one, "m-1", "why", 40));
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt, before);
}

fn the_revived_are_as_new(engines: &Engines<'_>) {
    with_mail(engines);
    engines.one.redeliver(&agent("bob"), &id("m-1"), at(20)).expect("redelivery works");
    see(engines.one, "bob", "m-1", 25);
    let message = delivery(engines.one, "bob", "m-1").message;
    assert!(dead_letter(engines.one, "m-1", "why", 30));
    assert!(requeue(engines.two, "m-1"), "it was buried");
    check_unread(engines.one, "bob", &["m-1", "m-2"]);
    let got = delivery(engines.one, "bob", "m-1");
    assert_eq!((got.message, got.place), (message, Place::Inbox));
    assert_eq!((got.receipt.seen_at, got.receipt.redelivered), (None, 0));
    assert_eq!(see(engines.one, "bob", "m-1", 40), Seen::First);
    assert_eq!(engines.two.redeliver(&agent("bob"), &id("m-1"), at(50)).expect("redelivery works"), 1);
}

fn what_is_not_buried_cannot_be_revived(engines: &Engines<'_>) {
    with_mail(engines);
    see(engines.one, "bob", "m-1", 20);
    assert!(!requeue(engines.one, "other"), "it never was there");
    assert!(!requeue(engines.one, "m-1"), "it is in the inbox");
    check_unread(engines.two, "bob", &["m-2"]);
    assert_eq!(archive(engines.one, 60, false), 1);
    assert!(!requeue(engines.two, "m-1"), "it is in the archive");
    assert_eq!(place(engines.two, "m-1"), Place::Archive);
}

fn one_may_be_buried_and_revived_again(engines: &Engines<'_>) {
    with_mail(engines);
    for turn in 1..=3 {
        assert!(dead_letter(engines.one, "m-1", "again", 20 + turn), "burial {turn}");
        check_inbox(engines.two, "bob", &["m-2"]);
        assert_eq!(place(engines.two, "m-1"), Place::DeadLetters { reason: "again".to_owned(), at: at(20 + turn) });
        assert!(requeue(engines.two, "m-1"), "revival {turn}");
        assert!(!requeue(engines.one, "m-1"), "one revival is enough");
        check_unread(engines.one, "bob", &["m-1", "m-2"]);
    }
    assert_eq!(snapshot(engines.two).deliveries.len(), 2);
}

fn the_archive_takes_what_is_read_and_old(engines: &Engines<'_>) {
    with_mail(engines);
    see(engines.one, "bob", "m-1", 20);
    assert_eq!(archive(engines.one, 60, false), 1);
    check_inbox(engines.two, "bob", &["m-2"]);
    check_unread(engines.two, "bob", &["m-2"]);
    assert_eq!(place(engines.two, "m-1"), Place::Archive);
    assert_eq!(archive(engines.two, 60, false), 0, "it is archived once");
}

fn the_archive_takes_the_unread_if_asked(engines: &Engines<'_>) {
    with_mail(engines);
    see(engines.one, "bob", "m-1", 20);
    assert_eq!(archive(engines.one, 60, true), 2);
    check_inbox(engines.two, "bob", &[]);
    check_unread(engines.two, "bob", &[]);
    let got = delivery(engines.two, "bob", "m-2");
    assert_eq!((got.place, got.receipt), (Place::Archive, Receipt::default()));
}

fn the_archive_goes_by_time_sent(engines: &Engines<'_>) {
    with_mail(engines);
    see(engines.one, "bob", "m-1", 20);
    see(engines.one, "bob", "m-2", 20);
    assert_eq!(archive(engines.one, 0, false), 0, "m-1 was sent at that time, not before");
    assert_eq!(archive(engines.one, 10, true), 1, "m-2 was sent at that time, not before");
    check_inbox(engines.two, "bob", &["m-2"]);
}

fn the_archive_takes_from_every_inbox(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "ann", &["bob", "cyd", "stranger"])));
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &["bob", "cyd"]));
    commit(engines.one, spread(event("evt_1", "ann", "Done"), &["bob"]));
    assert_eq!(archive(engines.two, 60, true), 6);
    for name in ["bob", "cyd", "stranger"] {
        check_inbox(engines.one, name, &[]);
        assert_eq!(delivery(engines.one, name, "m").place, Place::Archive);
    }
    let deliveries = snapshot(engines.one).deliveries;
    assert_eq!(ids(&deliveries), ["bcast_1", "bcast_1", "evt_1", "m", "m", "m"]);
    assert!(deliveries.iter().all(|copy| copy.place == Place::Archive));
}

fn the_archived_keep_their_receipt(engines: &Engines<'_>) {
    with_mail(engines);
    engines.one.redeliver(&agent("bob"), &id("m-1"), at(15)).expect("redelivery works");
    engines.one.mark_offered(&agent("bob"), &[id("m-1")], at(20)).expect("an offer can be noted");
    see(engines.one, "bob", "m-1", 30);
    let before = delivery(engines.one, "bob", "m-1");
    let full =
        Receipt { offered_at: Some(at(20)), seen_at: Some(at(30)), redelivered: 1, redelivered_at: Some(at(15)) };
    assert_eq!(before.receipt, full);
    assert_eq!(archive(engines.two, 60, false), 1);
    let archived = Delivery { place: Place::Archive, ..before };
    assert_eq!(delivery(engines.one, "bob", "m-1"), archived);
    assert_eq!(snapshot(engines.two).deliveries[0], archived);
}

fn the_archived_stay_there(engines: &Engines<'_>) {
    with_mail(engines);
    assert_eq!(archive(engines.one, 60, true), 2);
    assert!(!dead_letter(engines.two, "m-1", "why", 70), "only what is in the inbox is buried");
    engines.two.mark_offered(&agent("bob"), &[id("m-1")], at(70)).expect("an offer of what is gone is fine");
    assert_eq!(place(engines.one, "m-1"), Place::Archive);
    check_inbox(engines.one, "bob", &[]);
    assert_eq!(snapshot(engines.one).deliveries.len(), 2);
}

fn the_archive_leaves_the_buried(engines: &Engines<'_>) {
    with_mail(engines);
    assert!(dead_letter(engines.one, "m-1", "why", 20));
    assert_eq!(archive(engines.one, 60, true), 1);
    assert!(matches!(place(engines.two, "m-1"), Place::DeadLetters { .. }));
    assert!(requeue(engines.two, "m-1"));
}

fn records_and_log_outlast_the_archive(engines: &Engines<'_>) {
    with_mail(engines);
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &["bob"]));
    commit(engines.one, spread(event("evt_1", "ann", "Done"), &["bob"]));
    let before = snapshot(engines.one);
    assert_eq!((before.records.len(), before.sent.len()), (2, 2));
    archive(engines.two, 60, false);
    let after = snapshot(engines.one);
    assert_eq!((after.records, after.sent), (before.records, before.sent), "what was put away is still kept");
    assert_eq!(after.deliveries, before.deliveries, "nothing was read, so nothing moved");
}

fn old_keys_are_forgotten(engines: &Engines<'_>) {
    with_bus(engines);
    let keyed = |name: &str, key: &str, seconds: i64| {
        let key = SendKey { key: key.to_owned(), fingerprint: "same".to_owned() };
        Transaction { key: Some(key), ..direct(Message { sent_at: at(seconds), ..letter(name, "ann", &["bob"]) }) }
    };
    commit(engines.one, keyed("m-1", "old", 0));
    commit(engines.one, keyed("m-2", "new", 100));
    archive(engines.two, 100, false);
    commit(engines.one, keyed("m-3", "old", 200));
    assert_eq!(
        engines.two.commit(keyed("m-4", "new", 200)).expect("trying again is fine"),
        CommitOutcome::Duplicate(id("m-2"))
    );
    check_inbox(engines.two, "bob", &["m-1", "m-2", "m-3"]);
}

fn the_other_recipients_copy_stays(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "ann", &["bob", "cyd"])));
    assert!(dead_letter(engines.one, "m", "why", 20));
    check_unread(engines.two, "cyd", &["m"]);
    see(engines.two, "cyd", "m", 30);
    assert_eq!(archive(engines.two, 60, false), 1);
    assert!(matches!(place(engines.one, "m"), Place::DeadLetters { .. }));
    assert_eq!(delivery(engines.one, "cyd", "m").place, Place::Archive);
}

fn the_archive_is_pruned_by_whole_days(engines: &Engines<'_>) {
    const DAY: i64 = 86_400;
    with_bus(engines);
    for (name, day) in [("m-0", 0), ("m-1", 1), ("m-2", 2), ("m-3", 0), ("m-4", 0)] {
        send(engines.one, name, day * DAY);
    }
    for name in ["m-0", "m-1", "m-2"] {
        see(engines.one, "bob", name, 3 * DAY);
    }
    assert_eq!(archive(engines.one, 3 * DAY, false), 3);
    assert!(dead_letter(engines.one, "m-4", "old", 3 * DAY));
    let prune = |before: i64| engines.one.prune(at(before)).expect("pruning works");
    assert_eq!(prune(0), 0, "that day is not over");
    assert_eq!(prune(DAY), 1);
    assert_eq!(engines.two.delivery(&agent("bob"), &id("m-0")).expect("reading works"), None);
    for name in ["m-1", "m-2", "m-3", "m-4"] {
        assert!(engines.two.delivery(&agent("bob"), &id(name)).expect("reading works").is_some(), "{name} stays");
    }
    assert_eq!(prune(DAY), 0);
    assert_eq!(prune(9 * DAY), 2);
    check_inbox(engines.two, "bob", &["m-3"]);
    assert_eq!(snapshot(engines.two).deliveries.len(), 2, "the inbox and the dead letters stay");
}

fn only_inboxes_count_as_used(engines: &Engines<'_>) {
    with_bus(engines);
    let usage = || engines.two.usage().expect("counting works");
    assert_eq!((usage().messages, usage().bytes), (0, 0));
    commit(engines.one, direct(letter("m-1", "ann", &["bob", "cyd"])));
    let one_sent = usage();
    assert_eq!(one_sent.messages, 2);
    assert!(one_sent.bytes > 100, "{one_sent:?}");
    send(engines.one, "m-2", 10);
    assert!(usage().bytes > one_sent.bytes);
    dead_letter(engines.one, "m-1", "old", 20);
    see(engines.one, "bob", "m-2", 20);
    archive(engines.one, 60, false);
    assert_eq!(usage().messages, 1);
}
