//! Sessions under wasmtime: several agents do one job, every command a start of the component of its own.

mod crowd;
mod example;
mod fixture;
mod queries;
mod waiting;

use std::fs;
use std::path::PathBuf;
use std::thread;

use huddle_tests::{Clock, Outcome, Project};
use serde_json::Value;
use tempfile::TempDir;

/// A project directory, and a clock that every guest in it sees.
struct SessionFixture {
    project: Project,
    clock: Clock,
    _dir: TempDir,
}

impl SessionFixture {
    fn at(clock: Clock) -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self { project: Project::at(dir.path()), clock, _dir: dir }
    }

    /// Creates a copy of a fixture.
    fn copy_of(name: &str) -> Self {
        let fixture = Self::at(Clock::Host);
        let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        Project::at(source).copy_to(fixture.project.root()).unwrap();
        fixture
    }

    /// Runs a command as an agent, which must succeed.
    #[track_caller]
    fn run(&self, agent: &str, args: &[&str]) -> Outcome {
        let outcome = self.project.run(agent, args).unwrap().clock(self.clock).start().unwrap();
        assert_eq!(outcome.code, 0, "`huddle {}`: {outcome:?}", args.join(" "));
        outcome
    }

    /// Runs a command that must succeed, and returns its JSON.
    #[track_caller]
    fn json(&self, agent: &str, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(agent, &[args, &["--json"]].concat()).stdout).unwrap()
    }

    /// Runs commands at the same time, each in a guest of its own; gives what they said, in the order of the commands.
    fn at_once(&self, commands: &[(&str, &[&str])]) -> Vec<Outcome> {
        thread::scope(|scope| {
            let guests: Vec<_> =
                commands.iter().map(|(agent, args)| scope.spawn(move || self.run(agent, args))).collect();
            guests.into_iter().map(|guest| guest.join().unwrap()).collect()
        })
    }

    /// Returns the path of something below `.claude/`.
    fn path(&self, path: &str) -> PathBuf {
        self.project.root().join(".claude").join(path)
    }

    #[track_caller]
    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    #[track_caller]
    fn file(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }
}

/// Reads a log line by line; each must be a JSON object.
#[track_caller]
fn lines(text: &str) -> Vec<Value> {
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no end");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
