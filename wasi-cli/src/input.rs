//! What a caller hands over: as an argument, in a file, or on standard input.

use std::io::{BufRead, BufReader, Read};

use huddle_core::engine::fs::too_large;
use huddle_core::model::ErrorKind;
use huddle_core::model::{Diagnostic, Json, Severity};
use huddle_core::wire;

use crate::failure::Failure;
use crate::files::{Files, MAX_FILE, read_up_to, unreadable};

/// The largest file that is taken as an export of messages.
const MAX_IMPORT: u64 = 1 << 30;

/// Reads what arguments refer to.
pub(crate) struct Input<'a> {
    /// What `-` stands for.
    stdin: BufReader<&'a mut dyn Read>,
    files: Files,
}

impl<'a> Input<'a> {
    /// Takes what `-` stands for.
    pub(crate) fn new(stdin: &'a mut dyn Read, files: Files) -> Self {
        Self { stdin: BufReader::new(stdin), files }
    }

    /// Returns what opens the paths that the caller gave.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Gives the text of an argument: `@FILE` is the file's, `-` is standard input's, `@@…` is text that begins with `@`.
    ///
    /// As in a shell's `$(…)`, the newlines that end a file or a pipe are not part of what was said.
    pub(crate) fn text(&mut self, argument: &str) -> Result<String, Failure> {
        if argument == "-" {
            return decoded(self.bytes("-", MAX_FILE)?, "standard input");
        }
        match argument.strip_prefix('@') {
            None => Ok(argument.to_owned()),
            Some(text) if text.starts_with('@') => Ok(text.to_owned()),
            Some(path) => decoded(self.file(path).map_err(|failure| or_text(&failure))?, path),
        }
    }

    /// Reads a file that the caller named.
    pub(crate) fn file(&self, path: &str) -> Result<Vec<u8>, Failure> {
        self.files.read(path, MAX_FILE)
    }

    /// Gives all bytes of a document, from a file or for `-` from standard input.
    pub(crate) fn document(&mut self, path: &str) -> Result<Vec<u8>, Failure> {
        self.bytes(path, MAX_FILE)
    }

    /// Gives all bytes of an export, from a file or for `-` from standard input.
    pub(crate) fn export(&mut self, path: &str) -> Result<Vec<u8>, Failure> {
        self.bytes(path, MAX_IMPORT)
    }

    fn bytes(&mut self, path: &str, limit: u64) -> Result<Vec<u8>, Failure> {
        if path != "-" {
            return self.files.read(path, limit);
        }
        read_up_to(&mut self.stdin, limit).map_err(|error| unreadable("standard input", &error))
    }

    /// Gives the body that an argument stands for: an object or a list in JSON, and otherwise text.
    ///
    /// Text that was probably meant to be JSON is a finding, because the quotes of a shell are easy to get wrong.
    pub(crate) fn body(&mut self, argument: &str) -> Result<(Json, Option<Diagnostic>), Failure> {
        let text = self.text(argument)?;
        Ok(match wire::structure(&text) {
            Some(Ok(structure)) => (structure, None),
            Some(Err(error)) => (Json::String(text), Some(not_json(&error))),
            None => (Json::String(text), None),
        })
    }

    /// Gives the next line of standard input, as it comes; none at its end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let mut line = Vec::new();
        let read = (&mut self.stdin).take(MAX_FILE + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|error| unreadable("standard input", &error))? as u64;
        if read > MAX_FILE {
            return Err(unreadable("a line of standard input", &too_large(read, MAX_FILE)));
        }
        Ok((read > 0).then_some(line))
    }
}

/// Adds to a failure that the argument may have been meant as text.
fn or_text(failure: &Failure) -> Failure {
    let hint = format!("{}; text that begins with @ is written @@", failure.remedy);
    Failure::new(failure.kind, failure.message.clone(), hint)
}

fn decoded(bytes: Vec<u8>, place: &str) -> Result<String, Failure> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let message = format!("reading text failed: not UTF-8 at byte {}: {place}", error.utf8_error().valid_up_to());
        Failure::new(ErrorKind::Invalid, message, "give UTF-8 text, or hand over the file: huddle handoff create")
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn not_json(error: &serde_json::Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "body-is-text",
        place: "the body".to_owned(),
        message: format!("looks like JSON but cannot be read as such, and went as text: {error}"),
        remedy: "check the quoting, or give the body as @FILE or on standard input with -".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn body(argument: &str, stdin: &str) -> (String, bool) {
        let (json, finding) = Input::new(&mut stdin.as_bytes(), Files::default()).body(argument).unwrap();
        (json.to_string(), finding.is_some())
    }

    #[test]
    fn objects_and_lists_are_json_and_all_else_is_text() {
        let check = |argument: &str, stdin: &str, json: &str, suspect: bool| {
            assert_eq!(body(argument, stdin), (json.to_owned(), suspect), "{argument}");
        };
        check(r#"{"a": 1}"#, "", r#"{"a":1}"#, false);
        check("plain words", "", r#""plain words""#, false);
        check("", "", r#""""#, false);
        check("{a: 1}", "", r#""{a: 1}""#, true);
        check("-", "[1]\n", "[1]", false);
        check("-", "two\nlines\n", r#""two\nlines""#, false);
        check("@@bob", "", r#""@bob""#, false);
        for text in ["1.10", "1e3", "12345678901234567890123", "null", "true"] {
            check(text, "", &format!("{text:?}"), false);
        }
        check(r#""q""#, "", r#""\"q\"""#, false);
        let digits = r#"{"n":[1.10,1e+5,-0,12345678901234567890123]}"#;
        check(digits, "", digits, false);
        check("[1e5, 1E-7]", "", "[1e+5,1e-7]", false);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let failure = Input::new(&mut io::empty(), Files::default()).text("@/no/such/file").unwrap_err();
        assert_eq!(failure.kind, ErrorKind::NotFound);
        assert!(failure.message.ends_with(": /no/such/file"), "{}", failure.message);
        let failure = Input::new(&mut &b"\xff"[..], Files::default()).text("-").unwrap_err();
        assert_eq!(failure.kind, ErrorKind::Invalid);
    }
}
