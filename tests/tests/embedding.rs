//! The component as a plugin of the reference host: one instance for many calls, what it may reach, and what it may use up.

#[path = "../examples/embed.rs"]
#[expect(dead_code, reason = "its main function is for those who run it by itself")]
mod example;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use huddle_tests::bindings::Huddle;
use huddle_tests::bindings::exports::huddle::bus::messages::{Inbox, InboxFilter, Message, Sent};
use huddle_tests::bindings::exports::huddle::bus::types::{Error, Priority};
use huddle_tests::{Guest, Instance, Project, Run, State, artifact, is_thorough, test_project, tree};
use wasmtime::Store;

/// How many messages go through one instance.
fn many() -> u32 {
    if is_thorough() { 10_000 } else { 2_000 }
}

/// How many messages are sent in two ways, to compare what both leave.
const SOME: u32 = 100;
/// What the instance may have for them; nothing that it keeps grows with them.
const MEMORY: usize = 64 << 20;

/// Sends a message as the story has it.
fn send(instance: &mut Instance, to: &str, content: &str) -> Result<Sent, Error> {
    let call = |instance: &mut Instance| {
        instance.call(|huddle, store| {
            let messages = huddle.huddle_bus_messages();
            messages.call_send_message(store, "alice", to, content, Some("status"), Some(Priority::High), None, None)
        })
    };
    call(instance).unwrap()
}

fn check_inbox(instance: &mut Instance, agent: &str, filter: Option<&InboxFilter>) -> Result<Inbox, Error> {
    instance.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, agent, filter)).unwrap()
}

fn read(instance: &mut Instance, agent: &str, id: &str) -> Result<Message, Error> {
    instance.call(|huddle, store| huddle.huddle_bus_messages().call_read_message(store, agent, id, None)).unwrap()
}

/// Creates a bus by the typed interface.
fn make_bus(instance: &mut Instance) {
    let made = instance.call(|huddle, store| huddle.huddle_bus_project().call_init_bus(store)).unwrap();
    assert!(made.unwrap().created);
    for agent in ["alice", "bob"] {
        let register = instance
            .call(|huddle, store| huddle.huddle_bus_agents().call_register(store, agent, "builder", None, None))
            .unwrap();
        assert!(register.unwrap().created);
    }
}

#[test]
fn thousands_of_messages_through_one_instance() {
    // What is written here need not outlast a power cut.
    let dir = tempfile::tempdir_in(huddle_scratch::root()).unwrap();
    let mut instance =
        Run::new(artifact::component().unwrap()).dir(dir.path(), ".").memory_limit(MEMORY).open().unwrap();
    make_bus(&mut instance);
    let mut sent = BTreeSet::new();
    for number in 0..many() {
        sent.insert(send(&mut instance, "bob", &format!("Message {number}")).unwrap().id);
    }
    assert_eq!(sent.len(), many() as usize);

    let inbox = check_inbox(&mut instance, "bob", None).unwrap();
    assert_eq!(inbox.count, many());
    let listed: Vec<String> = inbox.notifications.into_iter().map(|one| one.id).collect();
    assert!(listed.is_sorted(), "messages of one priority are listed as they were sent");
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), sent);
    for (number, id) in listed.iter().enumerate() {
        let message = read(&mut instance, "bob", id).unwrap();
        assert_eq!((message.content, message.first_read), (format!("Message {number}"), true));
    }
    assert_eq!(check_inbox(&mut instance, "bob", None).unwrap().count, 0);

    // The command, in an instance of its own, sees the same.
    let project = Project::at(dir.path());
    let inbox = project.json("bob", &["inbox", "--all", "--limit", "1"]).unwrap();
    assert_eq!((&inbox["count"], &inbox["notifications"][0]["id"]), (&many().into(), &listed[0].as_str().into()));
    eprintln!("memory of the instance: {} KB", instance.memory() >> 10);
}

#[test]
fn a_call_leaves_the_same_bytes_as_the_command() {
    let (called, commanded) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let component = artifact::component().unwrap();
    let clock = test_project::at("2026-11-16T12:00:00Z");
    // Each step starts with the same clock and the same random numbers in both.
    let start = |dir: &Path, step: u64| Run::new(component).dir(dir, ".").clock(clock).seed(step);
    let command = |step, agent: &str, args: &[&str]| {
        let outcome =
            start(commanded.path(), step).env("HUDDLE_AGENT", agent).args(args.iter().copied()).start().unwrap();
        assert_eq!(outcome.code, 0, "{outcome:?}");
        outcome.stdout
    };
    let same = || {
        tree::ensure_same(&tree::read(called.path()).unwrap(), &tree::read(commanded.path()).unwrap()).unwrap();
    };

    let by_call =
        start(called.path(), 1).open().unwrap().call(|huddle, store| huddle.huddle_bus_project().call_init_bus(store));
    by_call.unwrap().unwrap();
    command(1, "", &["init"]);
    same();
    for (step, agent) in [(2, "alice"), (3, "bob")] {
        let by_call = start(called.path(), step)
            .open()
            .unwrap()
            .call(|huddle, store| huddle.huddle_bus_agents().call_register(store, agent, "builder", None, None));
        by_call.unwrap().unwrap();
        command(step, agent, &["register", agent, "--role", "builder"]);
        same();
    }
    let sent = send(&mut start(called.path(), 4).open().unwrap(), "bob", "All is well").unwrap();
    command(4, "alice", &["send", "bob", "--body", "All is well", "--type", "status", "--priority", "high"]);
    same();
    check_inbox(&mut start(called.path(), 5).open().unwrap(), "bob", None).unwrap();
    command(5, "bob", &["inbox"]);
    same();
    read(&mut start(called.path(), 6).open().unwrap(), "bob", &sent.id).unwrap();
    command(6, "bob", &["read", &sent.id]);
    same();
    let by_call = start(called.path(), 7)
        .open()
        .unwrap()
        .call(|huddle, store| huddle.huddle_bus_messages().call_reply(store, "bob", &sent.id, "Good.", None));
    by_call.unwrap().unwrap();
    command(7, "bob", &["reply", &sent.id, "--body", "Good."]);
    same();
}

