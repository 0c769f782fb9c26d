//! What core needs of the world besides storage.

use std::cell::Cell;

use crate::model::{Span, Timestamp};

/// The clock, the dice and the patience of whoever runs core.
pub trait Host {
    /// Tells the time.
    ///
    /// # Behavior
    /// - Never fails; a host without a clock returns the same time again and again.
    fn now(&self) -> Timestamp;

    /// Rolls 128 random bits.
    ///
    /// # Behavior
    /// - Two calls, on any two hosts, give the same bits only by a chance that can be neglected.
    fn random(&self) -> u128;

    /// Waits.
    ///
    /// # Behavior
    /// - Returns after about `span`, never much earlier; `now` has moved on by then.
    fn sleep(&self, span: Span);
}

impl<H: Host + ?Sized> Host for &H {
    fn now(&self) -> Timestamp {
        (**self).now()
    }
    fn random(&self) -> u128 {
        (**self).random()
    }
    fn sleep(&self, span: Span) {
        (**self).sleep(span);
    }
}

/// The time that a process has spent waiting, without the time that it was suspended meanwhile: one that wakes up after an
/// hour has not been patient for an hour.
pub(crate) struct Waiting {
    last: Timestamp,
    waited: Span,
}

impl Waiting {
    /// Pauses between two looks are much shorter than this.
    const LONGEST_STEP: Span = Span::from_seconds(2);

    /// Begins to wait.
    pub(crate) fn begin(host: &impl Host) -> Self {
        Self { last: host.now(), waited: Span::default() }
    }

    /// Returns how long it has been waited for by now; to be called at every look.
    pub(crate) fn so_far(&mut self, host: &impl Host) -> Span {
        let now = host.now();
        let step = now.since(self.last).max(Span::default()).min(Self::LONGEST_STEP);
        self.waited = Span::from_millis(self.waited.millis() + step.millis());
        self.last = now;
        self.waited
    }
}

/// A host for tests and examples: its clock moves only when told to, and its dice are counted, not rolled.
#[derive(Debug)]
pub struct FixedHost {
    now: Cell<Timestamp>,
    rolls: Cell<u128>,
}

impl FixedHost {
    /// Starts the clock at an RFC 3339 time.
    ///
    /// # Panics
    /// When `time` is not one: this host is for tests.
    pub fn at(time: &str) -> Self {
        let now = Timestamp::parse(time).expect("a test gives a valid time");
        Self { now: Cell::new(now), rolls: Cell::new(0) }
    }

    /// Moves the clock on.
    pub fn advance(&self, span: Span) {
        self.now.set(self.now.get().plus(span));
    }
}

impl Host for FixedHost {
    fn now(&self) -> Timestamp {
        self.now.get()
    }

    fn random(&self) -> u128 {
        let roll = self.rolls.get() + 1;
        self.rolls.set(roll);
        // Spread over all bits, so that any part of it tells two rolls apart; odd multipliers lose nothing.
        roll.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    fn sleep(&self, span: Span) {
        self.advance(span);
    }
}
