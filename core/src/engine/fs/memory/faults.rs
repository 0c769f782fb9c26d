//! The faults that a test can inject.

use std::io;

/// What is to go wrong, and when.
#[derive(Debug, Default)]
pub(super) struct Faults {
    kill: Option<Kill>,
    space: Option<usize>,
}

#[derive(Debug)]
struct Kill {
    /// How many mutating calls still pass.
    left: usize,
    torn: bool,
    struck: bool,
}

/// What becomes of a mutating call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Pass,
    Killed,
    /// It fails, and half of what it writes arrives.
    Torn,
}

impl Faults {
    pub(super) fn kill_after(&mut self, left: usize, torn: bool) {
        self.kill = Some(Kill { left, torn, struck: false });
    }

    pub(super) fn restart(&mut self) {
        self.kill = None;
    }

    pub(super) fn is_killed(&self) -> bool {
        self.kill.as_ref().is_some_and(|kill| kill.struck)
    }

    pub(super) fn judge_mutation(&mut self) -> Verdict {
        let Some(kill) = &mut self.kill else { return Verdict::Pass };
        if kill.left > 0 {
            kill.left -= 1;
            return Verdict::Pass;
        }
        let first = !kill.struck;
        kill.struck = true;
        if first && kill.torn { Verdict::Torn } else { Verdict::Killed }
    }

    pub(super) fn set_space(&mut self, space: Option<usize>) {
        self.space = space;
    }

    /// Returns how many of `wanted` bytes fit.
    pub(super) fn room_for(&self, wanted: usize) -> usize {
        self.space.map_or(wanted, |space| space.min(wanted))
    }

    pub(super) fn use_up(&mut self, bytes: usize) {
        self.space = self.space.map(|space| space.saturating_sub(bytes));
    }
}

/// Creates the error of a call after the end of the process.
pub(super) fn killed() -> io::Error {
    io::Error::other("killed")
}
