//! Going over one JSON object: is it whole, where does it end, and where are the fields that count?
//!
//! What passes here is exactly what `serde_json` reads, which parses a row when it is shown: a test holds one against
//! the other.

mod string_scanner;

pub(crate) use string_scanner::StringScanner;

use crate::fields::Fields;

/// Why bytes are not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanError {
    /// The fault.
    pub what: &'static str,
    /// Where it shows, seen from the first byte.
    pub at: usize,
    /// Whether more bytes could make it right.
    pub incomplete: bool,
}

/// How deep objects and lists may lie in each other.
const DEPTH: u32 = 127;

/// Scans the object that `bytes` begin with, and tells how long it is.
pub fn scan_object(bytes: &[u8], fields: &mut Fields) -> Result<usize, ScanError> {
    fields.clear();
    if bytes.first() != Some(&b'{') {
        return Err(wrong("it is not a JSON object", 0));
    }
    let mut at = skip_blanks(bytes, 1);
    if bytes.get(at) == Some(&b'}') {
        return Ok(at + 1);
    }
    let mut record = StringScanner::new(bytes);
    loop {
        let key = string(&mut record, at)?;
        let name = &bytes[at + 1..key.end - 1];
        at = colon(bytes, key.end)?;
        let start = at;
        let (end, escaped) = if bytes.get(at) == Some(&b'"') {
            let text = string(&mut record, at)?;
            (text.end, text.escaped)
        } else {
            (value(&mut record, at)?, false)
        };
        fields.note(name, start, end, escaped);
        at = skip_blanks(bytes, end);
        match bytes.get(at) {
            Some(b',') => at = skip_blanks(bytes, at + 1),
            Some(b'}') => return Ok(at + 1),
            Some(_) => return Err(wrong("a comma or } is missing", at)),
            None => return Err(short(at)),
        }
    }
}

/// Scans a value of any kind and tells where it ends.
fn value(record: &mut StringScanner<'_>, at: usize) -> Result<usize, ScanError> {
    let bytes = record.bytes;
    match bytes.get(at) {
        Some(b'"') => string(record, at).map(|text| text.end),
        Some(b'{' | b'[') => nested(record, at),
        Some(b't') => word(bytes, at, b"true"),
        Some(b'f') => word(bytes, at, b"false"),
        Some(b'n') => word(bytes, at, b"null"),
        Some(b'-' | b'0'..=b'9') => number(bytes, at),
        Some(_) => Err(wrong("a value is missing", at)),
        None => Err(short(at)),
    }
}

/// Scans an object or a list with all that is in it, without calling itself: depth is data, and not ours to choose.
fn nested(record: &mut StringScanner<'_>, mut at: usize) -> Result<usize, ScanError> {
    let bytes = record.bytes;
    // The kinds of all that is open, the innermost last: one is an object.
    let mut open: u128 = 0;
    // The record itself is the first level.
    let mut depth: u32 = 1;
    loop {
        // At a value.
        at = match bytes.get(at) {
            Some(&bracket @ (b'{' | b'[')) => {
                depth += 1;
                if depth > DEPTH {
                    return Err(wrong("it is nested too deep", at));
                }
                let object = bracket == b'{';
                open = open << 1 | u128::from(object);
                at = skip_blanks(bytes, at + 1);
                match bytes.get(at) {
                    Some(b'}') if object => close(&mut open, &mut depth, at),
                    Some(b']') if !object => close(&mut open, &mut depth, at),
                    Some(_) if object => {
                        at = colon(bytes, string(record, at)?.end)?;
                        continue;
                    }
                    Some(_) => continue,
                    None => return Err(short(at)),
                }
            }
            _ => value(record, at)?,
        };
        // Behind a value.
        loop {
            if depth == 1 {
                return Ok(at);
            }
            at = skip_blanks(bytes, at);
            let object = open & 1 == 1;
            match bytes.get(at) {
                Some(b',') => {
                    at = skip_blanks(bytes, at + 1);
                    if object {
                        at = colon(bytes, string(record, at)?.end)?;
                    }
                    break;
                }
                Some(b'}') if object => at = close(&mut open, &mut depth, at),
                Some(b']') if !object => at = close(&mut open, &mut depth, at),
                Some(_) => return Err(wrong("a comma or a bracket is missing", at)),
                None => return Err(short(at)),
            }
        }
    }
}

fn close(open: &mut u128, depth: &mut u32, at: usize) -> usize {
    *open >>= 1;
    *depth -= 1;
    at + 1
}

