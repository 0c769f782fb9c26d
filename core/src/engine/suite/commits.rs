//! What else a commit leaves: counters, records and the senders' log.

use super::*;
use crate::engine::MailSnapshot;

theme!("commits":
    direct_messages_are_counted,
    replies_broadcasts_and_events_are_not_counted,
    each_of_three_recipients_is_counted,
    a_recipient_named_twice_gets_one_copy,
    an_unregistered_recipient_gets_an_inbox,
    the_sender_was_seen,
    the_sender_was_never_seen_earlier,
    an_unregistered_sender_may_write,
    one_change_may_carry_two_messages,
    a_broadcast_is_kept_as_one_record,
    a_broadcast_to_nobody_is_kept,
    an_event_is_kept_as_one_record,
    direct_messages_are_in_the_senders_log,
    the_survey_is_sorted,
);

fn count(engine: &dyn Engine, name: &str) -> u64 {
    directory_of(engine).agents[&agent(name)].message_count
}

fn last_seen(engine: &dyn Engine, name: &str) -> Option<Timestamp> {
    directory_of(engine).agents[&agent(name)].last_seen
}

fn direct_messages_are_counted(engines: &Engines<'_>) {
    with_bus(engines);
    for name in ["m-1", "m-2", "m-3"] {
        send(engines.one, name, 0);
    }
    assert_eq!((count(engines.two, "bob"), count(engines.two, "ann")), (3, 0));
}

fn replies_broadcasts_and_events_are_not_counted(engines: &Engines<'_>) {
    with_bus(engines);
    let kind = MessageType::new(MessageType::RESPONSE);
    commit(engines.one, direct(Message { kind, ..letter("resp_1", "ann", &["bob"]) }));
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &["bob", "cyd"]));
    commit(engines.one, spread(event("evt_1", "ann", "Done"), &["bob"]));
    assert_eq!(inbox(engines.two, "bob", true).len(), 3, "all three arrive");
    assert_eq!((count(engines.two, "bob"), count(engines.two, "cyd")), (0, 0));
}

fn each_of_three_recipients_is_counted(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "ann", &["ann", "bob", "cyd"])));
    for name in ["ann", "bob", "cyd"] {
        assert_eq!(count(engines.two, name), 1, "{name}");
    }
}

fn a_recipient_named_twice_gets_one_copy(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, spread(letter("m", "ann", &["bob"]), &["bob", "bob"]));
    check_inbox(engines.two, "bob", &["m"]);
    assert_eq!(count(engines.two, "bob"), 1);
    assert_eq!(snapshot(engines.two).sent.len(), 1);
}

fn an_unregistered_recipient_gets_an_inbox(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "ann", &["stranger"])));
    check_unread(engines.two, "stranger", &["m"]);
    assert_eq!(directory_of(engines.two).names(), agents(&["ann", "bob", "cyd"]), "that does not register anybody");
}

fn the_sender_was_seen(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m", 5);
    assert_eq!(last_seen(engines.two, "ann"), Some(at(5)));
    assert_eq!(last_seen(engines.two, "bob"), Some(at(-60)), "getting mail is no sign of life");
}

fn the_sender_was_never_seen_earlier(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m-1", 50);
    send(engines.two, "m-2", 20);
    assert_eq!(last_seen(engines.one, "ann"), Some(at(50)));
}

fn an_unregistered_sender_may_write(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, direct(letter("m", "stranger", &["bob"])));
    check_inbox(engines.two, "bob", &["m"]);
    assert_eq!(directory_of(engines.two).names(), agents(&["ann", "bob", "cyd"]));
}

fn one_change_may_carry_two_messages(engines: &Engines<'_>) {
    with_bus(engines);
    let envelope = |name: &str, to: &str| Envelope { message: letter(name, "ann", &[to]), recipients: agents(&[to]) };
    let envelopes = vec![envelope("m-1", "bob"), envelope("m-2", "cyd"), envelope("m-3", "bob")];
    commit(engines.one, Transaction { envelopes, ..direct(letter("unused", "ann", &["bob"])) });
    check_inbox(engines.two, "bob", &["m-1", "m-3"]);
    check_inbox(engines.two, "cyd", &["m-2"]);
    assert_eq!((count(engines.two, "bob"), count(engines.two, "cyd")), (2, 1));
}

