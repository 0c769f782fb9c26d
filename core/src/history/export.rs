//! From one protocol to another, and to people: what was read back, written in the format of choice.
//!
//! All of it is a pure function of what is given. What a format has no room for is a *loss*, a finding that says what and how
//! much; nothing is left out in silence.

mod bundle;
mod documents;
mod gather;
mod mailbox;
mod markdown;
#[cfg(test)]
mod tests;

pub use bundle::{Stored, from_bundle_line, to_files, to_jsonl};
pub use documents::{documents_of, survey_of, to_documents};
pub use gather::Gathered;
pub(crate) use mailbox::losses;
pub use mailbox::{directory_of, to_mailbox};
pub use markdown::{Passage, passage_to_markdown, to_markdown};

use std::collections::BTreeMap;

use crate::engine::Survey;
use crate::model::{Directory, Finding, Severity};

/// A bus to be written in another format.
#[derive(Debug, Clone, Copy)]
pub struct Letters<'a> {
    /// What was sent, and what became of it.
    pub survey: &'a Survey,
    /// Who is there.
    pub directory: &'a Directory,
    /// What else was kept: shared contexts, handoff packages, anything, each with its path as the mailbox has it.
    pub beside: &'a [(String, Vec<u8>)],
}

/// What came of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    /// The directories that must be there, even with nothing in them.
    pub directories: Vec<String>,
    /// The files, by path.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the format has no room for.
    pub losses: Vec<Finding>,
}

/// Tells what a format has no room for.
fn loss(severity: Severity, place: impl Into<String>, message: String, hint: &str) -> Finding {
    Finding { severity, code: "not-exported", place: place.into(), message, hint: hint.to_owned() }
}

/// Tells which files a format has no room for, a finding for each directory that they come from.
fn lost_files<'a>(files: impl Iterator<Item = &'a (String, Vec<u8>)>, why: &str, hint: &str) -> Vec<Finding> {
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

/// Says whether a path stays below where it is put, on every kind of system.
fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.split('/').all(is_name) && !path.contains(['\\', ':']) && !path.chars().any(char::is_control)
}
