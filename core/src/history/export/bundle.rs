//! Bundles: everything in one JSONL file. Rows of logs stand in it as they are; any other file is a row of its own.

use super::{Exported, count, is_inside, loss};
use crate::bus::draft::{MAX_DEPTH, depth};
use crate::model::{Json, JsonMap, Severity};
use crate::wire;
use crate::wire::mailbox::pretty;

const FILE: &str = "history.jsonl";

/// An entry of a bundle.
#[derive(Debug, Clone, Copy)]
pub enum BundleEntry<'a> {
    /// A log: one record a line.
    Log {
        /// Where it was.
        path: &'a str,
        /// Its lines.
        rows: &'a [u8],
    },
    /// Any other file.
    File {
        /// Where it was; that is where it will be again.
        path: &'a str,
        /// Its contents.
        bytes: &'a [u8],
    },
}

/// Writes a bundle, in the order given.
pub fn to_jsonl(stored: &[BundleEntry<'_>]) -> Exported {
    let mut exported = Exported::default();
    let mut lines = Vec::new();
    let mut logs = Vec::new();
    for one in stored {
        match *one {
            BundleEntry::Log { path, rows } => {
                logs.push(path);
                lines.extend_from_slice(rows);
                if !rows.is_empty() && !rows.ends_with(b"\n") {
                    lines.push(b'\n');
                }
            }
            BundleEntry::File { path, bytes } => match row(path, bytes) {
                Ok(row) => lines.extend_from_slice(format!("{row}\n").as_bytes()),
                Err(why) => {
                    let message = format!("a file of {}: {why}", count(bytes.len(), "byte"));
                    let hint = "pass the file on by itself";
                    exported.losses.push(loss(Severity::Warning, path, message, hint));
                }
            },
        }
    }
    if logs.len() > 1 {
        let message = format!("which of {} a row is from: {}", count(logs.len(), "log"), logs.join(", "));
        let hint = "export each of them by itself if that matters";
        exported.losses.push(loss(Severity::Info, logs[0], message, hint));
    }
    exported.files.push((FILE.to_owned(), lines));
    exported
}

/// Returns the files of a bundle; rows that are no files are those of its log.
pub fn to_files(bundle: &[u8], log: &str) -> Exported {
    let mut exported = Exported::default();
    let mut rows = Vec::new();
    for line in bundle.split_inclusive(|byte| *byte == b'\n') {
        let file = wire::parse_map(line).and_then(|fields| from_bundle_line(&fields));
        match file {
            Some(file) => exported.files.push(file),
            None => rows.extend_from_slice(line),
        }
    }
    if !rows.is_empty() {
        exported.files.push((log.to_owned(), rows));
    }
    exported
}

/// Writes a file as a row.
fn row(path: &str, bytes: &[u8]) -> Result<Json, &'static str> {
    if !is_inside(path) {
        return Err("its path leads elsewhere");
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text")?;
    let content = structure(path, text).unwrap_or_else(|| text.into());
    Ok(object!({"huddle_file": path, "content": content}))
}

/// Reads a JSON file that has structure; a bare text would be taken for a file that is none.
fn structure(path: &str, text: &str) -> Option<Json> {
    let value: Json = path.ends_with(".json").then(|| wire::parse(text.as_bytes()).ok())??;
    ((value.is_object() || value.is_array()) && depth(&value) <= MAX_DEPTH).then_some(value)
}

/// Returns the file that a row of a bundle holds; none when it holds none, or one that does not belong below any directory.
pub fn from_bundle_line(row: &JsonMap) -> Option<(String, Vec<u8>)> {
    let path = row.get("huddle_file")?.as_str().filter(|path| is_inside(path) && row.len() == 2)?;
    let text = match row.get("content")? {
        Json::String(text) => text.clone(),
        content @ (Json::Object(_) | Json::Array(_)) => pretty(content),
        _ => return None,
    };
    Some((path.to_owned(), text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(exported: &Exported) -> Vec<String> {
        let text = String::from_utf8(exported.files[0].1.clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn file<'a>(path: &'a str, text: &'a str) -> BundleEntry<'a> {
        BundleEntry::File { path, bytes: text.as_bytes() }
    }

    #[test]
    fn rows_stand_as_they_are_and_files_beside_them() {
        let log = BundleEntry::Log { path: "messages.jsonl", rows: b"{\"b\": 1}\n{\"torn" };
        let exported = to_jsonl(&[log, file("coordination.json", "{\"z\": 1,\n\"a\": 2}")]);
        let wanted = ["{\"b\": 1}", "{\"torn", r#"{"huddle_file":"coordination.json","content":{"z":1,"a":2}}"#];
        assert_eq!(rows(&exported), wanted);
        assert_eq!(exported.losses, []);
    }

    #[test]
    fn every_file_comes_back() {
        let check = |path: &str, text: &str, wanted: &str| {
            let row = rows(&to_jsonl(&[file(path, text)])).remove(0);
            let found = from_bundle_line(&serde_json::from_str(&row).unwrap());
            assert_eq!(found, Some((path.to_owned(), wanted.as_bytes().to_vec())), "{row}");
        };
        check("reports/a.json", "{\"z\":[1],\"a\":{}}", "{\n  \"z\": [\n    1\n  ],\n  \"a\": {}\n}\n");
        check("data/list.json", "[]", "[]\n");
        let deep = "[".repeat(120) + &"]".repeat(120);
        for (path, exact) in [
            ("a.md", "# T\r\n{\"a\":1}"),
            ("a.md", "{\"a\":1}"),
            ("empty.json", ""),
            ("torn.json", "{\"a\": "),
            ("text.json", "\"just words\""),
            ("deep.json", &deep),
            (".huddle/offered/bob.log", "2026-01-10T10:30:00Z m1\n"),
        ] {
            check(path, exact, exact);
        }
    }

    #[test]
    fn files_that_cannot_be_rows_are_losses() {
        let exported = to_jsonl(&[BundleEntry::File { path: "a.png", bytes: b"\xff\xfe" }, file("../x", "y")]);
        let told: Vec<_> = exported.losses.iter().map(|one| (one.place.as_str(), one.message.as_str())).collect();
        assert_eq!(
            told,
            [("a.png", "a file of 2 bytes: it is not text"), ("../x", "a file of 1 byte: its path leads elsewhere")]
        );
        assert_eq!(exported.files, [("history.jsonl".to_owned(), Vec::new())]);
        let logs = [("a.jsonl", "{}"), ("b.jsonl", "")];
        let logs = logs.map(|(path, rows)| BundleEntry::Log { path, rows: rows.as_bytes() });
        assert_eq!(to_jsonl(&logs).losses[0].message, "which of 2 logs a row is from: a.jsonl, b.jsonl");
    }

    #[test]
    fn other_rows_hold_no_file() {
        for row in [
            r#"{"from":"a","content":"x"}"#,
            r#"{"huddle_file":"a"}"#,
            r#"{"huddle_file":"a","content":7}"#,
            r#"{"huddle_file":"a","content":"x","more":1}"#,
            r#"{"huddle_file":7,"content":"x"}"#,
            r#"{"huddle_file":"","content":"x"}"#,
            r#"{"huddle_file":"/etc/passwd","content":"x"}"#,
            r#"{"huddle_file":"a/../../b","content":"x"}"#,
            r#"{"huddle_file":"a//b","content":"x"}"#,
            r#"{"huddle_file":"C:b","content":"x"}"#,
            r#"{"huddle_file":"a\\b","content":"x"}"#,
            r#"{"huddle_file":"a\nb","content":"x"}"#,
        ] {
            assert_eq!(from_bundle_line(&serde_json::from_str(row).unwrap()), None, "{row}");
        }
    }
}
