//! What core needs of the world besides storage.

use std::cell::Cell;

use uuid::Uuid;

use crate::model::{Span, Timestamp};

/// The caller's clock, random source and sleep.
pub trait Host {
    /// Returns the time.
    ///
    /// # Behavior
    /// - Never fails; a host without a clock returns the same time again and again.
    fn now(&self) -> Timestamp;

    /// Returns 128 random bits.
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

/// Creates an id that sorts by time and carries it (UUID version 7).
pub(crate) fn new_uuid(host: &impl Host) -> Uuid {
    let millis = host.now().micros().max(0) as u64 / 1000;
    let mut tail = [0; 10];
    tail.copy_from_slice(&host.random().to_le_bytes()[..10]);
    uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid()
}

/// The time that a process has spent waiting, without the time that it was suspended meanwhile: one that wakes up after an
/// hour has not been patient for an hour.
pub(crate) struct WaitTimer {
    last: Timestamp,
    waited: Span,
}

impl WaitTimer {
    /// Longer than any pause between two polls.
    const LONGEST_STEP: Span = Span::from_seconds(2);

    /// Starts the timer.
    pub(crate) fn begin(host: &impl Host) -> Self {
        Self { last: host.now(), waited: Span::default() }
    }

    /// Returns the time waited so far; call it at every poll.
    pub(crate) fn so_far(&mut self, host: &impl Host) -> Span {
        let now = host.now();
        let step = now.since(self.last).max(Span::default()).min(Self::LONGEST_STEP);
        self.waited = Span::from_millis(self.waited.millis() + step.millis());
        self.last = now;
        self.waited
    }
}

/// A host for tests and examples: its clock is set by hand, and its random numbers are a sequence.
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
