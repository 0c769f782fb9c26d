//! Runs tests, passes on what they print, and keeps what came of each and how long it took.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::cargo;

/// How many of the slowest tests are shown.
const SHOWN: usize = 10;

/// What came of all tests so far; several lists of them may run at once.
#[derive(Default)]
pub(crate) struct Results(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
    took: Vec<(Duration, String)>,
}

/// One program of Rust's test harness while it runs.
struct Harness {
    began: Instant,
    /// The tests that ran, in the order of their ends.
    ended: Vec<(Instant, String)>,
}

impl Results {
    /// Runs tests of cargo's, of which so many run at once, and counts them.
    pub(crate) fn of_cargo(&self, command: Command, threads: usize) -> Result<()> {
        let mut harness = Harness { began: Instant::now(), ended: Vec::new() };
        self.run(command, |counts, line| {
            if line.starts_with("running ") {
                harness = Harness { began: Instant::now(), ended: Vec::new() };
            } else if let Some((name, "ok" | "FAILED")) =
                line.strip_prefix("test ").and_then(|line| line.rsplit_once(" ... "))
            {
                harness.ended.push((Instant::now(), name.to_owned()));
            } else if let Some(counted) = line.strip_prefix("test result: ") {
                counts.passed += number_before(counted, " passed");
                counts.failed += number_before(counted, " failed");
                counts.ignored += number_before(counted, " ignored");
                counts.took.extend(harness.took(threads));
            }
        })
    }

    /// Runs tests of Node's, whose reporter says how long each took, and counts them.
    pub(crate) fn of_node(&self, command: Command) -> Result<()> {
        self.run(command, |counts, line| match line.trim_start().split_once(' ') {
            Some(("✔" | "✖", said)) => counts.took.extend(timed(said)),
            Some(("ℹ", said)) => {
                let count =
                    |what: &str| said.strip_prefix(what).and_then(|count| count.trim().parse().ok()).unwrap_or(0);
                counts.passed += count("pass ");
                counts.failed += count("fail ");
                counts.ignored += count("skipped ");
            }
            _ => {}
        })
    }

    fn run(&self, mut command: Command, mut read: impl FnMut(&mut Counts, &str)) -> Result<()> {
        let line = cargo::show(&command);
        let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("starting failed: {line}"))?;
        for said in BufReader::new(child.stdout.take().context("stdout is piped")?).split(b'\n') {
            let said = String::from_utf8_lossy(&said?).into_owned();
            println!("{said}");
            read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), &said);
        }
        let status = child.wait()?;
        ensure!(status.success(), "{status}: {line}");
        Ok(())
    }
}

impl Harness {
    /// Returns how long each test took. The harness starts tests by their names, the next one whenever one ends, and says
    /// only when they end.
    fn took(&mut self, threads: usize) -> Vec<(Duration, String)> {
        let ends: Vec<Instant> = self.ended.iter().map(|(end, _)| *end).collect();
        self.ended.sort_by(|(_, one), (_, other)| one.cmp(other));
        let starts = std::iter::repeat_n(self.began, threads).chain(ends);
        self.ended
            .drain(..)
            .zip(starts)
            .map(|((end, name), start)| (end.saturating_duration_since(start), name))
            .collect()
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { passed, failed, ignored, took } = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        took.sort_by(|one, other| other.cmp(one));
        writeln!(f, "the slowest tests")?;
        for (time, name) in took.iter().take(SHOWN) {
            writeln!(f, "{:>9.1} s  {name}", time.as_secs_f64())?;
        }
        write!(f, "{passed} passed, {failed} failed, {ignored} ignored")
    }
}

/// Reads the number before a word, as in `12 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> usize {
    let number = text.split(word).next().and_then(|before| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Reads a name and a time such as `opens a log (12.5ms)`.
fn timed(said: &str) -> Option<(Duration, String)> {
    let (name, time) = said.strip_suffix("ms)")?.rsplit_once(" (")?;
    Some((Duration::from_secs_f64(time.parse::<f64>().ok()? / 1000.0), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_begin_by_name_as_soon_as_others_end() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        // Two at once: a and b begin, then c when b ends, and d when a does.
        let ended = [(at(2), "b"), (at(5), "a"), (at(6), "c"), (at(9), "d")];
        let mut harness = Harness { began, ended: ended.map(|(end, name)| (end, name.to_owned())).to_vec() };
        let took = harness.took(2).into_iter().map(|(time, name)| (time.as_secs(), name));
        assert_eq!(took.collect::<Vec<_>>(), [(5, "a"), (2, "b"), (4, "c"), (4, "d")].map(|(t, n)| (t, n.to_owned())));
    }

    #[test]
    #[cfg(unix)]
    fn test_output_of_cargo_and_node_is_counted() {
        let says = |text: &str| {
            let mut command = Command::new("printf");
            command.args(["%b", text]);
            command
        };
        let results = Results::default();
        let cargo = r"running 3 tests\ntest a::b ... ok\ntest c ... ignored, why\n\ntest result: ok. 1 passed; 0 failed; 1 ignored; 0 measured\n";
        results.of_cargo(says(cargo), 2).unwrap();
        results.of_node(says(r"✔ opens (2500.4ms)\n  ✖ closes (1.5ms)\nℹ pass 1\nℹ fail 1\n")).unwrap();
        let shown = results.to_string();
        assert!(shown.starts_with("the slowest tests\n      2.5 s  opens\n"), "{shown}");
        assert!(shown.ends_with("a::b\n2 passed, 1 failed, 1 ignored"), "{shown}");
    }
}
