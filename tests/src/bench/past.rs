//! Measures reading back: a log of a million events, and the conversations of a large bus.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use huddle_scan::{LogReader, Table};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::table::{ratio, shown};
use super::{median, time};
use crate::{Run, artifact, tools};

const EVENTS: u32 = 1_000_000;
/// How many of those events are findings of high severity: the same for the same generator and seed.
const WANTED: &str = "59932";
const LOG: &str = "messages.jsonl";
const QUERY: &str = "type:finding severity:high";
/// What a guest may use to search a log of any size.
const MEMORY: usize = 64 << 20;
const BUS: u32 = 100_000;
const CHUNK: usize = 1 << 20;

/// Logs that are harder to read than most: many long records that nobody looks for, and one that is enormous.
const HARD: [(&str, &[&str]); 2] = [
    ("20,000 events, most of them noise", &["20000", "--noise"]),
    ("a line of 12.8 MB", &["100000", "--long-line", "12800000"]),
];

/// What was measured of reading back.
pub(super) struct Past {
    bytes: u64,
    rows: Vec<(&'static str, Duration)>,
    /// How many bytes a second become columns in each of the logs that are hard to read.
    hard: Vec<(&'static str, f64)>,
    /// How long it takes to list the conversations of a large bus, and how many there are.
    threads: (Duration, u64),
}

/// Measures everything on one log and one bus.
pub(super) fn run() -> Result<Past> {
    tools::require_jq()?;
    let dir = tempfile::tempdir()?;
    let log = dir.path().join(LOG);
    eprintln!("writing a log of {EVENTS} events …");
    write_log(&log, &[&EVENTS.to_string()])?;
    let bytes = fs::metadata(&log)?.len();
    eprintln!("measuring the log …");
    let rows = vec![
        ("wc -l", median(5, || other(&dir, "wc", &["-l", LOG], &EVENTS.to_string()))?),
        ("grep -c", median(5, || other(&dir, "grep", &["-c", "\"severity\": \"high\"", LOG], WANTED))?),
        ("jq -c 'select(…)'", median(3, || jq(&dir))?),
        ("huddle.wasm search", median(5, || search(&dir))?),
        ("native search", median(5, || native(&dir, &["search", QUERY, LOG, "--limit", "0", "--json"], WANTED))?),
        ("native index of all columns", median(5, || indexed(&log))?),
    ];
    Ok(Past { bytes, rows, hard: hard(&log)?, threads: threads()? })
}

/// Parses into columns the log of which it is known how many events it has.
fn indexed(log: &Path) -> Result<Duration> {
    let (took, rows) = index(log)?;
    ensure!(rows == EVENTS as usize, "the index has {rows} rows");
    Ok(took)
}

/// Parses into columns the logs that are hard to read.
fn hard(log: &Path) -> Result<Vec<(&'static str, f64)>> {
    let rate = |(name, args): (&'static str, &[&str])| {
        eprintln!("measuring {name} …");
        write_log(log, args)?;
        let took = median(5, || index(log).map(|(took, _)| took))?;
        Ok((name, fs::metadata(log)?.len() as f64 / took.as_secs_f64()))
    };
    HARD.into_iter().map(rate).collect()
}

/// Has the generator write a log, the same for the same arguments.
fn write_log(log: &Path, args: &[&str]) -> Result<()> {
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/make_log.py");
    let written = Command::new("python3").arg(generator).args(args).stdout(File::create(log)?).status();
    let advice = "the log is written by tests/fixtures/make_log.py: install python3 and try again";
    ensure!(written.context(advice)?.success(), advice);
    Ok(())
}

fn other(dir: &TempDir, tool: &str, args: &[&str], wanted: &str) -> Result<Duration> {
    let mut command = Command::new(tool);
    command.args(args).current_dir(dir.path());
    started(command, &|answer| answer.split_whitespace().next() == Some(wanted))
}

fn jq(dir: &TempDir) -> Result<Duration> {
    let filter = "select(.type==\"finding\" and .severity==\"high\")";
    let mut command = Command::new("jq");
    command.args(["-c", filter, LOG]).current_dir(dir.path());
    started(command, &|answer| answer.lines().count().to_string() == WANTED)
}

fn native(dir: &TempDir, args: &[&str], wanted: &str) -> Result<Duration> {
    let mut command = Command::new(artifact::shipped()?);
    command.args(args).current_dir(dir.path()).env_remove("HUDDLE_ROOT");
    started(command, &|answer| answer.starts_with(&format!("{{\"count\":{wanted},")))
}

fn started(mut command: Command, is_right: &dyn Fn(&str) -> bool) -> Result<Duration> {
    let mut answer = String::new();
    let took = time(|| {
        let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("starting {command:?}"))?;
        child.stdout.take().context("stdout is a pipe")?.read_to_string(&mut answer)?;
        child.wait()?;
        Ok(())
    })?;
    ensure!(is_right(&answer), "{command:?} did not do what is measured: {answer:.200}");
    Ok(took)
}

/// Searches the log under wasmtime, within bounded memory.
fn search(dir: &TempDir) -> Result<Duration> {
    let run = Run::new(artifact::component()?).args(["search", QUERY, LOG, "--limit", "0", "--json"]);
    let run = run.dir(dir.path(), ".").memory_limit(MEMORY);
    let mut answer = String::new();
    let took = time(|| {
        answer = run.start()?.stdout;
        Ok(())
    })?;
    ensure!(answer.starts_with(&format!("{{\"count\":{WANTED},")), "the search gave {answer:.200}");
    Ok(took)
}

/// Parses into columns a whole log, and tells how many rows they have.
fn index(log: &Path) -> Result<(Duration, usize)> {
    let mut table = Table::default();
    let took = time(|| {
        let (mut file, mut buffer) = (File::open(log)?, vec![0; CHUNK]);
        let mut reader = LogReader::new(0);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => reader.feed(&buffer[..length], &mut table),
            }
        }
        reader.end(&mut table);
        Ok(())
    })?;
    ensure!(table.damages.is_empty(), "the log is damaged: {:?}", table.damages[0]);
    Ok((took, table.len()))
}

