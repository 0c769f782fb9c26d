//! Measures the component as a plugin: calls into one warm instance, beside a process for each, beside bare file
//! operations; and what its start costs beside that of a component that does nothing.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::fixture::{BODY, BenchFixture, READER, WRITER};
use super::floor::{self, Posting, SYNCS};
use super::table::ratio;
use super::{median, middle, time};
use crate::{Guest, Instance, Project, Run, artifact};

const TURNS: usize = 50;
/// How often a thing is done in its turn: an instance is warm when it was called a moment ago, not when a process or two
/// were started since.
const IN_A_ROW: usize = 10;
/// How many unread messages an inbox has that is checked.
const UNREAD: u32 = 10;

/// A component whose `wasi:cli/run` does nothing.
const EMPTY: &str = r#"(component
  (core module $m (func (export "run") (result i32) (i32.const 0)))
  (core instance $i (instantiate $m))
  (func $run (result (result)) (canon lift (core func $i "run")))
  (instance (export "wasi:cli/run@0.2.0") (export "run" (func $run))))"#;

/// What was measured of the component as a plugin.
pub(super) struct Plugin {
    send: Row,
    inbox: Row,
    /// Starts in a host that runs already, and starts of a host: of the component, and of an empty one.
    starts: [(&'static str, Duration, Duration); 2],
}

/// The same call in three ways.
struct Row {
    warm: Duration,
    process: Duration,
    floor: Duration,
    /// How many times as long as the floor a call into a warm instance takes, each compared with those of its own turn.
    times: f64,
}

impl Row {
    fn of([warm, floor, process]: [Vec<Duration>; 3]) -> Self {
        let mut times: Vec<f64> = warm.iter().zip(&floor).map(|(warm, floor)| ratio(*warm, *floor)).collect();
        times.sort_unstable_by(f64::total_cmp);
        let times = times[times.len() / 2];
        let [warm, floor, process] = [warm, floor, process].map(middle);
        Self { warm, process, floor, times }
    }
}

/// Measures everything, by turns, so that what else the machine does befalls all alike.
pub(super) fn run() -> Result<Plugin> {
    eprintln!("measuring calls into a warm instance …");
    Ok(Plugin { send: send()?, inbox: inbox()?, starts: starts()? })
}

fn send() -> Result<Row> {
    let (warm, cold, mut bare) = (BenchFixture::new()?, BenchFixture::new()?, Posting::new()?);
    let mut instance = open(warm.project())?;
    Ok(Row::of(by_turns(&mut [&mut || time(|| call_send(&mut instance)), &mut || bare.send(), &mut || {
        time(|| start(cold.project(), WRITER, &["send", READER, "Interface of the user service", "--body", BODY]))
    }])?))
}

fn inbox() -> Result<Row> {
    let fixture = BenchFixture::new()?;
    fixture.fill_inbox(UNREAD)?;
    let mut instance = open(fixture.project())?;
    let dir = fixture.project().path("inbox").join(READER);
    Ok(Row::of(by_turns(&mut [
        &mut || time(|| call_inbox(&mut instance)),
        &mut || floor::read_all(&dir),
        &mut || time(|| start(fixture.project(), READER, &["inbox", "--json"])),
    ])?))
}

fn starts() -> Result<[(&'static str, Duration, Duration); 2]> {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("empty.wasm");
    std::fs::write(&path, wat::parse_str(EMPTY)?)?;
    let (huddle, empty) = (artifact::component()?, Guest::load(&path)?);
    let instance = |guest: &Guest| {
        time(|| {
            ensure!(Run::new(guest).arg("--version").start()?.code == 0, "no start");
            Ok(())
        })
    };
    let process = |guest: &Guest| {
        time(|| {
            let mut command = Command::new(host()?);
            finish(command.args(["run", "--allow-precompiled"]).arg(guest.compiled()).arg("--version"))
        })
    };
    let inside = by_turns(&mut [&mut || instance(huddle), &mut || instance(&empty)])?;
    let whole = by_turns(&mut [&mut || process(huddle), &mut || process(&empty)])?;
    let ([inside, inside_empty], [whole, whole_empty]) = (inside.map(middle), whole.map(middle));
    Ok([("in a host that runs", inside, inside_empty), ("with the host's process", whole, whole_empty)])
}

/// Opens a project by one instance.
fn open(project: &Project) -> Result<Instance> {
    Run::new(artifact::component()?).dir(project.root(), ".").open()
}

fn call_send(instance: &mut Instance) -> Result<()> {
    let sent = instance.call(|huddle, store| {
        let messages = huddle.huddle_bus_messages();
        messages.call_send_message(store, WRITER, READER, BODY, None, None, None, None)
    })?;
    ensure!(sent.is_ok(), "sending failed: {sent:?}");
    Ok(())
}

fn call_inbox(instance: &mut Instance) -> Result<()> {
    let inbox = instance.call(|huddle, store| huddle.huddle_bus_messages().call_check_inbox(store, READER, None))?;
    ensure!(matches!(&inbox, Ok(inbox) if inbox.count == UNREAD), "checking failed: {inbox:?}");
    Ok(())
}

/// Runs a command in a process of its own, whose component was compiled before.
fn start(project: &Project, agent: &str, args: &[&str]) -> Result<()> {
    let mut command = Command::new(host()?);
    command.args(["run", "--dir"]).arg(format!("{}::.", project.root().display()));
    command.arg("--env").arg(format!("HUDDLE_AGENT={agent}")).arg(artifact::path("huddle.wasm")?).args(args);
    finish(&mut command)
}

fn finish(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    ensure!(status.success(), "a start failed, {status}: {command:?}");
    Ok(())
}

/// Returns the host program, which is built beside this one.
fn host() -> Result<PathBuf> {
    let host = std::env::current_exe()?.with_file_name(format!("huddle-host{}", std::env::consts::EXE_SUFFIX));
    ensure!(host.exists(), "the host is not built: `cargo xtask bench` builds it: {}", host.display());
    Ok(host)
}

/// Does things by turns, and gives the time that each took half of the times in each turn.
fn by_turns<const N: usize>(acts: &mut [&mut dyn FnMut() -> Result<Duration>; N]) -> Result<[Vec<Duration>; N]> {
    let mut took = [const { Vec::new() }; N];
    for _ in 0..TURNS {
        for (act, took) in acts.iter_mut().zip(&mut took) {
            took.push(median(IN_A_ROW, act)?);
        }
    }
    Ok(took)
}

impl Plugin {
    fn rows(&self) -> [(String, &Row, String); 2] {
        let send = format!("the same files made, linked, moved, removed, {SYNCS} syncs");
        let inbox = "the same files read".to_owned();
        [("send-message".to_owned(), &self.send, send), (format!("check-inbox, {UNREAD} unread"), &self.inbox, inbox)]
    }

    /// Returns the numbers, in seconds.
    pub(super) fn to_json(&self) -> Value {
        let rows = self.rows().map(|(name, row, _)| {
            json!({
                "name": name,
                "warm": row.warm.as_secs_f64(),
                "process": row.process.as_secs_f64(),
                "floor": row.floor.as_secs_f64(),
                "warmPerFloor": row.times,
            })
        });
        let starts = self.starts.map(
            |(name, huddle, empty)| json!({"name": name, "huddle": huddle.as_secs_f64(), "empty": empty.as_secs_f64()}),
        );
        json!({"calls": rows, "starts": starts})
    }
}

impl fmt::Display for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| a call | warm instance | a process each | bare file operations | warm / bare |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: |")?;
        for (name, Row { warm, process, floor, times }, what) in self.rows() {
            let [warm, process, floor] = [warm, process, floor].map(|time| micros(*time));
            writeln!(f, "| {name} | {warm} | {process} | {floor} ({what}) | {times:.2} × |")?;
        }
        writeln!(f, "\n| a start, compiled before | huddle.wasm | an empty component | difference |")?;
        write!(f, "| --- | ---: | ---: | ---: |")?;
        for (name, huddle, empty) in self.starts {
            let more = huddle.saturating_sub(empty);
            write!(f, "\n| {name} | {} | {} | {} |", micros(huddle), micros(empty), micros(more))?;
        }
        write!(
            f,
            "\n\nWanted: a warm send at most 1.5 times the bare operations, a start within 2,000 µs of an empty one's."
        )
    }
}

fn micros(time: Duration) -> String {
    format!("{} µs", time.as_micros())
}
