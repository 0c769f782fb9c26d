//! Finds the places of values in a text that is known to be JSON.

use std::ops::Range;

use crate::model::Json;
use crate::wire;

/// Returns whether a text is one JSON document.
pub(super) fn is_json(text: &str) -> bool {
    read(text).is_some()
}

/// Reads a document, in the one way that core has it compiled already.
fn read(text: &str) -> Option<Json> {
    wire::parse(text.as_bytes()).ok()
}

/// The kind of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonKind {
    Object,
    List,
    Scalar,
}

/// A value of an object or a list, and where it is; in a list, keys are empty.
#[derive(Debug)]
pub(super) struct JsonMember {
    pub(super) key: String,
    pub(super) value: Range<usize>,
}

/// Describes what the value at a place is.
pub(super) fn kind(text: &str, range: &Range<usize>) -> JsonKind {
    match text.as_bytes().get(range.start) {
        Some(b'{') => JsonKind::Object,
        Some(b'[') => JsonKind::List,
        _ => JsonKind::Scalar,
    }
}

/// Omits the white space around a place.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start + slice.trim().len()
}

/// Writes a value as people say it.
pub(super) fn display_value(text: &str, range: &Range<usize>) -> String {
    let raw = &text[range.clone()];
    match read(raw) {
        Some(Json::String(text)) => text,
        _ => raw.to_owned(),
    }
}

/// Returns whether a list has no lists or objects in it.
pub(super) fn is_flat(text: &str, range: &Range<usize>) -> bool {
    members(text, range.clone()).iter().all(|member| kind(text, &member.value) == JsonKind::Scalar)
}

/// Finds the values of an object or a list; a scalar has none.
pub(super) fn members(text: &str, range: Range<usize>) -> Vec<JsonMember> {
    let is_object = match kind(text, &range) {
        JsonKind::Object => true,
        JsonKind::List => false,
        JsonKind::Scalar => return Vec::new(),
    };
    let bytes = &text.as_bytes()[..range.end];
    let (mut found, mut at) = (Vec::new(), range.start + 1);
    loop {
        at = after_blanks(bytes, at);
        if matches!(bytes.get(at), None | Some(b'}' | b']')) {
            return found;
        }
        let mut key = String::new();
        if is_object {
            let end = value_end(bytes, at);
            key = display_value(text, &(at..end));
            // Past the colon.
            at = after_blanks(bytes, after_blanks(bytes, end) + 1);
        }
        let end = value_end(bytes, at);
        found.push(JsonMember { key, value: at..end });
        at = after_blanks(bytes, end);
        if bytes.get(at) == Some(&b',') {
            at += 1;
        }
    }
}

fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Finds where a value ends that begins here.
fn value_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 0 { at } else { at + 1 },
            b'}' | b']' => depth -= 1,
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {}
        }
        // A string went past its end already; and at the outermost level it is the whole value.
        if *byte != b'"' {
            at += 1;
        } else if depth == 0 {
            return at;
        }
    }
    at
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}
