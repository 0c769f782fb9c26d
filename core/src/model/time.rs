//! Points in time and spans, as the protocols write them.

use std::fmt;

const MICROS: i64 = 1_000_000;

/// A point in time, in microseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Makes a time from microseconds since 1970 UTC.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Makes a time from whole seconds since 1970 UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS))
    }

    /// Gives the microseconds since 1970 UTC.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads an RFC 3339 time, with any offset and any number of fraction digits.
    pub fn parse(text: &str) -> Option<Self> {
        let parsed: jiff::Timestamp = text.trim().parse().ok()?;
        Some(Self(parsed.as_microsecond()))
    }

    /// Drops what is less than a second: the mailbox format counts seconds, and ids carry the rest.
    pub const fn floor(self) -> Self {
        Self(self.0.div_euclid(MICROS) * MICROS)
    }

    /// Gives the time a span later.
    pub const fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Gives the time a span earlier.
    pub const fn minus(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Gives how long after `earlier` this is; nothing when it is before.
    pub const fn since(self, earlier: Self) -> Span {
        let micros = self.0.saturating_sub(earlier.0);
        Span(if micros < 0 { 0 } else { micros })
    }

    /// Writes the calendar date: `2025-11-29`.
    pub fn date(self) -> String {
        self.strftime("%Y-%m-%d")
    }

    /// Writes the time of day: `14:30:52`.
    pub fn clock(self) -> String {
        self.strftime("%H:%M:%S")
    }

    /// Writes date and time as ids carry them: `20251129_143052`.
    pub fn compact(self) -> String {
        self.strftime("%Y%m%d_%H%M%S")
    }

    /// Reads what [`Timestamp::compact`] wrote.
    pub fn parse_compact(text: &str) -> Option<Self> {
        let civil = jiff::civil::DateTime::strptime("%Y%m%d_%H%M%S", text).ok()?;
        let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self(zoned.timestamp().as_microsecond()))
    }

    fn strftime(self, format: &str) -> String {
        self.jiff().strftime(format).to_string()
    }

    fn jiff(self) -> jiff::Timestamp {
        // Out of the calendar's range there is nothing sensible to show; the nearest end keeps the order.
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
}

/// RFC 3339 in UTC; the fraction is written only when there is one.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0 % MICROS == 0;
        f.pad(&self.strftime(if whole { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%.fZ" }))
    }
}

/// A length of time, never negative, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span(i64);

impl Span {
    /// Makes a span of milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1000))
    }

    /// Makes a span of seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS))
    }

    /// Makes a span of hours.
    pub const fn from_hours(hours: i64) -> Self {
        Self::from_seconds(hours.saturating_mul(3600))
    }

    /// Gives the whole seconds in the span.
    pub const fn seconds(self) -> i64 {
        self.0 / MICROS
    }

    /// Gives the whole milliseconds in the span.
    pub const fn millis(self) -> i64 {
        self.0 / 1000
    }

    /// Reads `90`, `1.5` (seconds), `2h`, `1h 30m`, `3 days` and the like.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(seconds) = text.parse::<f64>() {
            return (seconds.is_finite() && seconds >= 0.0).then_some(Self((seconds * MICROS as f64) as i64));
        }
        // A day is 24 hours here: agents' clocks are UTC.
        let span: jiff::Span = text.parse().ok()?;
        let long = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?;
        let micros = i64::try_from(long.as_micros()).ok()?;
        (micros >= 0).then_some(Self(micros))
    }
}

/// As people say it, in the two largest units: `3 days 4 hours`, `8 minutes`, `0 seconds`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(i64, &str); 4] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
        let mut rest = self.seconds();
        let mut parts = Vec::new();
        for (size, name) in UNITS {
            let count = rest / size;
            rest %= size;
            if count > 0 && parts.len() < 2 {
                parts.push(format!("{count} {name}{}", if count == 1 { "" } else { "s" }));
            } else if !parts.is_empty() {
                break;
            }
        }
        f.pad(&if parts.is_empty() { "0 seconds".to_owned() } else { parts.join(" ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written_as_rfc_3339() {
        let check = |text: &str, shown: &str| assert_eq!(Timestamp::parse(text).unwrap().to_string(), shown);
        check("2025-11-29T14:30:52Z", "2025-11-29T14:30:52Z");
        check("2025-11-29T16:30:52+02:00", "2025-11-29T14:30:52Z");
        check("2025-11-29T14:30:52.25Z", "2025-11-29T14:30:52.25Z");
        check(" 1969-12-31T23:59:59Z\n", "1969-12-31T23:59:59Z");
        for bad in ["", "yesterday", "2025-11-29", "2025-13-01T00:00:00Z"] {
            assert_eq!(Timestamp::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn compact_times_go_both_ways() {
        let at = Timestamp::parse("2025-11-29T14:30:52Z").unwrap();
        assert_eq!(at.compact(), "20251129_143052");
        assert_eq!(Timestamp::parse_compact("20251129_143052"), Some(at));
        assert_eq!(Timestamp::parse_compact("20251199_143052"), None);
        assert_eq!((at.date(), at.clock()), ("2025-11-29".to_owned(), "14:30:52".to_owned()));
    }

    #[test]
    fn spans_are_read_in_seconds_and_in_words() {
        let check =
            |text: &str, seconds: i64| assert_eq!(Span::parse(text).map(Span::seconds), Some(seconds), "{text}");
        check("90", 90);
        check("2h", 7200);
        check("1h 30m", 5400);
        check("3 days", 259_200);
        for bad in ["", "-1", "soon", "2 moons", "NaN"] {
            assert_eq!(Span::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn spans_are_shown_in_their_two_largest_units() {
        let check = |seconds: i64, shown: &str| assert_eq!(Span::from_seconds(seconds).to_string(), shown);
        check(0, "0 seconds");
        check(1, "1 second");
        check(480, "8 minutes");
        check(90_061, "1 day 1 hour");
        check(86_460, "1 day");
    }
}
