//! The files engine on a file system in memory: the suite, and what is left when a process dies at any step.

mod bench;

use self::bench::{Bench, CrashPoint, Files, at_every_step};
use super::documents::{context, package};
use super::*;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::{ContextChange, HandoffChange, Result, Seen, SendKey};
use crate::host::FixedHost;
use crate::model::handoff::Decision;
use crate::model::{HandoffStatus, Place, Receipt};

#[test]
fn the_files_engine_passes_the_suite() {
    run(&mut |case| {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let (one, two) = (Files::new(&fs, &host), Files::new(&fs, &host));
        (case.run)(&Engines { one: &one, two: &two, host: &host, advance: &|span| host.advance(span) });
    });
}

/// Creates a transaction with everything that a transaction can contain.
fn everything() -> Transaction {
    let letter = letter("msg_1", "ann", &["ann", "bob", "cyd"]);
    let broadcast = message("bcast_1", "ann", Recipient::All);
    Transaction {
        by: agent("ann"),
        at: at(0),
        key: Some(SendKey { key: "k".to_owned(), fingerprint: "same".to_owned() }),
        envelopes: vec![
            Envelope { message: letter, recipients: agents(&["ann", "bob", "cyd"]) },
            Envelope { message: broadcast, recipients: agents(&["bob", "cyd"]) },
        ],
        seen: None,
        context: Some(ContextChange { expected: None, context: context("api", 0) }),
        handoff: Some(HandoffChange::Create(package("handoff_1"))),
    }
}

/// Returns whether [`everything`] is there; panics when a part of it is, or something twice.
#[track_caller]
fn is_there(engine: &dyn Engine) -> bool {
    let kept = snapshot(engine);
    let directory = directory_of(engine);
    let count = |name: &str| directory.agents[&agent(name)].message_count;
    let contexts = engine.contexts().expect("contexts can be listed").value;
    let handoffs = engine.handoffs().expect("handoffs can be listed");
    assert_eq!(handoffs.findings, [], "a handoff is whole or absent");
    let found = [
        ("inbox of ann", inbox(engine, "ann", true).len(), 1),
        ("inbox of bob", inbox(engine, "bob", true).len(), 2),
        ("inbox of cyd", inbox(engine, "cyd", true).len(), 2),
        ("deliveries", kept.deliveries.len(), 5),
        ("records", kept.records.len(), 1),
        ("senders' log", kept.sent.len(), 3),
        ("contexts", contexts.len(), 1),
        ("handoffs", handoffs.value.len(), 1),
        ("count of ann", count("ann") as usize, 1),
        ("count of bob", count("bob") as usize, 1),
        ("count of cyd", count("cyd") as usize, 1),
        ("ann was seen", usize::from(directory.agents[&agent("ann")].last_seen == Some(at(0))), 1),
    ];
    let there = found.iter().all(|(_, found, whole)| found == whole);
    let absent = found.iter().all(|(_, found, _)| *found == 0);
    assert!(there || absent, "a part is there: {found:?}");
    if there {
        assert_eq!(contexts, [context("api", 0)]);
        assert_eq!(handoffs.value, [package("handoff_1").handoff]);
    }
    there
}

/// Checks that everything is there or nothing, that what was confirmed is there, and that trying again leaves it once.
#[track_caller]
fn check_whole(bench: &Bench, confirmed: bool) {
    let engine = bench.engine();
    let there = is_there(&engine);
    assert!(there || !confirmed, "it was confirmed, so it is there");
    let again = engine.commit(everything()).expect("trying again works");
    let expected = if there { CommitOutcome::Duplicate(id("msg_1")) } else { CommitOutcome::Done };
    assert_eq!(again, expected);
    assert!(is_there(&engine), "after trying again, it is there");
}

#[test]
fn a_change_is_whole_or_absent() {
    at_every_step(|_| {}, |engine| engine.commit(everything()), |bench, result| check_whole(bench, result.is_some()));
}

#[test]
fn a_change_is_whole_or_absent_when_its_helper_dies_too() {
    for first in 0..1000 {
        for second in (0..1000).step_by(17) {
            let crash = CrashPoint::kill(first);
            let bench = Bench::new();
            let confirmed = bench.until(&crash, |engine| engine.commit(everything())).is_some();
            if !bench.cut_short.get() {
                return;
            }
            bench.until(&CrashPoint::kill(second), |engine| engine.snapshot());
            let helped = !bench.cut_short.get();
            check_whole(&bench, confirmed);
            if helped {
                break;
            }
        }
    }
    panic!("a commit takes less than a thousand steps");
}

