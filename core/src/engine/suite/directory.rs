//! Making a bus, and who is on it.

use serde_json::json;

use super::*;
use crate::engine::{Error, Lease, MailSnapshot, Result, Unread};
use crate::model::{EventName, LeaseName, Limits, Usage, WhenFull};

theme!("directory":
    init_makes_one_bus,
    nothing_works_without_a_bus,
    a_new_bus_is_empty,
    what_is_absent_is_empty,
    the_other_handle_sees_an_edit,
    edits_from_both_handles_add_up,
    unknown_fields_survive_edits,
    unknown_fields_survive_commits,
    subscriptions_keep_their_order,
    the_retention_can_be_changed,
    limits_and_usage_are_kept,
    an_agent_that_left_keeps_its_messages,
    a_new_agent_has_an_inbox,
    names_may_be_of_any_script,
);

fn init_makes_one_bus(engines: &Engines<'_>) {
    assert!(engines.one.init().expect("init works"), "there was no bus before");
    register(engines.one, &["ann"]);
    assert!(!engines.two.init().expect("init works"), "the bus is there already");
    assert!(!engines.one.init().expect("init works"), "the bus is there already");
    assert_eq!(directory_of(engines.two).names(), agents(&["ann"]), "a second init changes nothing");
}

fn nothing_works_without_a_bus(engines: &Engines<'_>) {
    #[track_caller]
    fn check<T>(result: Result<T>, method: &str) {
        let error = result.err().map(|error| *error);
        assert!(matches!(error, Some(Error::NoBus { .. })), "{method} without a bus is NoBus, not {error:?}");
    }
    let (engine, bob, m) = (engines.one, agent("bob"), id("m"));
    check(engine.directory(), "directory");
    check(engine.edit_directory(&mut |_| {}), "edit_directory");
    check(engine.commit(direct(letter("m", "ann", &["bob"]))), "commit");
    check(engine.inbox(&bob, false), "inbox");
    check(engine.unread(&bob), "unread");
    check(engine.delivery(&bob, &m), "delivery");
    check(engine.mark_offered(&bob, std::slice::from_ref(&m), at(0)), "mark_offered");
    check(engine.mark_seen(&bob, &m, at(0)), "mark_seen");
    check(engine.redeliver(&bob, &m, at(0)), "redeliver");
    check(engine.dead_letter(&bob, &m, "why", at(0)), "dead_letter");
    check(engine.requeue(&bob, &m), "requeue");
    check(engine.archive(at(0), true), "archive");
    check(engine.context(&"api".parse().expect("a valid name")), "context");
    check(engine.contexts(), "contexts");
    check(engine.handoff(&"handoff_1".parse().expect("a valid id")), "handoff");
    check(engine.handoffs(), "handoffs");
    check(engine.artifact(&"handoff_1".parse().expect("a valid id"), "file"), "artifact");
    check(engine.snapshot(), "snapshot");
    let name: LeaseName = "work".parse().expect("a valid name");
    check(engine.lease(&name, "ann", Span::from_seconds(1), Span::default()), "lease");
    let lease = Lease { name, owner: "ann".to_owned(), fence: 1, expires_at: at(0) };
    check(engine.release(&lease), "release");
    assert!(engine.init().expect("init works"), "none of them made a bus");
}

fn a_new_bus_is_empty(engines: &Engines<'_>) {
    engines.one.init().expect("init works");
    let directory = directory_of(engines.two);
    assert!(directory.agents.is_empty() && directory.subscriptions.is_empty(), "nobody is there yet");
    assert_eq!(directory.retention_hours, Directory::DEFAULT_RETENTION_HOURS);
    assert!(directory.initialized_at.is_some(), "a bus knows when it was made");
}

fn what_is_absent_is_empty(engines: &Engines<'_>) {
    engines.one.init().expect("init works");
    assert_eq!(snapshot(engines.two), MailSnapshot::default());
    assert_eq!(inbox(engines.two, "nobody", false), []);
    assert_eq!(engines.two.unread(&agent("nobody")).expect("counting works"), Unread::default());
    assert_eq!(engines.two.delivery(&agent("nobody"), &id("m")).expect("reading works"), None);
    assert_eq!(engines.two.contexts().expect("listing works").value, []);
    assert_eq!(engines.two.handoffs().expect("listing works").value, []);
    assert_eq!(engines.two.archive(at(0), true).expect("archiving works"), 0);
}

fn the_other_handle_sees_an_edit(engines: &Engines<'_>) {
    engines.one.init().expect("init works");
    let ann = Agent {
        role: "architect".to_owned(),
        capabilities: vec!["design".to_owned(), "review".to_owned()],
        registered_at: Some(at(1)),
        status: "busy".to_owned(),
        last_seen: Some(at(2)),
        message_count: 7,
        ..an_agent()
    };
    edit(engines.one, |directory| drop(directory.agents.insert(agent("ann"), ann.clone())));
    assert_eq!(directory_of(engines.two).agents.get(&agent("ann")), Some(&ann));
}

