//! How far each copy has come: offered, seen, offered anew.

use super::*;
use crate::engine::{Error, Result, Seen};
use crate::model::Receipt;

theme!("receipts":
    the_first_offer_counts,
    an_offer_leaves_a_message_unread,
    offers_of_nothing_and_of_what_is_gone_are_fine,
    the_first_reader_is_told_so,
    one_of_many_readers_is_first,
    a_change_can_mark_what_it_answers_as_read,
    a_read_message_is_listed_but_not_unread,
    reading_keeps_the_offer,
    only_what_is_in_the_inbox_can_be_read,
    the_oldest_unread_moves_on,
    each_recipient_has_a_receipt_of_their_own,
    broadcasts_and_events_have_receipts,
    redelivery_begins_anew,
    redeliveries_are_counted,
    an_unread_message_can_be_redelivered,
    only_what_is_in_the_inbox_can_be_redelivered,
    the_survey_shows_receipts,
);

#[track_caller]
fn see(engine: &dyn Engine, name: &str, message: &str, seconds: i64) -> Seen {
    engine.mark_seen(&agent(name), &id(message), at(seconds)).expect("a message in the inbox can be read")
}

#[track_caller]
fn offer(engine: &dyn Engine, messages: &[&str], seconds: i64) {
    let messages: Vec<MessageId> = messages.iter().map(|name| id(name)).collect();
    engine.mark_offered(&agent("bob"), &messages, at(seconds)).expect("an offer can be noted");
}

#[track_caller]
fn check_absent<T: std::fmt::Debug>(result: Result<T>, name: &str, message: &str) {
    match result.map_err(|error| *error) {
        Err(Error::NoSuchMessage { agent: a, id: m }) => assert_eq!((a, m), (agent(name), id(message))),
        other => panic!("{name} has no {message}: that is NoSuchMessage, not {other:?}"),
    }
}

fn with_mail(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m-1", 0);
    send(engines.one, "m-2", 10);
}

fn the_first_offer_counts(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &["m-1"], 20);
    offer(engines.two, &["m-1", "m-2"], 30);
    offer(engines.one, &["m-1", "m-2"], 40);
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt.offered_at, Some(at(20)));
    assert_eq!(delivery(engines.two, "bob", "m-2").receipt.offered_at, Some(at(30)));
}

fn a_change_can_mark_what_it_answers_as_read(engines: &Engines<'_>) {
    with_mail(engines);
    assert_eq!(see(engines.one, "bob", "m-2", 20), Seen::First);
    for (answer, answered) in [("r-1", "m-1"), ("r-2", "m-2"), ("r-3", "m-gone")] {
        let message = Message { sent_at: at(30), ..letter(answer, "bob", &["ann"]) };
        let envelope = Envelope { message, recipients: agents(&["ann"]) };
        commit(engines.one, Transaction { seen: Some(id(answered)), ..Transaction::deliver(envelope) });
    }
    assert_eq!(see(engines.two, "bob", "m-1", 40), Seen::Already(Some(at(30))));
    assert_eq!(see(engines.two, "bob", "m-2", 40), Seen::Already(Some(at(20))));
    check_unread(engines.two, "ann", &["r-1", "r-2", "r-3"]);
}

fn an_offer_leaves_a_message_unread(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &["m-1", "m-2"], 20);
    check_unread(engines.two, "bob", &["m-1", "m-2"]);
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt.seen_at, None);
}

fn offers_of_nothing_and_of_what_is_gone_are_fine(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &[], 20);
    offer(engines.one, &["gone", "m-1"], 20);
    check_inbox(engines.two, "bob", &["m-1", "m-2"]);
    assert_eq!(engines.two.delivery(&agent("bob"), &id("gone")).expect("reading works"), None);
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt.offered_at, Some(at(20)));
    assert_eq!(snapshot(engines.two).deliveries.len(), 2);
}

fn the_first_reader_is_told_so(engines: &Engines<'_>) {
    with_mail(engines);
    assert_eq!(see(engines.one, "bob", "m-1", 20), Seen::First);
    assert_eq!(see(engines.one, "bob", "m-1", 30), Seen::Already(Some(at(20))));
    assert_eq!(see(engines.two, "bob", "m-1", 40), Seen::Already(Some(at(20))));
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt.seen_at, Some(at(20)));
}

fn one_of_many_readers_is_first(engines: &Engines<'_>) {
    with_mail(engines);
    let handles = [engines.two, engines.one, engines.two, engines.two, engines.one];
    let firsts = handles.into_iter().filter(|engine| see(*engine, "bob", "m-1", 20) == Seen::First);
    assert_eq!(firsts.count(), 1);
}

fn a_read_message_is_listed_but_not_unread(engines: &Engines<'_>) {
    with_mail(engines);
    see(engines.one, "bob", "m-1", 20);
    check_inbox(engines.two, "bob", &["m-1", "m-2"]);
    check_unread(engines.two, "bob", &["m-2"]);
    see(engines.two, "bob", "m-2", 30);
    check_unread(engines.one, "bob", &[]);
}

fn reading_keeps_the_offer(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &["m-1"], 20);
    see(engines.two, "bob", "m-1", 30);
    offer(engines.one, &["m-1"], 40);
    let expected = Receipt { offered_at: Some(at(20)), seen_at: Some(at(30)), ..Receipt::default() };
    assert_eq!(delivery(engines.one, "bob", "m-1").receipt, expected);
}

