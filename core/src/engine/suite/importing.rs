//! Taking over what another bus has kept.

use super::*;
use crate::engine::{Error, MailSnapshot, Seen};
use crate::model::{Place, Receipt};

theme!("importing":
    there_is_a_bus_first,
    nothing_may_be_imported,
    copies_arrive_with_their_receipts,
    copies_arrive_in_their_places,
    records_and_log_arrive,
    a_second_time_changes_nothing,
    what_is_there_stays,
    what_is_there_stays_wherever_it_lies,
    the_rest_is_added_to_what_is_there,
    of_two_that_are_the_same_the_first_counts,
    nothing_is_counted,
    the_recipient_need_not_be_known,
    the_imported_are_like_any_other,
    ids_of_the_imported_are_taken,
    many_arrive,
);

fn copy(message: &Message, recipient: &str) -> Delivery {
    let (receipt, place) = (Receipt::default(), Place::Inbox);
    Delivery { recipient: agent(recipient), message: message.clone(), receipt, place }
}

/// Makes what a bus keeps of a message to Bob that nothing happened to.
fn plain(name: &str, seconds: i64) -> MailSnapshot {
    let message = Message { sent_at: at(seconds), ..letter(name, "ann", &["bob"]) };
    MailSnapshot {
        deliveries: vec![copy(&message, "bob")],
        sent: vec![(message, agent("bob"))],
        ..MailSnapshot::default()
    }
}

fn seen_at(seconds: i64) -> Receipt {
    Receipt { seen_at: Some(at(seconds)), ..Receipt::default() }
}

fn full() -> Receipt {
    Receipt { offered_at: Some(at(20)), seen_at: Some(at(30)), redelivered: 2, redelivered_at: Some(at(15)) }
}

/// Creates a bus with a bit of everything: letters to one and to several, a broadcast, an event; in every place.
fn rich() -> MailSnapshot {
    let mut all = MailSnapshot::default();
    let dead = Place::DeadLetters { reason: "nobody \"answered\"\n".to_owned(), at: at(90) };
    let offered = Receipt { offered_at: Some(at(7)), ..Receipt::default() };
    let letter = |name, to: &[&str], seconds| Message { sent_at: at(seconds), ..letter(name, "ann", to) };
    let mut add = |message: Message, copies: &[(&str, Receipt, Place)]| {
        for (name, receipt, place) in copies {
            let recipient = agent(name);
            if matches!(message.to, Recipient::Agents(_)) {
                all.sent.push((message.clone(), recipient.clone()));
            }
            let (message, receipt, place) = (message.clone(), receipt.clone(), place.clone());
            all.deliveries.push(Delivery { recipient, message, receipt, place });
        }
        if !matches!(message.to, Recipient::Agents(_)) {
            all.records.push(message);
        }
    };
    add(letter("m-new", &["bob"], 0), &[("bob", Receipt::default(), Place::Inbox)]);
    add(letter("m-offered", &["bob"], 1), &[("bob", offered.clone(), Place::Inbox)]);
    add(
        Message { priority: Priority::Critical, thread: "t".parse().ok(), ..letter("m-many", &["bob", "cyd"], 2) },
        &[("bob", full(), Place::Inbox), ("cyd", seen_at(40), Place::Archive)],
    );
    add(letter("m-dead", &["cyd"], 3), &[("cyd", full(), dead.clone())]);
    add(letter("m-away", &["bob"], 4), &[("bob", full(), Place::Archive)]);
    add(
        Message { sent_at: at(5), ..message("bcast_1", "cyd", Recipient::All) },
        &[("ann", offered, Place::Archive), ("bob", Receipt::default(), Place::Inbox)],
    );
    let done = Message { sent_at: at(6), subject: "Done".to_owned(), ..event("evt_1", "ann", "Done") };
    add(done, &[("bob", seen_at(50), Place::Inbox), ("cyd", Receipt::default(), dead)]);
    all.sort();
    all
}

#[track_caller]
fn import_snapshot(engine: &dyn Engine, snapshot: &MailSnapshot) -> usize {
    let imported = engine.import_snapshot(snapshot).expect("it can be taken over");
    assert_eq!(imported.findings, [], "there is room for all of it");
    imported.value
}

