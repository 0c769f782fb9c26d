//! What is said arrives as it was said, and in order.

use serde_json::json;

use super::*;
use crate::engine::MailSnapshot;
use crate::model::{Json, Place, Receipt, ThreadId};

theme!("messages":
    a_message_arrives_whole,
    a_bare_message_arrives,
    a_new_copy_is_untouched,
    bodies_of_every_kind_arrive,
    subjects_of_every_kind_arrive,
    unknown_fields_and_metadata_survive,
    a_huge_body_arrives,
    a_deep_body_arrives,
    any_id_will_do,
    ids_that_look_alike_stay_apart,
    three_recipients_get_the_same_message,
    nobody_else_has_it,
    the_inbox_is_in_order_of_time_then_id,
    five_hundred_messages_stay_in_order,
    a_page_of_the_inbox_has_the_most_urgent,
    a_page_follows_what_was_read,
    one_message_is_found_wherever_it_lies,
    a_message_is_found_with_its_answers,
);

fn full() -> Message {
    Message {
        kind: MessageType::new("interface_contract"),
        priority: Priority::High,
        thread: Some(ThreadId::new("conv_auth contracts/1").expect("a valid thread")),
        in_reply_to: Some(id("msg_20251129_143000_000")),
        requires_response: true,
        deadline: Some(at(7200)),
        metadata: object(json!({ "task_id": "t-1", "related_files": ["src/a.rs"], "n": 1 })),
        ..letter("msg_20251129_143052_001", "ann", &["bob"])
    }
}

/// Sends a message to Bob and checks that he gets just that, by every way to read it.
#[track_caller]
fn check_arrives(engines: &Engines<'_>, message: &Message) {
    commit(engines.one, direct(message.clone()));
    let name = message.id.as_str();
    let got = delivery(engines.two, "bob", name);
    assert_eq!(got.message, *message, "what delivery gives");
    assert_eq!(got.message.body.to_string(), message.body.to_string(), "fields keep their order");
    let listed = inbox(engines.two, "bob", false).into_iter().find(|copy| copy.message.id == message.id);
    assert_eq!(listed.as_ref(), Some(&got), "what the inbox lists");
    let listed = snapshot(engines.two).deliveries.into_iter().find(|copy| copy.message.id == message.id);
    assert_eq!(listed.as_ref(), Some(&got), "what the snapshot lists");
}

fn a_message_arrives_whole(engines: &Engines<'_>) {
    with_bus(engines);
    check_arrives(engines, &full());
}

fn a_bare_message_arrives(engines: &Engines<'_>) {
    with_bus(engines);
    check_arrives(engines, &Message { subject: String::new(), body: Json::Null, ..letter("m", "ann", &["bob"]) });
}

fn a_new_copy_is_untouched(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m", 0);
    let got = delivery(engines.two, "bob", "m");
    assert_eq!((got.recipient, got.receipt, got.place), (agent("bob"), Receipt::default(), Place::Inbox));
}

fn bodies_of_every_kind_arrive(engines: &Engines<'_>) {
    with_bus(engines);
    let bodies = [
        json!(""),
        json!("two\nlines\ttab \"quoted\" \\ \u{0} \u{1f980} \u{2028} </script>"),
        json!("{\"looks\": \"like JSON\"}"),
        json!(true),
        json!(0),
        json!(-3),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!([]),
        json!({}),
        json!({ "z": 1, "a": 2, "": [null, {}], "ünï": "✅" }),
    ];
    for (turn, body) in bodies.into_iter().enumerate() {
        check_arrives(engines, &Message { body, ..letter(&format!("m-{turn}"), "ann", &["bob"]) });
    }
}

fn subjects_of_every_kind_arrive(engines: &Engines<'_>) {
    with_bus(engines);
    let long = "x".repeat(5000);
    for (turn, subject) in ["", " spaces ", "日本語 🦀 e\u{301}", "a\"b\\c\nd", &long].into_iter().enumerate() {
        let subject = subject.to_owned();
        check_arrives(engines, &Message { subject, ..letter(&format!("m-{turn}"), "ann", &["bob"]) });
    }
}

fn unknown_fields_and_metadata_survive(engines: &Engines<'_>) {
    with_bus(engines);
    let extra = object(json!({ "x_trace": { "span": [1, 2] }, "x_cost": 0.25, "ünï": null }));
    let metadata = object(json!({ "z": 1, "a": { "b": [] }, "task_id": null }));
    check_arrives(engines, &Message { extra, metadata, ..full() });
}

fn a_huge_body_arrives(engines: &Engines<'_>) {
    with_bus(engines);
    let text = "0123456789abcdeé".repeat(200 * 1024 / 17);
    check_arrives(engines, &Message { body: json!({ "text": text }), ..letter("m", "ann", &["bob"]) });
}

/// JSON readers stop near 128 levels, and a stored message has some of its own.
fn a_deep_body_arrives(engines: &Engines<'_>) {
    with_bus(engines);
    let body = (0..50).fold(json!("core"), |inner, _| json!({ "in": [inner] }));
    check_arrives(engines, &Message { body, ..letter("m", "ann", &["bob"]) });
}