/// Scans the colon behind a key, to the value.
#[inline]
fn colon(bytes: &[u8], at: usize) -> Result<usize, ScanError> {
    let at = skip_blanks(bytes, at);
    match bytes.get(at) {
        Some(b':') => Ok(skip_blanks(bytes, at + 1)),
        Some(_) => Err(wrong("a colon is missing", at)),
        None => Err(short(at)),
    }
}

#[inline]
pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Scans a text with its quotes: where it ends, and whether it has escapes.
pub(crate) fn text(record: &mut StringScanner<'_>, start: usize) -> Result<(usize, bool), ScanError> {
    any_string(record, start).map(|text| (text.end, text.escaped))
}

struct Text {
    end: usize,
    escaped: bool,
}

/// Scans a text with its quotes. Nearly always it is plain up to the second one.
#[inline(always)]
fn string(record: &mut StringScanner<'_>, start: usize) -> Result<Text, ScanError> {
    let first = record.next(start + 1);
    if let (Some(b'"'), Some(b'"')) = (record.bytes.get(start), record.bytes.get(first)) {
        return Ok(Text { end: first + 1, escaped: false });
    }
    any_string(record, start)
}

/// Scans a text whatever is in it. Compiled once, where [`string`] is everywhere.
#[inline(never)]
fn any_string(record: &mut StringScanner<'_>, start: usize) -> Result<Text, ScanError> {
    let bytes = record.bytes;
    match bytes.get(start) {
        Some(b'"') => {}
        Some(_) => return Err(wrong("a text in quotes is missing", start)),
        None => return Err(short(start)),
    }
    let mut at = start + 1;
    let (mut escaped, mut foreign) = (false, false);
    loop {
        at = record.next(at);
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => {
                escaped = true;
                at = escape(bytes, at)?;
            }
            Some(0x80..) => {
                foreign = true;
                at += 1;
            }
            Some(_) => return Err(wrong("a control character stands in a text", at)),
            None => return Err(short(at)),
        }
    }
    if foreign && let Err(error) = std::str::from_utf8(&bytes[start + 1..at]) {
        return Err(wrong("it is not UTF-8", start + 1 + error.valid_up_to()));
    }
    Ok(Text { end: at + 1, escaped })
}

/// Scans an escape.
fn escape(bytes: &[u8], at: usize) -> Result<usize, ScanError> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let first = hex(bytes, at + 2)?;
            match first {
                0xdc00..=0xdfff => Err(wrong("half a character is escaped", at)),
                0xd800..=0xdbff => match (bytes.get(at + 6), bytes.get(at + 7)) {
                    (Some(b'\\'), Some(b'u')) if (0xdc00..=0xdfff).contains(&hex(bytes, at + 8)?) => Ok(at + 12),
                    (None, _) | (Some(b'\\'), None) => Err(short(bytes.len())),
                    _ => Err(wrong("half a character is escaped", at)),
                },
                _ => Ok(at + 6),
            }
        }
        Some(_) => Err(wrong("an escape is unknown", at)),
        None => Err(short(at + 1)),
    }
}

fn hex(bytes: &[u8], at: usize) -> Result<u32, ScanError> {
    let mut number = 0;
    for place in at..at + 4 {
        let Some(digit) = bytes.get(place) else { return Err(short(place)) };
        let Some(value) = (*digit as char).to_digit(16) else { return Err(wrong("an escape is unknown", place)) };
        number = (number << 4) | value;
    }
    Ok(number)
}

fn word(bytes: &[u8], at: usize, wanted: &[u8]) -> Result<usize, ScanError> {
    let found = &bytes[at..bytes.len().min(at + wanted.len())];
    if found == wanted {
        Ok(at + wanted.len())
    } else if wanted.starts_with(found) {
        Err(short(bytes.len()))
    } else {
        Err(wrong("a value is missing", at))
    }
}

/// Scans a number.
fn number(bytes: &[u8], start: usize) -> Result<usize, ScanError> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let some_digits = |at: usize| match digits(at) {
        end if end > at => Ok(end),
        _ if at >= bytes.len() => Err(short(at)),
        _ => Err(wrong("a number is not one", start)),
    };
    let whole = start + usize::from(bytes[start] == b'-');
    let mut at = some_digits(whole)?;
    if bytes[whole] == b'0' && at > whole + 1 {
        return Err(wrong("a number begins with zero", start));
    }
    if bytes.get(at) == Some(&b'.') {
        at = some_digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at = some_digits(at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-'))))?;
    }
    // A long number may be too large to be one; the short ones are all right.
    let text = std::str::from_utf8(&bytes[start..at]).unwrap_or_default();
    let suspect = at - whole > 300 || text.contains(['e', 'E']);
    let too_large = suspect && text.parse::<serde_json::Value>().is_err();
    if too_large { Err(wrong("a number is too large", start)) } else { Ok(at) }
}

