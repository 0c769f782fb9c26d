//! Many agents in one session at once: every record whole and there, every change of state kept.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use huddle_tests::{Clock, is_thorough};
use serde_json::Value;

use crate::sessions::{SessionFixture, lines};

const WRITERS: usize = 16;
const WORKERS: usize = 4;
const STEPS: usize = 25;
/// What a host appends in one piece; longer lines would be torn.
const ONE_PIECE: usize = 64 << 10;

/// Returns how many records each writes: enough to have some of each length.
fn records() -> usize {
    if is_thorough() { 500 } else { 50 }
}

/// Returns how much text a record has: most are short, some fill a line to its limit, some are far longer than a line may be.
fn size(number: usize) -> usize {
    match number % 100 {
        17 => ONE_PIECE - 600,
        42 => 100_000,
        n => n,
    }
}

fn text_of(writer: usize, number: usize) -> String {
    format!("{writer}/{number} {}", "x".repeat(size(number)))
}

fn write_log(fixture: &SessionFixture, writer: usize) {
    let name = format!("writer-{writer}");
    for number in 0..records() {
        let data = format!("{{\"n\":{number},\"text\":\"{}\"}}", text_of(writer, number));
        fixture.run(&name, &["session", "log", &name, "status", "--data", &data, "--id", "s"]);
    }
}

fn work(fixture: &SessionFixture, worker: usize) {
    let name = format!("worker-{worker}");
    fixture.run(&name, &["session", "join", &name, "--id", "s"]);
    for step in 0..STEPS {
        fixture.run(&name, &["session", "progress", &name, &format!("step {step}"), "--id", "s"]);
    }
    let report = r#"{"status":"completed","summary":"S","findings":[]}"#;
    fixture.run(&name, &["session", "complete", &name, "--report", report, "--id", "s"]);
}

/// Looks at the coordination again and again: whoever reads it with jq must find it whole at any moment.
fn watch(fixture: &SessionFixture, done: &AtomicBool) -> usize {
    let mut looks = 0;
    while !done.load(Ordering::SeqCst) {
        let document = fixture.file("agents/context/s/coordination.json");
        assert_eq!(document["agents"].as_object().unwrap().len(), WORKERS, "{document}");
        looks += 1;
        thread::yield_now();
    }
    looks
}

#[test]
fn sixteen_writers_tear_and_lose_nothing_while_states_change() {
    let fixture = SessionFixture::at(Clock::Host);
    let workers: Vec<String> = (0..WORKERS).flat_map(|n| ["--agent".to_owned(), format!("worker-{n}")]).collect();
    let workers: Vec<&str> = workers.iter().map(String::as_str).collect();
    fixture.run("", &[&["session", "start", "--id", "s"], &workers[..]].concat());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let (fixture, done) = (&fixture, &done);
        let watching = scope.spawn(move || watch(fixture, done));
        let mut acting: Vec<_> = (0..WRITERS).map(|n| scope.spawn(move || write_log(fixture, n))).collect();
        acting.extend((0..WORKERS).map(|n| scope.spawn(move || work(fixture, n))));
        let acted: Vec<_> = acting.into_iter().map(thread::ScopedJoinHandle::join).collect();
        // The watcher is told first, or a failure would leave it watching for ever.
        done.store(true, Ordering::SeqCst);
        assert!(acted.iter().all(Result::is_ok), "every command succeeds");
        assert!(watching.join().unwrap() > 0);
    });
    check_log(&fixture);
    check_coordination(&fixture);
}

/// Checks that the log has each record once, whole, and what the workers did.
fn check_log(fixture: &SessionFixture) {
    let log = fixture.text("agents/context/s/messages.jsonl");
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept = 0;
    for record in lines(&log) {
        if record["from"].as_str().unwrap().starts_with("writer-") {
            kept += usize::from(record["data_ref"].is_string());
            *found.entry(whole(fixture, &record)["text"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert_eq!(found.len(), WRITERS * records(), "distinct records");
    for writer in 0..WRITERS {
        for number in 0..records() {
            assert_eq!(found.get(&text_of(writer, number)), Some(&1), "record {number} of writer {writer}");
        }
    }
    assert_eq!(kept, WRITERS * records().div_ceil(100), "those that are too long for a line are in files of their own");
    assert!(log.lines().any(|line| line.len() > ONE_PIECE - 1000), "some lines are as long as a line may be");
    assert!(log.lines().all(|line| line.len() < ONE_PIECE));
    let events = fixture.json("", &["session", "events", "--from", "worker-*", "--id", "s"]);
    assert_eq!((&events["count"], &events["findings"]), (&(WORKERS * (STEPS + 2)).into(), &Value::Null));
}

/// Returns the data of a record, wherever they are.
fn whole(fixture: &SessionFixture, record: &Value) -> Value {
    match record["data_ref"].as_str() {
        Some(path) => {
            serde_json::from_slice(&fs::read(fixture.path(&format!("agents/context/s/{path}"))).unwrap()).unwrap()
        }
        None => record["data"].clone(),
    }
}

fn check_coordination(fixture: &SessionFixture) {
    let status = fixture.json("", &["session", "status", "--id", "s"]);
    assert_eq!(status["completed"].as_array().unwrap().len(), WORKERS, "{status}");
    for (name, entry) in status["agents"].as_object().unwrap() {
        assert_eq!(entry["progress"], format!("step {}", STEPS - 1), "{name}: {entry}");
        assert_eq!(entry["report_path"], format!("reports/{name}.json"));
        assert!(entry["started_at"].is_string() && entry["completed_at"].is_string(), "{name}: {entry}");
        assert_eq!(fixture.file(&format!("agents/context/s/reports/{name}.json"))["agent_name"], name.as_str());
    }
    let left = fs::read_dir(fixture.path(".huddle/work")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left in the work directory");
}
