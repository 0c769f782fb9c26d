//! The native command on a server: waiting in one process for what another sends, looking back, and what goes wrong.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::migrate::{command, huddle};
use super::new_database;

const SECRET: &str = "s3cret-w0rd";

/// Starts a command on a bus, in the name of an agent.
fn on_bus(dir: &Path, bus: &str, agent: &str, args: &[&str]) -> Command {
    let mut command = command(dir, args);
    command.env("HUDDLE_BUS", bus).env("HUDDLE_AGENT", agent);
    command
}

fn answer(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn ask(dir: &Path, bus: &str, agent: &str, args: &[&str]) -> Value {
    answer(&on_bus(dir, bus, agent, args).output().unwrap())
}

/// Creates a bus with two agents on it.
fn make_bus(dir: &Path) -> String {
    let bus = new_database();
    ask(dir, &bus, "", &["init"]);
    for agent in ["ann", "bob"] {
        ask(dir, &bus, agent, &["register", agent, "--role", "builder"]);
    }
    bus
}

#[test]
fn a_process_that_waits_is_woken_by_what_another_sends() {
    let root = tempfile::tempdir().unwrap();
    let bus = make_bus(root.path());
    let mut waiting = on_bus(root.path(), &bus, "bob", &["inbox", "--wait", "60"]);
    let waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_secs(1));
    let sent = Instant::now();
    ask(root.path(), &bus, "ann", &["send", "bob", "Wake up"]);
    let inbox = answer(&waiting.wait_with_output().unwrap());
    // Far from the minute that it would have waited; the benchmark tells how soon it is.
    assert!(sent.elapsed() < Duration::from_secs(15), "{:?}", sent.elapsed());
    assert_eq!(inbox["notifications"][0]["subject"], "Wake up", "{inbox}");
}

#[test]
fn history_timeline_and_search_are_of_the_bus_on_the_server() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    let bus = make_bus(dir);
    ask(dir, &bus, "ann", &["send", "bob", "Which port?", "--body", "the one of the harbour"]);
    // A bus in the project's files, of which nothing is asked here.
    huddle(dir, &["init"]);
    for agent in ["cyd", "dan"] {
        huddle(dir, &["register", agent, "--role", "builder"]);
    }
    huddle(dir, &["send", "dan", "Which harbour?", "--as", "cyd"]);

    let found = ask(dir, &bus, "", &["search", "harbour"]);
    assert_eq!(found["count"], 1, "{found}");
    assert!(found.to_string().contains("Which port?") && found.to_string().contains("mongodb://"), "{found}");
    assert_eq!(ask(dir, &bus, "", &["search", "is:unread to:bob"])["count"], 1);
    assert_eq!(ask(dir, &bus, "", &["search", "harbour", "."])["count"], 1, "a path is read as it is");
    for command in ["history", "timeline"] {
        let told = ask(dir, &bus, "", &[command]).to_string();
        assert!(told.contains("ann") && !told.contains("cyd"), "{command}: {told}");
    }
}

#[test]
fn bus_migrates_to_server_and_back() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    huddle(dir, &["init", "--root", "a"]);
    for agent in ["ann", "bob", "cyd"] {
        huddle(dir, &["register", agent, "--role", "builder", "--root", "a"]);
    }
    huddle(dir, &["subscribe", "Done", "--as", "bob", "--root", "a"]);
    huddle(dir, &["broadcast", "Stand still", "--as", "ann", "--root", "a"]);
    huddle(dir, &["publish", "Done", "--data", "all of it", "--as", "ann", "--root", "a"]);
    huddle(dir, &["publish", "Unheard", "--as", "ann", "--root", "a"]);
    huddle(dir, &["context", "create", "api", "# API", "--as", "ann", "--root", "a"]);
    std::fs::write(dir.join("notes.txt"), "what is done").unwrap();
    huddle(
        dir,
        &["handoff", "create", "cyd", "--task", "Parser", "--artifact", "notes.txt", "--as", "bob", "--root", "a"],
    );
    huddle(dir, &["send", "bob", "Please answer", "--needs-reply", "--as", "ann", "--root", "a"]);
    huddle(dir, &["sweep", "--timeout", "0", "--attempts", "0", "--root", "a"]);
    let dead = huddle(dir, &["dead-letters", "--root", "a"]);
    assert!(dead.to_string().contains("Please answer"), "{dead}");

    let bus = new_database();
    let there = huddle(dir, &["migrate", "--from", "a", "--to", &bus]);
    let back = huddle(dir, &["migrate", "--from", &bus, "--to", "b"]);
    assert_eq!(there["kinds"], back["kinds"], "the same counts and the same hashes");
    for kind in ["copies", "records", "contexts", "handoffs", "agents", "subscriptions"] {
        let tally = there["kinds"].as_array().unwrap().iter().find(|tally| tally["kind"] == kind);
        assert!(tally.unwrap()["count"].as_u64().unwrap() > 0, "there are {kind}: {there}");
    }
    assert!(ask(dir, &bus, "", &["dead-letters"]).to_string().contains("Please answer"));
}

/// Checks that a command fails with an exit code and says why, in both forms, without the password.
#[track_caller]
fn check_fails(dir: &Path, bus: Option<&str>, args: &[&str], code: i32, expected: &str) {
    for json in [true, false] {
        let mut failing = command(dir, args);
        if !json {
            failing = Command::new(failing.get_program());
            failing.args(args).current_dir(dir).env_remove("HUDDLE_BUS").stdin(Stdio::null());
        }
        failing.env_remove("HUDDLE_AGENT");
        if let Some(bus) = bus {
            failing.env("HUDDLE_BUS", bus);
        }
        let output = failing.output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(!said.contains(SECRET), "{args:?}: the password is in what is said: {said}");
        assert!(said.contains(expected), "{args:?}: not {expected:?}: {said}");
        if json {
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(answer["error"]["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{answer}");
        }
    }
}

#[test]
fn errors_have_exit_codes_and_hide_the_password() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let away = format!("mongodb://ann:{SECRET}@127.0.0.1:{port}/db?serverSelectionTimeoutMS=500");
    check_fails(dir, Some(&away), &["inbox", "--as", "bob"], 1, "the server is away");
    check_fails(dir, None, &["agents", "--bus", &away], 1, "the server is away");
    let server = new_database().replace("mongodb://", &format!("mongodb://ann:{SECRET}@"));
    check_fails(dir, Some(&server), &["agents"], 1, "does not let us in");
    for unescaped in [format!("mongodb://ann:{SECRET}?x@db/team"), format!("mongodb://ann:{SECRET}")] {
        check_fails(dir, Some(&unescaped), &["agents"], 1, "reading the address failed");
    }
    // Where something else is expected.
    check_fails(dir, None, &[&away], 2, "there is no command");
    check_fails(dir, None, &["agents", &away], 2, "one argument too many");
    check_fails(dir, None, &["search", "word", &away], 3, "reading failed");
    check_fails(dir, None, &["import", &away], 3, "reading failed");
    let slip = away.replace("://", ":/");
    check_fails(dir, None, &["migrate", "--from", &slip, "--to", "b"], 1, "begins with mongodb://");
    check_fails(dir, None, &["agents", "--root", &slip], 3, "no message bus");
}
