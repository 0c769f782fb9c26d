//! One row, read when it is asked for.

use std::io;

use huddle_scan::clean;

use super::History;
use crate::model::{Json, JsonMap, preview};
use crate::wire;

/// Reads the bytes of files that a history was loaded from.
pub trait ByteSource {
    /// Reads a part of a file.
    ///
    /// # Behavior
    /// - Returns fewer bytes when the file has become shorter.
    fn read(&mut self, path: &str, offset: u64, length: u64) -> io::Result<Vec<u8>>;

    /// Passes a file to `look` in chunks with their offsets; returns false if it has to be read row by row.
    ///
    /// # Behavior
    /// - Pieces follow each other without a gap, from the first byte on; where they are cut says nothing.
    fn for_each_chunk(&mut self, _path: &str, _look: &mut dyn FnMut(u64, &[u8])) -> io::Result<bool> {
        Ok(false)
    }
}

impl History {
    /// Reads the bytes of a row as they lie in its file.
    pub fn bytes(&self, row: u32, from: &mut dyn ByteSource) -> io::Result<Vec<u8>> {
        let row = self.table.row(row);
        from.read(&self.files[row.file as usize].path, row.offset, u64::from(row.length))
    }

    /// Reads a row; what is no record any more, because its file has changed since, is empty.
    pub fn record(&self, row: u32, from: &mut dyn ByteSource) -> io::Result<JsonMap> {
        let bytes = self.bytes(row, from)?;
        Ok(wire::parse_map(&clean(&bytes)).unwrap_or_default())
    }

    /// Returns where a row lies, for people: `messages.jsonl, byte 120`.
    pub fn place(&self, row: u32) -> String {
        let row = self.table.row(row);
        let path = &self.files[row.file as usize].path;
        if row.offset == 0 { path.clone() } else { format!("{path}, byte {}", row.offset) }
    }

    /// Finds what a place of a finding is about: the number of the file, and where in it, if that is told.
    pub fn locate(&self, place: &str) -> Option<(u32, Option<u64>)> {
        let (path, offset) = match place.rsplit_once(", byte ") {
            Some((path, offset)) => (path, offset.parse().ok()),
            None => (place, None),
        };
        let path = path.rsplit_once(", line ").map_or(path, |(path, _)| path);
        self.file_by_path.get(path).map(|file| (*file, offset))
    }

    /// Finds the row that begins at an offset of a file.
    pub fn row_at(&self, file: u32, offset: u64) -> Option<u32> {
        let (files, offsets) = (self.table.file(), self.table.offset());
        (0..self.table.len()).find(|row| offsets[*row] == offset && files[*row] == file).map(|row| row as u32)
    }

    /// Finds the position of the entry that a row is, or is a copy of.
    pub fn position_of(&self, row: u32) -> Option<u32> {
        let entry = self.mailbox_rows.iter().find(|mailed| mailed.row == row).map_or(row, |mailed| mailed.entry);
        // In a log, rows mostly stand in order of time, each at its own number.
        if self.entries.get(entry as usize) == Some(&entry) {
            return Some(entry);
        }
        self.entries.iter().position(|other| *other == entry).map(|position| position as u32)
    }

    /// Finds the first entry with each id; [`NO_POSITION`](super::NO_POSITION) where a symbol is nobody's id.
    pub fn positions_by_id(&self) -> Vec<u32> {
        let mut ids = self.entries.iter().map(|row| self.table.id()[*row as usize]);
        super::positions_by_id(&mut ids, self.table.symbols.len())
    }
}

/// The fields that hold what a record says, the most telling first.
const BODY_FIELDS: [&str; 10] =
    ["payload", "event_data", "content", "message", "text", "data", "msg", "body", "description", "summary"];

/// Names the field that holds what a record says.
pub fn body_name(fields: &JsonMap) -> Option<&'static str> {
    BODY_FIELDS.into_iter().find(|name| fields.get(*name).is_some_and(|value| !value.is_null()))
}

/// Returns what a record says.
pub fn body(fields: &JsonMap) -> Json {
    body_name(fields).and_then(|name| fields.get(name)).map(unwrap_body).unwrap_or_default()
}

/// Unwraps what was wrapped for its way: JSON in a text, and the parts of a transcript's message.
fn unwrap_body(value: &Json) -> Json {
    match value {
        Json::String(text) if text.starts_with('{') => wire::parse(text.as_bytes()).unwrap_or_else(|_| value.clone()),
        Json::Object(fields) if fields.contains_key("role") => match fields.get("content") {
            Some(Json::Array(parts)) => Json::String(parts_text(parts)),
            Some(content) => content.clone(),
            None => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Returns the texts of a transcript's parts, one below the other.
fn parts_text(parts: &[Json]) -> String {
    parts.iter().map(part_text).collect::<Vec<_>>().join("\n")
}

/// Returns the text of a part; one without any is told by what it is: a tool's name says more than its kind.
fn part_text(part: &Json) -> String {
    let text = |name: &str| part.get(name).and_then(Json::as_str);
    match (text("text").or(text("thinking")), part.get("content")) {
        (Some(text), _) => text.to_owned(),
        // What a tool gave is a text, or parts itself.
        (None, Some(Json::String(given))) => given.clone(),
        (None, Some(Json::Array(given))) if given.iter().all(|part| part.get("text").is_some()) => parts_text(given),
        _ => text("name").or(text("type")).unwrap_or_default().to_owned(),
    }
}

/// Returns one line that tells what a record says.
pub fn headline(fields: &JsonMap, width: usize) -> String {
    let text = |name: &str| fields.get(name).and_then(Json::as_str).unwrap_or_default();
    let subject = if text("subject").is_empty() { text("artifact") } else { text("subject") };
    // A letter is known by its subject, a line of a log by what it says.
    if subject.is_empty() || !fields.contains_key("payload") {
        preview(&body(fields), subject, width)
    } else {
        preview(&Json::Null, subject, width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_tells_what_every_kind_of_record_says() {
        let check = |record: &str, wanted: &str| {
            let fields = serde_json::from_str(record).unwrap();
            assert_eq!(headline(&fields, 30), wanted, "{record}");
        };
        check(r#"{"type":"status","message":"Starting"}"#, "Starting");
        check(r#"{"type":"finding","data":{"title":"SQL injection","location":"x"}}"#, "SQL injection");
        check(r#"{"type":"data","artifact":"data/x.json","description":"Details"}"#, "Details");
        check(r#"{"type":"data","artifact":"data/x.json"}"#, "data/x.json");
        check(r#"{"subject":"Interface","payload":{"title":"other"}}"#, "Interface");
        check(r#"{"event_type":"TaskCompleted","event_data":{"task_id":"t1","ok":true}}"#, "task_id: t1, ok: true");
        check(r#"{"content":"{\"taskId\":\"t\",\"title\":\"Research\"}"}"#, "Research");
        check(r#"{"type":"user","message":{"role":"user","content":"Hello\nthere"}}"#, "Hello there");
        check(
            r#"{"message":{"role":"assistant","content":[{"type":"text","text":"Look"},{"type":"tool_use","name":"Bash"}]}}"#,
            "Look Bash",
        );
        check(
            r#"{"message":{"role":"user","content":[{"type":"tool_result","content":"two\nlines"},{"type":"image"}]}}"#,
            "two lines image",
        );
        check(
            r#"{"message":{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"Done"}]}]}}"#,
            "Done",
        );
        check(r#"{"type":"x"}"#, "");
        check(r#"{"message":"a text of more than thirty characters, this"}"#, "a text of more than thirty ch…");
    }
}
