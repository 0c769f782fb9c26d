//! Everything the command says goes through here: text for people, or one JSON document for programs.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};

use huddle_core::model::{Diagnostic, Json, Severity};
use huddle_core::wire::answer;

use crate::failure::{Failure, Told};
use crate::terminal::{escape_for_terminal, escape_json};
use crate::text;

/// How many findings are printed beside an answer; documents have all of them.
const MAX_TOLD: usize = 20;

/// The one object that prints.
pub(crate) struct Output<'a> {
    json: bool,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Each finding once, in the order they came in.
    findings: Vec<Diagnostic>,
    /// The same findings, ordered for lookup.
    known: BTreeSet<Diagnostic>,
    told: usize,
    /// The answer, when it is kept for whoever called instead of being printed.
    kept: Option<Json>,
}

impl<'a> Output<'a> {
    /// Prints answers to `out` and everything else to `err`.
    pub(crate) fn new(json: bool, out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { json, out, err, findings: Vec::new(), known: BTreeSet::new(), told: 0, kept: None }
    }

    /// Keeps the answer as a document instead of printing it.
    #[cfg(all(not(feature = "tools"), any(test, all(target_os = "wasi", target_env = "p2"))))]
    pub(crate) fn keeping(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { kept: Some(Json::Null), ..Self::new(true, out, err) }
    }

    /// Gives the answer that was kept, and what was found wrong on the way to it.
    #[cfg(all(not(feature = "tools"), any(test, all(target_os = "wasi", target_env = "p2"))))]
    pub(crate) fn kept(self) -> (Json, Vec<Diagnostic>) {
        (self.kept.unwrap_or_default(), self.findings)
    }

    /// Collects findings to print with the answer; duplicates are dropped, in logarithmic time each.
    pub(crate) fn found(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            if self.known.insert(finding.clone()) {
                self.findings.push(finding);
            }
        }
    }

    /// Gives the command's answer, as a document or as text, whichever is wanted.
    pub(crate) fn answer(
        &mut self,
        document: impl FnOnce() -> Json,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { self.document(document()) } else { self.text(&text()) }
    }

    /// Prints text for people, whole lines of it, with control characters escaped.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.tell_findings();
        Ok(print(self.out, &escape_for_terminal(text))?)
    }

    /// Prints bytes unchanged in either format, unless standard output is a terminal, where they are escaped.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.bytes_to(io::stdout().is_terminal(), bytes)
    }

    fn bytes_to(&mut self, is_terminal: bool, bytes: &[u8]) -> Result<(), Failure> {
        self.tell_findings();
        if is_terminal {
            self.out.write_all(escape_for_terminal(&String::from_utf8_lossy(bytes)).as_bytes())?;
        } else {
            self.out.write_all(bytes)?;
        }
        Ok(self.out.flush()?)
    }

    /// Prints a content as it is, or for programs in a document.
    pub(crate) fn content(&mut self, bytes: &[u8], document: impl FnOnce(&str) -> Json) -> Result<(), Failure> {
        if self.json { self.document(document(&String::from_utf8_lossy(bytes))) } else { self.bytes(bytes) }
    }

    /// Prints one line of a stream, which is JSON for people too: streams are for programs.
    pub(crate) fn line(&mut self, line: &Json) -> io::Result<()> {
        self.tell_findings();
        print(self.out, &escape_json(&line.to_string()))
    }

    /// Prints one JSON line of a protocol, and nothing beside it.
    pub(crate) fn raw(&mut self, line: &str) -> io::Result<()> {
        print(self.out, &escape_json(line))
    }

    /// Prints a page that is an answer in itself, and gives the exit code.
    pub(crate) fn page(&mut self, text: &str) -> u8 {
        let printed = self.text(text);
        self.finish(printed)
    }

    /// Prints text to standard error, with control characters escaped.
    pub(crate) fn aside(&mut self, text: &str) {
        // Whoever has closed this stream does not want to hear it.
        drop(print(self.err, &escape_for_terminal(text)));
    }

    /// Tells a failure, if it ended in one, and gives the exit code.
    pub(crate) fn finish(&mut self, ended: Result<(), Failure>) -> u8 {
        let Err(failure) = ended else { return 0 };
        let Told { kind, message, hint, said, .. } = &*failure;
        if self.json && !said {
            // When even this cannot be written, the exit code still says it.
            drop(self.document(answer::failure(*kind, message, hint)));
        } else {
            self.tell_findings();
        }
        if !self.json && !said {
            self.failure_as_text(&failure);
        }
        kind.code()
    }

    /// Tells a failure beside an answer that has been given as a stream.
    pub(crate) fn failure_as_text(&mut self, Told { kind, message, hint, .. }: &Told) {
        let hint = if hint.is_empty() { String::new() } else { format!("\nhint: {hint}") };
        self.aside(&format!("error[{}]: {message}{hint}", kind.as_str()));
    }

    fn document(&mut self, document: Json) -> Result<(), Failure> {
        if let Some(kept) = &mut self.kept {
            *kept = document;
            return Ok(());
        }
        let document = answer::with_findings(document, &self.findings);
        self.told = self.findings.len();
        Ok(print(self.out, &escape_json(&document.to_string()))?)
    }

    /// Tells people what was found and not yet told.
    fn tell_findings(&mut self) {
        let room = MAX_TOLD.saturating_sub(self.told);
        let untold = &self.findings[self.told..];
        let mut news: Vec<String> = untold.iter().take(room).map(warning).collect();
        news.extend(more(untold.len() - news.len()));
        self.told = self.findings.len();
        if !news.is_empty() {
            self.aside(&news.join("\n"));
        }
    }
}

