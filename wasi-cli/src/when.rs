//! Times as people give them: a point in time, or a span from now.

use huddle_core::model::{Span, Timestamp};

/// A time that is given outright or counted from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// At this time.
    At(Timestamp),
    /// This far from now.
    Away(Span),
}

impl When {
    /// Reads `2025-11-29T16:30:00Z`, `2h`, `90` (seconds) and the like.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let at = Timestamp::parse(text).map(Self::At);
        at.or_else(|| Span::parse(text).map(Self::Away))
            .ok_or_else(|| "give a time such as 2025-11-29T16:30:00Z, or a span such as 2h or 90s".to_owned())
    }

    /// Gives the time, counting a span forward.
    pub(crate) fn ahead_of(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::Away(span) => now.plus(span),
        }
    }

    /// Gives the time, counting a span back.
    pub(crate) fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::Away(span) => now.minus(span),
        }
    }
}

/// Reads a span: `90` (seconds), `2h`, `1h 30m`.
pub(crate) fn span(text: &str) -> Result<Span, String> {
    Span::parse(text).ok_or_else(|| "give seconds, or a span such as 90s, 5m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_from_now_in_the_direction_asked_for() {
        let now = Timestamp::parse("2025-11-29T14:00:00Z").unwrap();
        let check = |text: &str, ahead: &str, before: &str| {
            let when = When::parse(text).unwrap();
            assert_eq!((when.ahead_of(now).to_string(), when.before(now).to_string()), (ahead.into(), before.into()));
        };
        check("2h", "2025-11-29T16:00:00Z", "2025-11-29T12:00:00Z");
        check("60", "2025-11-29T14:01:00Z", "2025-11-29T13:59:00Z");
        check("2025-12-01T00:00:00Z", "2025-12-01T00:00:00Z", "2025-12-01T00:00:00Z");
        assert!(When::parse("soon").is_err());
    }
}
