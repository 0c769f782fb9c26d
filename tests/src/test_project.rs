//! A project directory in which agents run the component, each step at a time of its own.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::project::answer;
use crate::{Clock, Outcome, Project};

/// A temporary project directory, and the component that works in it.
///
/// Every start gets other random numbers than the one before, the same in every run of a test.
pub struct TestProject {
    project: Project,
    starts: Cell<u64>,
    _dir: TempDir,
}

impl TestProject {
    /// Creates an empty project directory.
    pub fn new() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        Ok(Self { project: Project::at(dir.path()), starts: Cell::new(0), _dir: dir })
    }

    /// Creates a project directory with what another one has in it.
    pub fn copy_of(source: &Path) -> Result<Self> {
        let project = Self::new()?;
        Project::at(source).copy_to(project.root())?;
        Ok(project)
    }

    /// Returns the project directory.
    pub fn root(&self) -> &Path {
        self.project.root()
    }

    /// Returns a path below the bus's directory.
    pub fn bus(&self, path: &str) -> PathBuf {
        self.project.path(path)
    }

    /// Runs a command as an agent, whatever comes of it.
    pub fn run(&self, agent: &str, clock: Clock, args: &[&str]) -> Result<Outcome> {
        self.starts.set(self.starts.get() + 1);
        let outcome = self.project.run(agent, args)?.clock(clock).seed(self.starts.get()).start()?;
        ensure!(outcome.trap.is_none(), "`huddle {}` trapped: {outcome:?}", args.join(" "));
        Ok(outcome)
    }

    /// Runs a command that must succeed, and returns its JSON.
    pub fn json(&self, agent: &str, clock: Clock, args: &[&str]) -> Result<Value> {
        let outcome = self.run(agent, clock, &[args, &["--json"]].concat())?;
        ensure!(outcome.code == 0, "`huddle {}` failed: {outcome:?}", args.join(" "));
        answer(&outcome)
    }

    /// Runs a command that must be refused, and returns the error that its JSON tells.
    pub fn refusal(&self, agent: &str, clock: Clock, args: &[&str]) -> Result<Value> {
        let outcome = self.run(agent, clock, &[args, &["--json"]].concat())?;
        ensure!(outcome.code != 0, "`huddle {}` was to be refused: {outcome:?}", args.join(" "));
        let said = answer(&outcome)?;
        said.get("error").cloned().with_context(|| format!("no .error: {said}"))
    }
}

/// Stops the clock at a time such as `2025-11-29T14:30:52Z`.
///
/// # Panics
/// When `time` is not of that form: it is written in a test.
pub fn at(time: &str) -> Clock {
    let time: jiff::Timestamp = time.parse().unwrap_or_else(|error| panic!("{error}"));
    Clock::Fixed(Duration::from_secs(time.as_second().unsigned_abs()))
}

/// Lists every file below a directory with its content, by path; directories of that name are left out.
pub fn files(dir: &Path, without: Option<&str>) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if without == Some(name.as_str()) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, without)?.into_iter().map(|(rest, bytes)| (format!("{name}/{rest}"), bytes)));
        } else {
            found.push((name, fs::read(&path)?));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_from_1970() {
        let check = |time: &str, seconds: u64| {
            assert!(matches!(at(time), Clock::Fixed(since) if since.as_secs() == seconds), "{time}");
        };
        check("1970-01-01T00:00:00Z", 0);
        check("2024-02-29T23:59:59Z", 1_709_251_199);
        check("2025-11-29T14:30:52Z", 1_764_426_652);
        check("2026-11-16T00:00:00Z", 1_794_787_200);
    }
}
