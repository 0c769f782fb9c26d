//! Stops a command after each host call that changes something, and has every state that this leaves looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use huddle_tests::changes::fingerprint;
use huddle_tests::{Clock, Project, Run, is_thorough, project};

use crate::kill::aftermath;
use crate::kill::cases::Case;
use crate::kill::snapshot::{Files, Snapshot};

/// As many guests at once as there are processors in a small machine.
const THREADS: usize = 2;

/// A prepared bus, the command to stop, and the time at which it runs.
pub(crate) struct KillFixture {
    pub(crate) case: Case,
    pub(crate) args: Vec<String>,
    pub(crate) template: Project,
    pub(crate) before: Snapshot,
    /// What sessions and shared state consist of when the command is not stopped.
    pub(crate) after: Files,
    pub(crate) now: Duration,
}

/// A state that a stop has left.
pub(crate) struct StoppedState {
    pub(crate) project: Project,
    pub(crate) after_call: u64,
    /// Whether the command had said that it was done.
    pub(crate) confirmed: bool,
}

/// What came of stopping a command everywhere.
pub(crate) struct KillSummary {
    name: &'static str,
    calls: u64,
    changes: usize,
    states: usize,
    absent: usize,
    whole: usize,
}

impl fmt::Display for KillSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, calls, changes, states, absent, whole } = self;
        let stops = if is_thorough() { "stopped after each".to_owned() } else { format!("stopped after {changes}") };
        write!(f, "| {name} | {calls} host calls, {stops} | {states} states | {absent} absent | {whole} whole |")
    }
}

/// Stops a command after every host call that changes something and checks every state that is left.
pub(crate) fn everywhere(case: Case) -> Result<KillSummary> {
    let dir = tempfile::tempdir_in(huddle_scratch::root())?;
    let template = Project::at(dir.path().join("template"));
    fs::create_dir(template.root())?;
    let args = (case.prepare)(&template).context("preparing the bus")?;
    let before = Snapshot::of(&template)?;
    before.ensure_sound().context("the prepared bus")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let mut fixture = KillFixture { case, args, template, before, after: Files::new(), now };
    let finished = fixture.template.copy_to(dir.path().join("finished"))?;
    let outcome = fixture.command(&finished)?.note_changes().start()?;
    ensure!(
        outcome.code == 0 && project::answer(&outcome).is_ok(),
        "the command fails even if it is not stopped: {outcome:?}"
    );
    fixture.after = Snapshot::of(&finished)?.claude;

    // The first stop leaves everything as it was. A write to a stream may still be on its way when its call returns, and
    // gets lost with the guest: one of the next two calls waits for it.
    let settled = outcome.changes.iter().flat_map(|call| *call..=call + 2);
    let changes: BTreeSet<u64> = settled.chain([1]).filter(|call| *call <= outcome.host_calls).collect();
    let left = stop_after_each(&fixture, dir.path(), outcome.host_calls, &changes)?;
    let absent = AtomicUsize::new(0);
    on_threads(&left, |left| {
        let times = aftermath::check(&fixture, left)
            .with_context(|| format!("stopped after host call {} of {}", left.after_call, outcome.host_calls))?;
        if times == 0 {
            absent.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    })?;
    let absent = absent.into_inner();
    ensure!(
        absent > 0 && absent < left.len(),
        "stops come before the work is done and after: {absent} of {}",
        left.len()
    );
    let (calls, changes, states) = (outcome.host_calls, changes.len(), left.len());
    Ok(KillSummary { name: fixture.case.name, calls, changes, states, absent, whole: states - absent })
}

/// Returns every different state that stopping leaves: after the calls that change something, or after each of them all,
/// which must come to the same.
fn stop_after_each(
    fixture: &KillFixture,
    dir: &Path,
    calls: u64,
    changes: &BTreeSet<u64>,
) -> Result<Vec<StoppedState>> {
    let stops: Vec<u64> = if is_thorough() { (1..=calls).collect() } else { changes.iter().copied().collect() };
    let states = Mutex::new(BTreeMap::new());
    on_threads(&stops, |&n| {
        let state = stop_after(fixture, n, fixture.template.copy_to(dir.join(n.to_string()))?)
            .with_context(|| format!("host call {n}"))?;
        let key = (fingerprint(state.project.root())?, state.confirmed);
        let mut states = states.lock().map_err(poisoned)?;
        let (after, left) = states.entry(key).or_insert_with(|| (BTreeSet::new(), None));
        after.insert(n);
        match left {
            None => *left = Some(state),
            Some(_) => fs::remove_dir_all(state.project.root())?,
        }
        Ok(())
    })?;
    let states = states.into_inner().map_err(poisoned)?;
    for (after, _) in states.values() {
        ensure!(!after.is_disjoint(changes), "stops after {after:?} leave what those after {changes:?} do not");
    }
    let mut left: Vec<StoppedState> = states.into_values().filter_map(|(_, left)| left).collect();
    left.sort_by_key(|state| state.after_call);
    Ok(left)
}

/// Runs the command on a copy until it has made so many host calls.
fn stop_after(fixture: &KillFixture, n: u64, project: Project) -> Result<StoppedState> {
    let outcome = fixture.command(&project)?.stop_after_host_call(n).start()?;
    ensure!(outcome.stopped, "the command was to be stopped: {outcome:?}");
    Ok(StoppedState { project, after_call: n, confirmed: project::answer(&outcome).is_ok() })
}

impl KillFixture {
    /// Describes the command on a copy of the bus.
    fn command(&self, project: &Project) -> Result<Run<'static>> {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        // The clock stands still and the dice are loaded, so that equal states have equal files.
        Ok(project.run(self.case.agent, &args)?.arg("--json").clock(Clock::Fixed(self.now)).seed(1))
    }
}

/// Does something with each item, on several threads; gives the first failure.
fn on_threads<T: Sync>(items: &[T], act: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            act(item)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => bail!("a worker panicked"),
        })
    })
}

fn poisoned<T>(_: T) -> anyhow::Error {
    anyhow::anyhow!("another worker panicked")
}