fn wrong(what: &'static str, at: usize) -> ScanError {
    ScanError { what, at, incomplete: false }
}

fn short(at: usize) -> ScanError {
    ScanError { what: "it ends too early", at, incomplete: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Describes what serde_json makes of an object that a text begins with.
    fn serde(bytes: &[u8]) -> Option<usize> {
        let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter::<serde_json::Value>();
        match stream.next() {
            Some(Ok(value)) if value.is_object() => Some(stream.byte_offset()),
            _ => None,
        }
    }

    fn check(bytes: &[u8]) {
        let ours = scan_object(bytes, &mut Fields::default()).ok();
        assert_eq!(ours, serde(bytes), "{:?}", String::from_utf8_lossy(bytes));
    }

    const SAMPLES: [&str; 22] = [
        "{}",
        r#"{ "a" : [ ] , "b":{ } } "#,
        r#"{"timestamp":"2025-01-23T10:00:00Z","from":"a","n":[1,-2.5e3,0,0.1,1E+2],"t":true,"f":false,"z":null}"#,
        r#"{"text":"häßlich \u00e9 \ud83d\ude00 \n \" \\ \/ \b"}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":"\udc00\ud800"}"#,
        r#"{"a":"\ud800x"}"#,
        r#"{"a":"\x"}"#,
        r#"{"a":01}"#,
        r#"{"a":1.}"#,
        r#"{"a":-}"#,
        r#"{"a":1e999}"#,
        r#"{"a":1e-999}"#,
        r#"{"a":[1,]}"#,
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{a:1}"#,
        r#"{"a":tru}"#,
        r#"{"a":[{"b":[{"c":"d"}]}]}{"next":1}"#,
        "{\"a\":\"b\u{2028}c\"}",
        "{\"a\":\"b\u{0}c\"}",
        "{\"a\":\"b\tc\"}",
    ];

    #[test]
    fn scanner_accepts_what_serde_json_reads() {
        for sample in SAMPLES {
            for end in 0..=sample.len() {
                check(&sample.as_bytes()[..end]);
            }
            check(format!(r#"{{"wrapped":{sample}}}"#).as_bytes());
        }
        for depth in 120..135 {
            check(format!(r#"{{"a":{}1{}}}"#, "[".repeat(depth), "]".repeat(depth)).as_bytes());
            check(format!(r#"{}1{}"#, r#"{"a":"#.repeat(depth), "}".repeat(depth)).as_bytes());
        }
        check(format!(r#"{{"a":{}}}"#, "9".repeat(400)).as_bytes());
        check(format!(r#"{{"a":0.{}}}"#, "9".repeat(400)).as_bytes());
    }

    #[test]
    fn changed_samples_pass_exactly_when_serde_json_reads_them() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        const BYTES: &[u8] = b"{}[]\",:\\u0e.-1 tfn\x00\x1f\x80\xc3\xa4\xff\n";
        for _ in 0..200_000 {
            let mut bytes = SAMPLES[next(SAMPLES.len())].as_bytes().to_vec();
            for _ in 0..=next(3) {
                let place = next(bytes.len());
                match next(3) {
                    0 => bytes[place] = BYTES[next(BYTES.len())],
                    1 => bytes.insert(place, BYTES[next(BYTES.len())]),
                    _ => drop(bytes.remove(place)),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            if bytes.starts_with(b"{") {
                check(&bytes);
            }
        }
    }

    #[test]
    fn a_prefix_of_a_record_is_incomplete_and_nothing_else_is() {
        let record = SAMPLES[3].as_bytes();
        for end in 1..record.len() {
            let fault = scan_object(&record[..end], &mut Fields::default()).unwrap_err();
            // Half a character of several bytes looks like damage only when the text has ended.
            assert!(fault.incomplete, "{end}: {fault:?}");
        }
        assert!(!scan_object(br#"{"a" 1"#, &mut Fields::default()).unwrap_err().incomplete);
    }
}
