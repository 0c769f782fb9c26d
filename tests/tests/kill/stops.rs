//! Stops a command after each of its host calls, and has every state that this leaves looked at.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use huddle_tests::{Clock, Outcome, Project, project};

use crate::aftermath;
use crate::cases::Case;
use crate::snapshot::{Files, Snapshot, fingerprint};

/// As many commands at once as there are processors in a small machine.
const STOPPERS: usize = 2;
/// More, because those that look at what is left wait for leases most of the time.
const LOOKERS: usize = 12;
/// No command makes so many host calls.
const TOO_MANY: u64 = 20_000;

/// A prepared bus, the command to stop, and the time at which it runs.
pub(crate) struct Scene {
    pub(crate) case: Case,
    pub(crate) args: Vec<String>,
    pub(crate) template: Project,
    pub(crate) before: Snapshot,
    /// What sessions and shared state consist of when the command is not stopped.
    pub(crate) after: Files,
    pub(crate) now: Duration,
}

/// A state that a stop has left.
pub(crate) struct Left {
    pub(crate) project: Project,
    pub(crate) after_call: u64,
    /// Whether the command had said that it was done.
    pub(crate) confirmed: bool,
}

/// What came of stopping a command everywhere.
pub(crate) struct Tally {
    name: &'static str,
    calls: u64,
    states: usize,
    absent: usize,
    whole: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, calls, states, absent, whole } = self;
        write!(
            f,
            "| {name} | {calls} host calls, stopped after each | {states} states | {absent} absent | {whole} whole |"
        )
    }
}

/// Stops a command after every host call and checks every state that is left.
pub(crate) fn everywhere(case: Case) -> Result<Tally> {
    let dir = quick_dir()?;
    let template = Project::at(dir.path().join("template"));
    fs::create_dir(template.root())?;
    let args = (case.prepare)(&template).context("preparing the bus")?;
    let before = Snapshot::of(&template)?;
    before.ensure_sound().context("the prepared bus")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let mut scene = Scene { case, args, template, before, after: Files::new(), now };
    let finished = scene.template.copy_to(dir.path().join("finished"))?;
    let outcome = start(&scene, &finished, TOO_MANY)?;
    ensure!(outcome.code == 0, "the command fails even if it is not stopped: {outcome:?}");
    scene.after = Snapshot::of(&finished)?.claude;

    let (calls, left) = stop_after_each_call(&scene, dir.path())?;
    let absent = AtomicUsize::new(0);
    on_threads(LOOKERS, &left, |left| {
        let times = aftermath::check(&scene, left)
            .with_context(|| format!("stopped after host call {} of {calls}", left.after_call))?;
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
    Ok(Tally { name: scene.case.name, calls, states: left.len(), absent, whole: left.len() - absent })
}

/// Makes a directory in memory where the system has such a place: a kill leaves the same there, and syncing is free.
fn quick_dir() -> Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    Ok(if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? })
}

/// Gives how many host calls the command makes, and every different state that a stop leaves.
fn stop_after_each_call(scene: &Scene, dir: &Path) -> Result<(u64, Vec<Left>)> {
    let next = AtomicU64::new(1);
    let last = AtomicU64::new(u64::MAX);
    let seen = Mutex::new(BTreeSet::new());
    let left = Mutex::new(Vec::new());
    let untouched = fingerprint(scene.template.root())?;
    on_threads(STOPPERS, &[(); STOPPERS], |()| {
        let mut clean = None;
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n > last.load(Ordering::Relaxed) {
                return Ok(());
            }
            ensure!(n < TOO_MANY, "the command does not end");
            let project = match clean.take() {
                Some(project) => project,
                None => scene.template.copy_to(dir.join(n.to_string()))?,
            };
            let state = stop_after(scene, n, project).with_context(|| format!("host call {n}"))?;
            let Some(state) = state else {
                last.fetch_min(n, Ordering::Relaxed);
                continue;
            };
            let files = fingerprint(state.project.root())?;
            if seen.lock().map_err(poisoned)?.insert((files, state.confirmed)) {
                left.lock().map_err(poisoned)?.push(state);
            } else if files == untouched {
                clean = Some(state.project);
            } else {
                fs::remove_dir_all(state.project.root())?;
            }
        }
    })?;
    let mut left = left.into_inner().map_err(poisoned)?;
    left.sort_by_key(|state| state.after_call);
    Ok((last.into_inner() - 1, left))
}

/// Runs the command on a copy until it has made so many host calls; nothing when it ends before.
fn stop_after(scene: &Scene, n: u64, project: Project) -> Result<Option<Left>> {
    let outcome = start(scene, &project, n)?;
    let confirmed = project::answer(&outcome).is_ok();
    if !outcome.stopped {
        ensure!(outcome.code == 0 && confirmed, "the command fails even if it is not stopped: {outcome:?}");
        fs::remove_dir_all(project.root())?;
        return Ok(None);
    }
    Ok(Some(Left { project, after_call: n, confirmed }))
}

/// Runs the command until it has made so many host calls.
fn start(scene: &Scene, project: &Project, calls: u64) -> Result<Outcome> {
    let args: Vec<&str> = scene.args.iter().map(String::as_str).collect();
    let run = project.run(scene.case.agent, &args)?.arg("--json");
    // The clock stands still and the dice are loaded, so that equal states have equal files.
    run.clock(Clock::Fixed(scene.now)).seed(1).stop_after_host_call(calls).start()
}

/// Does something with each item, on so many threads; gives the first failure.
fn on_threads<T: Sync>(threads: usize, items: &[T], act: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            act(item)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => bail!("a worker panicked"),
        })
    })
}

fn poisoned<T>(_: T) -> anyhow::Error {
    anyhow::anyhow!("another worker panicked")
}
