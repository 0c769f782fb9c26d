use super::*;
use crate::history::fixture::{Fixture, at};

fn trace(fixture: &Fixture, now: &str) -> Deliveries {
    let Fixture { table, entries, copies } = fixture;
    Deliveries::trace(table, entries, copies, &Threads::of(table, entries), &[], at(now))
}

/// Shows each delivery of the first entry as its recipient, its step, and what is so of it.
fn shown(fixture: &Fixture, found: &Deliveries) -> Vec<String> {
    let show = |delivery: &DeliveryRow| {
        let mut shown = format!("{} {}", fixture.table.text(delivery.recipient), delivery.step);
        let so = [(delivery.unread, " unread"), (delivery.unanswered, " unanswered"), (delivery.overdue, " overdue")];
        shown.extend(so.iter().filter(|(so, _)| *so).map(|(_, word)| *word));
        shown
    };
    found.of(0).iter().map(show).collect()
}

fn check(lines: &[&str], copies: &[&str], wanted: &[&str]) {
    let fixture = Fixture::new(lines).with_copies(copies);
    assert_eq!(shown(&fixture, &trace(&fixture, "12:00:00")), wanted, "{lines:?} {copies:?}");
}

#[test]
fn a_copy_has_come_as_far_as_its_furthest_sign() {
    let ask = "10:00:00 ann>bob id=m";
    check(&[ask], &["m bob inbox"], &["bob stored unread"]);
    check(&[ask], &["m bob inbox offered=10:00:01"], &["bob offered unread"]);
    check(&[ask], &["m bob inbox offered=10:00:01 seen=10:00:02"], &["bob seen"]);
    check(&[ask], &["m bob archive"], &["bob stored"]);
    check(&[ask], &["m bob nowhere"], &["bob stored"]);
    check(&[ask], &["m bob dead seen=10:00:02 dead=10:00:03"], &["bob dead"]);
    let ack = "10:00:05 bob>ann id=k re=m kind=acknowledgment";
    let answer = "10:00:06 bob>ann id=r re=m kind=response";
    check(&[ask, ack], &["m bob inbox seen=10:00:02"], &["bob acked"]);
    check(&[ask, ack, answer], &["m bob inbox"], &["bob answered unread"]);
    check(&[ask, ack], &["m bob dead"], &["bob dead"]);
    check(&[ask, answer], &["m bob dead"], &["bob answered"]);
    check(&[ask, "10:00:05 cat>ann id=r re=m"], &["m bob inbox"], &["bob stored unread"]);
    check(&[ask, "10:00:05 bob>ann id=r re=m kind=delivery_failed"], &["m bob inbox"], &["bob stored unread"]);
    check(&[ask, "- bob>ann id=r re=m"], &["m bob inbox seen=10:00:02"], &["bob answered"]);
}

#[test]
fn the_first_sign_of_each_kind_has_the_time() {
    let fixture = Fixture::new(&[
        "10:00:00 ann>bob id=m",
        "10:00:05 bob>ann re=m",
        "10:00:06 bob>ann re=m kind=acknowledgment",
        "10:00:07 bob>ann re=m",
    ])
    .with_copies(&["m bob inbox offered=10:00:01 seen=10:00:02 again=3"]);
    let found = trace(&fixture, "12:00:00");
    let delivery = found.of(0)[0];
    assert_eq!((delivery.stored_at, delivery.offered_at), (at("10:00:00"), at("10:00:01")));
    assert_eq!((delivery.seen_at, delivery.redelivered), (at("10:00:02"), 3));
    assert_eq!((delivery.acked_at, delivery.answered_at), (at("10:00:06"), at("10:00:05")));
    assert_eq!((delivery.dead_at, delivery.place), (NO_TIME, CopyLocation::Inbox));
}

#[test]
fn entries_without_copies_go_to_named_recipients() {
    let ask = "10:00:00 ann>cat,bob id=m";
    check(&[ask], &[], &["cat stored", "bob stored"]);
    check(&[ask], &["m bob inbox seen=10:00:01"], &["cat stored", "bob seen"]);
    check(&[ask], &["m bob inbox", "m dan inbox"], &["cat stored", "bob stored unread", "dan stored unread"]);
    check(&["10:00:00 ann>ALL id=m all"], &["m bob inbox"], &["bob stored unread"]);
    check(&["10:00:00 ann>ALL id=m"], &[], &[]);
    check(&["10:00:00 ann>bob id=m event"], &[], &[]);
}

#[test]
fn a_document_says_of_itself_that_it_was_read() {
    check(&["10:00:00 ann>bob id=m read"], &[], &["bob seen"]);
    check(&["10:00:00 ann>bob id=m read=10:00:05"], &[], &["bob seen"]);
    check(&["10:00:00 ann>bob id=m", "10:00:00 ann>cat read"], &[], &["bob stored unread"]);
    check(&["10:00:00 ann>bob id=m", "10:00:00 ann>cat"], &[], &["bob stored"]);
    check(&["10:00:00 ann>bob id=m delivered"], &[], &["bob stored unread"]);
}