/// Does by one instance that stays open what commands do, each in an instance of its own.
#[test]
fn an_instance_that_stays_open_leaves_the_same_bytes_as_commands() {
    let (called, commanded) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut instance = Run::new(artifact::component().unwrap()).dir(called.path(), ".").open().unwrap();
    let project = Project::at(commanded.path());
    let same = || {
        // Random numbers go on in the one and begin anew in the others, so ids are compared by their order.
        let [called, commanded] = [&called, &commanded].map(|dir| tree::read_plain(dir.path()).unwrap());
        tree::ensure_same(&called, &commanded).unwrap();
    };

    make_bus(&mut instance);
    project.json("", &["init"]).unwrap();
    for agent in ["alice", "bob"] {
        project.json(agent, &["register", agent, "--role", "builder"]).unwrap();
    }
    same();
    let by_call = send(&mut instance, "bob", "All is well").unwrap();
    let message = ["send", "bob", "--body", "All is well", "--type", "status", "--priority", "high"];
    let by_command = project.json("alice", &message).unwrap();
    let by_command = by_command["id"].as_str().unwrap();
    same();
    check_inbox(&mut instance, "bob", None).unwrap();
    project.json("bob", &["inbox"]).unwrap();
    same();
    read(&mut instance, "bob", &by_call.id).unwrap();
    project.json("bob", &["read", by_command]).unwrap();
    same();
    let reply = |huddle: &Huddle, store: &mut Store<State>| {
        huddle.huddle_bus_messages().call_reply(store, "bob", &by_call.id, "Good.", None)
    };
    instance.call(reply).unwrap().unwrap();
    project.json("bob", &["reply", by_command, "--body", "Good."]).unwrap();
    same();
    let update = |huddle: &Huddle, store: &mut Store<State>| {
        let contexts = huddle.huddle_bus_contexts();
        contexts.call_create_context(&mut *store, "bob", "plan", Some("# Plan"))?.unwrap();
        contexts.call_update_context(store, "alice", "plan", "Step one", Some(1))
    };
    instance.call(update).unwrap().unwrap();
    project.json("bob", &["context", "create", "plan", "# Plan"]).unwrap();
    project.json("alice", &["context", "update", "plan", "Step one", "--expect-version", "1"]).unwrap();
    same();
}

/// Sends many messages through one instance and by commands. What the instance remembers of the agents is old after some of
/// them: another process has registered one more.
#[test]
fn an_instance_sends_as_commands_do_however_many_and_whoever_comes() {
    let dirs =
        [tempfile::tempdir_in(huddle_scratch::root()).unwrap(), tempfile::tempdir_in(huddle_scratch::root()).unwrap()];
    let [called, commanded] = dirs.each_ref().map(|dir| Project::with_agents(dir.path(), &["alice", "bob"]).unwrap());
    let mut instance = Run::new(artifact::component().unwrap()).dir(called.root(), ".").open().unwrap();
    for number in 0..SOME {
        if number == SOME / 2 {
            for project in [&called, &commanded] {
                project.json("cyd", &["register", "cyd", "--role", "tester"]).unwrap();
            }
        }
        let to = if number > SOME / 2 && number % 2 == 0 { "cyd" } else { "bob" };
        let content = format!("Message {number}");
        send(&mut instance, to, &content).unwrap();
        let message = ["send", to, "--body", &content, "--type", "status", "--priority", "high"];
        commanded.json("alice", &message).unwrap();
    }
    let [called, commanded] = [called, commanded].map(|project| tree::read_plain(project.root()).unwrap());
    tree::ensure_same(&called, &commanded).unwrap();
}

