//! The system's clock, dice and patience.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use huddle_core::Host;
use huddle_core::model::{Span, Timestamp};

/// The host that the benchmark runs on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock;

impl Host for Clock {
    fn now(&self) -> Timestamp {
        let micros = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    /// # Panics
    /// When the system has no randomness: ids would repeat.
    fn random(&self) -> u128 {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        u128::from_le_bytes(bytes)
    }

    fn sleep(&self, span: Span) {
        thread::sleep(Duration::from_millis(u64::try_from(span.millis()).unwrap_or(0).max(1)));
    }
}
