//! The session protocol's example: two analysts at work, a coordinator and a generator that wait for them.
//!
//! Those who wait are guests that run all along; the test turns the clock, and has the others act at once where the
//! protocol has them act in parallel. `tests/golden/session-*.snap` has what was typed and what came back.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use huddle_tests::test_project::at;
use huddle_tests::{Outcome, golden};

use crate::sessions::{SessionFixture, lines};

const SECURITY: &str = r#"{"status":"completed","summary":"Found 5 issues","findings":[
  {"type":"issue","severity":"high","title":"SQL Injection","description":"A query is put together from input",
   "location":"src/db/queries.ts:42","recommendation":"Use parameters"},
  {"type":"info","severity":"low","title":"Old hash","description":"MD5 for cache keys"}],
  "metrics":{"items_analyzed":150,"issues_found":5},
  "data_artifacts":["data/vulnerabilities.json"],
  "next_actions":["Fix SQL injection in queries.ts"],
  "recommendations_for_automation":["Skill: SQL injection checker that runs on code changes"]}"#;
const PERFORMANCE: &str = r#"{"status":"completed","summary":"Found 3 bottlenecks","findings":[
  {"type":"issue","severity":"medium","title":"N+1 queries","description":"One query for each row"}],
  "next_actions":["Join the tables"],
  "recommendations_for_automation":["Command: /profile for quick checks"]}"#;
const GENERATED: &str = r#"{"status":"completed","summary":"Made a skill and a command","findings":[],
  "data_artifacts":["data/generated.json"]}"#;
const VULNERABILITIES: &str = r#"{"vulnerabilities":[{"id":"SQL-001","cwe":"CWE-89"}]}"#;

/// Who does not end for so long will not end any more.
const TEST_TIMEOUT: Duration = Duration::from_secs(120);
/// One who does not wait as it should is back long before that.
const A_WHILE: Duration = Duration::from_millis(800);

/// Where everything is written down.
struct SessionTranscript {
    fixture: SessionFixture,
    time: &'static str,
    text: String,
}

/// A guest that waits.
struct Waiter {
    agent: &'static str,
    command: String,
    guest: JoinHandle<Outcome>,
}

impl SessionTranscript {
    fn turn_to(&mut self, time: &'static str) {
        self.fixture.clock.turn_to(at(&format!("2025-01-23T{time}Z")));
        self.time = time;
    }

    fn note(&mut self, agent: &str, command: &str, outcome: &Outcome) {
        self.text += &format!("{} {agent}$ {command}\n{}{}\n", self.time, outcome.stdout, outcome.stderr);
    }

    /// Has an agent act on its own.
    #[track_caller]
    fn play(&mut self, agent: &str, args: &[&str]) {
        let outcome = self.fixture.run(agent, args);
        self.note(agent, &golden::typed(args), &outcome);
    }

    /// Has agents act at once.
    fn play_at_once(&mut self, commands: &[(&str, &[&str])]) {
        let outcomes = self.fixture.at_once(commands);
        for ((agent, args), outcome) in commands.iter().zip(&outcomes) {
            self.note(agent, &golden::typed(args), outcome);
        }
    }

