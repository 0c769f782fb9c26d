//! Wall clocks that a test can choose for a guest.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wasmtime_wasi::HostWallClock;

/// Says what time the guest believes it is.
///
/// Only the wall clock is chosen: sleeping and time-outs follow the real monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    /// The host's own time.
    #[default]
    Host,
    /// The host's time, this many seconds later (or earlier, when negative).
    Shifted(i64),
    /// Always the same moment, as time since the Unix epoch.
    Fixed(Duration),
    /// This moment, as time since the Unix epoch, when it is that instant on the host; it goes on from there.
    Since(Duration, Instant),
    /// What the hand shows, in seconds since the Unix epoch: a test moves it while guests run.
    Hand(&'static AtomicU64),
}

impl Clock {
    /// Starts a clock at a moment, as time since the Unix epoch.
    pub fn starting_at(moment: Duration) -> Self {
        Self::Since(moment, Instant::now())
    }

    /// Makes a clock that stands at the same moment as this one until [`Clock::turn_to`] moves it for all who see it.
    pub fn by_hand(self) -> Self {
        // A clock is handed to guests on any thread, so it must outlast them all: a few bytes for each test.
        Self::Hand(Box::leak(Box::new(AtomicU64::new(self.now().as_secs()))))
    }

    /// Turns a clock that is moved by hand to the moment that another shows.
    ///
    /// # Panics
    /// When the clock is not one that is moved by hand.
    pub fn turn_to(self, moment: Self) {
        let Self::Hand(hand) = self else { panic!("not a clock that is moved by hand: {self:?}") };
        hand.store(moment.now().as_secs(), Ordering::SeqCst);
    }
}

impl HostWallClock for Clock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        let host = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        match *self {
            Clock::Host => host,
            Clock::Shifted(by) if by < 0 => host.saturating_sub(Duration::from_secs(by.unsigned_abs())),
            Clock::Shifted(by) => host + Duration::from_secs(by.unsigned_abs()),
            Clock::Fixed(moment) => moment,
            Clock::Since(moment, began) => moment + began.elapsed(),
            Clock::Hand(hand) => Duration::from_secs(hand.load(Ordering::SeqCst)),
        }
    }
}