fn only_what_is_in_the_inbox_can_be_read(engines: &Engines<'_>) {
    with_mail(engines);
    let read = |name: &str, message: &str| engines.two.mark_seen(&agent(name), &id(message), at(20));
    check_absent(read("bob", "other"), "bob", "other");
    check_absent(read("cyd", "m-1"), "cyd", "m-1");
    check_absent(read("nobody", "m-1"), "nobody", "m-1");
    engines.one.dead_letter(&agent("bob"), &id("m-1"), "old", at(20)).expect("dead-lettering works");
    check_absent(read("bob", "m-1"), "bob", "m-1");
    engines.one.archive(at(60), true).expect("archiving works");
    check_absent(read("bob", "m-2"), "bob", "m-2");
}

fn the_oldest_unread_moves_on(engines: &Engines<'_>) {
    with_mail(engines);
    let oldest = || engines.two.unread(&agent("bob")).expect("counting works").oldest;
    assert_eq!(oldest(), Some(at(0)));
    see(engines.one, "bob", "m-1", 20);
    assert_eq!(oldest(), Some(at(10)));
    see(engines.one, "bob", "m-2", 20);
    assert_eq!(oldest(), None);
}

fn each_recipient_has_a_receipt_of_their_own(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "ann", &["bob", "cyd"])));
    assert_eq!(see(engines.one, "bob", "m", 20), Seen::First);
    check_unread(engines.two, "bob", &[]);
    check_unread(engines.two, "cyd", &["m"]);
    assert_eq!(see(engines.two, "cyd", "m", 30), Seen::First);
}

fn broadcasts_and_events_have_receipts(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &["bob", "cyd"]));
    commit(engines.one, spread(event("evt_1", "ann", "Done"), &["bob"]));
    for name in ["bcast_1", "evt_1"] {
        offer(engines.one, &[name], 10);
        assert_eq!(see(engines.one, "bob", name, 20), Seen::First);
        let receipt = delivery(engines.two, "bob", name).receipt;
        assert_eq!((receipt.offered_at, receipt.seen_at), (Some(at(10)), Some(at(20))), "{name}");
    }
    check_unread(engines.two, "cyd", &["bcast_1"]);
}

fn redelivery_begins_anew(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &["m-1"], 20);
    see(engines.one, "bob", "m-1", 30);
    assert_eq!(engines.two.redeliver(&agent("bob"), &id("m-1"), at(40)).expect("redelivery works"), 1);
    let anew = Receipt { redelivered: 1, redelivered_at: Some(at(40)), ..Receipt::default() };
    assert_eq!(delivery(engines.one, "bob", "m-1").receipt, anew);
    check_unread(engines.one, "bob", &["m-1", "m-2"]);
    offer(engines.two, &["m-1"], 50);
    assert_eq!(see(engines.one, "bob", "m-1", 60), Seen::First, "whoever reads it next is first");
    assert_eq!(see(engines.two, "bob", "m-1", 70), Seen::Already(Some(at(60))));
    let read = Receipt { offered_at: Some(at(50)), seen_at: Some(at(60)), ..anew };
    assert_eq!(delivery(engines.two, "bob", "m-1").receipt, read);
}

fn redeliveries_are_counted(engines: &Engines<'_>) {
    with_mail(engines);
    for turn in 1..=3_u32 {
        let engine = if turn == 2 { engines.two } else { engines.one };
        let count = engine.redeliver(&agent("bob"), &id("m-1"), at(i64::from(turn))).expect("redelivery works");
        assert_eq!(count, turn);
    }
    let receipt = delivery(engines.two, "bob", "m-1").receipt;
    assert_eq!((receipt.redelivered, receipt.redelivered_at), (3, Some(at(3))));
    assert_eq!(delivery(engines.two, "bob", "m-2").receipt, Receipt::default(), "others are left alone");
    let count = directory_of(engines.two).agents[&agent("bob")].message_count;
    assert_eq!(count, 2, "a redelivery is no new message");
}

fn an_unread_message_can_be_redelivered(engines: &Engines<'_>) {
    with_mail(engines);
    assert_eq!(engines.one.redeliver(&agent("bob"), &id("m-1"), at(20)).expect("redelivery works"), 1);
    check_unread(engines.two, "bob", &["m-1", "m-2"]);
    assert_eq!(see(engines.two, "bob", "m-1", 30), Seen::First);
}

fn only_what_is_in_the_inbox_can_be_redelivered(engines: &Engines<'_>) {
    with_mail(engines);
    let redeliver = |name: &str, message: &str| engines.two.redeliver(&agent(name), &id(message), at(20));
    check_absent(redeliver("bob", "other"), "bob", "other");
    check_absent(redeliver("cyd", "m-1"), "cyd", "m-1");
    engines.one.dead_letter(&agent("bob"), &id("m-1"), "old", at(20)).expect("dead-lettering works");
    check_absent(redeliver("bob", "m-1"), "bob", "m-1");
    engines.one.archive(at(60), true).expect("archiving works");
    check_absent(redeliver("bob", "m-2"), "bob", "m-2");
}

fn the_survey_shows_receipts(engines: &Engines<'_>) {
    with_mail(engines);
    offer(engines.one, &["m-1"], 20);
    see(engines.one, "bob", "m-1", 30);
    let expected = [delivery(engines.one, "bob", "m-1"), delivery(engines.one, "bob", "m-2")];
    assert_eq!(expected[0].receipt.seen_at, Some(at(30)));
    assert_eq!(snapshot(engines.two).deliveries, expected);
    assert_eq!(inbox(engines.two, "bob", false), expected);
}
