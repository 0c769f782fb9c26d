//! Values inside a record, found without building them.

use std::borrow::Cow;

use crate::json::skip_blanks;
use crate::text::unescape;

/// A JSON value as it is written.
///
/// For bytes that were scanned before: of others it finds something or nothing, and never panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawJson<'b>(&'b [u8]);

impl<'b> RawJson<'b> {
    /// Takes the value that bytes begin with; blanks before it are left out.
    pub fn new(bytes: &'b [u8]) -> Self {
        let start = skip_blanks(bytes, 0);
        Self(&bytes[start..value_end(bytes, start)])
    }

    /// Takes bytes that are a value and nothing else.
    pub(crate) const fn of_value(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the value.
    pub const fn bytes(self) -> &'b [u8] {
        self.0
    }

    /// Iterates over the members of an object: keys as they are written, without their quotes.
    pub fn members(self) -> impl Iterator<Item = (&'b [u8], Self)> {
        let bytes = if self.is_object() { self.0 } else { &[] };
        let mut at = 1;
        std::iter::from_fn(move || {
            let start = next_item(bytes, at)?;
            let key_end = value_end(bytes, start);
            let key = bytes.get(start + 1..key_end.checked_sub(1)?)?;
            let colon = skip_blanks(bytes, key_end);
            let value = skip_blanks(bytes, colon + 1);
            let end = value_end(bytes, value);
            at = end;
            Some((key, Self(bytes.get(value..end)?)))
        })
    }

    /// Iterates over the elements of a list.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        let bytes = if self.is_list() { self.0 } else { &[] };
        let mut at = 1;
        std::iter::from_fn(move || {
            let start = next_item(bytes, at)?;
            at = value_end(bytes, start);
            Some(Self(&bytes[start..at]))
        })
    }

    /// Returns the first member with a key.
    pub fn get(self, key: &str) -> Option<Self> {
        self.members().find(|(name, _)| *name == key.as_bytes()).map(|(_, value)| value)
    }

    /// Returns the value that keys lead to.
    pub fn at(self, keys: &[&str]) -> Option<Self> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// Returns the text of a string.
    pub fn text(self) -> Option<Cow<'b, str>> {
        let [b'"', inner @ .., b'"'] = self.0 else { return None };
        if memchr::memchr(b'\\', inner).is_some() {
            return Some(Cow::Owned(unescape(inner)));
        }
        // Nearly always it is text; what is made of other bytes takes them one by one.
        Some(std::str::from_utf8(inner).map_or_else(|_| String::from_utf8_lossy(inner), Cow::Borrowed))
    }

    /// Returns the text that a string begins with, of a number of bytes of it as it is written, or a few more.
    pub fn text_start(self, length: usize) -> Option<Cow<'b, str>> {
        let [b'"', inner @ .., b'"'] = self.0 else { return None };
        if inner.len() <= length {
            return self.text();
        }
        // An escape that is cut becomes something else, which is why a text is not cut where one may be.
        let cut = inner[length..].iter().position(|byte| byte.is_ascii_whitespace() || *byte >= 0xc0);
        Some(Cow::Owned(unescape(&inner[..cut.map_or(inner.len(), |more| length + more)])))
    }

    /// Returns the key of an object's first member, as it is written.
    pub fn first_key(self) -> Option<&'b [u8]> {
        let start = if self.is_object() { next_item(self.0, 1)? } else { return None };
        self.0.get(start + 1..string_end(self.0, start).checked_sub(1)?)
    }

    /// Returns whether it is a string with at least one character other than a blank.
    pub fn has_text(self) -> bool {
        matches!(self.0, [b'"', inner @ .., b'"'] if !inner.trim_ascii().is_empty())
    }

    /// Returns a number that is not negative, also one in a string.
    pub fn number(self) -> Option<u64> {
        let digits = self.0.trim_ascii();
        let digits = digits.strip_prefix(b"\"").unwrap_or(digits);
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&digits[..length]).ok()?.parse().ok()
    }

    /// Returns whether it is `true`.
    pub fn is_true(self) -> bool {
        self.0 == b"true"
    }

    /// Returns whether it is an object.
    pub fn is_object(self) -> bool {
        self.0.first() == Some(&b'{')
    }

    /// Returns whether it is a list.
    pub fn is_list(self) -> bool {
        self.0.first() == Some(&b'[')
    }

    /// Returns whether it is a string.
    pub fn is_string(self) -> bool {
        self.0.first() == Some(&b'"')
    }
}