#[test]
fn what_two_dead_processes_left_is_counted_once() {
    let count = |bench: &Bench| directory_of(&bench.engine()).agents[&agent("bob")].message_count as usize;
    let killed_while_sending = |bench: &Bench, name: &str, steps: usize| {
        bench.at_once(&CrashPoint::kill(steps), |engine| engine.commit(direct(letter(name, "ann", &["bob"]))));
        bench.cut_short.get()
    };
    for first in 0..1000 {
        let mut was_cut_short = false;
        for second in 0..1000 {
            let bench = Bench::new();
            was_cut_short = killed_while_sending(&bench, "m1", first);
            bench.host.advance(Span::from_millis(1));
            let second_was = killed_while_sending(&bench, "m2", second);
            bench.host.advance(Span::from_seconds(61));
            assert_eq!(count(&bench), inbox(&bench.engine(), "bob", true).len(), "killed at {first} and at {second}");
            if !second_was {
                break;
            }
        }
        if !was_cut_short {
            return;
        }
    }
    panic!("a commit takes less than a thousand steps");
}

#[test]
fn a_confirmed_change_outlasts_a_power_cut_later_on() {
    at_every_step(
        |bench| commit(&bench.engine(), everything()),
        |engine| engine.edit_directory(&mut |directory| drop(directory.agents.insert(agent("dee"), an_agent()))),
        |bench, result| {
            assert!(is_there(&bench.engine()));
            let registered = directory_of(&bench.engine()).agents.contains_key(&agent("dee"));
            assert!(registered || result.is_none(), "it was confirmed, so Dee is registered");
        },
    );
}

#[test]
fn a_bus_is_made_even_if_the_first_try_failed() {
    for kind in bench::CRASH_KINDS {
        for steps in 0..1000 {
            let crash = CrashPoint { kind, steps };
            let bench = Bench::empty();
            let confirmed = bench.until(&crash, |engine| engine.init()).is_some();
            let new = bench.engine().init().expect("init works");
            assert!(!(new && confirmed), "a confirmed bus is there");
            register(&bench.engine(), &["ann", "bob"]);
            send(&bench.engine(), "m", 0);
            check_unread(&bench.engine(), "bob", &["m"]);
            if !bench.cut_short.get() {
                break;
            }
        }
    }
}

/// Has a process end at every step of `first` and another do `second` at once, which then waits for what the dead one
/// holds; checks that of two changes that exclude each other one was made, with its message, and stays made.
fn only_one_is_made(
    prepare: &Transaction,
    first: &Transaction,
    second: &Transaction,
    is: impl Fn(&dyn Engine) -> String,
) {
    for steps in 0..1000 {
        let crash = CrashPoint::kill(steps);
        let bench = Bench::new();
        commit(&bench.engine(), prepare.clone());
        let before = is(&bench.engine());
        let confirmed = bench.at_once(&crash, |engine| engine.commit(first.clone())).is_some();
        let cut_short = bench.cut_short.get();
        let later = bench.engine().commit(second.clone());
        assert!(!confirmed || later.is_err(), "the first was confirmed, so there is no second");
        let now = is(&bench.engine());
        assert_ne!(now, before, "one of them was made: {later:?}");
        bench.host.advance(Span::from_seconds(61));
        assert_eq!(is(&bench.engine()), now, "what was made stays made");
        assert_eq!(inbox(&bench.engine(), "cyd", false).len(), 1, "one message tells of it: {later:?}");
        if !cut_short {
            return;
        }
    }
    panic!("a commit takes less than a thousand steps");
}

#[test]
fn an_update_right_after_a_killed_one_does_not_go_under() {
    let update = |by: &str, id: &str, text: &str| {
        let mut context = context("api", 1);
        context.text.push_str(text);
        let envelopes = vec![Envelope { message: letter(id, by, &["cyd"]), recipients: agents(&["cyd"]) }];
        let context = Some(ContextChange { expected: Some(1), context });
        Transaction { by: agent(by), at: at(0), key: None, envelopes, seen: None, context, handoff: None }
    };
    let made = Some(ContextChange { expected: None, context: context("api", 0) });
    let prepare = Transaction {
        by: agent("ann"),
        at: at(0),
        key: None,
        envelopes: Vec::new(),
        seen: None,
        context: made,
        handoff: None,
    };
    let name = "api".parse().expect("a valid name");
    only_one_is_made(&prepare, &update("ann", "m1", "hers"), &update("bob", "m2", "his"), |engine| {
        engine.context(&name).expect("it can be read").expect("it is there").text
    });
}

