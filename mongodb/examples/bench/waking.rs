//! How soon an agent that waits for mail hears of it: each is a process of its own, as agents are.

use std::env;
use std::io::{BufRead, BufReader, Lines, Write, stdin, stdout};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use huddle_core::Host;
use huddle_core::bus::{Bus, Draft, InboxFilter, NewAgent};
use huddle_core::model::{AgentName, Span, Timestamp};
use huddle_mongodb::MongoEngine;

use crate::clock::Clock;

const WRITER: &str = "writer";
const READER: &str = "reader";

/// How often it is tried.
const TIMES: u32 = 40;

/// How long a wait that begins is given to be one.
const SETTLED: Duration = Duration::from_millis(400);

/// Names the variable with the address of the bus that a process is to wait at.
const WAITS_AT: &str = "HUDDLE_BENCH_WAITS_AT";

/// The times from the begin of a send to the end of a wait, sorted.
pub(crate) struct Waking(Vec<Duration>);

impl Waking {
    pub(crate) fn median(&self) -> Duration {
        self.0[self.0.len() / 2]
    }

    pub(crate) fn slowest(&self) -> Duration {
        self.0[self.0.len() - 1]
    }
}

/// Has a process wait, each time with a connection of its own, and this one send.
pub(crate) fn measure(url: &str) -> Result<Waking> {
    let engine = MongoEngine::open(url, Clock)?;
    let bus = Bus::new(&engine, &Clock);
    bus.init()?;
    let (writer, reader): (AgentName, AgentName) = (WRITER.parse()?, READER.parse()?);
    for name in [&writer, &reader] {
        bus.register(name, &NewAgent::with_role("builder"))?;
    }
    let mut waiter = Waiter::start(url)?;
    let mut times = Vec::new();
    for turn in 0..TIMES {
        waiter.begin()?;
        // Not always the same time after the last look, or one part of the polling would be measured.
        thread::sleep(SETTLED + Duration::from_millis(u64::from(turn) * 37 % 100));
        let sent = Clock.now();
        bus.send(&writer, &Draft::to(&reader, "Wake up"))?;
        // Both processes go by the clock of one machine.
        let waited = waiter.woken()?.micros() - sent.micros();
        times.push(Duration::from_micros(u64::try_from(waited).context("the clock went back")?));
    }
    waiter.end()?;
    times.sort_unstable();
    Ok(Waking(times))
}

/// The other process, which is this program again.
struct Waiter {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Waiter {
    fn start(url: &str) -> Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        let mut child = command.env(WAITS_AT, url).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the waiting process has an output")?;
        Ok(Self { child, lines: BufReader::new(output).lines() })
    }

    /// Has it begin another wait, and returns when it is about to.
    fn begin(&mut self) -> Result<()> {
        let input = self.child.stdin.as_mut().context("the waiting process has an input")?;
        writeln!(input, "wait").and_then(|()| input.flush())?;
        ensure!(self.line()? == "waiting", "the waiting process says something else");
        Ok(())
    }

    /// Returns when it was woken.
    fn woken(&mut self) -> Result<Timestamp> {
        Ok(Timestamp::from_micros(self.line()?.parse()?))
    }

    fn line(&mut self) -> Result<String> {
        Ok(self.lines.next().context("the waiting process has ended")??)
    }

    fn end(mut self) -> Result<()> {
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        ensure!(status.success(), "the waiting process failed: {status}");
        Ok(())
    }
}

impl Drop for Waiter {
    /// Ends the process if it has not ended by itself.
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Is the other process, if a variable says so, and says whether it was.
pub(crate) fn wait_if_told() -> Result<bool> {
    let Ok(url) = env::var(WAITS_AT) else { return Ok(false) };
    for line in stdin().lines() {
        match line?.as_str() {
            "wait" => wait(&url)?,
            other => bail!("there is nothing to do that is called {other:?}"),
        }
    }
    Ok(true)
}

/// Waits for a message, tells when it came, and reads it, so that the next wait is one.
fn wait(url: &str) -> Result<()> {
    let engine = MongoEngine::open(url, Clock)?;
    let bus = Bus::new(&engine, &Clock);
    let reader: AgentName = READER.parse()?;
    tell("waiting")?;
    let inbox = bus.wait_inbox(&reader, &InboxFilter::default(), Span::from_seconds(30))?;
    let woken = Clock.now();
    ensure!(inbox.total == 1, "it was woken by {} messages", inbox.total);
    // Read first: the next wait begins when this is heard.
    for delivery in inbox.shown {
        bus.read(&reader, &delivery.message.id)?;
    }
    tell(&woken.micros().to_string())
}

fn tell(line: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush())?;
    Ok(())
}
