use super::*;
use crate::bus::thread::fixture::{directory, message, name, put, snapshot, time};
use crate::bus::{Draft, NewAgent};
use crate::engine::Engine;
use crate::engine::memory::MemoryEngine;
use crate::host::FixedHost;
use crate::model::{HandoffId, Json, JsonMap, Message};

/// Finds what is wrong with the scripts' bus after something was done to it.
fn codes(spoil: impl Fn(&mut MailSnapshot, &mut Directory)) -> Vec<&'static str> {
    let (mut snapshot, mut directory) = (snapshot(), directory());
    spoil(&mut snapshot, &mut directory);
    let mut findings = agents::miscounted(&snapshot, &directory, &directory);
    findings.extend(mail::without_copy(&snapshot).into_iter().map(|(message, name)| mail::lost(message, name)));
    findings.extend(check_in(&snapshot, &directory, &[handoff("builder-1")], time("04:00:00")));
    findings.sort();
    findings.iter().map(|finding| finding.code).collect()
}

fn handoff(to: &str) -> Handoff {
    Handoff {
        id: HandoffId::new("handoff_025726").unwrap(),
        from: name("architect-1"),
        to: name(to),
        task: "Implement JWT service".to_owned(),
        created_at: Some(time("02:57:26")),
        status: HandoffStatus::Pending,
        artifacts: Vec::new(),
        extra: JsonMap::new(),
    }
}

#[test]
fn script_mailbox_has_no_diagnostics() {
    assert_eq!(codes(|_, _| {}), [""; 0]);
}

#[test]
fn faults_are_reported_by_code() {
    let check =
        |expected: &[&str], spoil: &dyn Fn(&mut MailSnapshot, &mut Directory)| assert_eq!(codes(spoil), expected);
    let edit = |directory: &mut Directory, count: u64| {
        directory.agents.get_mut(&name("builder-2")).unwrap().message_count = count;
    };
    check(&["wrong-message-count"], &|_, directory| edit(directory, 3));
    check(&["wrong-message-count"], &|_, directory| edit(directory, 0));
    check(&["lost-message", "wrong-message-count"], &|snapshot, _| {
        snapshot.deliveries.retain(|copy| copy.message.id.as_str() != "msg_025725");
    });
    check(&["stray-subscription"], &|_, directory| {
        directory.subscriptions.entry("X".parse().unwrap()).or_default().push(name("gone"));
    });
    check(&["unregistered-recipient", "unregistered-sender"], &|snapshot, _| {
        put(snapshot, &message("m", "03:00:00", "stranger", "nobody", "note", Json::Null), &[("nobody", None)]);
    });
    check(&["conflicting-copies"], &|snapshot, _| snapshot.records[0].subject.push('!'));
    check(&["reply-to-unknown"], &|snapshot, _| {
        snapshot.deliveries[1].message.in_reply_to = Some("msg_gone".parse().unwrap());
    });
    check(&["deadline-before-sent", "overdue-answer"], &|snapshot, directory| {
        let late = message("m", "03:00:00", "builder-1", "builder-2", "question", Json::Null);
        let late = Message { requires_response: true, deadline: Some(time("02:00:00")), ..late };
        put(snapshot, &late, &[("builder-2", None)]);
        edit(directory, 3);
    });
}

#[test]
fn old_mail_and_old_handoffs_are_found() {
    let later = time("04:00:00").plus(Span::from_hours(72));
    let found = check_in(&snapshot(), &directory(), &[handoff("gone")], later);
    let found: Vec<String> = found.iter().map(|finding| format!("{} {}", finding.code, finding.place)).collect();
    let expected = [
        "stale-handoff handoff handoff_025726",
        "unread-past-retention inbox of architect-1",
        "unread-past-retention inbox of builder-1",
        "unread-past-retention inbox of builder-2",
        "unread-past-retention inbox of orchestrator",
        "unread-past-retention inbox of validator-1",
        "unregistered-handoff-side handoff handoff_025726",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_bus_in_use_has_no_findings() {
    let host = FixedHost::at("2025-11-29T14:30:00Z");
    let engine = MemoryEngine::new(&host);
    let bus = Bus::new(&engine, &host);
    bus.init().unwrap();
    let [ann, bob] = ["ann", "bob"].map(name);
    for agent in [&ann, &bob] {
        bus.register(agent, &NewAgent::with_role("builder")).unwrap();
    }
    host.advance(Span::from_seconds(1));
    let id = bus.send(&ann, &Draft { needs_reply: true, ..Draft::to(&bob, "Hello?") }).unwrap().id;
    bus.read(&bob, &id).unwrap();
    bus.reply(&bob, &id, &crate::bus::ReplyDraft::default()).unwrap();
    bus.broadcast(&ann, &Draft::new("Done")).unwrap();
    let dead = bus.send(&ann, &Draft::to(&bob, "Again")).unwrap().id;
    engine.dead_letter(&bob, &dead, "no sign", bus.now()).unwrap();
    assert_eq!(bus.check().unwrap(), CheckReport { agents: 2, messages: 5, ..CheckReport::default() });

    // An agent that left and came back starts to count anew: that is no fault.
    host.advance(Span::from_seconds(1));
    bus.deregister(&bob).unwrap();
    assert_eq!(bus.check().unwrap().findings.first().map(|finding| finding.code), Some("unregistered-recipient"));
    bus.register(&bob, &NewAgent::with_role("builder")).unwrap();
    assert_eq!(bus.check().unwrap().findings, []);
}