#[test]
fn a_decision_right_after_a_killed_one_is_a_conflict() {
    let decide = |id: &str, notes: &str| {
        let mut handoff = package("handoff_1").handoff;
        let decision = Decision { by: agent("bob"), at: Some(at(0)), notes: notes.to_owned() };
        handoff.status = HandoffStatus::Accepted(decision);
        let envelopes = vec![Envelope { message: letter(id, "bob", &["cyd"]), recipients: agents(&["cyd"]) }];
        let handoff = Some(HandoffChange::Decide { handoff, document: notes.to_owned() });
        Transaction { by: agent("bob"), at: at(0), key: None, envelopes, seen: None, context: None, handoff }
    };
    let created = Some(HandoffChange::Create(package("handoff_1")));
    let prepare = Transaction {
        by: agent("ann"),
        at: at(0),
        key: None,
        envelopes: Vec::new(),
        seen: None,
        context: None,
        handoff: created,
    };
    let id = "handoff_1".parse().expect("a valid id");
    only_one_is_made(&prepare, &decide("m1", "first"), &decide("m2", "second"), |engine| {
        engine.handoff(&id).expect("it can be read").expect("it is there").document
    });
}

#[test]
fn what_was_read_stays_read() {
    let read = |engine: &Files<'_>| engine.mark_seen(&agent("bob"), &id("m"), at(9));
    let check = |bench: &Bench, result: Option<Seen>| {
        let again = bench.engine().mark_seen(&agent("bob"), &id("m"), at(10)).expect("reading works");
        assert!(result.is_none() || again == Seen::Already(Some(at(9))), "{again:?}");
        let third = bench.engine().mark_seen(&agent("bob"), &id("m"), at(11)).expect("reading works");
        assert!(matches!(third, Seen::Already(Some(_))), "{third:?}");
    };
    at_every_step(with_mail, read, check);
    at_every_step(with_redelivered_mail, read, check);
}

fn with_mail(bench: &Bench) {
    send(&bench.engine(), "m", 0);
}

fn with_read_mail(bench: &Bench) {
    with_mail(bench);
    bench.engine().mark_seen(&agent("bob"), &id("m"), at(5)).expect("reading works");
}

fn with_redelivered_mail(bench: &Bench) {
    with_read_mail(bench);
    bench.engine().redeliver(&agent("bob"), &id("m"), at(7)).expect("redelivery works");
}

#[test]
fn a_redelivery_is_whole_or_absent() {
    at_every_step(
        with_read_mail,
        |engine| engine.redeliver(&agent("bob"), &id("m"), at(7)),
        |bench, result| {
            let Receipt { seen_at, redelivered, redelivered_at, .. } = delivery(&bench.engine(), "bob", "m").receipt;
            match redelivered {
                0 => assert!(result.is_none() && seen_at == Some(at(5)), "{seen_at:?}"),
                _ => assert_eq!((seen_at, redelivered, redelivered_at), (None, 1, Some(at(7)))),
            }
        },
    );
}

/// Checks that Bob has one copy, in one place, and gives that place.
#[track_caller]
fn only_place(bench: &Bench) -> Place {
    let engine = bench.engine();
    let Delivery { message, place, receipt, .. } = delivery(&engine, "bob", "m");
    assert_eq!(message, letter("m", "ann", &["bob"]));
    let all = snapshot(&engine).deliveries;
    assert_eq!(all.len(), 1, "one copy is kept: {all:?}");
    assert_eq!((&all[0].place, &all[0].receipt), (&place, &receipt));
    assert_eq!(inbox(&engine, "bob", false).len(), usize::from(place == Place::Inbox), "{place:?}");
    assert_eq!(bench.copies_of("m"), 1, "{:?}", bench.fs.files());
    place
}

fn dead_letter(engine: &Files<'_>) -> Result<bool> {
    engine.dead_letter(&agent("bob"), &id("m"), "why", at(9))
}

#[test]
fn a_burial_is_whole_or_absent() {
    at_every_step(with_read_mail, dead_letter, |bench, result| {
        let place = only_place(bench);
        let dead = Place::DeadLetters { reason: "why".to_owned(), at: at(9) };
        assert!(place == dead || result.is_none() && place == Place::Inbox, "{place:?}");
        assert_eq!(delivery(&bench.engine(), "bob", "m").receipt.seen_at, Some(at(5)), "with its receipt");
    });
}

