//! How many sends and inbox checks there are in a second, beside a bare driver.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use huddle_core::bus::{Bus, Draft, InboxFilter, NewAgent};
use huddle_core::model::AgentName;
use huddle_mongodb::MongoEngine;
use serde_json::json;

use crate::bare::Bare;
use crate::clock::Clock;
use crate::millis;

const WRITER: &str = "writer";
const READER: &str = "reader";
/// The one whose inbox is checked.
const CHECKER: &str = "checker";
const UNREAD: usize = 10;

/// How often each contestant has its turn, and how much it does then.
const ROUNDS: usize = 60;
const AT_A_TIME: u32 = 20;

/// What was measured.
pub(crate) struct Rates {
    send: [Duration; 3],
    check: [Duration; 2],
}

/// Measures both by turns, on two databases of one server.
pub(crate) fn measure(ours: &str, bare: &str) -> Result<Rates> {
    let (writer, checker): (AgentName, AgentName) = (WRITER.parse()?, CHECKER.parse()?);
    let engines = [MongoEngine::open(ours, Clock)?, MongoEngine::open(bare, Clock)?];
    // Both databases have the same in them, made by the bus.
    for engine in &engines {
        let bus = Bus::new(engine, &Clock);
        bus.init()?;
        for name in [WRITER, READER, CHECKER] {
            bus.register(&name.parse()?, &NewAgent::with_role("builder"))?;
        }
        for _ in 0..UNREAD {
            bus.send(&writer, &letter(CHECKER)?)?;
        }
        // What is listed for the first time is noted once.
        bus.inbox(&checker, &InboxFilter::default())?;
    }
    let bus = Bus::new(&engines[0], &Clock);
    let mut bare = Bare::at(bare)?;
    let draft = letter(READER)?;
    let mut times: [Vec<Duration>; 5] = Default::default();
    for round in 0..ROUNDS {
        // Whoever goes first in one round goes last in another.
        for turn in 0..times.len() {
            let contestant = (turn + round) % times.len();
            let began = Instant::now();
            for _ in 0..AT_A_TIME {
                match contestant {
                    0 => drop(bus.send(&writer, &draft)?),
                    1 => bare.send(WRITER, READER, false)?,
                    2 => bare.send(WRITER, READER, true)?,
                    3 => ensure!(bus.inbox(&checker, &InboxFilter::default())?.total == UNREAD, "messages are missing"),
                    _ => ensure!(bare.check(CHECKER)? == UNREAD, "messages are missing"),
                }
            }
            times[contestant].push(began.elapsed() / AT_A_TIME);
        }
    }
    let [send, inserted, counted, check, found] = times.map(median);
    Ok(Rates { send: [send, inserted, counted], check: [check, found] })
}

/// Writes a message as agents do.
fn letter(to: &str) -> Result<Draft> {
    let body = json!({
        "taskId": "task-17",
        "title": "Interface of the user service",
        "description": "Say which fields a user has, and which of them may be absent.",
    });
    Ok(Draft { body, ..Draft::to(&to.parse()?, "Interface of the user service") })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [send, inserted, counted] = self.send;
        let [check, found] = self.check;
        let checks = format!("check of an inbox with {UNREAD} unread");
        let rows = [
            ("send", send, counted, "the directory found, the message inserted, the directory updated"),
            ("send", send, inserted, "without that update"),
            (checks.as_str(), check, found, "the directory and the messages found"),
        ];
        writeln!(f, "| one after the other | huddle | a second | bare driver | a second | huddle / bare |")?;
        write!(f, "| --- | ---: | ---: | ---: | ---: | ---: |")?;
        for (name, ours, bare, what) in rows {
            let rate = |time: Duration| format!("{:.0}", 1.0 / time.as_secs_f64());
            let times = ours.as_secs_f64() / bare.as_secs_f64();
            let (ours_shown, bare_shown) = (millis(ours), millis(bare));
            write!(
                f,
                "\n| {name} | {ours_shown} | {} | {bare_shown} ({what}) | {} | {times:.2} × |",
                rate(ours),
                rate(bare)
            )?;
        }
        Ok(())
    }
}
