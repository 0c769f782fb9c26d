//! Builds several programs at the same time, and shows in one line how far they are.

use std::io::{BufRead, BufReader, IsTerminal, Read, Seek, Write, stderr};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::steps;
use crate::wasm::Program;

/// How often the line is shown where it cannot be written over.
const REFRESH_INTERVAL: Duration = Duration::from_secs(20);

/// What is being built, and how far it is.
struct StatusLine<'a> {
    began: Instant,
    shown: Option<Instant>,
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    name: &'a str,
    /// How many packages it is made of.
    total: usize,
    done: Vec<String>,
    /// How many of those had to be compiled.
    compiled: usize,
}

/// Brings programs up to date and returns their files. What cargo says is shown only when it fails.
pub(crate) fn build<const N: usize>(programs: [(&str, Program); N]) -> Result<[PathBuf; N]> {
    let part =
        |(name, program): (_, Program)| Ok(Part { name, total: program.packages()?, done: Vec::new(), compiled: 0 });
    let parts = programs.into_iter().map(part).collect::<Result<_>>()?;
    let line = Mutex::new(StatusLine { began: Instant::now(), shown: None, parts });
    let built = thread::scope(|scope| {
        let line = &line;
        let builds: Vec<_> = programs
            .iter()
            .enumerate()
            .map(|(at, (_, program))| scope.spawn(move || build_one(*program, at, line)))
            .collect();
        builds
            .into_iter()
            .map(|build| build.join().unwrap_or_else(|_| bail!("a build panicked")))
            .collect::<Result<Vec<_>>>()
    });
    let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
    if line.shown.is_some() {
        eprintln!();
    }
    built?.try_into().ok().context("there is a file for each program")
}

fn build_one(program: Program, at: usize, line: &Mutex<StatusLine<'_>>) -> Result<PathBuf> {
    let mut diagnostics = tempfile::tempfile()?;
    let mut cargo = program
        .command()?
        .stdout(Stdio::piped())
        .stderr(diagnostics.try_clone()?)
        .spawn()
        .context("starting cargo failed")?;
    let mut messages = String::new();
    for message in BufReader::new(cargo.stdout.take().context("stdout is piped")?).lines() {
        let message = message?;
        line.lock().unwrap_or_else(PoisonError::into_inner).update(at, &message);
        messages.push_str(&message);
        messages.push('\n');
    }
    if !cargo.wait()?.success() {
        let mut text = String::new();
        diagnostics.rewind()?;
        diagnostics.read_to_string(&mut text)?;
        bail!("cargo failed:\n{text}");
    }
    program.executable(&messages)
}

impl StatusLine<'_> {
    /// Takes a message of cargo's into account, and shows how far everything is.
    fn update(&mut self, at: usize, message: &str) {
        let Ok(message) = serde_json::from_str::<Value>(message) else { return };
        let (Some(package), Some(is_fresh)) = (message["package_id"].as_str(), message["fresh"].as_bool()) else {
            return;
        };
        let part = &mut self.parts[at];
        if part.done.iter().any(|done| done == package) {
            return;
        }
        part.done.push(package.to_owned());
        part.compiled += usize::from(!is_fresh);
        let is_terminal = stderr().is_terminal();
        // What is there already needs no line: it takes a moment.
        if !is_fresh && (is_terminal || self.shown.is_none_or(|shown| shown.elapsed() >= REFRESH_INTERVAL)) {
            self.shown = Some(Instant::now());
            let (before, after) = if is_terminal { ("\r\x1b[K", "") } else { ("", "\n") };
            eprint!("{before}{}{after}", self.text(self.began.elapsed()));
            let _ = stderr().flush();
        }
    }

    fn text(&self, passed: Duration) -> String {
        let parts: Vec<String> = self
            .parts
            .iter()
            .map(|part| format!("{} {}/{}", part.name, part.done.len(), part.total.max(part.done.len())))
            .collect();
        let left: usize = self.parts.iter().map(|part| part.total.saturating_sub(part.done.len())).sum();
        let compiled: usize = self.parts.iter().map(|part| part.compiled).sum();
        let rest = passed.mul_f64(left as f64 / compiled.max(1) as f64);
        format!("building: {}; {} so far, about {} left", parts.join(", "), steps::show(passed), steps::show(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_built_how_far_and_how_long() {
        let part = |name, total| Part { name, total, done: Vec::new(), compiled: 0 };
        let mut line =
            StatusLine { began: Instant::now(), shown: None, parts: vec![part("component", 3), part("page", 4)] };
        let built = |package: &str, fresh: bool| serde_json::json!({"package_id": package, "fresh": fresh}).to_string();
        line.update(0, &built("a", true));
        assert!(line.shown.is_none(), "what is there takes a moment");
        for message in ["no json", "{}", &built("a", false), &built("b", false)] {
            line.update(0, message);
        }
        line.update(1, &built("a", false));
        let text = line.text(Duration::from_secs(60));
        assert_eq!(text, "building: component 2/3, page 1/4; 1 min 0 s so far, about 2 min 0 s left");
        assert!(line.shown.is_some());
    }
}
