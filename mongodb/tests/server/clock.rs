//! The system's clock, dice and patience.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use huddle_core::Host;
use huddle_core::model::{Span, Timestamp};

/// The host that tests run on. Its clock counts milliseconds, as the database does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock;

impl Host for Clock {
    fn now(&self) -> Timestamp {
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        Timestamp::from_micros(i64::try_from(millis).unwrap() * 1000)
    }

    fn random(&self) -> u128 {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).unwrap();
        u128::from_le_bytes(bytes)
    }

    fn sleep(&self, span: Span) {
        thread::sleep(Duration::from_millis(u64::try_from(span.millis()).unwrap_or(0).max(1)));
    }
}