#[test]
fn a_directory_that_is_not_opened_is_out_of_reach() {
    let (open, closed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let secret = Project::with_agents(closed.path(), &["alice", "bob"]).unwrap();
    secret.json("alice", &["send", "bob", "For bob only"]).unwrap();
    let before = tree::read(closed.path()).unwrap();
    let component = artifact::component().unwrap();
    let elsewhere = closed.path().to_str().unwrap();
    // A way out of what is open: by name, by going up, and by a link.
    std::os::unix::fs::symlink(closed.path(), open.path().join("link")).unwrap();
    let up = format!("../{}", closed.path().file_name().unwrap().to_str().unwrap());
    let nothing = Run::new(component).env("HUDDLE_ROOT", elsewhere);
    let ways = [
        nothing.clone(),
        Run::new(component),
        Run::new(component).dir(open.path(), ".").env("HUDDLE_ROOT", elsewhere),
        Run::new(component).dir(open.path(), ".").env("HUDDLE_ROOT", up),
        Run::new(component).dir(open.path(), ".").env("HUDDLE_ROOT", "link"),
        Run::new(component).dir(open.path(), "/project").env("HUDDLE_ROOT", elsewhere),
    ];
    for way in ways {
        let mut instance = way.open().unwrap();
        let refusals = [
            check_inbox(&mut instance, "bob", None).map(drop),
            send(&mut instance, "bob", "Hello?").map(drop),
            instance.call(|huddle, store| huddle.huddle_bus_contexts().call_list_contexts(store)).unwrap().map(drop),
            instance.call(|huddle, store| huddle.huddle_bus_sessions().call_list_sessions(store)).unwrap().map(drop),
            instance.call(|huddle, store| huddle.huddle_bus_history().call_open_history(store, &[])).unwrap().map(drop),
        ];
        for refusal in refusals {
            let error = refusal.unwrap_err();
            assert!(
                matches!(&error, Error::Failed(failure) if failure.message.contains("has not opened it")),
                "{error}"
            );
        }
        for command in [&["history"][..], &["search", "bob"], &["timeline"], &["session", "list"]] {
            let outcome = way.clone().args(command.to_vec()).start().unwrap();
            assert!(outcome.code == 1 && outcome.stderr.contains("has not opened it"), "{command:?}: {outcome:?}");
        }
    }
    assert_eq!(tree::read(closed.path()).unwrap(), before);
    assert_eq!(fs::read_dir(open.path()).unwrap().count(), 1, "nothing was made where nothing was asked for");
}

#[test]
fn an_error_is_of_a_kind_and_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let mut instance = Run::new(artifact::component().unwrap()).dir(dir.path(), ".").open().unwrap();
    let error = check_inbox(&mut instance, "bob", None).unwrap_err();
    assert!(matches!(&error, Error::NotFound(failure) if failure.message.contains("no message bus")), "{error}");
    make_bus(&mut instance);
    let error = send(&mut instance, "nobody", "Hello?").unwrap_err();
    assert!(matches!(&error, Error::NotFound(failure) if failure.hint.contains("register")), "{error}");
    let error = send(&mut instance, "bob", &"x".repeat(20_000)).unwrap_err();
    assert!(matches!(&error, Error::Invalid(_)), "{error}");
    // It goes on after each of them.
    assert!(send(&mut instance, "bob", "Hello!").is_ok());
}

#[test]
fn an_instance_is_kept_within_its_limits() {
    let dir = tempfile::tempdir().unwrap();
    let component = Guest::load_metered(artifact::path("huddle.wasm").unwrap()).unwrap();
    let run = Run::new(&component).dir(dir.path(), ".");
    let mut instance = run.clone().fuel(10_000_000_000).deadline(Duration::from_secs(60)).open().unwrap();
    make_bus(&mut instance);
    assert!(send(&mut instance, "bob", "Hello!").is_ok());
    let before = tree::read(dir.path()).unwrap();

    // A call that would take longer than it may is ended, wherever it is, and has done nothing that anybody sees.
    let inbox = |run: &Run<'_>| {
        let mut instance = run.open()?;
        instance.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", None))
    };
    let error = inbox(&run.clone().fuel(100_000)).unwrap_err();
    assert!(format!("{error:#}").contains("fuel"), "{error:#}");
    let wait = InboxFilter {
        all: None,
        type_: None,
        from: Some("alice".into()),
        min_priority: Some(Priority::Critical),
        thread_id: None,
        limit: None,
        wait_seconds: Some(600),
    };
    let mut instance = run.clone().deadline(Duration::from_millis(300)).open().unwrap();
    let error = instance
        .call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, "bob", Some(&wait)))
        .unwrap_err();
    assert!(format!("{error:#}").contains("interrupt"), "{error:#}");
    let error = run.clone().memory_limit(1 << 19).open().map(drop).unwrap_err();
    assert!(format!("{error:#}").contains("memory"), "{error:#}");
    assert_eq!(tree::read(dir.path()).unwrap(), before);
}

#[test]
fn the_example_is_the_one_of_the_documentation_and_does_what_it_says() {
    let (example, docs) = (include_str!("../examples/embed.rs"), include_str!("../../docs/embedding.md"));
    let code = example.split_once("\n\n").unwrap().1;
    assert!(docs.contains(code.trim_end()), "docs/embedding.md does not show tests/examples/embed.rs as it is");
    let dir = tempfile::tempdir().unwrap();
    example::run(&artifact::path("huddle.wasm").unwrap(), dir.path()).unwrap();
    assert_eq!(Project::at(dir.path()).json("bob", &["inbox"]).unwrap()["count"], 1);
}