/// Lists the conversations of a large bus, with answers in circles and answers to nothing.
fn threads() -> Result<(Duration, u64)> {
    eprintln!("writing a bus of {BUS} messages …");
    let dir = tempfile::tempdir()?;
    for agent in 0..40 {
        fs::create_dir_all(dir.path().join(format!(".agent-messages/inbox/agent-{agent}")))?;
    }
    for number in 0..BUS {
        write_message(dir.path(), number)?;
    }
    eprintln!("measuring conversations …");
    let mut count = 0;
    let took = median(3, || {
        let mut command = Command::new(artifact::shipped()?);
        command.args(["threads", ".", "--limit", "0", "--json"]).current_dir(dir.path()).env_remove("HUDDLE_ROOT");
        let answer = std::cell::RefCell::new(String::new());
        let took = started(command, &|text| {
            text.clone_into(&mut answer.borrow_mut());
            text.starts_with("{\"count\":")
        })?;
        count = serde_json::from_str::<Value>(&answer.borrow())?["count"].as_u64().unwrap_or_default();
        Ok(took)
    })?;
    Ok((took, count))
}

fn write_message(root: &Path, number: u32) -> Result<()> {
    let (from, to) = (number % 40, (number * 7 + 1) % 40);
    let answers = match number {
        circle if circle % 1000 == 0 => Some(format!("msg_{:06}", number + 1)),
        lost if lost % 1500 == 1 => Some("msg_nowhere".to_owned()),
        answer if !answer.is_multiple_of(3) => Some(format!("msg_{:06}", number - number % 3)),
        _ => None,
    };
    let message = json!({
        "message_id": format!("msg_{number:06}"),
        "timestamp": format!("2025-01-{:02}T{:02}:{:02}:{:02}Z", 1 + number / 86_400, number / 3600 % 24, number / 60 % 60, number % 60),
        "from_agent": format!("agent-{from}"),
        "to_agent": format!("agent-{to}"),
        "message_type": "question",
        "subject": format!("Topic {}", number % 5000),
        "payload": super::fixture::BODY,
        "in_reply_to": answers,
    });
    let path = root.join(format!(".agent-messages/inbox/agent-{to}/msg_{number:06}.json"));
    let mut file = BufWriter::new(File::create(path)?);
    write!(file, "{message:#}")?;
    Ok(file.flush()?)
}

impl Past {
    fn of(&self, name: &str) -> Duration {
        self.rows.iter().find(|(row, _)| *row == name).map(|(_, took)| *took).unwrap_or_default()
    }

    /// Returns the numbers, in seconds.
    pub(super) fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|(name, took)| json!({"name": name, "seconds": took.as_secs_f64()}));
        json!({
            "bytes": self.bytes,
            "rows": rows.collect::<Vec<Value>>(),
            "jqPerSearch": ratio(self.of("jq -c 'select(…)'"), self.of("huddle.wasm search")),
            "searchPerGrep": ratio(self.of("huddle.wasm search"), self.of("grep -c")),
            "bytesPerSecond": self.hard.iter().map(|(name, rate)| json!({"name": name, "rate": rate})).collect::<Vec<Value>>(),
            "threadsOfLargeBus": self.threads.0.as_secs_f64(),
        })
    }
}

impl fmt::Display for Past {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = self.bytes as f64 / 1e6;
        writeln!(f, "| a log of {EVENTS} events, {megabytes:.0} MB | time | MB/s | against wc -l |")?;
        writeln!(f, "| --- | ---: | ---: | ---: |")?;
        for (name, took) in &self.rows {
            let (rate, floor) = (megabytes / took.as_secs_f64(), ratio(*took, self.of("wc -l")));
            writeln!(f, "| {name} | {} | {rate:.0} | {floor:.1} × |", shown(*took))?;
        }
        let search = self.of("huddle.wasm search");
        let (jq, grep) = (ratio(self.of("jq -c 'select(…)'"), search), ratio(search, self.of("grep -c")));
        writeln!(
            f,
            "\njq takes {jq:.1} times as long as huddle.wasm (wanted: 10), which takes {grep:.1} times as long"
        )?;
        writeln!(f, "as grep -c (wanted: at most 4), within {} MiB of memory.", MEMORY >> 20)?;
        for (name, rate) in &self.hard {
            writeln!(f, "Native index of {name}: {:.0} MB/s.", rate / 1e6)?;
        }
        let (took, count) = &self.threads;
        write!(
            f,
            "The {count} conversations of a bus of {BUS} messages, circles and lost parents among them, files and all: {}",
            shown(*took)
        )
    }
}
