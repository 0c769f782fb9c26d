//! The everyday operations, on the strict engine.

use serde_json::json;

use super::{Bus, Draft, Error, ErrorKind, InboxCursor, InboxFilter, NewAgent, ReplyDraft};
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{AgentName, EventName, Json, MessageId, MessageType, Priority, Recipient, Span};

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// Returns a bus with ann, bob and cyd on it.
fn with_bus(test: impl FnOnce(&Bus<'_>, &FixedHost)) {
    let host = FixedHost::at("2025-11-29T14:30:52Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    for agent in ["ann", "bob", "cyd"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    test(&bus, &host);
}

fn subjects(bus: &Bus<'_>, agent: &str, wanted: &InboxFilter) -> Vec<String> {
    let inbox = bus.inbox(&name(agent), wanted).unwrap();
    inbox.shown.into_iter().map(|delivery| delivery.message.subject).collect()
}

fn send(bus: &Bus<'_>, draft: &Draft) -> MessageId {
    bus.send(&name("ann"), draft).unwrap().id
}

#[test]
fn an_inbox_lists_the_most_urgent_first_then_the_oldest() {
    with_bus(|bus, host| {
        for (subject, priority) in [
            ("first", Priority::Normal),
            ("second", Priority::Low),
            ("third", Priority::Critical),
            ("fourth", Priority::Normal),
        ] {
            send(bus, &Draft { priority, ..Draft::to(&name("bob"), subject) });
            host.advance(Span::from_millis(1));
        }
        assert_eq!(subjects(bus, "bob", &InboxFilter::default()), ["third", "first", "fourth", "second"]);
        let urgent = InboxFilter { min_priority: Some(Priority::High), ..InboxFilter::default() };
        assert_eq!(subjects(bus, "bob", &urgent), ["third"]);
        let few = bus.inbox(&name("bob"), &InboxFilter { limit: Some(1), ..InboxFilter::default() }).unwrap();
        assert_eq!((few.total, few.shown.len()), (4, 1));
    });
}

#[test]
fn filters_pick_by_type_sender_and_thread() {
    with_bus(|bus, _| {
        let kind = Some(MessageType::new("task"));
        send(bus, &Draft { kind: kind.clone(), ..Draft::to(&name("bob"), "a task") });
        let thread = Some("conv_x".parse().unwrap());
        bus.send(&name("cyd"), &Draft { thread: thread.clone(), ..Draft::to(&name("bob"), "in x") }).unwrap();
        assert_eq!(subjects(bus, "bob", &InboxFilter { kind, ..InboxFilter::default() }), ["a task"]);
        assert_eq!(subjects(bus, "bob", &InboxFilter { thread, ..InboxFilter::default() }), ["in x"]);
        assert_eq!(subjects(bus, "bob", &InboxFilter { from: Some(name("cyd")), ..InboxFilter::default() }), ["in x"]);
    });
}

#[test]
fn unregistered_agents_cannot_send_or_receive() {
    with_bus(|bus, _| {
        for (from, to) in [("ann", "bop"), ("zoe", "bob")] {
            let error = bus.send(&name(from), &Draft::to(&name(to), "hello")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
            let text = error.to_string();
            assert!(text.contains("ann, bob, cyd"), "{text}");
        }
        let error = bus.send(&name("ann"), &Draft::to(&name("bop"), "hello")).unwrap_err();
        assert_eq!(error.hint(), "did you mean bob?");
        assert_eq!(subjects(bus, "bob", &InboxFilter::default()), [""; 0]);
    });
}

#[test]
fn several_recipients_get_one_message() {
    with_bus(|bus, _| {
        let to = vec![name("bob"), name("cyd"), name("bob")];
        let sent = bus.send(&name("ann"), &Draft { to, ..Draft::new("both of you") }).unwrap();
        assert_eq!(sent.recipients, [name("bob"), name("cyd")]);
        for agent in ["bob", "cyd"] {
            let message = bus.peek(&name(agent), &sent.id).unwrap().delivery.message;
            assert_eq!(message.to, Recipient::Agents(vec![name("bob"), name("cyd")]));
        }
    });
}

#[test]
fn a_key_sends_once() {
    with_bus(|bus, _| {
        let draft = Draft { key: Some("k1".into()), ..Draft::to(&name("bob"), "hello") };
        let first = bus.send(&name("ann"), &draft).unwrap();
        let again = bus.send(&name("ann"), &draft).unwrap();
        assert_eq!((again.id, again.thread, again.duplicate), (first.id, first.thread, true));
        let other = bus.send(&name("ann"), &Draft { subject: "bye".into(), ..draft }).unwrap_err();
        assert_eq!(other.kind(), ErrorKind::Conflict);
        assert_eq!(subjects(bus, "bob", &InboxFilter::default()), ["hello"]);
    });
}

#[test]
fn a_sender_who_waits_is_told_that_it_was_read_once() {
    with_bus(|bus, _| {
        let id = send(bus, &Draft { needs_reply: true, ..Draft::to(&name("bob"), "which port?") });
        let read = bus.read(&name("bob"), &id).unwrap();
        assert!(read.first);
        assert_eq!(read.delivery.message.kind.as_str(), "question");
        let again = bus.read(&name("bob"), &id).unwrap();
        assert_eq!((again.first, &again.acknowledgment), (false, &read.acknowledgment));
        assert_eq!(subjects(bus, "ann", &InboxFilter::default()), ["Acknowledged: which port?"]);
        let ack = read.acknowledgment.unwrap();
        assert!(bus.read(&name("ann"), &ack).unwrap().acknowledgment.is_none());
        let refused = bus.ack(&name("ann"), &ack, None).unwrap_err();
        assert!(matches!(*refused, Error::Usage { .. }), "{refused}");
    });
}

#[test]
fn peeking_leaves_no_trace() {
    with_bus(|bus, _| {
        let id = send(bus, &Draft { needs_reply: true, ..Draft::to(&name("bob"), "which port?") });
        assert!(!bus.peek(&name("bob"), &id).unwrap().first);
        assert_eq!(subjects(bus, "bob", &InboxFilter { peek: true, ..InboxFilter::default() }), ["which port?"]);
        let offered_at = || bus.peek(&name("bob"), &id).unwrap().delivery.receipt.offered_at;
        assert_eq!(offered_at(), None);
        assert_eq!(subjects(bus, "bob", &InboxFilter::default()), ["which port?"]);
        assert!(offered_at().is_some());
        assert_eq!(subjects(bus, "ann", &InboxFilter::default()), [""; 0]);
    });
}

#[test]
fn a_reply_goes_back_in_the_same_conversation() {
    with_bus(|bus, _| {
        let id = send(bus, &Draft { needs_reply: true, ..Draft::to(&name("bob"), "which port?") });
        let reply = ReplyDraft { body: json!({"port": 8080}), ..ReplyDraft::default() };
        let sent = bus.reply(&name("bob"), &id, &reply).unwrap();
        let answer = bus.peek(&name("ann"), &sent.id).unwrap().delivery.message;
        let original = bus.peek(&name("bob"), &id).unwrap().delivery;
        assert_eq!(answer.subject, "Re: which port?");
        assert_eq!((answer.in_reply_to, answer.thread), (Some(id), original.message.thread.clone()));
        assert!(sent.id.as_str().starts_with("resp_"));
        assert!(!original.is_unread(), "what is answered was seen");
        let back = bus.reply(&name("ann"), &sent.id, &ReplyDraft::default()).unwrap();
        assert_eq!(bus.peek(&name("bob"), &back.id).unwrap().delivery.message.subject, "Re: which port?");
    });
}

#[test]
fn a_broadcast_reaches_all_but_its_sender() {
    with_bus(|bus, _| {
        let sent = bus.broadcast(&name("ann"), &Draft::new("we use RS256")).unwrap();
        assert_eq!(sent.recipients, [name("bob"), name("cyd")]);
        assert_eq!(subjects(bus, "cyd", &InboxFilter::default()), ["we use RS256"]);
        assert_eq!(subjects(bus, "ann", &InboxFilter::default()), [""; 0]);
    });
}

#[test]
fn an_event_reaches_its_subscribers_only() {
    with_bus(|bus, _| {
        let event: EventName = "TaskCompleted".parse().unwrap();
        let events = [event.clone()];
        assert_eq!(bus.subscribe(&name("bob"), &events).unwrap(), events);
        let told = bus.publish(&name("ann"), &event, json!({"task_id": "t"}), false).unwrap();
        assert_eq!(told.recipients, [name("bob")]);
        assert_eq!(subjects(bus, "cyd", &InboxFilter::default()), [""; 0]);
        assert_eq!(bus.unsubscribe(&name("bob"), &events).unwrap(), []);
        assert_eq!(bus.publish(&name("ann"), &event, Json::Null, false).unwrap().recipients, []);
    });
}

#[test]
fn waiting_ends_with_a_message_or_in_time() {
    with_bus(|bus, _| {
        let nothing = bus.wait_inbox(&name("bob"), &InboxFilter::default(), Span::from_seconds(2)).unwrap_err();
        assert_eq!(
            (nothing.kind(), nothing.to_string()),
            (ErrorKind::TimedOut, "no message came for bob within 2 seconds".into())
        );
        send(bus, &Draft::to(&name("bob"), "hello"));
        assert_eq!(bus.wait_inbox(&name("bob"), &InboxFilter::default(), Span::default()).unwrap().total, 1);
    });
}

#[test]
fn a_watcher_is_shown_each_message_once() {
    with_bus(|bus, _| {
        let mut cursor = InboxCursor::default();
        let mut news = || bus.poll_new(&name("bob"), &InboxFilter::default(), &mut cursor).unwrap().total;
        assert_eq!(news(), 0);
        send(bus, &Draft::to(&name("bob"), "one"));
        assert_eq!(news(), 1);
        send(bus, &Draft::to(&name("bob"), "two"));
        assert_eq!((news(), news()), (1, 0));
    });
}

#[test]
fn oversized_and_malformed_drafts_are_rejected() {
    with_bus(|bus, _| {
        let long = Draft { body: "x".repeat(11_000).into(), ..Draft::to(&name("bob"), "a book") };
        let error = bus.send(&name("ann"), &long).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.hint().contains("--large"));
        bus.send(&name("ann"), &Draft { allow_large: true, ..long.clone() }).unwrap();
        // The quotes of a text count, as they are stored.
        let sized = |size: usize| Draft { allow_large: true, body: "x".repeat(size - 2).into(), ..long.clone() };
        bus.send(&name("ann"), &sized(4 << 20)).unwrap();
        let error = bus.send(&name("ann"), &sized((4 << 20) + 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert_eq!(error.to_string(), "body has 4194305 bytes, more than the 4194304 that --large allows");
        let deep = (0..101).fold(Json::Null, |inner, _| json!([inner]));
        let error = bus.send(&name("ann"), &Draft { body: deep, ..Draft::to(&name("bob"), "deep") }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        for subject in ["", " ", "two\nlines"] {
            let error = bus.send(&name("ann"), &Draft::to(&name("bob"), subject)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{subject:?}");
        }
    });
}

#[test]
fn the_directory_shows_who_has_mail_waiting() {
    with_bus(|bus, host| {
        send(bus, &Draft::to(&name("bob"), "hello"));
        host.advance(Span::from_seconds(60));
        let skilled = NewAgent { capabilities: vec!["sql".into()], ..NewAgent::with_role("builder") };
        assert!(!bus.register(&name("bob"), &skilled).unwrap());
        assert_eq!(bus.heartbeat(&name("bob"), Some("busy")).unwrap().status, "busy");
        let views = bus.agents(Some("sql")).unwrap().value;
        assert_eq!(views.len(), 1);
        assert_eq!((views[0].name.as_str(), views[0].unread.count, views[0].agent.message_count), ("bob", 1, 1));
        assert_eq!(bus.deregister(&name("bob")).unwrap(), 1);
        assert_eq!(bus.agents(None).unwrap().value.len(), 2);
        assert_eq!(bus.heartbeat(&name("bob"), None).unwrap_err().kind(), ErrorKind::NotFound);
    });
}
