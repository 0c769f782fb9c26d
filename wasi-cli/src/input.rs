//! What a caller hands over: as an argument, in a file, or on standard input.

use std::io::{BufRead, BufReader, Read};

use huddle_core::bus::ErrorKind;
use huddle_core::engine::fs::too_large;
use huddle_core::model::{Diagnostic, Json, Severity};
use huddle_core::wire;

use crate::failure::Failure;
use crate::files::{Files, MAX_FILE, read_up_to, unreadable};

/// The largest file that is taken as an export of messages.
const MAX_IMPORT: u64 = 1 << 30;

/// Reads what arguments refer to.
pub(crate) struct Input<'a> {
    /// What `-` stands for; without it, arguments stand for nothing but themselves.
    stdin: Option<BufReader<&'a mut dyn Read>>,
    files: Files,
}

impl<'a> Input<'a> {
    /// Takes what `-` stands for.
    pub(crate) fn new(stdin: &'a mut dyn Read, files: Files) -> Self {
        Self { stdin: Some(BufReader::new(stdin)), files }
    }

    /// Takes every argument as it is: a program that calls a tool has no use for a shell's short cuts, and what it
    /// passes on from elsewhere must not name files.
    pub(crate) fn literal(files: Files) -> Self {
        Self { stdin: None, files }
    }

    /// Returns what opens the paths that the caller gave.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Says whether arguments stand for nothing but themselves.
    pub(crate) fn is_literal(&self) -> bool {
        self.stdin.is_none()
    }

    /// Gives the text of an argument: `@FILE` is the file's, `-` is standard input's, `@@…` is text that begins with `@`.
    ///
    /// As in a shell's `$(…)`, the newlines that end a file or a pipe are not part of what was said.
    pub(crate) fn text(&mut self, argument: &str) -> Result<String, Failure> {
        if self.is_literal() {
            return Ok(argument.to_owned());
        }
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
        let Some(stdin) = &mut self.stdin else { return Ok(Vec::new()) };
        read_up_to(stdin, limit).map_err(|error| unreadable("standard input", &error))
    }

    /// Gives the body that an argument stands for: JSON if it is JSON, and otherwise text.
    ///
    /// Text that was probably meant to be JSON is a finding, because the quotes of a shell are easy to get wrong.
    pub(crate) fn body(&mut self, argument: &str) -> Result<(Json, Option<Diagnostic>), Failure> {
        let text = self.text(argument)?;
        match wire::parse(text.as_bytes()) {
            Ok(body) => Ok((body, None)),
            Err(error) => {
                let finding = text.trim_start().starts_with(['{', '[']).then(|| not_json(&error));
                // The newline that ends a file or a pipe is not part of what was said.
                let elsewhere = !self.is_literal() && (argument == "-" || argument.starts_with('@'));
                let said = if elsewhere { text.trim_end_matches('\n') } else { &text };
                Ok((Json::String(said.to_owned()), finding))
            }
        }
    }

    /// Gives the next line of standard input, as it comes; none at its end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let Some(stdin) = &mut self.stdin else { return Ok(None) };
        let mut line = Vec::new();
        let read = stdin.take(MAX_FILE + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|error| unreadable("standard input", &error))? as u64;
        if read > MAX_FILE {
            return Err(unreadable("a line of standard input", &too_large(read, MAX_FILE)));
        }
        Ok((read > 0).then_some(line))
    }
}

/// Adds to a failure that the argument may have been meant as text.
fn or_text(failure: &Failure) -> Failure {
    let hint = format!("{}; text that begins with @ is written @@", failure.hint);
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
        message: format!("looks like JSON but is not, and went as text: {error}"),
        hint: "check the quoting, or give the body as @FILE or on standard input with -".to_owned(),
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
    fn a_body_is_json_if_it_can_be_and_text_otherwise() {
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
    }

    #[test]
    fn what_is_meant_literally_stands_for_itself() {
        for text in ["@/etc/passwd", "@@x", "-", "a\n"] {
            assert_eq!(Input::literal(Files::default()).text(text).unwrap(), text);
            assert_eq!(Input::literal(Files::default()).body(text).unwrap().0, Json::String(text.to_owned()));
        }
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