fn there_is_a_bus_first(engines: &Engines<'_>) {
    let error = engines.one.import_snapshot(&plain("m", 0)).expect_err("there is no bus");
    assert!(matches!(*error, Error::NoBus { .. }), "{error}");
}

fn nothing_may_be_imported(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(import_snapshot(engines.one, &MailSnapshot::default()), 0);
    assert_eq!(snapshot(engines.two), MailSnapshot::default());
}

fn copies_arrive_with_their_receipts(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(import_snapshot(engines.one, &rich()), 10);
    assert_eq!(delivery(engines.two, "bob", "m-new").receipt, Receipt::default());
    assert_eq!(delivery(engines.two, "bob", "m-offered").receipt.offered_at, Some(at(7)));
    assert_eq!(delivery(engines.two, "bob", "m-many").receipt, full());
    assert_eq!(delivery(engines.two, "cyd", "m-dead").receipt, full());
    assert_eq!(delivery(engines.two, "bob", "m-away").receipt, full());
    assert_eq!(delivery(engines.two, "ann", "bcast_1").receipt.offered_at, Some(at(7)));
    check_unread(engines.two, "bob", &["m-new", "m-offered", "bcast_1"]);
    assert_eq!(snapshot(engines.two).deliveries, rich().deliveries);
}

fn copies_arrive_in_their_places(engines: &Engines<'_>) {
    with_bus(engines);
    import_snapshot(engines.one, &rich());
    check_inbox(engines.two, "bob", &["m-new", "m-offered", "m-many", "bcast_1", "evt_1"]);
    check_inbox(engines.two, "ann", &[]);
    check_inbox(engines.two, "cyd", &[]);
    for copy in rich().deliveries {
        let found = delivery(engines.two, copy.recipient.as_str(), copy.message.id.as_str());
        assert_eq!(found, copy);
    }
}

fn records_and_log_arrive(engines: &Engines<'_>) {
    with_bus(engines);
    import_snapshot(engines.one, &rich());
    let kept = snapshot(engines.two);
    assert_eq!(kept.records, rich().records);
    assert_eq!(kept.sent, rich().sent);
    // A record may be all that is left.
    let mut alone = MailSnapshot { deliveries: Vec::new(), ..rich() };
    for message in alone.records.iter_mut().chain(alone.sent.iter_mut().map(|(message, _)| message)) {
        message.id = id(&format!("other-{}", message.id));
    }
    assert_eq!(import_snapshot(engines.one, &alone), 0, "none of it is a copy");
    let kept = snapshot(engines.two);
    assert_eq!((kept.deliveries.len(), kept.records.len(), kept.sent.len()), (10, 4, 12));
}

fn a_second_time_changes_nothing(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(import_snapshot(engines.one, &rich()), 10);
    assert_eq!(import_snapshot(engines.two, &rich()), 0);
    assert_eq!(import_snapshot(engines.one, &rich()), 0);
    assert_eq!(snapshot(engines.two), rich());
}

fn what_is_there_stays(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m-new", 0);
    engines.one.mark_seen(&agent("bob"), &id("m-new"), at(10)).expect("a message in the inbox can be read");
    let before = snapshot(engines.one);
    let mut other = plain("m-new", 0);
    other.deliveries[0].message.subject = "another".to_owned();
    other.deliveries[0].receipt = full();
    other.sent[0].0.subject = "another".to_owned();
    assert_eq!(import_snapshot(engines.one, &other), 0);
    assert_eq!(snapshot(engines.two), before);
}

fn what_is_there_stays_wherever_it_lies(engines: &Engines<'_>) {
    with_bus(engines);
    import_snapshot(engines.one, &rich());
    let mut moved = rich();
    for copy in &mut moved.deliveries {
        copy.place = if copy.place == Place::Inbox { Place::Archive } else { Place::Inbox };
    }
    assert_eq!(import_snapshot(engines.one, &moved), 0);
    assert_eq!(snapshot(engines.two), rich());
    engines.one.archive(at(60), true).expect("archiving works");
    let archived = snapshot(engines.one);
    assert_eq!(import_snapshot(engines.one, &rich()), 0);
    assert_eq!(snapshot(engines.two), archived, "what was put away meanwhile is not there anew");
}

