//! Clocks that a test can choose for a guest.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi::HostWallClock;
use wasmtime_wasi::clocks::WasiClocksCtxView;
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;

/// What time the guest believes it is.
///
/// Sleeping and time-outs follow the real monotonic clock, unless the clock is [`Clock::Virtual`].
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
    /// As [`Clock::Since`], and no guest sleeps: the clock moves on by the nanoseconds that it would have slept.
    Virtual(Duration, Instant, &'static AtomicU64),
}

impl Clock {
    /// Starts a clock at a moment, as time since the Unix epoch.
    pub fn starting_at(moment: Duration) -> Self {
        Self::Since(moment, Instant::now())
    }

    /// Starts a clock at a moment, on which sleeping takes no time. It is for a guest that waits for nobody alive: others
    /// would not get as much time as it believes.
    pub fn virtual_from(moment: Duration) -> Self {
        Self::Virtual(moment, Instant::now(), Box::leak(Box::default()))
    }

    /// Creates a clock that stands at the same moment as this one until [`Clock::turn_to`] moves it for all who see it.
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

    /// Returns the nanoseconds that guests did not have to sleep.
    fn skipped(self) -> u64 {
        if let Self::Virtual(_, _, skipped) = self { skipped.load(Ordering::SeqCst) } else { 0 }
    }

    /// Takes the nanoseconds that a guest wants to sleep, and returns how many it has to.
    fn sleep(self, nanoseconds: u64) -> u64 {
        let Self::Virtual(_, _, skipped) = self else { return nanoseconds };
        skipped.fetch_add(nanoseconds, Ordering::SeqCst);
        0
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
            Clock::Virtual(moment, began, _) => moment + began.elapsed() + Duration::from_nanos(self.skipped()),
            Clock::Hand(hand) => Duration::from_secs(hand.load(Ordering::SeqCst)),
        }
    }
}

/// The monotonic clock of a guest, by which it sleeps.
pub(crate) struct Monotonic<'a> {
    pub(crate) clock: Clock,
    pub(crate) host: WasiClocksCtxView<'a>,
}

impl HasData for Monotonic<'static> {
    type Data<'a> = Monotonic<'a>;
}

impl monotonic_clock::Host for Monotonic<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        Ok(self.host.now()?.saturating_add(self.clock.skipped()))
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        self.host.resolution()
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.now()?;
        self.subscribe_duration(when.saturating_sub(now))
    }

    fn subscribe_duration(&mut self, nanoseconds: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.host.subscribe_duration(self.clock.sleep(nanoseconds))
    }
}
