//! Points in time and spans, as the protocols write them.

mod parse;

use std::fmt;

use huddle_scan::time;
use jiff::SignedDuration;
use jiff::civil::{DateTime, date};

const MICROS: i64 = 1_000_000;

const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);
/// The first time that can be written with four digits for the year.
const FIRST: DateTime = date(0, 1, 1).at(0, 0, 0, 0);
/// The last second that can.
const LAST: DateTime = date(9999, 12, 31).at(23, 59, 59, 0);

/// A point in time, in microseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a time from microseconds since 1970 UTC.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Creates a time from whole seconds since 1970 UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS))
    }

    /// Returns the microseconds since 1970 UTC.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads an RFC 3339 time, with any offset and any number of fraction digits.
    pub fn parse(text: &str) -> Option<Self> {
        time::rfc3339(text.trim().as_bytes()).map(Self)
    }

    /// Drops what is less than a second: the mailbox format counts seconds, and ids carry the rest.
    pub const fn floor(self) -> Self {
        Self(self.0.div_euclid(MICROS) * MICROS)
    }

    /// Returns the time a span later.
    pub const fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Returns the time a span earlier.
    pub const fn minus(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Returns how long after `earlier` this is; nothing when it is before.
    pub const fn since(self, earlier: Self) -> Span {
        let micros = self.0.saturating_sub(earlier.0);
        Span(if micros < 0 { 0 } else { micros })
    }

    /// Returns the calendar date: `2025-11-29`.
    pub fn date(self) -> String {
        self.civil().date().to_string()
    }

    /// Returns the time of day: `14:30:52`.
    pub fn clock(self) -> String {
        let at = self.civil();
        format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
    }

    /// Returns date and time as ids carry them: `20251129_143052`.
    pub fn compact(self) -> String {
        let at = self.civil();
        let (year, month, day) = (at.year(), at.month(), at.day());
        format!("{year:04}{month:02}{day:02}_{:02}{:02}{:02}", at.hour(), at.minute(), at.second())
    }

    /// Reads what [`Timestamp::compact`] wrote.
    pub fn parse_compact(text: &str) -> Option<Self> {
        time::compact(text.as_bytes()).map(Self::from_seconds)
    }

    /// Returns date and time in UTC; what the years 0 to 9999 do not reach becomes their first or last second.
    fn civil(self) -> DateTime {
        let end = if self.0 < 0 { FIRST } else { LAST };
        EPOCH.checked_add(SignedDuration::from_micros(self.0)).unwrap_or(end).max(FIRST)
    }
}

/// RFC 3339 in UTC; the fraction is written only when there is one.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}Z", self.civil()))
    }
}

/// A length of time, never negative, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span(i64);

impl Span {
    /// Creates a span of milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1000))
    }

    /// Creates a span of seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS))
    }

    /// Creates a span of hours.
    pub const fn from_hours(hours: i64) -> Self {
        Self::from_seconds(hours.saturating_mul(3600))
    }

    /// Returns the whole seconds in the span.
    pub const fn seconds(self) -> i64 {
        self.0 / MICROS
    }

    /// Returns the whole milliseconds in the span.
    pub const fn millis(self) -> i64 {
        self.0 / 1000
    }

    /// Reads `90`, `1.5` (seconds), `2h`, `1h 30m`, `3 days` and the like.
    pub fn parse(text: &str) -> Option<Self> {
        parse::span(text).map(Self)
    }
}

/// As people say it, in the two largest units: `3 days 4 hours`, `8 minutes`, `0 seconds`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if 0 < self.0 && self.0 < MICROS {
            return f.pad(&format!("{} ms", self.millis().max(1)));
        }
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
        check("2025-11-29t14:30:60z", "2025-11-29T14:30:59Z");
        check("2025-11-29 14:30:52.123456789-0130", "2025-11-29T16:00:52.123456Z");
        check("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z");
        check("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z");
        for bad in [
            "",
            "yesterday",
            "2025-11-29",
            "2025-13-01T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2025-11-29T24:00:00Z",
            "2025-11-29T14:30:52",
            "2025-11-29T14:30:52.Z",
            "2025-11-29T14:30:52Zz",
            "2025-11-29T14:30:52+24:00",
            "+025-11-29T14:30:52Z",
            "２０25-11-29T14:30:52Z",
        ] {
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
    fn times_far_away_are_the_ends_of_the_calendar() {
        let check = |micros: i64, shown: &str| assert_eq!(Timestamp::from_micros(micros).to_string(), shown);
        check(i64::MIN, "0000-01-01T00:00:00Z");
        check(i64::MAX, "9999-12-31T23:59:59Z");
        check(-1, "1969-12-31T23:59:59.999999Z");
        let last = Timestamp::parse("9999-12-31T23:59:59.999999Z").unwrap();
        assert_eq!(last.to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!((last.clock(), last.plus(Span::from_millis(1)).date()), ("23:59:59".into(), "9999-12-31".into()));
    }

    #[test]
    fn every_day_of_four_centuries_goes_both_ways() {
        let mut at = Timestamp::parse("1800-01-01T12:34:56Z").unwrap();
        while at.date().as_str() < "2200-12-31" {
            assert_eq!(Timestamp::parse(&at.to_string()), Some(at), "{at}");
            assert_eq!(Timestamp::parse_compact(&at.compact()), Some(at), "{at}");
            at = at.plus(Span::from_hours(24));
        }
    }

    #[test]
    fn spans_are_read_in_seconds_and_in_words() {
        let check =
            |text: &str, seconds: i64| assert_eq!(Span::parse(text).map(Span::seconds), Some(seconds), "{text}");
        check("90", 90);
        check("2h", 7200);
        check("1h 30m", 5400);
        check("3 days", 259_200);
        check("1h30m", 5400);
        check("1.5h", 5400);
        check(" 2500 ms ", 2);
        for bad in ["", "-1", "soon", "2 moons", "NaN", "1h 30", "1.2.3", "h", "9e9", "99999999999999999999 weeks"] {
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
        assert_eq!(Span::from_millis(250).to_string(), "250 ms");
    }
}