fn the_rest_is_added_to_what_is_there(engines: &Engines<'_>) {
    with_bus(engines);
    let whole = rich();
    let mut half = MailSnapshot { deliveries: whole.deliveries[..5].to_vec(), ..MailSnapshot::default() };
    half.records.push(whole.records[1].clone());
    half.sent.extend_from_slice(&whole.sent[..2]);
    assert_eq!(import_snapshot(engines.one, &half), 5);
    assert_eq!(import_snapshot(engines.two, &whole), 5);
    assert_eq!(snapshot(engines.one), whole);
}

fn of_two_that_are_the_same_the_first_counts(engines: &Engines<'_>) {
    with_bus(engines);
    let mut twice = plain("m", 0);
    let mut second = twice.deliveries[0].clone();
    (second.place, second.receipt) = (Place::Archive, full());
    twice.deliveries.push(second);
    assert_eq!(import_snapshot(engines.one, &twice), 1);
    assert_eq!(snapshot(engines.two), plain("m", 0));
}

fn nothing_is_counted(engines: &Engines<'_>) {
    with_bus(engines);
    let before = directory_of(engines.one);
    import_snapshot(engines.one, &rich());
    assert_eq!(directory_of(engines.two), before);
}

fn the_recipient_need_not_be_known(engines: &Engines<'_>) {
    with_bus(engines);
    let message = letter("m", "stranger", &["nobody"]);
    let snapshot = MailSnapshot { deliveries: vec![copy(&message, "nobody")], ..MailSnapshot::default() };
    assert_eq!(import_snapshot(engines.one, &snapshot), 1);
    check_unread(engines.two, "nobody", &["m"]);
    assert_eq!(directory_of(engines.two).names(), agents(&["ann", "bob", "cyd"]));
}

fn the_imported_are_like_any_other(engines: &Engines<'_>) {
    with_bus(engines);
    import_snapshot(engines.one, &rich());
    let (bob, cyd) = (agent("bob"), agent("cyd"));
    let see = |name: &str| engines.two.mark_seen(&bob, &id(name), at(100)).expect("it can be read");
    assert_eq!(see("m-new"), Seen::First);
    assert_eq!(see("m-many"), Seen::Already(Some(at(30))));
    assert_eq!(engines.one.redeliver(&bob, &id("m-many"), at(110)).expect("redelivery works"), 3);
    assert_eq!(delivery(engines.two, "bob", "m-many").receipt.offered_at, None);
    assert!(engines.one.requeue(&cyd, &id("m-dead")).expect("reviving works"), "it is among the dead letters");
    check_unread(engines.two, "cyd", &["m-dead"]);
    assert_eq!(delivery(engines.two, "cyd", "m-dead").receipt, Receipt::default());
    assert_eq!(engines.one.archive(at(60), false).expect("archiving works"), 2, "m-new and evt_1 are read");
    assert_eq!(delivery(engines.two, "bob", "m-new").place, Place::Archive);
}

fn ids_of_the_imported_are_taken(engines: &Engines<'_>) {
    with_bus(engines);
    import_snapshot(engines.one, &plain("m", 0));
    let error = engines.two.commit(direct(letter("m", "ann", &["bob"]))).expect_err("the id is taken");
    assert!(matches!(*error, Error::Conflict { .. }), "{error}");
    assert_eq!(snapshot(engines.one), plain("m", 0));
}

fn many_arrive(engines: &Engines<'_>) {
    with_bus(engines);
    let mut many = MailSnapshot::default();
    for number in 0..700 {
        let one = plain(&format!("m-{number:03}"), number);
        many.deliveries.extend(one.deliveries);
        many.sent.extend(one.sent);
    }
    for copy in many.deliveries.iter_mut().step_by(2) {
        copy.receipt = full();
    }
    assert_eq!(import_snapshot(engines.one, &many), 700);
    assert_eq!(snapshot(engines.two), many);
}
