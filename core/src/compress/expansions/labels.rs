//! Labels: the names of the parts of compressed texts, a line for each text.

use crate::compress::{Compressed, Reference};
use crate::model::{Json, JsonMap};
use crate::wire;
use crate::wire::mailbox::pretty;

/// The longest label.
const MAX_LABEL: usize = 60;

/// The parts of a text that was compressed.
pub(super) struct SavedText {
    pub(super) full: Reference,
    names: JsonMap,
}

impl SavedText {
    /// Returns the part with a name.
    pub(super) fn named(&self, label: &str) -> Option<Reference> {
        let found = self.names.iter().find(|(name, _)| name.eq_ignore_ascii_case(label));
        found.and_then(|(_, reference)| Reference::parse(reference.as_str()?))
    }
}

/// Writes the line of a text.
pub(super) fn line(compressed: &Compressed) -> String {
    let names = compressed.parts.iter().map(|part| (part.name.clone(), part.reference.as_str().into()));
    let mut names = JsonMap::from_iter(names);
    let mut line = format!("{}\n", Json::Object(names.clone()));
    // The parts that come last are the least; the whole comes first.
    while line.len() > crate::engine::fs::MAX_APPEND && names.len() > 1 {
        let last = names.keys().next_back().cloned().unwrap_or_default();
        names.shift_remove(&last);
        line = format!("{}\n", Json::Object(names.clone()));
    }
    line
}

/// Reads the texts, the newest first; lines that make no sense are passed over.
pub(super) fn newest_first(log: &[u8]) -> impl Iterator<Item = SavedText> {
    let lines = log.rsplit(|byte| *byte == b'\n').filter_map(wire::parse_map);
    lines.filter_map(|names| {
        let full = Reference::parse(names.get("full")?.as_str()?)?;
        Some(SavedText { full, names })
    })
}

/// Reads a label as it stands in a text: `[expand:T1]`, or without the frame.
pub(super) fn parse(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let text = text.strip_prefix("expand:").unwrap_or(text).trim();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    // What begins with a digit is a reference that is too short or too long.
    let is_one = text.starts_with(char::is_alphabetic) && text.len() <= MAX_LABEL && text.chars().all(fits);
    is_one.then(|| text.to_owned())
}

/// Takes out of a text what it says of a label: of JSON the object that goes by it, of other text the lines that begin
/// with it and what is indented below them.
pub(super) fn passage(bytes: &[u8], label: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    if let Ok(document) = wire::parse(bytes) {
        return named(&document, label).map(|found| pretty(found).into_bytes());
    }
    let mut found = String::new();
    let mut indent = None;
    for line in text.lines() {
        let own = line.len() - line.trim_start().len();
        let begins = begins_with(line, label);
        if begins {
            indent = Some(own);
        } else if indent.is_some_and(|above| own <= above && !line.trim().is_empty()) {
            indent = None;
        }
        if indent.is_some() {
            found.push_str(line);
            found.push('\n');
        }
    }
    let found = found.trim_end();
    (!found.is_empty()).then(|| format!("{found}\n").into_bytes())
}

/// Returns whether a line is about a label: it begins with it, after the marks of a list or a heading and a word such as
/// "Task".
fn begins_with(line: &str, label: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words =
        line.split(|c: char| !is_word(c)).map(|word| word.trim_matches(['-', '.'])).filter(|word| !word.is_empty());
    words.take(2).any(|word| word == label)
}

/// Finds the object that goes by a name: the key that it has, or what one of its fields says.
fn named<'a>(value: &'a Json, label: &str) -> Option<&'a Json> {
    match value {
        Json::Object(fields) => {
            let is_it = fields.values().any(|field| field.as_str() == Some(label));
            if is_it {
                return Some(value);
            }
            fields.get(label).or_else(|| fields.values().find_map(|field| named(field, label)))
        }
        Json::Array(items) => items.iter().find_map(|item| named(item, label)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_words() {
        let check = |text: &str, label: Option<&str>| assert_eq!(parse(text).as_deref(), label, "{text}");
        check("[expand:T1]", Some("T1"));
        check("full", Some("full"));
        check("expand:key_findings", Some("key_findings"));
        for bad in ["", "[expand:]", "12345", "../x", "a b", "a/b"] {
            check(bad, None);
        }
    }

    #[test]
    fn a_passage_is_what_a_text_says_of_a_label() {
        let check = |text: &str, passage_text: Option<&str>| {
            let found = passage(text.as_bytes(), "T1").map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(found.as_deref(), passage_text, "{text}");
        };
        check(
            "- T1: Create model\n  with two fields\n- T2: Create endpoint, needs T1\n",
            Some("- T1: Create model\n  with two fields\n"),
        );
        check("Task T1 (15)\nTask T10\n", Some("Task T1 (15)\n"));
        check("nothing\n", None);
        check(
            r#"{"tasks":[{"id":"T0"},{"id":"T1","title":"Model"}]}"#,
            Some("{\n  \"id\": \"T1\",\n  \"title\": \"Model\"\n}\n"),
        );
        check(r#"{"T1":{"a":1}}"#, Some("{\n  \"a\": 1\n}\n"));
        assert_eq!(passage(b"\xff", "T1"), None);
    }
}