    /// Has an agent begin to wait.
    fn begin(&mut self, agent: &'static str, args: &'static [&'static str]) -> Waiter {
        let command = golden::typed(args);
        self.text += &format!("{} {agent}$ {command}\n… and waits\n\n", self.time);
        let run = self.fixture.project.run(agent, args).unwrap().clock(self.fixture.clock);
        Waiter { agent, command, guest: thread::spawn(move || run.start().unwrap()) }
    }

    /// Checks that waiting ends, and writes down how.
    fn end(&mut self, waiter: Waiter) {
        let began = Instant::now();
        while !waiter.guest.is_finished() {
            assert!(began.elapsed() < TEST_TIMEOUT, "{} waits in vain: {}", waiter.agent, waiter.command);
            thread::sleep(Duration::from_millis(20));
        }
        let outcome = waiter.guest.join().unwrap();
        assert_eq!(outcome.code, 0, "{outcome:?}");
        self.text += &format!("{} {} goes on after {}\n{}\n", self.time, waiter.agent, waiter.command, outcome.stdout);
    }
}

#[track_caller]
fn check_wait_on(waiters: &[&Waiter]) {
    thread::sleep(A_WHILE);
    for waiter in waiters {
        assert!(!waiter.guest.is_finished(), "{} waits no longer: {}", waiter.agent, waiter.command);
    }
}

#[test]
fn the_protocols_example_is_played() {
    let fixture = SessionFixture::at(at("2025-01-23T10:00:00Z").by_hand());
    let mut transcript = SessionTranscript { fixture, time: "10:00:00", text: String::new() };
    analyse(&mut transcript);
    generate(&mut transcript);
    transcript.play("coordinator", &["session", "status", "--id", "abc123"]);
    tell_log(&mut transcript);
    golden::check("session-example", &transcript.text);
}

/// Two analysts work at once, and two wait for them.
fn analyse(transcript: &mut SessionTranscript) {
    let start = ["session", "start", "--id", "abc123", "--type", "web_app", "--agent", "security"];
    let agents = ["--agent", "performance", "--agent", "skill-generator:security,performance"];
    transcript.play("coordinator", &[&start[..], &agents].concat());
    transcript.play("coordinator", &["session", "ready", "--id", "abc123"]);
    transcript.play("skill-generator", &["session", "join", "skill-generator", "--id", "abc123"]);
    let coordinator =
        transcript.begin("coordinator", &["session", "wait", "--id", "abc123", "security", "performance"]);
    let generator =
        transcript.begin("skill-generator", &["session", "wait", "--id", "abc123", "--needs-of", "skill-generator"]);
    transcript.play_at_once(&[
        ("security", &["session", "join", "security", "--id", "abc123"]),
        ("performance", &["session", "join", "performance", "--id", "abc123"]),
    ]);
    transcript.turn_to("10:01:00");
    transcript.play_at_once(&[
        ("security", &["session", "progress", "security", "Reading queries", "--id", "abc123"]),
        ("performance", &["session", "progress", "performance", "Analyzing database queries...", "--id", "abc123"]),
    ]);
    transcript.turn_to("10:02:00");
    let finding = ["session", "log", "security", "finding", "--severity", "high", "--data"];
    transcript.play("security", &[&finding[..], &[r#"{"title":"SQL Injection"}"#, "--id", "abc123"]].concat());
    transcript.turn_to("10:03:00");
    let data =
        ["session", "data", "put", "vulnerabilities", VULNERABILITIES, "--description", "Detailed vulnerability data"];
    transcript.play("security", &[&data[..], &["--id", "abc123"]].concat());
    transcript.turn_to("10:05:00");
    let complete = |agent, report, message| ["session", "complete", agent, "--report", report, "--message", message];
    transcript.play("security", &[&complete("security", SECURITY, "Found 5 issues")[..], &["--id", "abc123"]].concat());
    // One of the two is done: whoever waits for both waits on.
    check_wait_on(&[&coordinator, &generator]);
    transcript.turn_to("10:06:00");
    let complete = complete("performance", PERFORMANCE, "Found 3 bottlenecks");
    transcript.play("performance", &[&complete[..], &["--id", "abc123"]].concat());
    transcript.end(coordinator);
    transcript.end(generator);
}

/// The coordinator reads the reports, and the generator makes something of them.
fn generate(transcript: &mut SessionTranscript) {
    transcript.turn_to("10:07:00");
    transcript.play("coordinator", &["session", "report", "list", "--id", "abc123"]);
    transcript.play("coordinator", &["session", "ready", "--id", "abc123"]);
    let log = ["session", "log", "coordinator", "status", "--message", "Launching skill generator", "--id", "abc123"];
    transcript.play("coordinator", &log);
    let coordinator = transcript.begin("coordinator", &["session", "wait", "--id", "abc123", "--all"]);
    transcript.turn_to("10:08:00");
    transcript.play("skill-generator", &["session", "join", "skill-generator", "--id", "abc123"]);
    transcript.play("skill-generator", &["session", "report", "merge", "--id", "abc123"]);
    check_wait_on(&[&coordinator]);
    transcript.turn_to("10:09:00");
    let data = ["session", "data", "put", "generated", r#"["skill","command"]"#, "--id", "abc123"];
    transcript.play("skill-generator", &data);
    let complete = ["session", "complete", "skill-generator", "--report", GENERATED, "--id", "abc123"];
    transcript.play("skill-generator", &complete);
    transcript.end(coordinator);
    transcript.turn_to("10:10:00");
    let log = ["session", "log", "coordinator", "completed", "--message", "Automation system ready", "--id", "abc123"];
    transcript.play("coordinator", &log);
    transcript.play("coordinator", &["session", "close", "--id", "abc123"]);
}

/// Writes down the log. Those who acted at the same moment may be in it either way round.
fn tell_log(transcript: &mut SessionTranscript) {
    let timeline = transcript.fixture.run("", &["session", "events", "--id", "abc123"]).stdout;
    let mut sorted: Vec<&str> = timeline.lines().collect();
    sorted.sort_unstable();
    transcript.text += &format!("timeline\n{}\n", sorted.join("\n"));
    let logged = lines(&transcript.fixture.text("agents/context/abc123/messages.jsonl"));
    let place = |message: &str| logged.iter().position(|record| record["message"] == message).unwrap();
    // In the log itself: what was done after waiting comes after what was waited for.
    assert!(place("Found 5 issues") < place("Launching skill generator"));
    assert!(place("Found 3 bottlenecks") < place("Launching skill generator"));
}

#[test]
fn every_golden_file_belongs_to_a_test() {
    let found: Vec<String> = golden::names().unwrap().into_iter().filter(|name| name.starts_with("session-")).collect();
    assert_eq!(found, ["session-example"]);
}
