//! The real world: the system's clock, dice and patience.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use huddle_core::Host;
use huddle_core::model::{Span, Timestamp};

/// The host that a program runs on, native or WASI.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemHost;

impl Host for SystemHost {
    fn now(&self) -> Timestamp {
        let micros = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_micros()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
        };
        Timestamp::from_micros(micros)
    }

    /// # Panics
    /// When the system has no randomness: ids would repeat, and messages would be lost.
    fn random(&self) -> u128 {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        u128::from_le_bytes(bytes)
    }

    fn sleep(&self, span: Span) {
        thread::sleep(Duration::from_millis(u64::try_from(span.millis()).unwrap_or(0).max(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves_on_while_sleeping() {
        let before = SystemHost.now();
        SystemHost.sleep(Span::from_millis(20));
        assert!(SystemHost.now().since(before) >= Span::from_millis(20));
        assert!(before > Timestamp::parse("2025-01-01T00:00:00Z").unwrap());
    }

    #[test]
    fn rolls_differ() {
        assert_ne!(SystemHost.random(), SystemHost.random());
    }
}
