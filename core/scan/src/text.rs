//! Texts inside JSON, as they were meant.

use crate::fields::Value;
use crate::json::{self, StringScanner};
use crate::time;

/// Returns a text without its escapes. What is not a whole character becomes the mark for that.
pub fn unescape(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            out.push(byte);
            at += 1;
            continue;
        }
        let escaped = bytes.get(at + 1).copied().unwrap_or(b'\\');
        at += 2;
        let plain = match escaped {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'u' => {
                at += character(&bytes[at.min(bytes.len())..], &mut out);
                continue;
            }
            other => other,
        };
        out.push(plain);
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Writes the character that four digits stand for, or two times four, and tells how many bytes that took.
fn character(digits: &[u8], out: &mut Vec<u8>) -> usize {
    let four = |at: usize| {
        let text = digits.get(at..at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        text.and_then(|text| u32::from_str_radix(text, 16).ok())
    };
    let (code, taken) = match four(0) {
        Some(first @ 0xd800..0xdc00) => match four(6) {
            Some(second @ 0xdc00..0xe000) => (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 10),
            _ => (0xfffd, 4),
        },
        Some(code) => (code, 4),
        None => (0xfffd, digits.len().min(4)),
    };
    let shown = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
    taken
}

/// Shows each text that is a value, not a key, in an object or a list that is known to be whole; stops when told to.
pub fn texts_in(nested: &[u8], look: &mut dyn FnMut(Value<'_>) -> bool) -> bool {
    let mut record = StringScanner::new(nested);
    let mut at = record.next(0);
    while let Some(byte) = nested.get(at) {
        // Between texts there may be ends of lines.
        if *byte != b'"' {
            at = record.next(at + 1);
            continue;
        }
        let Ok((end, escaped)) = json::text(&mut record, at) else { return false };
        let inner = &nested[at + 1..end - 1];
        at = json::skip_blanks(nested, end);
        if nested.get(at) != Some(&b':') && look(if escaped { Value::Escaped(inner) } else { Value::Plain(inner) }) {
            return true;
        }
        at = record.next(at);
    }
    false
}

/// Reads a time in any of the ways that logs write one.
pub(crate) fn time_of(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Plain(text) => time::rfc3339(text.trim_ascii()).or_else(|| number(text)),
        Value::Escaped(text) => time::rfc3339(unescape(text).trim().as_bytes()),
        Value::Word(word) => number(word),
        // `{"$date": "…"}`, `{"$date": {"$numberLong": "…"}}`, `{"$date": 1768043000000}`
        Value::Nested(nested) => {
            let mut found = None;
            texts_in(nested, &mut |text| {
                found = time_of(text);
                true
            });
            let last = nested.rsplit(|byte| *byte == b':').next()?;
            let digits = last.split(|byte| *byte == b'}').next()?;
            found.or_else(|| number(digits.trim_ascii()))
        }
    }
}

fn number(text: &[u8]) -> Option<i64> {
    time::since_1970(std::str::from_utf8(text).ok()?.parse::<serde_json::Value>().ok()?.as_f64()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_serde_json_reads_them() {
        for text in [r"a\nb\t\r\b\f\/\\\u00e9", r"\ud83d\ude00!", "häß", r"\u0041\u2028"] {
            let quoted = format!("\"{text}\"");
            assert_eq!(unescape(text.as_bytes()), serde_json::from_str::<String>(&quoted).unwrap());
        }
        for broken in [r"\", r"\u", r"\u12", r"\ud800", r"\ud800\u0041", r"\udc00"] {
            unescape(broken.as_bytes());
        }
    }

    #[test]
    fn times_are_read_in_all_their_spellings() {
        let check = |value: Value<'_>| assert_eq!(time_of(value), Some(1_768_043_000_000_000), "{value:?}");
        check(Value::Plain(b"2026-01-10T11:03:20Z"));
        check(Value::Plain(b" 2026-01-10T11:03:20Z"));
        check(Value::Plain(b"1768043000"));
        check(Value::Word(b"1768043000.0"));
        check(Value::Nested(br#"{"$date": "2026-01-10T11:03:20Z"}"#));
        check(Value::Nested(br#"{"$date": {"$numberLong": "1768043000000"}}"#));
        check(Value::Nested(br#"{"$date": 1768043000000 }"#));
        for none in [Value::Plain(b"..."), Value::Word(b"null"), Value::Word(b"7"), Value::Nested(b"[]")] {
            assert_eq!(time_of(none), None, "{none:?}");
        }
    }

    #[test]
    fn keys_are_not_texts() {
        let mut found = Vec::new();
        texts_in(br#"{"a": "b", "c": ["d", {"e" : "f\n"}], "g": 1}"#, &mut |text| {
            found.push(format!("{text:?}"));
            false
        });
        assert_eq!(found.len(), 3);
    }
}
