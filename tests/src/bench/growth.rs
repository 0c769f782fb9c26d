//! Measures commands on a small bus and on large ones, in turns, so that what is printed is what growth costs.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::fixture::{BenchFixture, Form, READER, WRITER};
use super::table::{ratio, shown};
use super::{middle, time};

/// How many messages the buses have.
const SIZES: [usize; 3] = [100, 10_000, 100_000];

/// Where the messages of a bus lie.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Inboxes,
    Archive,
}

/// A command that is measured, and how often.
struct Command {
    name: &'static str,
    times: usize,
    run: fn(&Grown) -> Result<Duration>,
}

/// The cheap ones come first: what they leave is in the way of none.
const COMMANDS: [Command; 8] = [
    Command {
        name: "read ID --peek",
        times: 15,
        run: |bus| bus.of_message(&["read", "--peek"], READER, "Interface of"),
    },
    Command { name: "trace ID", times: 15, run: |bus| bus.of_message(&["trace"], WRITER, "stored") },
    Command { name: "send", times: 15, run: |bus| bus.fixture.send(Form::Component) },
    Command { name: "trace ID, new mail for its sender", times: 5, run: Grown::trace_after_mail },
    Command {
        name: "inbox --limit 5", times: 5, run: |bus| bus.run(&["inbox", "--limit", "5"], READER, "📬 reader")
    },
    Command { name: "agents", times: 5, run: |bus| bus.run(&["agents"], READER, "AGENT") },
    Command { name: "threads", times: 1, run: |bus| bus.run(&["threads"], READER, "THREAD") },
    Command { name: "check", times: 1, run: |bus| bus.run(&["check"], READER, "Checked") },
];

/// A bus with so many messages, half of them for each of two agents.
struct Grown {
    fixture: BenchFixture,
    /// One of the messages to the reader.
    message: String,
}

impl Grown {
    fn new(messages: usize, kept: Kept) -> Result<Self> {
        let fixture = BenchFixture::new()?;
        fixture.send(Form::Component)?;
        let project = fixture.project();
        let sent = project.messages(&format!("inbox/{READER}"))?;
        let (first, _) = sent.iter().next().context("a message was sent")?;
        let text = fs::read_to_string(project.path("inbox").join(READER).join(format!("{first}.json")))?;
        let (begin, _) = first.rsplit_once('_').context("an id has parts")?;
        let (year, rest) = begin.split_at(begin.find("20").context("an id has a date")? + 4);
        let day = format!("{}-{}-{}", &year[year.len() - 4..], &rest[..2], &rest[2..4]);
        let root = match kept {
            Kept::Inboxes => project.path(""),
            Kept::Archive => project.path("archive").join(day),
        };
        let half = messages / 2;
        for (to, from, numbers) in [(READER, WRITER, 0..half), (WRITER, READER, half..messages)] {
            let text =
                text.replace(&format!("\"{READER}\""), "\"\u{0}\"").replace(&format!("\"{WRITER}\""), &quoted(from));
            let text = text.replace("\"\u{0}\"", &quoted(to));
            fill(&root, to, first, &text, numbers.map(|number| format!("{begin}_{number:010}")))?;
        }
        let grown = Self { message: format!("{begin}_{:010}", half / 2), fixture };
        // Whoever traces first after many messages came brings the index up to date.
        grown.of_message(&["trace"], WRITER, "stored")?;
        Ok(grown)
    }

    fn run(&self, args: &[&str], agent: &str, wanted: &str) -> Result<Duration> {
        let run = self.fixture.project().run(agent, args)?;
        let mut answer = String::new();
        let took = time(|| {
            answer = run.start()?.stdout;
            Ok(())
        })?;
        ensure!(answer.contains(wanted), "`huddle {}` did not do what is measured: {answer:.200}", args.join(" "));
        Ok(took)
    }

    fn of_message(&self, command: &[&str], agent: &str, wanted: &str) -> Result<Duration> {
        let args: Vec<&str> = command.iter().copied().chain([self.message.as_str()]).collect();
        self.run(&args, agent, wanted)
    }

