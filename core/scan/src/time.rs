//! Times as logs write them.

mod civil;

pub use civil::Civil;

/// Reads whole numbers and marks off the front of a text.
struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
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
    let mut reader = Reader { rest: text };
    let civil = reader.date_and_time(b"-", b"Tt ", b":")?;
    let micros = if reader.mark(b".").is_some() { reader.micros()? } else { 0 };
    let offset = reader.offset()?;
    reader.rest.is_empty().then(|| (civil.seconds() - offset) * 1_000_000 + micros)
}

/// Reads `20251129_143052` as seconds since 1970.
pub fn compact(text: &[u8]) -> Option<i64> {
    let mut reader = Reader { rest: text };
    let civil = reader.date_and_time(&[], b"_", &[])?;
    reader.rest.is_empty().then(|| civil.seconds())
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
