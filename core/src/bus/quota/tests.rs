use super::*;
use crate::bus::{Draft, NewAgent, ReplyDraft, SweepRules};
use crate::engine::Engine;
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{AgentName, MessageId};

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// Creates a bus with limits, on which Ann writes to Bob every second.
fn with_limits(limits: Limits, act: impl FnOnce(&Bus<'_>, &FixedHost, &dyn Fn() -> Result<MessageId>)) {
    let host = FixedHost::at("2025-11-29T12:00:00Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    for agent in ["ann", "bob"] {
        bus.register(&name(agent), &NewAgent::with_role("builder")).unwrap();
    }
    engine.edit_directory(&mut |directory| directory.limits = limits).unwrap();
    let send = || {
        host.advance(Span::from_seconds(1));
        bus.send(&name("ann"), &Draft::to(&name("bob"), "work")).map(|sent| sent.id)
    };
    act(&bus, &host, &send);
}

#[test]
fn a_full_bus_refuses_what_is_new_and_lets_answers_pass() {
    let limits = Limits { max_messages: Some(3), ..Limits::default() };
    with_limits(limits, |bus, host, send| {
        let first = send().unwrap();
        (0..2).for_each(|_| drop(send().unwrap()));
        let refused = send().unwrap_err();
        assert_eq!(refused.to_string(), "the bus is full: its inboxes hold 3 messages, and may hold 3");
        assert!(refused.hint().contains("huddle archive"), "{}", refused.hint());
        assert!(bus.broadcast(&name("ann"), &Draft::new("for all")).is_err());
        assert!(bus.publish(&name("ann"), &"Done".parse().unwrap(), crate::model::Json::Null, false).is_err());
        bus.read(&name("bob"), &first).unwrap();
        bus.reply(&name("bob"), &first, &ReplyDraft::default()).unwrap();
        assert!(bus.check().unwrap().findings.iter().any(|finding| finding.code == "quota-exceeded"));
        host.advance(Span::from_seconds(1));
        bus.archive(Some(bus.now()), true).unwrap();
        send().unwrap();
        assert!(bus.check().unwrap().findings.iter().all(|finding| finding.code != "quota-exceeded"));
    });
}

#[test]
fn broadcasts_count_and_bytes_have_a_quota_too() {
    with_limits(Limits { max_bytes: Some(2500), ..Limits::default() }, |bus, _, send| {
        send().unwrap();
        bus.archive(None, false).unwrap();
        let held = bus.engine.usage().unwrap().bytes;
        let mut sent = 1;
        while send().is_ok() {
            sent += 1;
        }
        assert!((sent - 1) * held < 2500 && (sent + 1) * held >= 2500, "{sent} messages of {held} bytes");
    });
    with_limits(Limits { max_messages: Some(2), ..Limits::default() }, |bus, _, send| {
        send().unwrap();
        bus.broadcast(&name("ann"), &Draft::new("for all")).unwrap();
        assert!(send().is_err());
    });
}

#[test]
fn a_sweep_archives_the_oldest_where_that_is_the_policy() {
    let limits = Limits { max_messages: Some(3), when_full: WhenFull::Archive, ..Limits::default() };
    with_limits(limits, |bus, _, send| {
        let ids: Vec<MessageId> = (0..5).map(|_| send().unwrap()).collect();
        assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().archived, 2);
        let kept = bus.unread_ids(&name("bob")).unwrap();
        assert_eq!(kept, ids[2..]);
        assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().archived, 0);
    });
}

#[test]
fn a_sweep_removes_what_the_archive_kept_long_enough() {
    let limits = Limits { max_age_hours: Some(48), ..Limits::default() };
    with_limits(limits, |bus, host, send| {
        let id = send().unwrap();
        bus.read(&name("bob"), &id).unwrap();
        host.advance(Span::from_hours(24));
        bus.archive(Some(bus.now()), false).unwrap();
        assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().pruned, 0);
        host.advance(Span::from_hours(48));
        let swept = bus.sweep(None, &SweepRules::default()).unwrap();
        assert_eq!(swept.pruned, 1);
        assert!(bus.peek(&name("bob"), &id).is_err());
    });
}

#[test]
fn nothing_is_removed_where_nobody_set_a_time() {
    with_limits(Limits::default(), |bus, host, send| {
        let id = send().unwrap();
        bus.read(&name("bob"), &id).unwrap();
        host.advance(Span::from_hours(24 * 365 * 10));
        let swept = bus.sweep(None, &SweepRules::default()).unwrap();
        assert_eq!((swept.archived, swept.pruned), (1, 0));
        host.advance(Span::from_hours(24 * 365 * 10));
        assert_eq!(bus.sweep(None, &SweepRules::default()).unwrap().pruned, 0);
        assert_eq!(bus.peek(&name("bob"), &id).unwrap().delivery.message.id, id);
    });
}

#[test]
fn a_limit_is_suggested_for_a_large_archive_that_has_none() {
    with_limits(Limits::default(), |bus, _, send| {
        let id = send().unwrap();
        let copy = bus.engine.snapshot().unwrap().value.deliveries.remove(0);
        let archived = |count: usize| MailSnapshot {
            deliveries: vec![Delivery { place: Place::Archive, ..copy.clone() }; count],
            ..MailSnapshot::default()
        };
        let code = |count: usize, limits: Limits| Bus::check_archive(&archived(count), &limits).map(|one| one.code);
        assert_eq!(copy.message.id, id);
        assert_eq!(code(LARGE_ARCHIVE, Limits::default()), Some("large-archive"));
        assert_eq!(code(LARGE_ARCHIVE - 1, Limits::default()), None);
        assert_eq!(code(LARGE_ARCHIVE, Limits { max_age_hours: Some(48), ..Limits::default() }), None);
    });
}
