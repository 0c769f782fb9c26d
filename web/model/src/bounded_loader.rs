//! Loading no more than a tab has room for.

use huddle_core::history::{History, Loader, Role};
use huddle_core::model::Diagnostic;

use crate::format::{number, size};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_EXPORT_BYTES, MAX_RECORDS, over_limit};

const TOO_LARGE: &str = "it is too large to be read as a whole";

/// A loader that stops at the bounds of [`crate::limits`].
///
/// Long lines of logs are bounded by the reader of logs itself.
pub struct BoundedLoader {
    loader: Loader,
    diagnostics: Vec<Diagnostic>,
    max_records: u64,
    is_full: bool,
}

impl BoundedLoader {
    /// Bounds a loader.
    pub fn new(loader: Loader) -> Self {
        Self { loader, diagnostics: Vec::new(), max_records: MAX_RECORDS, is_full: false }
    }

    /// Returns the loader.
    pub fn get(&self) -> &Loader {
        &self.loader
    }

    /// Takes the next bytes of a file as [`Loader::feed`] does; returns false when no more of the file is taken.
    pub fn feed(&mut self, file: u32, bytes: &[u8]) -> bool {
        let source = &self.loader.files()[file as usize];
        if self.loader.progress().rows >= self.max_records {
            if !std::mem::replace(&mut self.is_full, true) {
                let message =
                    format!("there are more than {} records; the rest was left out", number(self.max_records));
                self.diagnostics.push(over_limit(&source.path, message, "open a part of it"));
            }
            self.loader.mark_incomplete(file);
            return false;
        }
        let limit = limit_of(&source.role);
        if (self.loader.buffered() + bytes.len()) as u64 > limit {
            let message = format!("the document {} has more than {}; it was left out", source.path, size(limit));
            self.diagnostics.push(over_limit(&source.path, message, "split it, or write a record on each line"));
            self.loader.discard(file, TOO_LARGE);
            return false;
        }
        self.loader.feed(file, bytes);
        true
    }

    /// Ends a file as [`Loader::end`] does.
    pub fn end(&mut self) {
        self.loader.end();
    }

    /// Passes over a file as [`Loader::pass_over`] does.
    pub fn mark_incomplete(&mut self, file: u32) {
        self.loader.mark_incomplete(file);
    }

    /// Returns the history with what was left out among its diagnostics, and with those that are given.
    pub fn finish(self, diagnostics: &[Diagnostic]) -> History {
        let mut history = self.loader.finish();
        history.findings.extend(self.diagnostics.into_iter().chain(diagnostics.iter().cloned()));
        history
    }
}

/// Returns how many bytes of a file are held to be parsed as a whole.
fn limit_of(role: &Role) -> u64 {
    match role {
        // A log may come in chunks of any size: none of them is held.
        Role::Log => u64::MAX,
        Role::Records | Role::Unsure => MAX_EXPORT_BYTES,
        _ => MAX_DOCUMENT_BYTES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(path: &str, chunks: usize) -> (History, bool) {
        let mut loader = BoundedLoader::new(Loader::new(vec![(path.to_owned(), 0, true)]));
        let line = format!("{{\"msg\":\"{}\"}}\n", "x".repeat(1_000_000));
        let all = (0..chunks).all(|_| loader.feed(0, line.as_bytes()));
        (loader.finish(&[]), all)
    }

    #[test]
    fn document_over_the_limit_is_left_out_and_reported() {
        let (history, all) = load("s/coordination.json", 70);
        assert!(!all);
        assert_eq!(history.files[0].role, Role::Ignored(TOO_LARGE));
        assert_eq!(history.findings[0].code, "over-limit");
        assert!(history.findings[0].message.starts_with("the document s/coordination.json has more than 64.0 MB"));
    }

    #[test]
    fn records_over_the_limit_are_left_out_and_reported_once() {
        let files = ["a.jsonl", "b.jsonl"].map(|path| (path.to_owned(), 0, false));
        let mut loader = BoundedLoader { max_records: 2, ..BoundedLoader::new(Loader::new(files.to_vec())) };
        let takes: Vec<bool> = [0, 0, 0, 1].map(|file| loader.feed(file, b"{\"msg\":\"x\"}\n")).to_vec();
        assert_eq!(takes, [true, true, false, false]);
        let history = loader.finish(&[]);
        assert_eq!(history.entries.len(), 2);
        let codes: Vec<&str> = history.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["cut-short", "over-limit"]);
        assert_eq!(history.findings[1].message, "there are more than 2 records; the rest was left out");
    }

    #[test]
    fn log_has_no_limit_of_its_own() {
        let (history, all) = load("a.jsonl", 70);
        assert!(all && history.findings.is_empty());
        let (history, all) = load("a.log", 300);
        assert!(all && history.findings.is_empty(), "what turns out to be a log is none that is held");
        assert_eq!(history.entries.len(), 300);
    }
}
