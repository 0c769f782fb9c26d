//! What a caller hands over: as an argument, in a file, or on standard input.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use huddle_core::bus::Kind;
use huddle_core::model::{Finding, Json, Severity};
use huddle_core::wire;

use crate::failure::Failure;

/// Reads what arguments refer to.
pub(crate) struct Input<'a> {
    /// What `-` stands for; without it, arguments stand for nothing but themselves.
    stdin: Option<BufReader<&'a mut dyn Read>>,
}

impl<'a> Input<'a> {
    /// Takes what `-` stands for.
    pub(crate) fn new(stdin: &'a mut dyn Read) -> Self {
        Self { stdin: Some(BufReader::new(stdin)) }
    }

    /// Takes every argument as it is: a program that calls a tool has no use for a shell's short cuts, and what it
    /// passes on from elsewhere must not name files.
    pub(crate) fn literal() -> Self {
        Self { stdin: None }
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
            return decoded(self.bytes("-")?, "standard input");
        }
        match argument.strip_prefix('@') {
            None => Ok(argument.to_owned()),
            Some(text) if text.starts_with('@') => Ok(text.to_owned()),
            Some(path) => decoded(file(path)?, path),
        }
    }

    /// Gives all bytes of a file, or of standard input for `-`.
    pub(crate) fn bytes(&mut self, path: &str) -> Result<Vec<u8>, Failure> {
        if path != "-" {
            return file(path);
        }
        let mut bytes = Vec::new();
        if let Some(stdin) = &mut self.stdin {
            stdin.read_to_end(&mut bytes).map_err(|error| unreadable("standard input", &error))?;
        }
        Ok(bytes)
    }

    /// Gives the body that an argument stands for: JSON if it is JSON, and otherwise text.
    ///
    /// Text that was probably meant to be JSON is a finding, because the quotes of a shell are easy to get wrong.
    pub(crate) fn body(&mut self, argument: &str) -> Result<(Json, Option<Finding>), Failure> {
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
        let read = stdin.read_until(b'\n', &mut line).map_err(|error| unreadable("standard input", &error))?;
        Ok((read > 0).then_some(line))
    }
}

/// Reads a file that the caller named.
pub(crate) fn file(path: &str) -> Result<Vec<u8>, Failure> {
    fs::read(Path::new(path)).map_err(|error| unreadable(path, &error))
}

fn decoded(bytes: Vec<u8>, place: &str) -> Result<String, Failure> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let message = format!("reading text failed: not UTF-8 at byte {}: {place}", error.utf8_error().valid_up_to());
        Failure::new(Kind::Invalid, message, "give UTF-8 text, or hand over the file: huddle handoff create")
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn unreadable(place: &str, error: &io::Error) -> Failure {
    let kind = if error.kind() == io::ErrorKind::NotFound { Kind::NotFound } else { Kind::Failed };
    let hint = "@FILE is read relative to the working directory, which WASI must have opened (--dir .); \
                text that begins with @ is written @@";
    Failure::new(kind, format!("reading failed: {error}: {place}"), hint)
}

fn not_json(error: &serde_json::Error) -> Finding {
    Finding {
        severity: Severity::Warning,
        code: "body-is-text",
        place: "the body".to_owned(),
        message: format!("looks like JSON but is not, and went as text: {error}"),
        hint: "check the quoting, or give the body as @FILE or on standard input with -".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(argument: &str, stdin: &str) -> (String, bool) {
        let (json, finding) = Input::new(&mut stdin.as_bytes()).body(argument).unwrap();
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
            assert_eq!(Input::literal().text(text).unwrap(), text);
            assert_eq!(Input::literal().body(text).unwrap().0, Json::String(text.to_owned()));
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let failure = Input::new(&mut io::empty()).text("@/no/such/file").unwrap_err();
        assert_eq!(failure.kind, Kind::NotFound);
        assert!(failure.message.ends_with(": /no/such/file"), "{}", failure.message);
        let failure = Input::new(&mut &b"\xff"[..]).text("-").unwrap_err();
        assert_eq!(failure.kind, Kind::Invalid);
    }
}