    fn trace_after_mail(&self) -> Result<Duration> {
        self.run(&["send", WRITER, "News"], READER, "ID: msg_")?;
        self.of_message(&["trace"], WRITER, "stored")
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Writes messages as so many sends would leave them: a copy, the sender's record, and a line in the index.
fn fill(root: &Path, to: &str, first: &str, text: &str, ids: impl Iterator<Item = String>) -> Result<()> {
    let (inbox, outbox, index) = (root.join("inbox").join(to), root.join("outbox"), root.join(".huddle/index"));
    for dir in [&inbox, &outbox, &index] {
        fs::create_dir_all(dir)?;
    }
    let mut lines = String::new();
    for id in ids {
        let copy = inbox.join(format!("{id}.json"));
        fs::write(&copy, text.replace(first, &id))?;
        fs::hard_link(&copy, outbox.join(format!("{id}_to_{to}.json")))?;
        lines.push_str(&format!("n\t\t{id}\n"));
    }
    fs::write(index.join(format!("{to}.log")), lines)?;
    Ok(())
}

/// What was measured: for each command, the times on the small bus, the larger and the largest.
pub(super) struct Growth {
    inboxes: Vec<[Duration; SIZES.len()]>,
    archive: Vec<[Duration; SIZES.len()]>,
}

/// Measures everything, saying on stderr what is being measured.
pub(super) fn run() -> Result<Growth> {
    Ok(Growth { inboxes: measure(Kept::Inboxes)?, archive: measure(Kept::Archive)? })
}

fn measure(kept: Kept) -> Result<Vec<[Duration; SIZES.len()]>> {
    let place = if kept == Kept::Archive { "archived" } else { "unread" };
    eprintln!("measuring growth, messages {place} …");
    let buses: Vec<Grown> = SIZES.iter().map(|size| Grown::new(*size, kept)).collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for command in &COMMANDS {
        let mut took = [const { Vec::new() }; SIZES.len()];
        for _ in 0..command.times {
            for (bus, took) in buses.iter().zip(&mut took) {
                took.push((command.run)(bus).with_context(|| format!("measuring `huddle {}`", command.name))?);
            }
        }
        rows.push(took.map(middle));
    }
    Ok(rows)
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| in a bus of | ")?;
        for place in ["unread", "archived"] {
            write!(f, "{} {place} | ", SIZES[0])?;
            SIZES[1..].iter().try_for_each(|size| write!(f, "{size} | × | "))?;
        }
        write!(f, "\n| --- |{}", " ---: |".repeat(2 * (2 * SIZES.len() - 1)))?;
        for (command, rows) in COMMANDS.iter().zip(self.inboxes.iter().zip(&self.archive)) {
            write!(f, "\n| {} |", command.name)?;
            for times in [rows.0, rows.1] {
                write!(f, " {} |", shown(times[0]))?;
                for larger in &times[1..] {
                    write!(f, " {} | {:.1} |", shown(*larger), ratio(*larger, times[0]))?;
                }
            }
        }
        let scans = COMMANDS.iter().zip(&self.inboxes).filter(|(command, _)| command.times == 1);
        for (command, times) in scans {
            let each = times[SIZES.len() - 1].as_secs_f64() * 1e6 / SIZES[SIZES.len() - 1] as f64;
            write!(f, "\n\n`{}`: {each:.0} µs a message.", command.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_ratios_to_the_small_bus() {
        let times = [1, 2, 10].map(Duration::from_millis);
        let growth = Growth { inboxes: vec![times; COMMANDS.len()], archive: vec![times; COMMANDS.len()] };
        let text = growth.to_string();
        assert!(text.contains("| agents | 1.00 ms | 2.00 ms | 2.0 | 10 ms | 10.0 | 1.00 ms |"), "{text}");
        assert!(text.ends_with("`check`: 0 µs a message."), "{text}");
    }
}