#[test]
fn an_answer_is_owed_by_everybody_who_was_asked() {
    let ask = "10:00:00 ann>bob,cat id=m needs due=11:00:00";
    let copies = ["m bob inbox seen=10:00:01", "m cat dead dead=10:30:00"];
    check(&[ask], &copies, &["bob seen unanswered overdue", "cat dead unanswered"]);
    let answer = "10:00:05 bob>ann re=m";
    check(&[ask, answer], &copies, &["bob answered", "cat dead unanswered"]);
    check(&["10:00:00 ann>bob id=m needs due=13:00:00"], &[], &["bob stored unanswered"]);
    check(&["10:00:00 ann>bob id=m needs"], &[], &["bob stored unanswered"]);
    check(&["10:00:00 ann>bob id=m due=11:00:00"], &[], &["bob stored"]);
    check(&["10:00:00 ann>ann,bob id=m needs"], &[], &["ann stored", "bob stored unanswered"]);
}

#[test]
fn a_task_is_answered_by_a_result_in_its_conversation() {
    let task = "10:00:00 ann>bob id=m kind=task thread=t due=11:00:00";
    check(&[task], &[], &["bob stored unanswered overdue"]);
    check(&[task, "10:00:01 bob>ann kind=status thread=t"], &[], &["bob stored unanswered overdue"]);
    check(&[task, "10:00:01 bob>ann kind=result thread=t"], &[], &["bob answered"]);
    check(&[task, "10:00:01 bob>ann kind=error thread=t"], &[], &["bob answered"]);
    check(&[task, "10:00:01 cat>ann kind=result thread=t"], &[], &["bob stored unanswered overdue"]);
    check(&[task, "10:00:01 bob>ann kind=result thread=u"], &[], &["bob stored unanswered overdue"]);
    check(&[task], &["m bob inbox"], &["bob stored unread"]);

    let fixture = Fixture::new(&[
        "10:00:00 bob>ann kind=result thread=t",
        "10:00:01 ann>bob id=m kind=task thread=t",
        "10:00:02 bob>ann kind=result thread=t",
        "10:00:03 bob>ann kind=result thread=t",
    ]);
    let found = trace(&fixture, "12:00:00");
    assert_eq!(found.of(1)[0].answered_at, at("10:00:02"), "a result is of a task before it");
}

#[test]
fn a_caller_may_know_of_acknowledgments_that_columns_do_not_show() {
    let fixture = Fixture::new(&["10:00:00 ann>bob id=a", "10:00:00 ann>bob id=b"]);
    let Fixture { mut table, entries, copies } = fixture;
    let recipient = table.symbols.intern("bob");
    let threads = Threads::of(&table, &entries);
    let ack = |entry: u32, seconds: &str| Ack { entry, recipient, time: at(seconds) };
    let acks = [ack(1, "10:00:05"), ack(1, "10:00:04")];
    let found = Deliveries::trace(&table, &entries, &copies, &threads, &acks, at("12:00:00"));
    assert_eq!((found.of(0)[0].step, found.of(1)[0].step), (DeliveryStage::Stored, DeliveryStage::Acked));
    assert_eq!(found.of(1)[0].acked_at, at("10:00:04"));
}

#[test]
fn an_entry_has_come_as_far_as_with_the_last_of_its_recipients() {
    let check = |copies: &[&str], wanted: Option<(DeliveryProgress, bool)>| {
        let fixture = Fixture::new(&["10:00:00 ann>ALL id=m all needs", "10:00:01 bob>ann re=m"]).with_copies(copies);
        let summary = trace(&fixture, "12:00:00").summary(0);
        assert_eq!(summary.map(|summary| (summary.progress, summary.unread)), wanted, "{copies:?}");
    };
    check(&[], None);
    check(&["m bob inbox seen=10:00:01"], Some((DeliveryProgress::Answered, false)));
    check(&["m bob inbox seen=10:00:01", "m cat inbox seen=10:00:02"], Some((DeliveryProgress::Seen, false)));
    check(&["m bob inbox seen=10:00:01", "m cat inbox"], Some((DeliveryProgress::Sent, true)));
    check(&["m cat dead", "m dan dead"], Some((DeliveryProgress::Dead, false)));
    check(&["m bob inbox", "m cat dead", "m dan inbox seen=10:00:02"], Some((DeliveryProgress::Mixed, true)));
    check(&["m cat dead", "m dan inbox seen=10:00:02", "m eve dead"], Some((DeliveryProgress::Mixed, false)));
}
