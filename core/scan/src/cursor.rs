//! Going over a value once, from its beginning to its end.

mod quotes;

use crate::json::skip_blanks;
use crate::raw::RawJson;
use quotes::QuoteFinder;

/// A place in a value that only goes forward: no byte is looked at twice, however deep what is wanted lies.
///
/// For bytes that were scanned before: of others it finds something or nothing, and never panics.
pub struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
    quotes: QuoteFinder<'b>,
}

impl<'b> Cursor<'b> {
    /// Creates a cursor at the beginning of a value.
    pub fn new(value: RawJson<'b>) -> Self {
        let bytes = value.bytes();
        Self { bytes, at: 0, quotes: QuoteFinder::new(bytes) }
    }

    /// Returns the first byte of the value that the cursor is at.
    pub fn first_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Shows each member of the object that the cursor is at: its key, as it is written, and the cursor at its value.
    ///
    /// # Behavior
    /// - A value that is not gone over meanwhile is skipped, and so is what is no object.
    #[inline]
    pub fn members(&mut self, mut show: impl FnMut(&mut Self, &'b [u8])) {
        if self.first_byte() != Some(b'{') {
            self.skip();
            return;
        }
        self.items(|cursor| {
            let start = cursor.at;
            cursor.skip();
            let key = cursor.bytes.get(start + 1..cursor.at - 1).unwrap_or_default();
            let colon = skip_blanks(cursor.bytes, cursor.at);
            if cursor.bytes.get(colon) == Some(&b':') {
                cursor.at = skip_blanks(cursor.bytes, colon + 1);
                show(cursor, key);
            }
        });
    }

    /// Shows the cursor at each element of the list that it is at.
    ///
    /// # Behavior
    /// - An element that is not gone over meanwhile is skipped, and so is what is no list.
    #[inline]
    pub fn elements(&mut self, mut show: impl FnMut(&mut Self)) {
        if self.first_byte() != Some(b'[') {
            self.skip();
            return;
        }
        self.items(|cursor| show(cursor));
    }

    #[inline]
    fn items(&mut self, mut show: impl FnMut(&mut Self)) {
        self.at += 1;
        loop {
            self.at = skip_blanks(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}' | b']') => {
                    self.at += 1;
                    return;
                }
                None => return,
                Some(_) => {
                    let before = self.at;
                    show(self);
                    // Whoever goes over a value leaves the cursor behind it, at what holds values together.
                    let is_behind = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\t' | b'\r');
                    if self.at == before || !self.bytes.get(self.at).is_none_or(is_behind) {
                        self.skip();
                    }
                }
            }
        }
    }

    /// Takes the value that the cursor is at.
    pub fn value(&mut self) -> RawJson<'b> {
        let start = self.at;
        self.skip();
        RawJson::of_value(self.bytes.get(start..self.at).unwrap_or_default())
    }

    /// Goes behind the value that the cursor is at; forward in any case, unless at the end.
    fn skip(&mut self) {
        match self.first_byte() {
            None => {}
            Some(b'"') => self.skip_string(),
            Some(b'{' | b'[') => self.skip_nested(),
            Some(_) => {
                let rest = &self.bytes[self.at + 1..];
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b':' | b' ' | b'\n' | b'\t' | b'\r');
                self.at += 1 + rest.iter().position(is_end).unwrap_or(rest.len());
            }
        }
    }

    #[inline]
    fn skip_string(&mut self) {
        self.at = (self.quotes.next(self.at + 1) + 1).min(self.bytes.len());
    }

    fn skip_nested(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.skip_string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists what a value consists of, each object and list gone into.
    fn shown(cursor: &mut Cursor<'_>, out: &mut String, depth: usize) {
        match cursor.first_byte() {
            Some(b'{') if depth < 4 => cursor.members(|cursor, key| {
                out.push_str(&format!("{}:", String::from_utf8_lossy(key)));
                shown(cursor, out, depth + 1);
            }),
            Some(b'[') if depth < 4 => cursor.elements(|cursor| shown(cursor, out, depth + 1)),
            _ => {
                let value = cursor.value();
                out.push_str(&format!("{} ", String::from_utf8_lossy(value.bytes())));
            }
        }
    }

    #[test]
    fn values_are_shown_in_their_order() {
        let check = |json: &str, wanted: &str| {
            let mut out = String::new();
            shown(&mut Cursor::new(RawJson::new(json.as_bytes())), &mut out, 0);
            assert_eq!(out, wanted, "{json}");
        };
        check(r#"{"a":1,"b":{"c":[2,{"d":true}]},"e":"x"}"#, r#"a:1 b:c:2 d:true e:"x" "#);
        check(r#" { "a" : "x\"}" , "b" : [ ] , "c":{}} "#, r#"a:"x\"}" b:c:"#);
        check(r#"["\\","]",-1.5e3,null]"#, r#""\\" "]" -1.5e3 null "#);
        let long = format!(r#"{{"a":"{}","b":"{}\\"}}"#, r#"\\\""#.repeat(100), "x".repeat(200));
        check(&long, &format!(r#"a:"{}" b:"{}\\" "#, r#"\\\""#.repeat(100), "x".repeat(200)));
    }

    #[test]
    fn values_that_are_left_are_skipped() {
        let json = RawJson::new(br#"{"a":{"b":[1,"]}"]},"c":[[2],{}],"d":"e"}"#);
        let mut keys = Vec::new();
        Cursor::new(json).members(|cursor, key| {
            keys.push(key);
            if key == b"c" {
                let mut count = 0;
                cursor.elements(|_| count += 1);
                assert_eq!(count, 2);
            }
        });
        assert_eq!(keys, [b"a", b"c", b"d"]);
    }

    #[test]
    fn no_bytes_make_it_panic_or_go_on_forever() {
        let json = br#"{"a":[1,"b\\\"",{"c":null}],"d":-1.5e3}"#;
        for place in 0..json.len() {
            for byte in *b"\"\\{}[],: \x00x" {
                let mut other = json.to_vec();
                other[place] = byte;
                for bytes in [&other[..], &other[..place]] {
                    let mut out = String::new();
                    shown(&mut Cursor::new(RawJson::of_value(bytes)), &mut out, 0);
                    assert!(out.len() <= 4 * bytes.len() + 4, "{bytes:?}");
                }
            }
        }
    }
}
