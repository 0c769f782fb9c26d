//! Processes that take turns at every call, in an order that a seed decides, and that are suspended for any time.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::MemoryFs;
use crate::Host;
use crate::engine::fs::{DirEntry, FileSystem};
use crate::engine::journal::LEASES;
use crate::host::FixedHost;
use crate::model::{Span, Timestamp};

/// A tree, a clock, and whose turn it is: one process runs at a time, from one call to the next.
pub(crate) struct Simulation {
    state: Mutex<SimulationState>,
    turned: Condvar,
}

struct SimulationState {
    fs: MemoryFs,
    host: FixedHost,
    rng: Rng,
    running: usize,
    processes: Vec<Process>,
}

#[derive(Clone, Default)]
struct Process {
    has_ended: bool,
    /// For how many turns of others it is suspended.
    suspended: u64,
}

/// Numbers that a seed decides (splitmix64).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `sides`.
    pub(crate) fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

/// The tree and the clock as one process sees them.
#[derive(Clone, Copy)]
pub(crate) struct ProcessHandle<'w> {
    simulation: &'w Simulation,
    process: usize,
}

impl Simulation {
    pub(crate) fn new(fs: MemoryFs, host: FixedHost, seed: u64) -> Self {
        let state = SimulationState { fs, host, rng: Rng::new(seed), running: 0, processes: Vec::new() };
        Self { state: Mutex::new(state), turned: Condvar::new() }
    }

    /// Runs one process for each plan, in turns, and returns what each came to.
    pub(crate) fn run<P: Send, T: Send>(
        &self,
        plans: Vec<P>,
        act: impl Fn(ProcessHandle<'_>, P) -> T + Sync,
    ) -> Vec<T> {
        self.lock().processes = vec![Process::default(); plans.len()];
        thread::scope(|scope| {
            let act = &act;
            let start = |(process, plan): (usize, P)| {
                scope.spawn(move || {
                    let turn = Turn(ProcessHandle { simulation: self, process });
                    drop(turn.0.wait(self.lock()));
                    act(turn.0, plan)
                })
            };
            let running: Vec<_> = plans.into_iter().enumerate().map(start).collect();
            running.into_iter().map(|process| process.join().expect("a process that panics fails the test")).collect()
        })
    }

    /// Takes the tree and the clock when all processes have ended.
    pub(crate) fn into_parts(self) -> (MemoryFs, FixedHost) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.fs, state.host)
    }

    fn lock(&self) -> MutexGuard<'_, SimulationState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a process, also when it panics, so that nobody waits for its turn.
struct Turn<'w>(ProcessHandle<'w>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.0.simulation.lock();
        state.processes[self.0.process].has_ended = true;
        state.choose_next();
        self.0.simulation.turned.notify_all();
    }
}

impl SimulationState {
    /// Chooses who runs next; now and then the one who ran is suspended, and time passes.
    fn yield_turn(&mut self) {
        if self.rng.below(4) > 0 && !self.processes[self.running].has_ended {
            return;
        }
        if self.rng.below(3) == 0 {
            let most = [10, 100, 1000][self.rng.below(3) as usize];
            self.processes[self.running].suspended = self.rng.below(most);
        }
        if self.rng.below(6) == 0 {
            let pauses = [Span::from_millis(600), Span::from_seconds(6), Span::from_seconds(61), Span::from_hours(24)];
            self.host.advance(pauses[self.rng.below(4) as usize]);
        }
        self.choose_next();
    }

    fn choose_next(&mut self) {
        self.processes.iter_mut().for_each(|process| process.suspended = process.suspended.saturating_sub(1));
        let numbers = 0..self.processes.len();
        let alive: Vec<usize> = numbers.filter(|number| !self.processes[*number].has_ended).collect();
        let awake: Vec<usize> = alive.iter().copied().filter(|number| self.processes[*number].suspended == 0).collect();
        let able = if awake.is_empty() { alive } else { awake };
        if !able.is_empty() {
            self.running = able[self.rng.below(able.len() as u64) as usize];
        }
    }
}

impl<'w> ProcessHandle<'w> {
    fn wait(&self, state: MutexGuard<'w, SimulationState>) -> MutexGuard<'w, SimulationState> {
        self.simulation
            .turned
            .wait_while(state, |state| state.running != self.process)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets others run, and comes back when it is this process's turn.
    fn yield_turn(&self) -> MutexGuard<'w, SimulationState> {
        let mut state = self.simulation.lock();
        state.yield_turn();
        self.simulation.turned.notify_all();
        self.wait(state)
    }
}

impl FileSystem for ProcessHandle<'_> {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        self.yield_turn().fs.read(path, limit)
    }
    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        self.yield_turn().fs.modified(path)
    }

    /// Lists what is there at the beginning and at the end, and perhaps what came or went in between: more is not
    /// promised of a large directory. That of a lease has a few names, which one call returns.
    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        let before = self.yield_turn().fs.list(dir)?;
        if dir.starts_with(LEASES) {
            return Ok(before);
        }
        let mut state = self.yield_turn();
        let after = state.fs.list(dir)?;
        let mut all: Vec<DirEntry> = before.iter().chain(&after).cloned().collect();
        all.sort();
        all.dedup();
        all.retain(|entry| before.contains(entry) && after.contains(entry) || state.rng.below(2) == 0);
        Ok(all)
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        self.yield_turn().fs.exists(path)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.yield_turn().fs.size(path)
    }
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        self.yield_turn().fs.is_same(one, other)
    }
    fn create_dir(&self, dir: &str) -> io::Result<()> {
        self.yield_turn().fs.create_dir(dir)
    }
    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.yield_turn().fs.write_new(path, bytes)
    }
    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.yield_turn().fs.write_scratch(path, bytes)
    }
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.yield_turn().fs.append(path, bytes)
    }
    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.yield_turn().fs.link(from, to)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.yield_turn().fs.rename(from, to)
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        self.yield_turn().fs.remove(path)
    }
    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        self.yield_turn().fs.remove_dir(dir)
    }
    fn sync(&self, paths: &[String]) -> io::Result<()> {
        self.yield_turn().fs.sync(paths)
    }
    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        self.yield_turn().fs.sync_dir(dir)
    }
}

impl Host for ProcessHandle<'_> {
    fn now(&self) -> Timestamp {
        self.simulation.lock().host.now()
    }
    fn random(&self) -> u128 {
        self.simulation.lock().host.random()
    }
    fn sleep(&self, span: Span) {
        self.simulation.lock().host.advance(span);
        drop(self.yield_turn());
    }
}

/// Runs `check` with as many seeds as `HUDDLE_SEEDS` says, or with `default` ones; the seed of one that fails is told.
#[expect(clippy::disallowed_methods, reason = "a test is told how long to search")]
pub(crate) fn with_seeds(default: u64, check: impl Fn(u64)) {
    let seeds = std::env::var("HUDDLE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(default);
    for seed in 0..seeds {
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(seed))).is_err();
        assert!(!failed, "it failed with seed {seed}");
    }
}
