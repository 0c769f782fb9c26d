//! Finds the places of values in a text that is known to be JSON.

use std::ops::Range;

use crate::model::Json;
use crate::wire;

/// Says whether a text is one JSON document.
pub(super) fn is_json(text: &str) -> bool {
    read(text).is_some()
}

/// Reads a document, in the one way that core has it compiled already.
fn read(text: &str) -> Option<Json> {
    wire::parse(text.as_bytes()).ok()
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Object,
    List,
    Scalar,
}

/// A value of an object or a list, and where it is; in a list, keys are empty.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) value: Range<usize>,
}

/// Says what the value at a place is.
pub(super) fn shape(text: &str, range: &Range<usize>) -> Shape {
    match text.as_bytes().get(range.start) {
        Some(b'{') => Shape::Object,
        Some(b'[') => Shape::List,
        _ => Shape::Scalar,
    }
}

/// Leaves out the white space around a place.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..start + slice.trim().len()
}

/// Writes a value as people say it.
pub(super) fn said(text: &str, range: &Range<usize>) -> String {
    let raw = &text[range.clone()];
    match read(raw) {
        Some(Json::String(said)) => said,
        _ => raw.to_owned(),
    }
}

/// Says whether a list has no lists or objects in it.
pub(super) fn is_flat(text: &str, range: &Range<usize>) -> bool {
    members(text, range.clone()).iter().all(|member| shape(text, &member.value) == Shape::Scalar)
}

/// Finds the values of an object or a list; a scalar has none.
pub(super) fn members(text: &str, range: Range<usize>) -> Vec<Member> {
    let is_object = match shape(text, &range) {
        Shape::Object => true,
        Shape::List => false,
        Shape::Scalar => return Vec::new(),
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
            key = said(text, &(at..end));
            // Past the colon.
            at = after_blanks(bytes, after_blanks(bytes, end) + 1);
        }
        let end = value_end(bytes, at);
        found.push(Member { key, value: at..end });
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
