//! Eight agents at work, each command a process of its own, suspended at random moments for longer than its leases.
//!
//! What ended with 0 must be there exactly once, and everything else once or not at all. `HUDDLE_ALL=1` makes it two thousand
//! commands instead of a few hundred, and `HUDDLE_SEED` repeats the choices of a run.

#![cfg(unix)]

mod ledger;
mod suspended;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use huddle::system_host::SystemHost;
use huddle_core::Host;

use ledger::{Ledger, Operation};
use suspended::Dice;

const AGENTS: usize = 8;
/// Longer than the lease of any change.
const PAUSE: Duration = Duration::from_millis(6200);
/// One of so many commands is suspended.
const ONE_IN: usize = 8;

/// A project with a bus, a session and agents, removed when dropped.
struct Project {
    root: PathBuf,
}

impl Project {
    fn new() -> Self {
        let project = Self { root: huddle_scratch::root().join(format!("huddle-stalls-{:032x}", SystemHost.random())) };
        fs::create_dir(&project.root).unwrap();
        project.ok(&["init"]);
        let mut start = vec!["session".to_owned(), "start".to_owned(), "--id".to_owned(), "s".to_owned()];
        for agent in (0..AGENTS).map(ledger::name) {
            project.ok(&["register", &agent, "--role", "builder"]);
            start.extend(["--agent".to_owned(), agent]);
        }
        project.ok(&start.iter().map(String::as_str).collect::<Vec<_>>());
        for agent in (0..AGENTS).map(ledger::name) {
            project.ok(&["session", "join", &agent, "--id", "s"]);
        }
        project.ok(&["context", "create", "api", "first"]);
        project
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huddle"));
        command.args(args).env("HUDDLE_AGENT", ledger::name(0)).env("HUDDLE_ROOT", &self.root);
        command
    }

    #[track_caller]
    fn ok(&self, args: &[&str]) -> String {
        let ended = self.command(args).output().unwrap();
        assert!(ended.status.success(), "{args:?}: {ended:?}");
        String::from_utf8(ended.stdout).unwrap()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // What is left in a temporary directory harms nobody.
        drop(fs::remove_dir_all(&self.root));
    }
}

#[test]
fn no_suspended_process_loses_a_confirmed_update() {
    let commands = if env::var_os("HUDDLE_ALL").is_some() { 2000 } else { 320 };
    let seed = env::var("HUDDLE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SystemHost.random() as u64);
    println!("HUDDLE_SEED={seed}");
    let project = Project::new();
    let suspensions = AtomicUsize::new(0);
    let ledgers: Vec<Ledger> = thread::scope(|scope| {
        let work = |agent: usize| {
            let (project, suspensions) = (&project, &suspensions);
            scope.spawn(move || {
                let mut dice = Dice::new(seed.wrapping_add(agent as u64));
                let mut ledger = Ledger::default();
                for number in 0..commands / AGENTS {
                    let work = Operation::choose(agent, number, &mut dice);
                    let pause = (dice.roll(ONE_IN) == 0).then(|| Duration::from_millis(dice.roll(40) as u64));
                    let ended = suspended::run(
                        project.command(&work.args().iter().map(String::as_str).collect::<Vec<_>>()),
                        pause,
                        PAUSE,
                    );
                    suspensions.fetch_add(usize::from(ended.was_suspended), Ordering::Relaxed);
                    ledger.note(work, ended.is_confirmed);
                }
                ledger
            })
        };
        let agents: Vec<_> = (0..AGENTS).map(work).collect();
        agents.into_iter().map(|agent| agent.join().unwrap()).collect()
    });
    let suspensions = suspensions.into_inner();
    assert!(suspensions > 0, "no process was suspended");

    // Whoever comes next finishes what was committed, when it is half a second old.
    thread::sleep(Duration::from_secs(1));
    project.ok(&["agents"]);
    project.ok(&["session", "status", "--id", "s"]);
    project.ok(&["state", "show"]);
    let confirmed = ledger::check(&project.root, &ledgers);
    let checkup: serde_json::Value = serde_json::from_str(&project.ok(&["check", "--json"])).unwrap();
    let findings = checkup["findings"].as_array().unwrap();
    let bad: Vec<_> = findings.iter().filter(|finding| finding["severity"] == "error").collect();
    assert!(bad.is_empty(), "{bad:?}");
    println!("{commands} commands of {AGENTS} agents, {suspensions} suspended, {confirmed} confirmed, 0 lost");
}
