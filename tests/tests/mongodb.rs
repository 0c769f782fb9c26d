//! What is shipped, on a real server: `dist/huddle-mongodb.wasm` under wasmtime, which is told of it by name, the native command, and moving a bus.

mod commands;
mod migrate;

use std::env;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use huddle_tests::{Guest, Outcome, Run, artifact, project};
use serde_json::Value;

/// Names the variable with the address of a server. This package does not start one: what it would need for that changes the
/// features with which wasmtime is built.
const SERVER: &str = "HUDDLE_TEST_MONGODB";

/// The component, and a bus of its own.
struct Agents<'a> {
    guest: &'a Guest,
    bus: String,
    root: &'a Path,
}

impl Agents<'_> {
    fn run(&self, agent: &str, args: &[&str]) -> Run<'_> {
        let run = Run::new(self.guest).env("HUDDLE_BUS", &self.bus).env("HUDDLE_AGENT", agent).dir(self.root, ".");
        run.args(args.iter().copied()).arg("--json")
    }

    /// Runs a command that must succeed.
    fn json(&self, agent: &str, args: &[&str]) -> Value {
        let outcome = self.run(agent, args).network().start().unwrap();
        assert_eq!(outcome.code, 0, "{args:?}: {outcome:?}");
        project::answer(&outcome).unwrap()
    }
}

/// Returns the address of a database that nobody has used yet.
fn new_database() -> String {
    let server = env::var(SERVER);
    let server = server.expect(
        "HUDDLE_TEST_MONGODB has the address of a server: `cargo xtask test` starts one, \
                                as does `cargo run -p huddle-mongod -- cargo test -p huddle-tests`",
    );
    let (hosts, options) = server.split_once('?').unwrap_or((&server, ""));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    format!("{}/guest-{now}?{options}", hosts.trim_end_matches('/'))
}

fn check_refused(outcome: &Outcome, expected: &[&str]) {
    assert_eq!((outcome.code, outcome.trap.as_deref()), (1, None), "{outcome:?}");
    for words in expected {
        assert!(outcome.stdout.contains(words), "{words} is missing in: {}", outcome.stdout);
    }
}

#[test]
#[ignore = "for `cargo xtask test --all`: the component with MongoDB"]
fn agents_talk_through_a_server() {
    let guest = Guest::load(artifact::path("huddle-mongodb.wasm").unwrap()).unwrap();
    let root = tempfile::tempdir().unwrap();
    let bus = new_database();
    assert!(bus.starts_with("mongodb://localhost:"), "a name, not a number: {bus}");
    let agents = Agents { guest: &guest, bus, root: root.path() };
    agents.json("", &["init"]);
    for agent in ["ann", "bob"] {
        agents.json(agent, &["register", agent, "--role", "builder"]);
    }
    agents.json("ann", &["send", "bob", "Can it be null?", "--needs-reply"]);
    let inbox = agents.json("bob", &["inbox"]);
    let id = inbox["notifications"][0]["id"].as_str().unwrap();
    assert_eq!(agents.json("bob", &["read", id])["subject"], "Can it be null?");
    agents.json("bob", &["reply", id, "--body", r#"{"status":"accepted","answer":"yes"}"#]);
    let answers = agents.json("ann", &["inbox", "--type", "response"]);
    assert_eq!(answers["notifications"].as_array().unwrap().len(), 1, "{answers}");
    assert_eq!(root.path().read_dir().unwrap().count(), 0, "nothing is left in the project's directory");
}

#[test]
#[ignore = "for `cargo xtask test --all`: the component with MongoDB"]
fn missing_network_permission_is_explained() {
    let guest = Guest::load(artifact::path("huddle-mongodb.wasm").unwrap()).unwrap();
    let root = tempfile::tempdir().unwrap();
    for host in ["localhost", "127.0.0.1"] {
        let agents = Agents { guest: &guest, bus: format!("mongodb://{host}:1/huddle"), root: root.path() };
        check_refused(&agents.run("bob", &["inbox"]).start().unwrap(), &["-S inherit-network", host]);
    }
}

#[test]
#[ignore = "for `cargo xtask test --all`: the component with MongoDB"]
fn a_server_that_is_away_is_told_of_without_a_directory_too() {
    let guest = Guest::load(artifact::path("huddle-mongodb.wasm").unwrap()).unwrap();
    let bus = "mongodb://127.0.0.1:1/huddle?serverSelectionTimeoutMS=500";
    let run = Run::new(&guest).env("HUDDLE_BUS", bus).args(["agents", "--json"]);
    check_refused(&run.network().start().unwrap(), &["away", "mongod is running"]);
}

#[test]
fn the_small_component_names_the_one_that_can() {
    let root = tempfile::tempdir().unwrap();
    let bus = "mongodb://ann:s3cret@localhost:1/huddle".to_owned();
    let agents = Agents { guest: artifact::component().unwrap(), bus, root: root.path() };
    let outcome = agents.run("bob", &["inbox"]).start().unwrap();
    check_refused(&outcome, &["MongoDB", "huddle-mongodb.wasm"]);
    assert!(!format!("{outcome:?}").contains("s3cret"), "{outcome:?}");
}
