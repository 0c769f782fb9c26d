//! What comes after a stop: the next commands, and what they find.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use huddle_tests::{Clock, Project, project};
use serde_json::Value;

use crate::kill::cases::Again;
use crate::kill::snapshot::{Files, Snapshot};
use crate::kill::stops::{KillFixture, StoppedState};

/// Before the lease of a dead process has run out: what needs it has to wait.
const SOON: Duration = Duration::from_secs(4);
/// After every lease of a dead process has run out.
const LATER: Duration = Duration::from_secs(10);
/// After what was never committed has become litter.
const MUCH_LATER: Duration = Duration::from_secs(130);

/// Lets life go on after a stop, in three ways; gives how often the command's work was done, which is once or never.
pub(crate) fn check(fixture: &KillFixture, left: &StoppedState) -> Result<u64> {
    ensure_each_is_whole(fixture, &Snapshot::of(&left.project)?.claude).context("then nothing")?;
    let fresh = |name: &str| -> Result<Project> {
        let mut root = PathBuf::from(left.project.root()).into_os_string();
        root.push(name);
        left.project.copy_to(root)
    };
    let next = fresh("-next")?;
    let done = look(fixture, left, &next).context("then another command")?;
    for (project, when, what) in [
        (next, LATER, "then another command and the same again"),
        (fresh("-later")?, LATER, "then the same again, when the leases had run out"),
        (fresh("-at-once")?, Duration::ZERO, "then the same again, at once"),
    ] {
        repeat(fixture, &project, done, when).context(what)?;
        fs::remove_dir_all(project.root())?;
    }
    fs::remove_dir_all(left.project.root())?;
    Ok(done)
}

/// Looks at the bus with ordinary commands, and says how often the stopped command's work is there.
fn look(fixture: &KillFixture, left: &StoppedState, project: &Project) -> Result<u64> {
    let listed = project.json_at(Clock::virtual_from(fixture.now + SOON), "bob", &["inbox", "--all"])?;
    pass_by(fixture, project, fixture.now + SOON)?;
    ensure_no_findings(project, fixture.now + SOON)?;
    let snapshot = Snapshot::of(project)?;
    snapshot.ensure_sound()?;
    ensure!(!snapshot.work.iter().any(|name| name.ends_with(".json")), "not finished: {:?}", snapshot.work);
    let done = times_done(fixture, &snapshot)?;
    ensure!(done <= 1, "it was done {done} times");
    ensure!(done == 1 || !left.confirmed, "it was confirmed, so it is there");
    let claude = if done == 1 { &fixture.after } else { &fixture.before.claude };
    ensure!(
        snapshot.claude == *claude,
        "files are neither as before nor as after: {}",
        differences(&snapshot.claude, claude)
    );
    if let Some(is_marked) = fixture.case.marks {
        ensure!(
            is_marked(&snapshot) == (done == 1),
            "the message is marked as read when the work is there, and only then"
        );
    }
    let files = project.messages("inbox/bob")?.len();
    ensure!(listed["count"] == files, "the inbox lists {}, and {files} are there", listed["count"]);
    Ok(done)
}

/// Returns the same command again, and checks that it does what it would do if nobody had been stopped.
fn repeat(fixture: &KillFixture, project: &Project, done: u64, when: Duration) -> Result<()> {
    let args: Vec<&str> = fixture.args.iter().map(String::as_str).collect();
    let clock = Clock::virtual_from(fixture.now + when);
    let outcome = project.run(fixture.case.agent, &args)?.arg("--json").clock(clock).start()?;
    let answer = project::answer(&outcome)?;
    let expected = match (fixture.case.again, done) {
        (Again::Refused, 1) => {
            ensure!(outcome.code != 0 && answer["error"]["kind"] == "conflict", "it was to be refused: {answer}");
            1
        }
        (Again::Adds, _) => done + 1,
        (Again::Same | Again::Refused, _) => 1,
    };
    ensure!(outcome.code == 0 || fixture.case.again == Again::Refused && done == 1, "it failed: {outcome:?}");

    // A killed process's leftovers are gone after two minutes at most, whatever command comes then.
    pass_by(fixture, project, fixture.now + MUCH_LATER)?;
    ensure_no_findings(project, fixture.now + MUCH_LATER)?;
    let snapshot = Snapshot::of(project)?;
    snapshot.ensure_sound()?;
    ensure!(snapshot.work.is_empty(), "left in the work directory: {:?}", snapshot.work);
    let times = times_done(fixture, &snapshot)?;
    ensure!(times == expected, "it was done {times} times instead of {expected}");
    ensure!(fixture.case.marks.is_none_or(|is_marked| is_marked(&snapshot)), "the message is marked as read");
    let locks = snapshot.contexts.iter().filter(|(name, _)| name.ends_with(".lock"));
    for (name, lock) in locks {
        let lock: Value = serde_json::from_str(lock)?;
        ensure!(lock["locked"] == false, "{name} was left locked: {lock}");
    }
    Ok(())
}

/// Checks that each file of a session is as it was before or as it is after, whatever became of the others: those who
/// read with jq look at one file at a time. A log grows by whole lines.
fn ensure_each_is_whole(fixture: &KillFixture, now: &Files) -> Result<()> {
    let (before, after) = (&fixture.before.claude, &fixture.after);
    for (path, bytes) in now {
        let (old, new) = (before.get(path), after.get(path));
        let is_log = path.ends_with(".jsonl");
        let grows = || {
            let (old, new) = (old.map_or(&[][..], Vec::as_slice), new.map_or(&[][..], Vec::as_slice));
            bytes.starts_with(old) && new.starts_with(bytes) && (bytes.is_empty() || bytes.ends_with(b"\n"))
        };
        ensure!(Some(bytes) == old || Some(bytes) == new || is_log && grows(), "neither before nor after: {path}");
    }
    let gone: Vec<&String> = before.keys().filter(|path| !now.contains_key(*path)).collect();
    ensure!(gone.is_empty(), "gone: {gone:?}");
    Ok(())
}

/// Names the files that differ.
fn differences(now: &Files, wanted: &Files) -> String {
    let mut paths: Vec<&String> = now.keys().chain(wanted.keys()).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| now.get(*path) != wanted.get(*path));
    format!("{paths:?}")
}

/// Has somebody use what the command changes beside the bus, if it does, as agents do who come by.
fn pass_by(fixture: &KillFixture, project: &Project, now: Duration) -> Result<()> {
    if let Some(args) = fixture.case.beside {
        project.json_at(Clock::virtual_from(now), "cid", args)?;
    }
    Ok(())
}

/// Returns how often the command's work was done; fails when some of it is there more often than the rest.
fn times_done(fixture: &KillFixture, snapshot: &Snapshot) -> Result<u64> {
    let before = (fixture.case.parts)(&fixture.before);
    let now = (fixture.case.parts)(snapshot);
    let made: Vec<(&str, u64)> =
        now.iter().zip(&before).map(|((name, now), (_, before))| (*name, now.wrapping_sub(*before))).collect();
    match made.first() {
        Some((_, times)) if made.iter().all(|(_, other)| other == times) => Ok(*times),
        _ => bail!("only a part is there: {made:?}"),
    }
}

fn ensure_no_findings(project: &Project, now: Duration) -> Result<()> {
    let checkup = project.json_at(Clock::virtual_from(now), "cid", &["check"])?;
    let findings = checkup["findings"].as_array().context("a check has findings")?;
    let bad: Vec<&Value> = findings.iter().filter(|finding| finding["severity"] != "info").collect();
    ensure!(bad.is_empty(), "the check finds: {bad:?}");
    Ok(())
}
