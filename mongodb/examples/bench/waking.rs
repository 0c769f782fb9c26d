//! How soon an agent that waits for mail hears of it.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use huddle_core::bus::{Bus, Draft, NewAgent, Wanted};
use huddle_core::model::{AgentName, Span};
use huddle_mongodb::MongoEngine;

use crate::clock::Clock;

const WRITER: &str = "writer";
const READER: &str = "reader";

/// How often it is tried.
const TIMES: u32 = 40;

/// How long a wait that begins is given to be one.
const SETTLED: Duration = Duration::from_millis(400);

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

/// Has one agent wait, each time with a connection of its own as a new process has it, and another one send.
pub(crate) fn measure(url: &str) -> Result<Waking> {
    let engine = MongoEngine::open(url, Clock)?;
    let bus = Bus::new(&engine, &Clock);
    bus.init()?;
    let (writer, reader): (AgentName, AgentName) = (WRITER.parse()?, READER.parse()?);
    for name in [&writer, &reader] {
        bus.register(name, &NewAgent::with_role("builder"))?;
    }
    let mut times = Vec::new();
    for turn in 0..TIMES {
        let (begins, begun) = channel();
        let address = url.to_owned();
        let waiter = thread::spawn(move || wait(&address, &begins));
        begun.recv().context("the waiting agent has ended")?;
        // Not always the same time after the last look, or one part of the polling would be measured.
        thread::sleep(SETTLED + Duration::from_millis(u64::from(turn) * 37 % 100));
        let sent = Instant::now();
        bus.send(&writer, &Draft::to(&reader, "Wake up"))?;
        let woken = waiter.join().map_err(|_| anyhow!("the waiting agent panicked"))??;
        times.push(woken.duration_since(sent));
    }
    times.sort_unstable();
    Ok(Waking(times))
}

/// Waits for a message, and reads it, so that the next wait is one; gives when it came.
fn wait(url: &str, begins: &Sender<()>) -> Result<Instant> {
    let engine = MongoEngine::open(url, Clock)?;
    let bus = Bus::new(&engine, &Clock);
    let reader: AgentName = READER.parse()?;
    begins.send(())?;
    let inbox = bus.wait_inbox(&reader, &Wanted::default(), Span::from_seconds(30))?;
    let woken = Instant::now();
    for delivery in inbox.shown {
        bus.read(&reader, &delivery.message.id)?;
    }
    Ok(woken)
}