fn any_id_will_do(engines: &Engines<'_>) {
    with_bus(engines);
    let long = "x".repeat(100);
    for name in ["1", "hello world", "Ünï-1", "msg_1", "msg_20251129_143052_abc123", "evt_x", "bcast_y", "-", &long] {
        check_arrives(engines, &letter(name, "ann", &["bob"]));
    }
}

fn ids_that_look_alike_stay_apart(engines: &Engines<'_>) {
    with_bus(engines);
    let names = ["a", "a.json", "a.json.read", "a.read", "a_to_bob"];
    for name in names {
        send(engines.one, name, 0);
    }
    check_inbox(engines.two, "bob", &names);
    engines.one.mark_seen(&agent("bob"), &id("a"), at(1)).expect("reading works");
    check_unread(engines.two, "bob", &names[1..]);
    commit(engines.one, direct(letter("b", "ann", &["bob_to_cyd"])));
    commit(engines.one, direct(letter("b_to_bob", "ann", &["cyd"])));
    check_inbox(engines.two, "bob_to_cyd", &["b"]);
    check_inbox(engines.two, "cyd", &["b_to_bob"]);
}

fn three_recipients_get_the_same_message(engines: &Engines<'_>) {
    with_bus(engines);
    let sent = letter("m", "ann", &["cyd", "bob", "ann"]);
    commit(engines.one, direct(sent.clone()));
    for name in ["ann", "bob", "cyd"] {
        let got = inbox(engines.two, name, true);
        assert_eq!(got.len(), 1, "{name} has one copy");
        assert_eq!((&got[0].message, &got[0].recipient), (&sent, &agent(name)));
    }
}

fn nobody_else_has_it(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m", 0);
    for name in ["ann", "cyd", "nobody"] {
        check_inbox(engines.two, name, &[]);
        assert_eq!(engines.two.delivery(&agent(name), &id("m")).expect("reading works"), None, "{name} never had it");
    }
    assert_eq!(engines.two.delivery(&agent("bob"), &id("other")).expect("reading works"), None);
}

fn the_inbox_is_in_order_of_time_then_id(engines: &Engines<'_>) {
    with_bus(engines);
    for (name, seconds) in [("a", 30), ("z", 10), ("m", 20), ("b", 10), ("y", -5)] {
        send(engines.one, name, seconds);
    }
    check_inbox(engines.two, "bob", &["y", "b", "z", "m", "a"]);
    check_unread(engines.two, "bob", &["y", "b", "z", "m", "a"]);
}

fn five_hundred_messages_stay_in_order(engines: &Engines<'_>) {
    with_bus(engines);
    let name = |turn: i64| format!("msg_{}_{turn:03}", at(turn / 3).compact());
    for batch in (0..10).rev() {
        let turns = batch * 50..(batch + 1) * 50;
        let envelopes = turns.rev().map(|turn| {
            let message = Message { sent_at: at(turn / 3), ..letter(&name(turn), "ann", &["bob"]) };
            Envelope { message, recipients: agents(&["bob"]) }
        });
        let envelopes: Vec<Envelope> = envelopes.collect();
        commit(engines.one, Transaction { envelopes, ..direct(letter("unused", "ann", &["bob"])) });
    }
    let expected: Vec<String> = (0..500).map(name).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check_unread(engines.two, "bob", &expected);
    assert_eq!(directory_of(engines.two).agents[&agent("bob")].message_count, 500);
}

#[track_caller]
fn check_page(engine: &dyn Engine, unread_only: bool, limit: usize, total: usize, shown: &[&str]) {
    let found = engine.inbox_page(&agent("bob"), unread_only, limit).expect("the inbox can be read");
    assert_eq!(found.findings, []);
    let names: Vec<&str> = found.value.shown.iter().map(|copy| copy.message.id.as_str()).collect();
    assert_eq!((found.value.total, names.as_slice()), (total, shown), "a page of {limit}");
    for copy in found.value.shown {
        assert_eq!(delivery(engine, "bob", copy.message.id.as_str()), copy);
    }
}

fn send_urgent(engine: &dyn Engine, name: &str, seconds: i64, priority: Priority) {
    commit(engine, direct(Message { priority, sent_at: at(seconds), ..letter(name, "ann", &["bob"]) }));
}

fn a_page_of_the_inbox_has_the_most_urgent(engines: &Engines<'_>) {
    with_bus(engines);
    check_page(engines.two, true, 5, 0, &[]);
    send_urgent(engines.one, "n-2", 20, Priority::Normal);
    send_urgent(engines.one, "low", 0, Priority::Low);
    send_urgent(engines.two, "n-1", 10, Priority::Normal);
    send_urgent(engines.one, "top", 30, Priority::Critical);
    send_urgent(engines.one, "high", 40, Priority::High);
    send_urgent(engines.one, "also n-1", 10, Priority::Normal);
    let all = ["top", "high", "also n-1", "n-1", "n-2", "low"];
    for limit in 0..8 {
        check_page(engines.two, true, limit, 6, &all[..limit.min(6)]);
    }
    check_page(engines.two, false, 3, 6, &all[..3]);
}

