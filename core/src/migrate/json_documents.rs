//! Documents as `mongoexport` writes them: one after the other, each on a line or on several, or all in a list.

use serde_json::Deserializer;

use crate::model::{Diagnostic, Json, Severity, WithDiagnostics};
use crate::wire::documents::{self, Document};

/// Reads all documents of a file. Each that cannot be read is a finding with the line it begins on, and hides no other.
///
/// ```
/// let text = br#"{"id":"m-1","from":"ann","to":"bob","content":"Hi","createdAt":{"$date":"2025-11-29T12:00:00Z"}}
/// {"id":"m-2","from":"ann","to":"b
/// "#;
/// let found = huddle_core::migrate::documents_in(text, "messages.jsonl");
/// assert_eq!(found.value.len(), 1);
/// assert_eq!(found.findings[0].place, "messages.jsonl:2");
/// ```
pub fn documents_in(bytes: &[u8], file: &str) -> WithDiagnostics<Vec<Document>> {
    let mut found = WithDiagnostics::<Vec<Document>>::default();
    let mut reader = DocumentReader { bytes, at: if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }, line: 1 };
    // Lines of one document that is damaged are one finding.
    let mut damaged: Option<(usize, usize, String)> = None;
    while let Some((line, read)) = reader.next() {
        match read.and_then(document) {
            Ok(document) => found.value.push(document),
            Err(DocumentError::NotJson(fault)) => match &mut damaged {
                Some((_, last, _)) if line <= *last + 1 => *last = line,
                _ => found.findings.extend(damaged.replace((line, line, fault)).map(|one| finding(file, one))),
            },
            Err(DocumentError::NotMessage(fault)) => found.findings.push(finding(file, (line, line, fault))),
        }
    }
    found.findings.extend(damaged.map(|one| finding(file, one)));
    found.findings.sort_by_key(|finding| line_of(&finding.place));
    found
}

/// Why a value is not a document.
enum DocumentError {
    /// The bytes are not JSON.
    NotJson(String),
    /// The JSON is not a message.
    NotMessage(String),
}

fn document(value: Json) -> Result<Document, DocumentError> {
    match value {
        Json::Object(mut map) => {
            map.retain(|key, _| !documents::internal_fields::ALL.contains(&key.as_str()));
            documents::decode(map).map_err(DocumentError::NotMessage)
        }
        _ => Err(DocumentError::NotMessage("it is not a JSON object".to_owned())),
    }
}

/// Where reading has come to.
struct DocumentReader<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl DocumentReader<'_> {
    /// Returns the next value and the line it begins on.
    fn next(&mut self) -> Option<(usize, Result<Json, DocumentError>)> {
        // What stands between the documents of a list says nothing.
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b',');
        let rest = &self.bytes[self.at..];
        self.pass(rest.iter().position(|byte| !between(byte)).unwrap_or(rest.len()));
        let (line, rest) = (self.line, &self.bytes[self.at..]);
        if rest.is_empty() {
            return None;
        }
        let mut values = Deserializer::from_slice(rest).into_iter::<Json>();
        let read = values.next()?;
        self.pass(if read.is_ok() { values.byte_offset() } else { damage(rest) });
        Some((line, read.map_err(|error| unread(&error))))
    }

    fn pass(&mut self, length: usize) {
        let passed = &self.bytes[self.at..self.at + length];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at += length;
    }
}

/// Returns how much to pass over where something cannot be read: to the next line, or to what looks like the next document
/// of a list that is all in one line.
fn damage(rest: &[u8]) -> usize {
    let line = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
    rest[..line].windows(3).position(|window| window == b"},{").map_or(line, |end| end + 2)
}

fn unread(error: &serde_json::Error) -> DocumentError {
    // The parser counts lines from where the document began, which would be mistaken for the file's.
    let text = error.to_string();
    DocumentError::NotJson(format!("it is not JSON: {}", text.split(" at line ").next().unwrap_or_default()))
}

fn finding(file: &str, (first, last, fault): (usize, usize, String)) -> Diagnostic {
    let lines = if first == last { format!("{file}:{first}") } else { format!("{file}:{first}-{last}") };
    Diagnostic {
        severity: Severity::Error,
        code: "damaged-document",
        place: lines,
        message: format!("the document cannot be taken in: {fault}"),
        hint: "mend it and run the import again: what is there already stays as it is".to_owned(),
    }
}

fn line_of(place: &str) -> usize {
    let lines = place.rsplit(':').next().unwrap_or_default();
    lines.split('-').next().and_then(|first| first.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(id: &str) -> String {
        format!(
            r#"{{"id":"{id}","from":"ann","to":"bob","content":"Hi","createdAt":{{"$date":{{"$numberLong":"1764417600000"}}}}}}"#
        )
    }

    #[track_caller]
    fn check(text: &str, ids: &[&str], places: &[&str]) {
        let found = documents_in(text.as_bytes(), "f");
        assert_eq!(found.value.iter().map(|one| one.message().id.as_str()).collect::<Vec<_>>(), ids, "{text}");
        assert_eq!(found.findings.iter().map(|one| one.place.as_str()).collect::<Vec<_>>(), places, "{text}");
    }

    #[test]
    fn lines_lists_and_pretty_documents_are_read() {
        let [a, b] = ["a", "b"].map(one);
        let pretty = format!("{:#}", serde_json::from_str::<Json>(&a).unwrap());
        check("", &[], &[]);
        check("[]\n", &[], &[]);
        check(&format!("{a}\n{b}\n"), &["a", "b"], &[]);
        check(&format!("{a}\r\n\r\n{b}"), &["a", "b"], &[]);
        check(&format!("\u{feff}[{a},{b}]"), &["a", "b"], &[]);
        check(&format!("[{a},\n{b}]\n"), &["a", "b"], &[]);
        check(&format!("{pretty}\n{b}\n"), &["a", "b"], &[]);
        check(&format!("[\n{pretty},\n{b}\n]"), &["a", "b"], &[]);
    }

    #[test]
    fn internal_fields_are_not_imported() {
        let marked =
            one("a").replace("\"content\"", "\"huddleKey\":\"k\",\"huddleClaim\":\"c\",\"mood\":1,\"content\"");
        let found = documents_in(marked.as_bytes(), "f");
        let extra = &found.value[0].message().extra;
        assert_eq!(extra.keys().collect::<Vec<_>>(), ["mood"]);
    }

    #[test]
    fn damaged_documents_are_reported_and_hide_nothing() {
        let [a, b] = ["a", "b"].map(one);
        check(&format!("{a}\n{}\n{b}\n", &b[..30]), &["a", "b"], &["f:2"]);
        check(&format!("{a}\nnonsense\n{{\"id\":\n{b}\n"), &["a", "b"], &["f:2-3"]);
        check(&format!("{a}\n7\n{{\"id\":\"x\"}}\n{b}\n{}", &a[..9]), &["a", "b"], &["f:2", "f:3", "f:5"]);
        check(&format!("[{a},\n{},\n{b}]", &b[..30]), &["a", "b"], &["f:2"]);
        check(&format!("[{a},{{\"id\":}},{b}]"), &["a", "b"], &["f:1"]);
        let found = documents_in(b"\n{\"id\": \"m\", \"from\": \"a/b\"}", "f");
        assert!(found.findings[0].message.contains("\"from\""), "{:?}", found.findings);
        documents_in(b"\xff\xfe\n{", "f");
    }
}
