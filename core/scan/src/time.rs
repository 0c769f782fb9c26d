//! Times as logs write them.

mod civil;

use civil::Civil;

/// Reads whole numbers and marks off the front of a text.
struct TimeParser<'t> {
    rest: &'t [u8],
}

impl TimeParser<'_> {
    /// Takes exactly `len` digits.
    fn digits(&mut self, len: usize) -> Option<i64> {
        let (digits, rest) = self.rest.split_at_checked(len)?;
        let mut number = 0;
        for digit in digits {
            let value = digit.wrapping_sub(b'0');
            if value > 9 {
                return None;
            }
            number = number * 10 + i64::from(value);
        }
        self.rest = rest;
        Some(number)
    }

    /// Takes one of some characters.
    fn mark(&mut self, marks: &[u8]) -> Option<u8> {
        let (found, rest) = self.rest.split_first()?;
        if !marks.contains(found) {
            return None;
        }
        self.rest = rest;
        Some(*found)
    }

    /// Takes as many digits as there are, as a fraction in microseconds.
    fn micros(&mut self) -> Option<i64> {
        let len = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(len);
        self.rest = rest;
        let six = digits.iter().map(|digit| i64::from(digit - b'0')).chain([0; 6]).take(6);
        (len > 0).then(|| six.fold(0, |micros, digit| micros * 10 + digit))
    }

    /// Takes `Z` or an offset, in seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.mark(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.digits(2)?;
        self.mark(b":");
        let minutes = self.digits(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
    }

    /// Takes digits and, unless there are none to take, a mark after them.
    fn part(&mut self, len: usize, marks: &[u8]) -> Option<i64> {
        let number = self.digits(len)?;
        if !marks.is_empty() {
            self.mark(marks)?;
        }
        Some(number)
    }

    fn date_and_time(&mut self, date_mark: &[u8], between: &[u8], time_mark: &[u8]) -> Option<Civil> {
        let (year, month) = (self.part(4, date_mark)?, self.part(2, date_mark)?);
        let (day, hour) = (self.part(2, between)?, self.part(2, time_mark)?);
        let (minute, second) = (self.part(2, time_mark)?, self.part(2, &[])?);
        Civil { year, month, day, hour, minute, second }.checked()
    }
}

/// Reads an RFC 3339 time as microseconds since 1970.
pub fn rfc3339(text: &[u8]) -> Option<i64> {
    let mut parser = TimeParser { rest: text };
    let civil = parser.date_and_time(b"-", b"Tt ", b":")?;
    let micros = if parser.mark(b".").is_some() { parser.micros()? } else { 0 };
    let offset = parser.offset()?;
    parser.rest.is_empty().then(|| (civil.seconds() - offset) * 1_000_000 + micros)
}

/// Reads `20251129_143052` as seconds since 1970.
pub fn compact(text: &[u8]) -> Option<i64> {
    let mut parser = TimeParser { rest: text };
    let civil = parser.date_and_time(&[], b"_", &[])?;
    parser.rest.is_empty().then(|| civil.seconds())
}

/// Takes a number for seconds, milliseconds, microseconds or nanoseconds since 1970, by its size, and gives microseconds.
///
/// A number that would be a time before 1973 or after 5138 is none: logs count other things too.
pub fn since_1970(number: f64) -> Option<i64> {
    const FIRST: f64 = 1e8;
    let scales = [1e6, 1e3, 1.0, 1e-3];
    let sizes = [1.0, 1e3, 1e6, 1e9];
    let scale = scales.iter().zip(sizes).find(|(_, size)| number >= FIRST * size && number < FIRST * size * 1e3);
    scale.map(|(scale, _)| (number * scale) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that may be a time, made of random parts, of which some are a little too large or too small.
    fn random_time(next: &mut dyn FnMut(i64) -> i64) -> String {
        let [month, day, hour, minute, second] = [14, 33, 26, 62, 62].map(&mut *next);
        // Jiff has no times in the last days of 9999 that an offset could move out of its calendar.
        let mut text = format!("{:04}-{month:02}-{day:02}{}", next(9999), ["T", "t", " "][next(3) as usize]);
        text += &format!("{hour:02}:{minute:02}:{second:02}");
        // Jiff reads up to nine digits.
        let digits = next(10) as usize;
        if digits > 0 {
            text += &format!(".{:0digits$}", next(10_i64.pow(digits as u32)));
        }
        match next(4) {
            0 => text + "Z",
            1 => text + "z",
            colon => {
                let (sign, colon) = (if next(2) == 0 { '+' } else { '-' }, if colon == 2 { ":" } else { "" });
                text + &format!("{sign}{:02}{colon}{:02}", next(25), next(61))
            }
        }
    }

    /// Jiff's answer. It also reads offsets of up to 25 hours, which RFC 3339 does not have.
    fn by_jiff(text: &str) -> Option<i64> {
        let at: jiff::Timestamp = text.parse().ok()?;
        let is_too_far = ["+24", "-24"].iter().any(|hours| text[19..].contains(hours));
        (!is_too_far).then(|| at.as_nanosecond().div_euclid(1000) as i64)
    }

    #[test]
    fn times_are_read_as_jiff_reads_them() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |below: i64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as i64
        };
        let mut valid = 0;
        for _ in 0..100_000 {
            let text = random_time(&mut next);
            let read = rfc3339(text.as_bytes());
            assert_eq!(read, by_jiff(&text), "{text}");
            valid += u32::from(read.is_some());
        }
        assert!(valid > 10_000, "{valid}");
    }

    #[test]
    fn numbers_are_times_by_their_size() {
        for number in [1_737_626_400.0, 1_737_626_400e3, 1_737_626_400e6, 1_737_626_400e9] {
            assert_eq!(since_1970(number), Some(1_737_626_400_000_000), "{number}");
        }
        for number in [0.0, 7.0, -1.0, 1e7, 1e21, f64::NAN, f64::INFINITY] {
            assert_eq!(since_1970(number), None, "{number}");
        }
    }
}
