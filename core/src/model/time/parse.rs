//! Reading times and spans as people and protocols write them.

use super::civil::Civil;

/// Reads whole numbers and marks off the front of a text.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// Takes exactly `len` digits.
    fn digits(&mut self, len: usize) -> Option<i64> {
        let digits = self.rest.get(..len)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.rest = &self.rest[len..];
        digits.parse().ok()
    }

    /// Takes one of some characters.
    fn mark(&mut self, marks: &[char]) -> Option<char> {
        let found = self.rest.chars().next().filter(|found| marks.contains(found))?;
        self.rest = &self.rest[found.len_utf8()..];
        Some(found)
    }

    /// Takes as many digits as there are, as a fraction in microseconds.
    fn micros(&mut self) -> Option<i64> {
        let len = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &self.rest[..len];
        self.rest = &self.rest[len..];
        let six: String = digits.chars().chain("000000".chars()).take(6).collect();
        if len == 0 { None } else { six.parse().ok() }
    }

    /// Takes `Z` or an offset, in seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.mark(&['Z', 'z', '+', '-'])? {
            '+' => 1,
            '-' => -1,
            _ => return Some(0),
        };
        let hours = self.digits(2)?;
        self.mark(&[':']);
        let minutes = self.digits(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
    }

    fn date_and_time(&mut self, date_mark: &[char], between: &[char], time_mark: &[char]) -> Option<Civil> {
        let part = |reader: &mut Self, len: usize, mark: &[char]| -> Option<i64> {
            let number = reader.digits(len)?;
            if !mark.is_empty() {
                reader.mark(mark)?;
            }
            Some(number)
        };
        let (year, month) = (part(self, 4, date_mark)?, part(self, 2, date_mark)?);
        let (day, hour) = (part(self, 2, between)?, part(self, 2, time_mark)?);
        let (minute, second) = (part(self, 2, time_mark)?, part(self, 2, &[])?);
        Civil { year, month, day, hour, minute, second }.checked()
    }
}

/// Reads an RFC 3339 time as microseconds since 1970.
pub(super) fn rfc3339(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text };
    let civil = reader.date_and_time(&['-'], &['T', 't', ' '], &[':'])?;
    let micros = if reader.mark(&['.']).is_some() { reader.micros()? } else { 0 };
    let offset = reader.offset()?;
    reader.rest.is_empty().then(|| (civil.seconds() - offset) * 1_000_000 + micros)
}

/// Reads `20251129_143052` as seconds since 1970.
pub(super) fn compact(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text };
    let civil = reader.date_and_time(&[], &['_'], &[])?;
    reader.rest.is_empty().then(|| civil.seconds())
}

/// Reads a span in microseconds: `90`, `1.5` (seconds), `2h`, `1h 30m`, `3 days`.
pub(super) fn span(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let mut total = 0.0;
    let mut bare = true;
    while !rest.is_empty() {
        let number_len = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let number: f64 = rest[..number_len].parse().ok()?;
        rest = rest[number_len..].trim_start();
        let unit_len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = &rest[..unit_len];
        if unit.is_empty() && !(bare && rest.is_empty()) {
            return None;
        }
        total += number * seconds_of(unit)?;
        rest = rest[unit_len..].trim_start();
        bare = false;
    }
    let micros = total * 1e6;
    (!bare && micros <= i64::MAX as f64).then_some(micros as i64)
}

fn seconds_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        // A day is 24 hours here: agents' clocks are UTC.
        "d" | "day" | "days" => 86_400.0,
        "w" | "week" | "weeks" => 604_800.0,
        _ => return None,
    })
}
