//! Taking over what another bus has kept.

use super::*;
use crate::engine::{Error, Seen, Survey};
use crate::model::{Place, Receipt};

theme!("adopting":
    there_is_a_bus_first,
    nothing_may_be_adopted,
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
    the_adopted_are_like_any_other,
    ids_of_the_adopted_are_taken,
    many_arrive,
);

fn copy(message: &Message, recipient: &str) -> Delivery {
    let (receipt, place) = (Receipt::default(), Place::Inbox);
    Delivery { recipient: agent(recipient), message: message.clone(), receipt, place }
}

/// Makes what a bus keeps of a message to Bob that nothing happened to.
fn plain(name: &str, seconds: i64) -> Survey {
    let message = Message { sent_at: at(seconds), ..letter(name, "ann", &["bob"]) };
    Survey { deliveries: vec![copy(&message, "bob")], sent: vec![(message, agent("bob"))], ..Survey::default() }
}

fn seen_at(seconds: i64) -> Receipt {
    Receipt { seen_at: Some(at(seconds)), ..Receipt::default() }
}

fn full() -> Receipt {
    Receipt { offered_at: Some(at(20)), seen_at: Some(at(30)), redelivered: 2, redelivered_at: Some(at(15)) }
}

/// Makes a bus with a bit of everything: letters to one and to several, a broadcast, an event; in every place.
fn rich() -> Survey {
    let mut all = Survey::default();
    let dead = Place::DeadLetters { reason: "nobody \"answered\"\n".to_owned(), at: at(90) };
    let offered = Receipt { offered_at: Some(at(7)), ..Receipt::default() };
    let letter = |name, to: &[&str], seconds| Message { sent_at: at(seconds), ..letter(name, "ann", to) };
    let mut post = |message: Message, copies: &[(&str, Receipt, Place)]| {
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
    post(letter("m-new", &["bob"], 0), &[("bob", Receipt::default(), Place::Inbox)]);
    post(letter("m-offered", &["bob"], 1), &[("bob", offered.clone(), Place::Inbox)]);
    post(
        Message { priority: Priority::Critical, thread: "t".parse().ok(), ..letter("m-many", &["bob", "cyd"], 2) },
        &[("bob", full(), Place::Inbox), ("cyd", seen_at(40), Place::Archive)],
    );
    post(letter("m-dead", &["cyd"], 3), &[("cyd", full(), dead.clone())]);
    post(letter("m-away", &["bob"], 4), &[("bob", full(), Place::Archive)]);
    post(
        Message { sent_at: at(5), ..message("bcast_1", "cyd", Recipient::All) },
        &[("ann", offered, Place::Archive), ("bob", Receipt::default(), Place::Inbox)],
    );
    let done = Message { sent_at: at(6), subject: "Done".to_owned(), ..event("evt_1", "ann", "Done") };
    post(done, &[("bob", seen_at(50), Place::Inbox), ("cyd", Receipt::default(), dead)]);
    all.sort();
    all
}

#[track_caller]
fn adopt(engine: &dyn Engine, survey: &Survey) -> usize {
    let adopted = engine.adopt(survey).expect("it can be taken over");
    assert_eq!(adopted.findings, [], "there is room for all of it");
    adopted.value
}

fn there_is_a_bus_first(engines: &Engines<'_>) {
    let error = engines.one.adopt(&plain("m", 0)).expect_err("there is no bus");
    assert!(matches!(*error, Error::NoBus { .. }), "{error}");
}

fn nothing_may_be_adopted(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(adopt(engines.one, &Survey::default()), 0);
    assert_eq!(survey(engines.two), Survey::default());
}

fn copies_arrive_with_their_receipts(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(adopt(engines.one, &rich()), 10);
    assert_eq!(delivery(engines.two, "bob", "m-new").receipt, Receipt::default());
    assert_eq!(delivery(engines.two, "bob", "m-offered").receipt.offered_at, Some(at(7)));
    assert_eq!(delivery(engines.two, "bob", "m-many").receipt, full());
    assert_eq!(delivery(engines.two, "cyd", "m-dead").receipt, full());
    assert_eq!(delivery(engines.two, "bob", "m-away").receipt, full());
    assert_eq!(delivery(engines.two, "ann", "bcast_1").receipt.offered_at, Some(at(7)));
    check_unread(engines.two, "bob", &["m-new", "m-offered", "bcast_1"]);
    assert_eq!(survey(engines.two).deliveries, rich().deliveries);
}

fn copies_arrive_in_their_places(engines: &Engines<'_>) {
    with_bus(engines);
    adopt(engines.one, &rich());
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
    adopt(engines.one, &rich());
    let kept = survey(engines.two);
    assert_eq!(kept.records, rich().records);
    assert_eq!(kept.sent, rich().sent);
    // A record may be all that is left.
    let mut alone = Survey { deliveries: Vec::new(), ..rich() };
    for message in alone.records.iter_mut().chain(alone.sent.iter_mut().map(|(message, _)| message)) {
        message.id = id(&format!("other-{}", message.id));
    }
    assert_eq!(adopt(engines.one, &alone), 0, "none of it is a copy");
    let kept = survey(engines.two);
    assert_eq!((kept.deliveries.len(), kept.records.len(), kept.sent.len()), (10, 4, 12));
}

fn a_second_time_changes_nothing(engines: &Engines<'_>) {
    with_bus(engines);
    assert_eq!(adopt(engines.one, &rich()), 10);
    assert_eq!(adopt(engines.two, &rich()), 0);
    assert_eq!(adopt(engines.one, &rich()), 0);
    assert_eq!(survey(engines.two), rich());
}

fn what_is_there_stays(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m-new", 0);
    engines.one.mark_seen(&agent("bob"), &id("m-new"), at(10)).expect("a message in the inbox can be read");
    let before = survey(engines.one);
    let mut other = plain("m-new", 0);
    other.deliveries[0].message.subject = "another".to_owned();
    other.deliveries[0].receipt = full();
    other.sent[0].0.subject = "another".to_owned();
    assert_eq!(adopt(engines.one, &other), 0);
    assert_eq!(survey(engines.two), before);
}

fn what_is_there_stays_wherever_it_lies(engines: &Engines<'_>) {
    with_bus(engines);
    adopt(engines.one, &rich());
    let mut moved = rich();
    for copy in &mut moved.deliveries {
        copy.place = if copy.place == Place::Inbox { Place::Archive } else { Place::Inbox };
    }
    assert_eq!(adopt(engines.one, &moved), 0);
    assert_eq!(survey(engines.two), rich());
    engines.one.archive(at(60), true).expect("archiving works");
    let archived = survey(engines.one);
    assert_eq!(adopt(engines.one, &rich()), 0);
    assert_eq!(survey(engines.two), archived, "what was put away meanwhile is not there anew");
}

fn the_rest_is_added_to_what_is_there(engines: &Engines<'_>) {
    with_bus(engines);
    let whole = rich();
    let mut half = Survey { deliveries: whole.deliveries[..5].to_vec(), ..Survey::default() };
    half.records.push(whole.records[1].clone());
    half.sent.extend_from_slice(&whole.sent[..2]);
    assert_eq!(adopt(engines.one, &half), 5);
    assert_eq!(adopt(engines.two, &whole), 5);
    assert_eq!(survey(engines.one), whole);
}

fn of_two_that_are_the_same_the_first_counts(engines: &Engines<'_>) {
    with_bus(engines);
    let mut twice = plain("m", 0);
    let mut second = twice.deliveries[0].clone();
    (second.place, second.receipt) = (Place::Archive, full());
    twice.deliveries.push(second);
    assert_eq!(adopt(engines.one, &twice), 1);
    assert_eq!(survey(engines.two), plain("m", 0));
}

fn nothing_is_counted(engines: &Engines<'_>) {
    with_bus(engines);
    let before = directory_of(engines.one);
    adopt(engines.one, &rich());
    assert_eq!(directory_of(engines.two), before);
}

fn the_recipient_need_not_be_known(engines: &Engines<'_>) {
    with_bus(engines);
    let message = letter("m", "stranger", &["nobody"]);
    let survey = Survey { deliveries: vec![copy(&message, "nobody")], ..Survey::default() };
    assert_eq!(adopt(engines.one, &survey), 1);
    check_unread(engines.two, "nobody", &["m"]);
    assert_eq!(directory_of(engines.two).names(), agents(&["ann", "bob", "cyd"]));
}

fn the_adopted_are_like_any_other(engines: &Engines<'_>) {
    with_bus(engines);
    adopt(engines.one, &rich());
    let (bob, cyd) = (agent("bob"), agent("cyd"));
    let see = |name: &str| engines.two.mark_seen(&bob, &id(name), at(100)).expect("it can be read");
    assert_eq!(see("m-new"), Seen::First);
    assert_eq!(see("m-many"), Seen::Already(Some(at(30))));
    assert_eq!(engines.one.redeliver(&bob, &id("m-many"), at(110)).expect("redelivery works"), 3);
    assert_eq!(delivery(engines.two, "bob", "m-many").receipt.offered_at, None);
    assert!(engines.one.revive(&cyd, &id("m-dead")).expect("reviving works"), "it is among the dead letters");
    check_unread(engines.two, "cyd", &["m-dead"]);
    assert_eq!(delivery(engines.two, "cyd", "m-dead").receipt, Receipt::default());
    assert_eq!(engines.one.archive(at(60), false).expect("archiving works"), 2, "m-new and evt_1 are read");
    assert_eq!(delivery(engines.two, "bob", "m-new").place, Place::Archive);
}

fn ids_of_the_adopted_are_taken(engines: &Engines<'_>) {
    with_bus(engines);
    adopt(engines.one, &plain("m", 0));
    let error = engines.two.commit(direct(letter("m", "ann", &["bob"]))).expect_err("the id is taken");
    assert!(matches!(*error, Error::Conflict { .. }), "{error}");
    assert_eq!(survey(engines.one), plain("m", 0));
}

fn many_arrive(engines: &Engines<'_>) {
    with_bus(engines);
    let mut many = Survey::default();
    for number in 0..700 {
        let one = plain(&format!("m-{number:03}"), number);
        many.deliveries.extend(one.deliveries);
        many.sent.extend(one.sent);
    }
    for copy in many.deliveries.iter_mut().step_by(2) {
        copy.receipt = full();
    }
    assert_eq!(adopt(engines.one, &many), 700);
    assert_eq!(survey(engines.two), many);
}