fn a_broadcast_is_kept_as_one_record(engines: &Engines<'_>) {
    with_bus(engines);
    let sent = Message { priority: Priority::Critical, ..message("bcast_1", "ann", Recipient::All) };
    commit(engines.one, spread(sent.clone(), &["bob", "cyd"]));
    assert_eq!(delivery(engines.two, "bob", "bcast_1").message, sent);
    assert_eq!(delivery(engines.two, "cyd", "bcast_1").message, sent);
    check_inbox(engines.two, "ann", &[]);
    let MailSnapshot { deliveries, records, sent: log } = snapshot(engines.two);
    assert_eq!((ids(&deliveries), records), (vec!["bcast_1"; 2], vec![sent]));
    assert_eq!(log, [], "the senders' log is for direct messages");
}

fn a_broadcast_to_nobody_is_kept(engines: &Engines<'_>) {
    with_bus(engines);
    commit(engines.one, spread(message("bcast_1", "ann", Recipient::All), &[]));
    let MailSnapshot { deliveries, records, .. } = snapshot(engines.two);
    assert_eq!((deliveries.len(), records.len()), (0, 1));
}

fn an_event_is_kept_as_one_record(engines: &Engines<'_>) {
    with_bus(engines);
    let sent = event("evt_1", "ann", "Task Completed");
    commit(engines.one, spread(sent.clone(), &["bob", "cyd"]));
    // The mailbox format keeps no subject and no priority of an event.
    let said = |message: &Message| (message.id.clone(), message.from.clone(), message.to.clone(), message.body.clone());
    for got in [delivery(engines.two, "bob", "evt_1").message, delivery(engines.two, "cyd", "evt_1").message] {
        assert_eq!((said(&got), got.kind, got.sent_at), (said(&sent), sent.kind.clone(), sent.sent_at));
    }
    let MailSnapshot { deliveries, records, sent: log } = snapshot(engines.two);
    assert_eq!((ids(&deliveries), log.len()), (vec!["evt_1"; 2], 0));
    assert_eq!(records.iter().map(said).collect::<Vec<_>>(), [said(&sent)]);
}

fn direct_messages_are_in_the_senders_log(engines: &Engines<'_>) {
    with_bus(engines);
    let sent = letter("m", "ann", &["bob", "cyd"]);
    commit(engines.one, direct(sent.clone()));
    let MailSnapshot { records, sent: log, .. } = snapshot(engines.two);
    assert_eq!(log, [(sent.clone(), agent("bob")), (sent, agent("cyd"))]);
    assert_eq!(records, [], "a direct message is no record");
}

fn the_survey_is_sorted(engines: &Engines<'_>) {
    with_bus(engines);
    for (name, seconds) in [("m-3", 20), ("m-1", 30), ("m-2", 20)] {
        let message = Message { sent_at: at(seconds), ..letter(name, "ann", &["cyd", "bob"]) };
        commit(engines.one, direct(message));
    }
    for (name, seconds) in [("bcast_2", 9), ("bcast_1", 9), ("bcast_0", 10)] {
        let message = Message { sent_at: at(seconds), ..message(name, "ann", Recipient::All) };
        commit(engines.one, spread(message, &[]));
    }
    let MailSnapshot { deliveries, records, sent } = snapshot(engines.two);
    let line = |message: &Message, to: &AgentName| format!("{} {to}", message.id);
    let expected = ["m-2 bob", "m-2 cyd", "m-3 bob", "m-3 cyd", "m-1 bob", "m-1 cyd"];
    assert_eq!(deliveries.iter().map(|copy| line(&copy.message, &copy.recipient)).collect::<Vec<_>>(), expected);
    assert_eq!(sent.iter().map(|(message, to)| line(message, to)).collect::<Vec<_>>(), expected);
    let records: Vec<&str> = records.iter().map(|message| message.id.as_str()).collect();
    assert_eq!(records, ["bcast_1", "bcast_2", "bcast_0"]);
}
