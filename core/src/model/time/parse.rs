//! Reading spans as people write them.

/// Reads a span in microseconds: `90`, `1.5` (seconds), `2h`, `1h 30m`, `3 days`.
pub(super) fn span(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let mut total = 0.0;
    let mut bare = true;
    while !rest.is_empty() {
        let number_len = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let number = decimal(&rest[..number_len])?;
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

/// Reads a number without sign and exponent, exactly up to fifteen digits. What reads every number that there is would be
/// fifteen times as long as the rest of this file.
fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.contains('.') || text.len() < 1 + usize::from(text.contains('.')) {
        return None;
    }
    let digits = whole.bytes().chain(part.bytes());
    let number = digits.fold(0.0, |number, digit| number * 10.0 + f64::from(digit - b'0'));
    Some(number / part.bytes().fold(1.0, |scale, _| scale * 10.0))
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