fn a_page_follows_what_was_read(engines: &Engines<'_>) {
    with_bus(engines);
    for (name, seconds) in [("m-1", 0), ("m-2", 10), ("m-3", 20), ("m-4", 30)] {
        send(engines.one, name, seconds);
    }
    check_page(engines.two, true, 2, 4, &["m-1", "m-2"]);
    engines.one.mark_seen(&agent("bob"), &id("m-1"), at(40)).expect("reading works");
    check_page(engines.two, true, 2, 3, &["m-2", "m-3"]);
    check_page(engines.two, false, 2, 4, &["m-1", "m-2"]);
    engines.one.archive(at(60), false).expect("archiving works");
    engines.two.dead_letter(&agent("bob"), &id("m-2"), "old", at(50)).expect("dead-lettering works");
    check_page(engines.two, false, 9, 2, &["m-3", "m-4"]);
    engines.two.requeue(&agent("bob"), &id("m-2")).expect("reviving works");
    check_page(engines.one, true, 1, 3, &["m-2"]);
}

/// Checks that a message is found as the snapshot of everything has it.
#[track_caller]
fn check_found(engine: &dyn Engine, name: &str) -> MailSnapshot {
    let mut all = snapshot(engine);
    let found = engine.message_snapshot(&id(name)).expect("a message can be looked for");
    assert_eq!(found.findings, []);
    let mut about = found.value.clone();
    for snapshot in [&mut all, &mut about] {
        snapshot.deliveries.retain(|copy| copy.message.id.as_str() == name);
        snapshot.records.retain(|message| message.id.as_str() == name);
        snapshot.sent.retain(|(message, _)| message.id.as_str() == name);
    }
    assert_eq!(about, all, "all of {name}");
    found.value
}

fn one_message_is_found_wherever_it_lies(engines: &Engines<'_>) {
    with_bus(engines);
    let ours = format!("msg_{}_0001zmsp33", at(0).compact());
    commit(engines.one, direct(letter(&ours, "ann", &["bob", "cyd"])));
    commit(engines.one, direct(letter("of another form", "ann", &["bob", "who left"])));
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &["bob", "cyd"]));
    commit(engines.one, spread(event("evt_1", "ann", "Done"), &["bob"]));
    commit(engines.one, spread(event("evt_2", "ann", "Unheard"), &[]));
    let names = [ours.as_str(), "of another form", "bcast_1", "evt_1", "evt_2"];
    let check_all = || names.iter().for_each(|name| drop(check_found(engines.two, name)));
    check_all();
    for name in &names[..4] {
        engines.one.mark_offered(&agent("bob"), &[id(name)], at(10)).expect("an offer can be noted");
        engines.one.mark_seen(&agent("bob"), &id(name), at(20)).expect("reading works");
    }
    engines.one.dead_letter(&agent("cyd"), &id(&ours), "old", at(30)).expect("dead-lettering works");
    check_all();
    engines.one.archive(at(60), false).expect("archiving works");
    check_all();
    let none = engines.two.message_snapshot(&id("never sent")).expect("a message can be looked for");
    assert_eq!(none.value, MailSnapshot::default());
}

fn a_message_is_found_with_its_answers(engines: &Engines<'_>) {
    with_bus(engines);
    let answer = |name: &str, from: &str, to: &str, answered: &str, seconds: i64| Message {
        in_reply_to: Some(id(answered)),
        sent_at: at(seconds),
        ..letter(name, from, &[to])
    };
    commit(engines.one, direct(letter("m-1", "ann", &["bob", "cyd"])));
    commit(engines.one, direct(letter("m-2", "ann", &["bob"])));
    let answers = |name: &str| {
        let found = check_found(engines.two, name);
        let is_answer = |message: &&Message| message.in_reply_to.as_ref().is_some_and(|to| to.as_str() == name);
        let names = crate::bus::all_copies(&found).filter(is_answer).map(|message| message.id.to_string());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(answers("m-1"), [""; 0]);
    commit(engines.one, direct(answer("r-1", "bob", "ann", "m-1", 10)));
    commit(engines.two, direct(answer("r-2", "cyd", "ann", "m-1", 20)));
    commit(engines.one, direct(answer("r-3", "bob", "ann", "m-2", 30)));
    assert_eq!((answers("m-1"), answers("m-2")), (vec!["r-1".into(), "r-2".into()], vec!["r-3".into()]));
    engines.one.mark_seen(&agent("ann"), &id("r-1"), at(40)).expect("reading works");
    engines.one.archive(at(60), false).expect("archiving works");
    engines.one.dead_letter(&agent("bob"), &id("m-1"), "old", at(50)).expect("dead-lettering works");
    assert_eq!((answers("m-1"), answers("m-2")), (vec!["r-1".into(), "r-2".into()], vec!["r-3".into()]));
}