#[test]
fn a_revival_is_whole_or_absent() {
    at_every_step(
        |bench| {
            with_read_mail(bench);
            dead_letter(&bench.engine()).expect("dead-lettering works");
        },
        |engine| engine.requeue(&agent("bob"), &id("m")),
        |bench, result| match only_place(bench) {
            Place::Inbox => check_unread(&bench.engine(), "bob", &["m"]),
            place => {
                assert_eq!((result, place), (None, Place::DeadLetters { reason: "why".to_owned(), at: at(9) }));
                assert_eq!(delivery(&bench.engine(), "bob", "m").receipt.seen_at, Some(at(5)), "with its receipt");
            }
        },
    );
}

#[test]
fn the_archive_takes_a_copy_or_leaves_it() {
    at_every_step(
        with_read_mail,
        |engine| engine.archive(at(60), false),
        |bench, result| {
            let place = only_place(bench);
            assert!(place == Place::Archive || result.is_none() && place == Place::Inbox, "{place:?}");
            assert_eq!(delivery(&bench.engine(), "bob", "m").receipt.seen_at, Some(at(5)), "with its receipt");
            assert_eq!(snapshot(&bench.engine()).sent.len(), 1, "the senders' log keeps it");
        },
    );
}

#[test]
fn a_lease_can_be_taken_when_its_holder_died() {
    let work: crate::model::LeaseName = "work".parse().expect("a valid name");
    for steps in 0..1000 {
        let crash = CrashPoint::kill(steps);
        let bench = Bench::new();
        let take = |engine: &Files<'_>| engine.lease(&work, "ann", Span::from_seconds(5), Span::default());
        bench.until(&crash, |engine| engine.release(&take(engine)?));
        let cut_short = bench.cut_short.get();
        let held = take(&bench.engine()).expect("the holder is dead, and its time is up");
        assert!(take(&bench.engine()).is_err(), "it is held: {held:?}");
        if !cut_short {
            return;
        }
    }
}

#[test]
fn a_full_disk_leaves_a_change_whole_or_absent() {
    for room in (0..100_000).step_by(37) {
        let bench = Bench::new();
        bench.fs.fill_up_after(room);
        let result = bench.engine().commit(everything());
        bench.fs.make_room();
        bench.host.advance(Span::from_seconds(61));
        assert_eq!(is_there(&bench.engine()), result.is_ok(), "with room for {room} bytes: {result:?}");
        check_whole(&bench, result.is_ok());
        if result.is_ok() {
            return;
        }
    }
}

/// Creates copies of which each tells something else of how far it came.
fn kept_elsewhere() -> crate::engine::MailSnapshot {
    let dead = Place::DeadLetters { reason: "why".to_owned(), at: at(9) };
    let seen = Receipt { seen_at: Some(at(5)), ..Receipt::default() };
    let again = Receipt { offered_at: Some(at(6)), redelivered: 1, redelivered_at: Some(at(4)), ..Receipt::default() };
    let copies = [("m-1", seen.clone(), Place::Inbox), ("m-2", again, dead), ("m-3", seen, Place::Archive)];
    let copies = copies.map(|(name, receipt, place)| {
        let message = letter(name, "ann", &["bob"]);
        Delivery { recipient: agent("bob"), message, receipt, place }
    });
    let sent = copies.iter().map(|copy| (copy.message.clone(), agent("bob"))).collect();
    crate::engine::MailSnapshot { deliveries: copies.into(), records: Vec::new(), sent }
}

#[test]
fn an_adopted_copy_never_shows_without_its_receipt() {
    at_every_step(
        |_| {},
        |engine| engine.import_snapshot(&kept_elsewhere()),
        |bench, result| {
            let whole = kept_elsewhere();
            let engine = bench.engine();
            let kept = engine.snapshot().expect("the snapshot works").value;
            let of = |id: &MessageId| whole.deliveries.iter().find(|copy| copy.message.id == *id);
            assert!(kept.deliveries.iter().all(|copy| of(&copy.message.id) == Some(copy)), "{:?}", kept.deliveries);
            assert!(result.is_none() || kept == whole, "it was confirmed, so it is there");
            engine.import_snapshot(&whole).expect("beginning again works");
            assert_eq!(snapshot(&engine), whole);
        },
    );
}
