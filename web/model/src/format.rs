//! Numbers and times as people read them. All times are UTC, as in the records.

use huddle_core::model::Timestamp;

const SECOND: i64 = 1_000_000;

/// Writes a time of day: `10:02:03`.
pub fn clock(at: i64) -> String {
    moment(at).get(11..19).unwrap_or_default().to_owned()
}

/// Writes a day: `2025-01-23`.
pub fn day(at: i64) -> String {
    moment(at).get(..10).unwrap_or_default().to_owned()
}

/// Writes a moment to the microsecond, as far as it is told: `2025-01-23 10:02:03.5`.
pub fn moment(at: i64) -> String {
    Timestamp::from_micros(at).to_string().replace('T', " ").trim_end_matches('Z').to_owned()
}

/// Writes how long something took, in the two largest units that say something: `1 h 5 min`, `2.5 s`, `40 ms`.
pub fn span(micros: i64) -> String {
    let (seconds, rest) = (micros / SECOND, micros % SECOND);
    let two = |large: i64, unit: &str, small: i64, part: &str| match small {
        0 => format!("{large} {unit}"),
        small => format!("{large} {unit} {small} {part}"),
    };
    match seconds {
        0 if micros < 1_000 => format!("{micros} µs"),
        0 => format!("{} ms", rest / 1_000),
        1..10 if rest >= 100_000 => format!("{seconds}.{} s", rest / 100_000),
        1..60 => format!("{seconds} s"),
        60..3_600 => two(seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => two(seconds / 3_600, "h", seconds % 3_600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

/// Writes a number with its thousands apart: `1,234,567`.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut written = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// Counts things: `1 message`, `2,000 messages`.
pub fn count(many: u64, what: &str) -> String {
    format!("{} {what}{}", number(many), if many == 1 { "" } else { "s" })
}

/// Writes a size: `512 bytes`, `1.4 KB`, `243.0 MB`.
pub fn size(bytes: u64) -> String {
    let units = [("KB", 1_000_u64), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    match units.iter().rev().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => count(bytes, "byte"),
    }
}

/// Writes from when to when, with the day once if it is one, to the minute or as far as it takes to tell them apart.
pub fn times(start: i64, end: i64) -> String {
    let to = |at, length| moment(at).get(..length).unwrap_or_default().to_owned();
    let length = if to(start, 16) == to(end, 16) { 19 } else { 16 };
    let (first, last) = (to(start, length), to(end, length));
    match first == last {
        true => first,
        false if day(start) == day(end) => format!("{first} – {}", last.get(11..).unwrap_or_default()),
        false => format!("{first} – {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_record() {
        let at = Timestamp::parse("2025-01-23T10:02:03.5Z").unwrap().micros();
        assert_eq!(clock(at), "10:02:03");
        assert_eq!(day(at), "2025-01-23");
        assert!(moment(at).starts_with("2025-01-23 10:02:03.5"), "{}", moment(at));
    }

    #[test]
    fn spans_have_at_most_two_units() {
        let check = |micros: i64, wanted: &str| assert_eq!(span(micros), wanted);
        check(0, "0 µs");
        check(40_500, "40 ms");
        check(2_500_000, "2.5 s");
        check(12_900_000, "12 s");
        check(65_000_000, "1 min 5 s");
        check(3_600_000_000, "1 h");
        check(90_000_000_000, "1 d 1 h");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "message"), "1 message");
        assert_eq!(count(1_000, "message"), "1,000 messages");
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(1_450), "1.4 KB");
        assert_eq!(size(243_000_000), "243.0 MB");
    }

    #[test]
    fn a_day_is_named_once() {
        let at = |text: &str| Timestamp::parse(text).unwrap().micros();
        let start = at("2025-01-23T10:02:03Z");
        assert_eq!(times(start, at("2025-01-23T11:05:00Z")), "2025-01-23 10:02 – 11:05");
        assert_eq!(times(start, at("2025-01-24T11:05:00Z")), "2025-01-23 10:02 – 2025-01-24 11:05");
        assert_eq!(times(start, at("2025-01-23T10:02:09Z")), "2025-01-23 10:02:03 – 10:02:09");
        assert_eq!(times(start, start), "2025-01-23 10:02:03");
    }
}
