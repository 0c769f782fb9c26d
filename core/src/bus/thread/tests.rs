use super::fixture::{answer, message, name, put, snapshot, time};
use super::*;
use crate::model::Json;

fn ids(thread: &Thread) -> Vec<&str> {
    thread.messages.iter().map(|message| message.id.as_str()).collect()
}

/// Creates a snapshot of messages that lie in the inboxes of those they name.
fn kept(messages: Vec<Message>) -> MailSnapshot {
    let mut snapshot = MailSnapshot::default();
    for message in messages {
        let names = if let Recipient::Agents(names) = &message.to { names.clone() } else { Vec::new() };
        let copies: Vec<_> = names.iter().map(|name| (name.as_str(), None)).collect();
        put(&mut snapshot, &message, &copies);
    }
    snapshot
}

fn plain(id: &str, at: &str) -> Message {
    message(id, at, "ann", "bob", "question", Json::Null)
}

#[test]
fn the_scripts_leave_one_conversation() {
    let snapshot = snapshot();
    let threads = threads_in(&snapshot);
    assert_eq!(threads.len(), 1);
    let thread = &threads[0];
    assert_eq!(ids(thread), ["msg_025718", "resp_025720", "resp_025721"]);
    assert_eq!((thread.id.as_str(), thread.subject.as_str()), ("conv_025720", "msg_025718"));
    assert_eq!(thread.participants, [name("builder-1"), name("builder-2")]);
    assert_eq!((thread.started_at, thread.last_at), (time("02:57:18"), time("02:57:21")));
    assert_eq!(thread.waiting, []);
    for wanted in ["conv_025720", "msg_025718", "resp_025720", "resp_025721"] {
        assert_eq!(&find_thread(&snapshot, wanted).unwrap(), thread, "{wanted}");
    }
    assert_eq!(ids(&find_thread(&snapshot, "bcast_025722").unwrap()), ["bcast_025722"], "alone, and still there");
    for unknown in ["conv_x", "msg_0257"] {
        assert!(matches!(*find_thread(&snapshot, unknown).unwrap_err(), Error::NoSuchThread { .. }), "{unknown}");
    }
    assert!(matches!(*find_thread(&snapshot, "").unwrap_err(), Error::Name(_)));
}

#[test]
fn circles_and_missing_originals_do_no_harm() {
    let circle = |id: &str, to: &str| Message { in_reply_to: Some(to.parse().unwrap()), ..plain(id, "10:00:00") };
    let snapshot =
        kept(vec![circle("a", "b"), circle("b", "c"), circle("c", "a"), circle("d", "d"), circle("e", "gone")]);
    let threads = threads_in(&snapshot);
    assert_eq!(threads.iter().map(ids).collect::<Vec<_>>(), [["a", "b", "c"]]);
    assert_eq!(ids(&find_thread(&snapshot, "d").unwrap()), ["d"]);
    assert_eq!(ids(&find_thread(&snapshot, "e").unwrap()), ["e"]);
}

#[test]
fn an_original_without_an_id_holds_its_answers_together() {
    // Each script that answers a message without a conversation begins one of its own.
    let first = answer(plain("r1", "10:00:01"), "q", "conv_1");
    let second = answer(plain("r2", "10:00:02"), "q", "conv_2");
    let snapshot = kept(vec![plain("q", "10:00:00"), first, second]);
    for wanted in ["conv_1", "conv_2", "q", "r1", "r2"] {
        let thread = find_thread(&snapshot, wanted).unwrap();
        assert_eq!((ids(&thread), thread.id.as_str()), (vec!["q", "r1", "r2"], "conv_1"), "{wanted}");
    }
}

#[test]
fn conversations_with_ids_of_their_own_stay_apart_and_the_latest_comes_first() {
    let one = Message { thread: Some("one".parse().unwrap()), ..plain("a", "10:00:00") };
    let two = answer(plain("b", "10:00:05"), "a", "two");
    let threads = threads_in(&kept(vec![one, two]));
    assert_eq!(threads.iter().map(|thread| thread.id.as_str()).collect::<Vec<_>>(), ["two", "one"]);
}

#[test]
fn pending_replies_are_those_unanswered_by_some_recipient() {
    let ask = message("q", "10:00:00", "ann", "bob,cat", "question", Json::Null);
    let ask = Message { requires_response: true, deadline: Some(time("11:00:00")), ..ask };
    let ack = answer(message("k", "10:00:01", "cat", "ann", "acknowledgment", Json::Null), "q", "t");
    let reply = answer(message("r", "10:00:02", "bob", "ann", "response", Json::Null), "q", "t");
    let waiting = |messages: Vec<Message>| find_thread(&kept(messages), "q").unwrap().waiting;
    let left = waiting(vec![ask.clone(), ack.clone(), reply.clone()]);
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0].asked_by, left[0].waits_for.as_slice()), (&name("ann"), [name("cat")].as_slice()));
    let last = answer(message("s", "10:00:03", "cat", "ann", "response", Json::Null), "q", "t");
    assert_eq!(waiting(vec![ask, ack, reply, last]), []);
}

#[test]
fn copies_that_name_one_recipient_each_are_one_message_to_all() {
    let copies = vec![
        message("m", "10:00:00", "ann", "bob", "note", Json::Null),
        message("m", "10:00:00", "ann", "cat", "note", Json::Null),
    ];
    let messages = messages_in(&kept(copies));
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].to, Recipient::Agents(vec![name("bob"), name("cat")]));
}
