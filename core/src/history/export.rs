//! From one protocol to another, and to people: what was read back, written in the format of choice.
//!
//! All of it is a pure function of what is given. What a format has no room for is a *loss*, a finding that says what and how
//! much; nothing is left out in silence.

mod bundle;
mod collect;
mod documents;
mod mailbox;
mod markdown;
#[cfg(test)]
mod tests;

pub use bundle::{BundleEntry, from_bundle_line, to_files, to_jsonl};
pub use collect::MessageExport;
pub use documents::{documents_of, snapshot_of, to_documents};
pub(crate) use mailbox::losses;
pub use mailbox::{directory_of, to_mailbox};
pub use markdown::{MarkdownMessage, message_to_markdown, to_markdown};

use std::collections::BTreeMap;

use crate::engine::MailSnapshot;
use crate::model::{Diagnostic, Directory, Severity};

/// The contents of a bus to export.
#[derive(Debug, Clone, Copy)]
pub struct ExportSource<'a> {
    /// Messages and their deliveries.
    pub snapshot: &'a MailSnapshot,
    /// The directory of agents.
    pub directory: &'a Directory,
    /// What else was kept: shared contexts, handoff packages, anything, each with its path as the mailbox has it.
    pub extra_files: &'a [(String, Vec<u8>)],
}

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    /// The directories that must be there, even with nothing in them.
    pub directories: Vec<String>,
    /// The files, by path.
    pub files: Vec<(String, Vec<u8>)>,
    /// Fields that the format cannot represent.
    pub losses: Vec<Diagnostic>,
}

/// Reports what a format has no room for.
fn loss(severity: Severity, place: impl Into<String>, message: String, hint: &str) -> Diagnostic {
    Diagnostic { severity, code: "not-exported", place: place.into(), message, hint: hint.to_owned() }
}

/// Returns which files a format has no room for, a finding for each directory that they come from.
fn lost_files<'a>(files: impl Iterator<Item = &'a (String, Vec<u8>)>, why: &str, hint: &str) -> Vec<Diagnostic> {
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (path, bytes) in files {
        let place = path.split_once('/').map_or(path.as_str(), |(top, _)| top);
        let group = groups.entry(place).or_default();
        *group = (group.0 + 1, group.1 + bytes.len());
    }
    let told = groups.into_iter().map(|(place, (files, size))| {
        let message = format!("{} of {}: {why}", count(files, "file"), count(size, "byte"));
        loss(Severity::Warning, place, message, hint)
    });
    told.collect()
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns whether a path stays below where it is put, on every kind of system.
fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.split('/').all(is_name) && !path.contains(['\\', ':']) && !path.chars().any(char::is_control)
}