/// Says how many findings are not shown, if any are not.
pub(crate) fn more(number: usize) -> Option<String> {
    (number > 0).then(|| format!("… and {} (--json lists all)", text::count(number, "more finding")))
}

fn warning(finding: &Diagnostic) -> String {
    let Diagnostic { severity, code, place, message, hint } = finding;
    // The word "error" is for failures: with a finding, the command did work on.
    let word = if *severity == Severity::Info { "info" } else { "warning" };
    let hint = if hint.is_empty() { String::new() } else { format!("\n  hint: {hint}") };
    format!("{word}[{code}]: {message}: {place}{hint}")
}

/// Writes text in one piece and ends its last line.
fn print(stream: &mut dyn Write, text: &str) -> io::Result<()> {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    stream.write_all(format!("{text}{end}").as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finding_is_told_once_and_in_order_and_of_many_the_first() {
        let finding = |number: i64| Diagnostic {
            severity: Severity::Warning,
            code: "foreign-file",
            place: format!("inbox/{}", 100_000_i64 - number),
            message: "not a message".to_owned(),
            hint: String::new(),
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut output = Output::new(false, &mut out, &mut err);
        output.found((0..100_000).map(finding));
        output.found((0..100_000).map(finding));
        output.text("done").unwrap();
        output.found((0..100_007).map(finding));
        output.text("done").unwrap();
        let err = String::from_utf8(err).unwrap();
        let lines: Vec<_> = err.lines().collect();
        assert_eq!(lines[1], "warning[foreign-file]: not a message: inbox/99999");
        assert_eq!(lines[19], "warning[foreign-file]: not a message: inbox/99981");
        let rest = ["… and 99980 more findings (--json lists all)", "… and 7 more findings (--json lists all)"];
        assert_eq!(lines[20..], rest);
    }

    #[test]
    fn bytes_are_escaped_for_a_terminal_and_unchanged_elsewhere() {
        let print = |is_terminal: bool| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            Output::new(false, &mut out, &mut err).bytes_to(is_terminal, b"a\x1b[2J\xff\n").unwrap();
            out
        };
        assert_eq!(print(false), b"a\x1b[2J\xff\n");
        assert_eq!(print(true), "a\\u{1b}[2J\u{fffd}\n".as_bytes());
    }

    #[test]
    fn lines_of_a_protocol_have_json_escapes() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut output = Output::new(false, &mut out, &mut err);
        output.raw("[\"\u{9b}2J\u{202e}\"]").unwrap();
        output.line(&Json::from("\u{9b}2J")).unwrap();
        assert_eq!(out, b"[\"\\u009b2J\\u202e\"]\n\"\\u009b2J\"\n");
    }

    #[test]
    fn a_document_has_all_findings() {
        let finding = |number: usize| Diagnostic {
            severity: Severity::Warning,
            code: "foreign-file",
            place: number.to_string(),
            message: String::new(),
            hint: String::new(),
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut output = Output::new(true, &mut out, &mut err);
        output.found((0..1000).map(finding));
        output.answer(|| Json::Object(Default::default()), String::new).unwrap();
        let document: Json = serde_json::from_slice(&out).unwrap();
        assert_eq!((document["findings"].as_array().unwrap().len(), err.len()), (1000, 0));
    }
}
