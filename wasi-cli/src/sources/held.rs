//! A bus that is on a server and has no files to read: what is in it, as the files of a mailbox in memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use huddle_core::history::export::{ExportSource, to_mailbox};
use huddle_core::migrate::BusSnapshot;
use huddle_core::model::Diagnostic;

use crate::project::BUS_DIR;

/// Files in memory, by path; a second handle on them costs nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Held(Rc<BTreeMap<String, Vec<u8>>>);

impl Held {
    /// Writes all of a bus as if its mailbox lay in a directory; tells what a mailbox has no room for.
    pub(super) fn of(whole: &BusSnapshot, dir: &str) -> (Self, Vec<Diagnostic>) {
        let papers = whole.context_and_handoff_files();
        let mailbox =
            to_mailbox(&ExportSource { snapshot: &whole.snapshot, directory: &whole.directory, extra_files: &papers });
        let slash = if dir.is_empty() { "" } else { "/" };
        let files = mailbox.files.into_iter().map(|(path, bytes)| (format!("{dir}{slash}{BUS_DIR}/{path}"), bytes));
        (Self(Rc::new(files.collect())), mailbox.losses)
    }

    /// Lists the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Gives all of a file.
    pub(super) fn get(&self, path: &str) -> Option<&Vec<u8>> {
        self.0.get(path)
    }

    /// Gives part of a file, or less where it is shorter.
    pub(super) fn part(&self, path: &str, offset: u64, length: u64) -> Option<&[u8]> {
        let bytes = self.get(path)?;
        let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
        Some(&bytes[at(offset)..at(offset.saturating_add(length))])
    }
}
