//! Mending: what nobody can read or carry out is moved out of the way.

use std::collections::BTreeSet;

use super::CheckReport;
use crate::bus::{Bus, Result};
use crate::model::Diagnostic;

/// A file that was moved out of the way, both paths as the bus sees them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mended {
    /// Where it was.
    pub from: String,
    /// Where it is now.
    pub to: String,
}

/// The findings whose place is a file that nobody can read or carry out.
const UNUSABLE: [&str; 5] = ["unreadable-file", "damaged-message", "damaged-change", "foreign-file", "foreign-lease"];
const DAMAGED_REGISTRY: &str = "damaged-registry";

impl Bus<'_> {
    /// Moves what nobody can read or carry out to the quarantine, replaces a damaged registry, and checks what is left.
    ///
    /// Nothing is removed. What cannot be moved is among the findings, as without mending.
    pub fn mend(&self) -> Result<CheckReport> {
        let found = self.check()?.findings;
        let is_damaged = |finding: &Diagnostic| finding.code == DAMAGED_REGISTRY;
        let unusable = found.iter().filter(|one| UNUSABLE.contains(&one.code) || is_damaged(one));
        let mut mended = Vec::new();
        for from in BTreeSet::from_iter(unusable.map(|finding| finding.place.clone())) {
            // One that cannot be moved keeps no other from being moved, and stays a finding.
            let moved = self.engine.quarantine_file(&from).unwrap_or_default();
            mended.extend(moved.map(|to| Mended { from, to }));
        }
        if found.iter().any(is_damaged) {
            // Writes the registry anew, from what can be made out.
            self.engine.edit_directory(&mut |_| {})?;
        }
        Ok(CheckReport { mended, ..self.check()? })
    }
}