/// Returns where the next member or element begins; none at the end.
fn next_item(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = skip_blanks(bytes, at);
    if bytes.get(at) == Some(&b',') {
        at = skip_blanks(bytes, at + 1);
    }
    match bytes.get(at) {
        None | Some(b'}' | b']' | b',' | b':') => None,
        Some(_) => Some(at),
    }
}

/// Returns where the value at a place ends.
fn value_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        None => bytes.len(),
        Some(b'"') => string_end(bytes, at),
        Some(b'{' | b'[') => nested_end(bytes, at),
        Some(_) => {
            let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b':' | b' ' | b'\n' | b'\t' | b'\r');
            // Something is taken in any case, so that nobody waits for the end.
            (at + 1).max(bytes[at..].iter().position(is_end).map_or(bytes.len(), |length| at + length))
        }
    }
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut from = start + 1;
    while let Some(quote) = next_quote(bytes, from) {
        let backslashes = bytes[start + 1..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return quote + 1;
        }
        from = quote + 1;
    }
    bytes.len()
}

/// How many bytes are looked at one by one: most strings are short, and a search takes a while to begin.
const NEAR: usize = 24;

/// Finds the next quote.
#[inline]
fn next_quote(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let near = &rest[..rest.len().min(NEAR)];
    if let Some(length) = near.iter().position(|byte| *byte == b'"') {
        return Some(from + length);
    }
    let far = from + near.len();
    memchr::memchr(b'"', &rest[near.len()..]).map(|length| far + length)
}

fn nested_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_keys() {
        let check = |json: &str, keys: &[&str], wanted: Option<&str>| {
            let found =
                RawJson::new(json.as_bytes()).at(keys).map(|value| String::from_utf8_lossy(value.bytes()).into_owned());
            assert_eq!(found.as_deref(), wanted, "{json} {keys:?}");
        };
        check(r#"{"a":1,"b":{"c":[2,{"d":3}]}}"#, &["b", "c"], Some(r#"[2,{"d":3}]"#));
        check(r#" { "a" : "x\"}" , "b" : true } "#, &["b"], Some("true"));
        check(r#"{"a":"\\","b":"]"}"#, &["b"], Some(r#""]""#));
        check(r#"{"a":{}}"#, &["a", "b"], None);
        check(r#"["a"]"#, &["a"], None);
        check(r#"{"a""#, &["a"], None);
    }

    #[test]
    fn elements_texts_and_numbers_are_read() {
        let list: Vec<_> = RawJson::new(br#"[1, "a\n\u0021", [], {}, null]"#).elements().collect();
        assert_eq!(list.len(), 5);
        assert_eq!((list[0].number(), list[1].text().as_deref()), (Some(1), Some("a\n!")));
        assert_eq!((list[2].text(), list[4].number(), list[4].is_true()), (None, None, false));
        assert_eq!(RawJson::new(br#""1751247501952174000""#).number(), Some(1_751_247_501_952_174_000));
        let start = |json: &'static str, length| RawJson::new(json.as_bytes()).text_start(length).unwrap_or_default();
        assert_eq!(
            (start(r#""a\nb c""#, 2), start(r#""ä b""#, 1), start(r#""a""#, 9)),
            ("a\nb".into(), "ä".into(), "a".into())
        );
        let first_key = |json: &'static str| RawJson::new(json.as_bytes()).first_key();
        assert_eq!(
            (first_key(r#"{ "a\"b":1}"#), first_key("{}"), first_key("[1]")),
            (Some(&br#"a\"b"#[..]), None, None)
        );
        assert!(RawJson::new(br#""x""#).has_text() && !RawJson::new(br#"" ""#).has_text());
    }

    #[test]
    fn no_bytes_make_it_panic_or_go_on_forever() {
        let json = br#"{"a":[1,"b\\\"",{"c":null}],"d":-1.5e3}"#;
        for place in 0..json.len() {
            for byte in *b"\"\\{}[],: \x00x" {
                let mut other = json.to_vec();
                other[place] = byte;
                for bytes in [&other[..], &other[..place]] {
                    let value = RawJson::new(bytes);
                    assert!(value.members().count() + value.elements().count() <= bytes.len());
                }
            }
        }
    }
}
