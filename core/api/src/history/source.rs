//! Where the files of a history come from.

use std::io;

use huddle_core::history::record::ByteSource;
use huddle_core::model::Diagnostic;

use crate::Error;

/// Opens the files of histories.
pub trait HistorySource {
    /// Opens the files at some paths; without any, those of the project.
    ///
    /// # Behavior
    /// - A bus on a server is opened as the files of a mailbox.
    /// - A path that cannot be opened is an error.
    fn open(&self, paths: &[String]) -> Result<Box<dyn HistoryFiles>, Error>;
}

/// The files of a history.
pub trait HistoryFiles {
    /// Returns the paths, with `/`, and whether the caller named each.
    fn files(&self) -> &[(String, bool)];

    /// Returns what could not be opened.
    fn diagnostics(&self) -> &[Diagnostic];

    /// Passes a file of at most `limit` bytes to `take` in chunks.
    ///
    /// # Behavior
    /// - An empty file is one empty chunk.
    /// - `buffer` may hold a chunk, and is reused for the next file.
    fn feed(&self, path: &str, limit: u64, buffer: &mut Vec<u8>, take: &mut dyn FnMut(&[u8])) -> io::Result<()>;

    /// Returns what reads parts of the files again.
    fn parts(&self) -> Box<dyn ByteSource>;

    /// Returns the error of a file that cannot be read.
    fn unreadable(&self, path: &str, error: &io::Error) -> Error;
}