fn edits_from_both_handles_add_up(engines: &Engines<'_>) {
    with_bus(engines);
    for turn in 0..10 {
        let engine = if turn % 2 == 0 { engines.one } else { engines.two };
        edit(engine, |directory| {
            directory.agents.entry(agent("bob")).or_insert_with(an_agent).message_count += 1;
            directory.agents.insert(agent(&format!("helper-{turn}")), an_agent());
        });
    }
    let directory = directory_of(engines.one);
    assert_eq!(directory.agents[&agent("bob")].message_count, 10, "every edit saw the one before");
    assert_eq!(directory.agents.len(), 13, "no edit undid another");
}

fn extra() -> JsonMap {
    object(json!({ "model": "opus", "limits": { "tokens": [1, 2.5, null] }, "ünï": "🦀" }))
}

fn unknown_fields_survive_edits(engines: &Engines<'_>) {
    with_bus(engines);
    let ann = Agent { extra: extra(), ..an_agent() };
    edit(engines.one, |directory| drop(directory.agents.insert(agent("ann"), ann.clone())));
    edit(engines.two, |directory| {
        directory.agents.entry(agent("ann")).or_insert_with(an_agent).status = "away".to_owned();
        directory.agents.remove(&agent("cyd"));
    });
    let kept = directory_of(engines.one).agents[&agent("ann")].clone();
    assert_eq!((kept.extra, kept.status.as_str()), (extra(), "away"));
}

fn unknown_fields_survive_commits(engines: &Engines<'_>) {
    with_bus(engines);
    edit(engines.one, |directory| drop(directory.agents.insert(agent("bob"), Agent { extra: extra(), ..an_agent() })));
    send(engines.two, "m", 0);
    assert_eq!(directory_of(engines.one).agents[&agent("bob")].extra, extra());
}

fn subscriptions_keep_their_order(engines: &Engines<'_>) {
    with_bus(engines);
    let done: EventName = "TaskCompleted".parse().expect("a valid name");
    for name in ["cyd", "ann", "bob"] {
        edit(engines.one, |directory| directory.subscriptions.entry(done.clone()).or_default().push(agent(name)));
    }
    assert_eq!(directory_of(engines.two).subscribers(&done), agents(&["cyd", "ann", "bob"]));
    edit(engines.two, |directory| {
        directory.subscriptions.entry(done.clone()).or_default().retain(|name| *name != agent("ann"));
    });
    assert_eq!(directory_of(engines.one).subscribers(&done), agents(&["cyd", "bob"]));
}

fn the_retention_can_be_changed(engines: &Engines<'_>) {
    engines.one.init().expect("init works");
    let made = directory_of(engines.one).initialized_at;
    edit(engines.one, |directory| directory.retention_hours = 5);
    let directory = directory_of(engines.two);
    assert_eq!((directory.retention_hours, directory.initialized_at), (5, made));
}

fn limits_and_usage_are_kept(engines: &Engines<'_>) {
    engines.one.init().expect("init works");
    let kept = |engine: &dyn Engine| (directory_of(engine).limits, directory_of(engine).usage);
    assert_eq!(kept(engines.two), (Limits::default(), None));
    let limits =
        Limits { max_messages: Some(7), max_bytes: None, max_age_hours: Some(48), when_full: WhenFull::Archive };
    let usage = Some(Usage { messages: 1, bytes: 2, delivered: 3 });
    edit(engines.one, |directory| (directory.limits, directory.usage) = (limits, usage));
    assert_eq!(kept(engines.two), (limits, usage));
    edit(engines.two, |directory| (directory.limits.max_bytes, directory.usage) = (Some(1 << 40), None));
    assert_eq!(kept(engines.one), (Limits { max_bytes: Some(1 << 40), ..limits }, None));
}

fn an_agent_that_left_keeps_its_messages(engines: &Engines<'_>) {
    with_bus(engines);
    send(engines.one, "m", 0);
    edit(engines.one, |directory| drop(directory.agents.remove(&agent("bob"))));
    assert_eq!(directory_of(engines.two).names(), agents(&["ann", "cyd"]));
    check_unread(engines.two, "bob", &["m"]);
}

fn a_new_agent_has_an_inbox(engines: &Engines<'_>) {
    with_bus(engines);
    edit(engines.one, |directory| drop(directory.agents.insert(agent("dee"), an_agent())));
    check_inbox(engines.two, "dee", &[]);
    commit(engines.two, direct(letter("m", "ann", &["dee"])));
    check_inbox(engines.one, "dee", &["m"]);
}

fn names_may_be_of_any_script(engines: &Engines<'_>) {
    with_bus(engines);
    for (turn, name) in ["Ünï two", "строитель", "大工", "🦀", "a.b", "-x", "%41"].into_iter().enumerate()
    {
        let about = Agent { role: format!("{name} \"\\\n"), ..an_agent() };
        edit(engines.one, |directory| drop(directory.agents.insert(agent(name), about.clone())));
        assert_eq!(directory_of(engines.two).agents.get(&agent(name)), Some(&about), "{name}");
        let id = format!("m-{turn}");
        commit(engines.one, direct(letter(&id, name, &[name])));
        check_inbox(engines.two, name, &[&id]);
        assert_eq!(inbox(engines.two, name, false)[0].message.from, agent(name));
    }
}
