//! A place to break things in.

use std::cell::Cell;

use super::super::{Engine, register};
use crate::engine::Result;
use crate::engine::files::FilesEngine;
use crate::engine::fs::memory::MemoryFs;
use crate::engine::journal::WORK;
use crate::host::FixedHost;
use crate::model::Span;

pub(super) type Files<'a> = FilesEngine<&'a MemoryFs, &'a FixedHost>;

/// How a process ends, and what it leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CrashKind {
    /// Killed between two steps.
    Kill,
    /// Killed in the middle of a write.
    Torn,
    /// The power fails, and nothing is left that was not synced.
    PowerCut,
    /// The power fails when names had reached the disk and bytes had not.
    PowerCutKeepingNames,
}

pub(super) const CRASH_KINDS: [CrashKind; 4] =
    [CrashKind::Kill, CrashKind::Torn, CrashKind::PowerCut, CrashKind::PowerCutKeepingNames];

/// The step at which a process ends; says which it was when a test fails there.
#[derive(Debug)]
pub(super) struct CrashPoint {
    pub(super) kind: CrashKind,
    pub(super) steps: usize,
}

impl CrashPoint {
    pub(super) fn kill(steps: usize) -> Self {
        Self { kind: CrashKind::Kill, steps }
    }
}

impl Drop for CrashPoint {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with {:?} after {} steps", self.kind, self.steps);
        }
    }
}

/// A directory and a clock, which outlast the processes that use them.
pub(super) struct Bench {
    pub(super) fs: MemoryFs,
    pub(super) host: FixedHost,
    /// Whether the last moment came before the process was done.
    pub(super) cut_short: Cell<bool>,
}

impl Bench {
    pub(super) fn empty() -> Self {
        Self { fs: MemoryFs::new(), host: FixedHost::at("2025-11-29T14:30:52Z"), cut_short: Cell::new(false) }
    }

    /// Creates a bus with Ann, Bob and Cyd on it.
    pub(super) fn new() -> Self {
        let bench = Self::empty();
        bench.engine().init().expect("init works");
        register(&bench.engine(), &["ann", "bob", "cyd"]);
        bench
    }

    /// Starts a process on the bus.
    pub(super) fn engine(&self) -> Files<'_> {
        Files::new(&self.fs, &self.host)
    }

    /// Has a process act until the moment comes, and lets a minute pass; returns what it could confirm.
    ///
    /// A power cut comes in any case, even if the process was done before.
    pub(super) fn until<T>(&self, crash: &CrashPoint, act: impl FnOnce(&Files<'_>) -> Result<T>) -> Option<T> {
        let result = self.at_once(crash, act);
        self.host.advance(Span::from_seconds(61));
        result
    }

    /// Does the same and lets no time pass.
    pub(super) fn at_once<T>(&self, crash: &CrashPoint, act: impl FnOnce(&Files<'_>) -> Result<T>) -> Option<T> {
        match crash.kind {
            CrashKind::Torn => self.fs.fail_torn_after(crash.steps),
            CrashKind::Kill | CrashKind::PowerCut | CrashKind::PowerCutKeepingNames => self.fs.fail_after(crash.steps),
        }
        let result = act(&self.engine());
        self.cut_short.set(self.fs.is_killed());
        assert!(result.is_ok() || self.fs.is_killed(), "it fails only when it is killed: {:?}", result.err());
        match crash.kind {
            CrashKind::Kill | CrashKind::Torn => {}
            CrashKind::PowerCut => self.fs.power_cut(),
            CrashKind::PowerCutKeepingNames => self.fs.power_cut_keeping_names(),
        }
        self.fs.restart();
        result.ok()
    }

    /// Counts the files that hold a message and are not the senders' log.
    pub(super) fn copies_of(&self, id: &str) -> usize {
        let ending = format!("/{id}.json");
        self.fs.files().iter().filter(|path| path.ends_with(&ending)).count()
    }

    /// Checks that nothing lies in the work directory for ever.
    #[track_caller]
    fn check_tidy(&self) {
        self.host.advance(Span::from_seconds(61));
        self.engine().directory().expect("the directory can be read");
        let left: Vec<String> = self.fs.files().into_iter().filter(|path| path.starts_with(WORK)).collect();
        assert_eq!(left, [] as [&str; 0], "the work directory is empty after a while");
    }
}

/// Has a process end in every way at every step of `act`, and checks what is left.
pub(super) fn at_every_step<T>(
    prepare: impl Fn(&Bench),
    act: impl Fn(&Files<'_>) -> Result<T>,
    check: impl Fn(&Bench, Option<T>),
) {
    for kind in CRASH_KINDS {
        for steps in 0.. {
            let crash = CrashPoint { kind, steps };
            let bench = Bench::new();
            prepare(&bench);
            let result = bench.until(&crash, &act);
            check(&bench, result);
            bench.check_tidy();
            if !bench.cut_short.get() {
                break;
            }
            assert!(steps < 1000, "an operation takes less than a thousand steps");
        }
    }
}
