//! Many agents at once on one bus, every command a start of the component of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use huddle_tests::{Clock, Project, is_thorough, project};
use serde_json::Value;
use tempfile::TempDir;

const WRITERS: usize = 16;

/// Creates a bus that goes away with the returned directory.
fn bus(agents: &[&str]) -> (TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    let project = Project::with_agents(dir.path(), agents).unwrap();
    (dir, project)
}

/// Checks that nothing is wrong with a bus, and that nobody left anything behind.
#[track_caller]
fn check_tidy(project: &Project) {
    assert_eq!(project.names(".huddle/work").unwrap(), [""; 0], "nothing is left in temp");
    let checkup = project.json("", &["check"]).unwrap();
    let findings = checkup["findings"].as_array().unwrap();
    let bad: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] != "info").collect();
    assert!(bad.is_empty(), "{bad:?}");
}

/// Runs the same command in as many guests at once as there are names, and gives each one's exit code and answer.
fn at_once(project: &Project, commands: &[(&str, Vec<&str>)]) -> Vec<(i32, Value)> {
    thread::scope(|scope| {
        let guests: Vec<_> = commands
            .iter()
            .map(|(agent, args)| {
                scope.spawn(move || {
                    let outcome = project.run(agent, args).unwrap().arg("--json").start().unwrap();
                    (outcome.code, project::answer(&outcome).unwrap())
                })
            })
            .collect();
        guests.into_iter().map(|guest| guest.join().unwrap()).collect()
    })
}

/// What two readers of one inbox were told.
#[derive(Default)]
struct Readers {
    /// How often each subject was read by one who was told to be the first.
    first: BTreeMap<String, usize>,
    /// The ids that one of the readers has read.
    read: BTreeSet<String>,
}

/// Reads what the inbox lists, again and again, until nothing is left and nobody sends any more.
fn read_until_done(project: &Project, done: &AtomicBool, readers: &Mutex<Readers>, newest_first: bool) {
    loop {
        let last_round = done.load(Ordering::SeqCst);
        let listed = project.json("reader", &["inbox"]).unwrap();
        let mut ids: Vec<&str> =
            listed["notifications"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        if ids.is_empty() && last_round {
            return;
        }
        if newest_first {
            ids.reverse();
        }
        for id in ids {
            let message = project.json("reader", &["read", id]).unwrap();
            let mut readers = readers.lock().unwrap();
            readers.read.insert(id.to_owned());
            if message["firstRead"] == true {
                *readers.first.entry(message["subject"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
}

#[test]
fn sixteen_writers_and_two_readers_lose_and_repeat_nothing() {
    let sends = if is_thorough() { 200 } else { 25 };
    let writers: Vec<String> = (0..WRITERS).map(|n| format!("writer-{n}")).collect();
    let mut agents: Vec<&str> = writers.iter().map(String::as_str).collect();
    agents.push("reader");
    let (_dir, project) = bus(&agents);
    let (done, readers) = (AtomicBool::new(false), Mutex::new(Readers::default()));
    thread::scope(|scope| {
        for newest_first in [false, true] {
            let (project, done, readers) = (&project, &done, &readers);
            scope.spawn(move || read_until_done(project, done, readers, newest_first));
        }
        let sending: Vec<_> = writers
            .iter()
            .map(|writer| {
                let project = &project;
                scope.spawn(move || {
                    for n in 0..sends {
                        project.json(writer, &["send", "reader", &format!("{writer} says {n}")]).unwrap();
                    }
                })
            })
            .collect();
        let sent: Vec<_> = sending.into_iter().map(thread::ScopedJoinHandle::join).collect();
        // The readers are told first, or a writer's failure would leave them waiting for ever.
        done.store(true, Ordering::SeqCst);
        assert!(sent.iter().all(Result::is_ok), "every send succeeds");
    });

    let Readers { first, read } = readers.into_inner().unwrap();
    assert_eq!((read.len(), first.len()), (WRITERS * sends, WRITERS * sends), "distinct messages");
    let other_than_once: Vec<_> = first.iter().filter(|(_, times)| **times != 1).collect();
    assert!(other_than_once.is_empty(), "each is read first once: {other_than_once:?}");
    let registry = project.registry().unwrap();
    assert_eq!(registry["agents"]["reader"]["message_count"], WRITERS * sends);
    assert_eq!(registry["message_count"], WRITERS * sends);
    assert_eq!(project.messages("inbox/reader").unwrap().len(), WRITERS * sends);
    assert_eq!(project.names("outbox").unwrap().len(), WRITERS * sends);
    check_tidy(&project);
}

#[test]
fn updates_of_one_context_all_go_in() {
    const UPDATES: usize = 10;
    let agents: Vec<String> = (0..8).map(|n| format!("agent-{n}")).collect();
    let names: Vec<&str> = agents.iter().map(String::as_str).collect();
    let (_dir, project) = bus(&names);
    project.json("agent-0", &["context", "create", "api", "# Contracts"]).unwrap();
    thread::scope(|scope| {
        for agent in &agents {
            let project = &project;
            scope.spawn(move || {
                for n in 0..UPDATES {
                    project.json(agent, &["context", "update", "api", &format!("<{agent} wrote {n}>")]).unwrap();
                }
            });
        }
    });
    let context = project.json("agent-0", &["context", "show", "api"]).unwrap();
    assert_eq!(context["version"], 1 + agents.len() * UPDATES);
    let text = context["content"].as_str().unwrap();
    for agent in &agents {
        for n in 0..UPDATES {
            assert_eq!(text.matches(&format!("<{agent} wrote {n}>")).count(), 1, "{agent} {n}");
        }
    }
    assert_eq!(project.messages("broadcasts").unwrap().len(), agents.len() * UPDATES, "a notice each");
    check_tidy(&project);
}

#[test]
fn sends_with_one_key_are_one_message() {
    let (_dir, project) = bus(&["ann", "bob"]);
    let send = ("ann", vec!["send", "bob", "once", "--key", "k1", "--body", "{\"n\":1}"]);
    let answers = at_once(&project, &vec![send; 8]);
    let ids: BTreeSet<&str> = answers.iter().map(|(_, answer)| answer["id"].as_str().unwrap()).collect();
    assert!(answers.iter().all(|(code, _)| *code == 0), "{answers:?}");
    assert_eq!(ids.len(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|(_, answer)| answer["duplicate"] == false).count(), 1, "{answers:?}");
    assert_eq!(project.messages("inbox/bob").unwrap().len(), 1);
    assert_eq!(project.registry().unwrap()["agents"]["bob"]["message_count"], 1);
    check_tidy(&project);
}

#[test]
fn a_handoff_is_accepted_once() {
    let (dir, project) = bus(&["ann", "bob"]);
    fs::write(dir.path().join("part.txt"), "one").unwrap();
    let create = ["handoff", "create", "bob", "--task", "the task", "--artifact", "part.txt"];
    let id = project.json("ann", &create).unwrap()["id"].as_str().unwrap().to_owned();
    let accept = ("bob", vec!["handoff", "accept", id.as_str()]);
    let answers = at_once(&project, &vec![accept; 2]);
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|(code, _)| *code == 0);
    assert_eq!((won.len(), lost.len()), (1, 1), "{answers:?}");
    assert_eq!(won[0].1["status"], "accepted");
    assert_eq!(lost[0].1["error"]["kind"], "conflict");
    assert_eq!(project.messages("inbox/ann").unwrap().len(), 1, "one notice");
    check_tidy(&project);
}

#[test]
fn orphaned_entries_are_finished_by_concurrent_processes() {
    let (_dir, project) = bus(&["ann", "bob"]);
    let send = project.run("ann", &["send", "bob", "stopped"]).unwrap();
    let calls = {
        let dir = tempfile::tempdir().unwrap();
        let trial = project.copy_to(dir.path().join("trial")).unwrap();
        trial.run("ann", &["send", "bob", "stopped"]).unwrap().start().unwrap().host_calls
    };
    // Near its end a send is committed: what it left undone must be done once, by whoever of many is first.
    assert!(send.stop_after_host_call(calls * 9 / 10).start().unwrap().stopped);
    let look = || project.json_at(Clock::Shifted(10), "bob", &["inbox"]).unwrap()["count"].clone();
    thread::scope(|scope| {
        let guests: Vec<_> = (0..8).map(|_| scope.spawn(look)).collect();
        for guest in guests {
            assert_eq!(guest.join().unwrap(), 1);
        }
    });
    assert_eq!(project.registry().unwrap()["agents"]["bob"]["message_count"], 1);
    check_tidy(&project);
}
