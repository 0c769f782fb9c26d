//! Bounds on what the page reads: what it is given can have been made to exhaust it.
//!
//! A tab has 4 GB for the program's memory and the browser's blobs come on top, so that every bound is far from what a tab can
//! have and above what agents leave behind. A file beyond a bound is left out or cut, and a diagnostic says so.

use huddle_core::model::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

use crate::format::{number, size};

/// The most files that are listed: opening each takes the browser about a millisecond.
///
/// A bus of ten thousand messages has about forty thousand files.
pub const MAX_FILES: usize = 200_000;

/// The most bytes of a server's list of files, which is parsed as a whole.
pub const MAX_LISTING_BYTES: u64 = 64_000_000;

/// The most bytes of a document, which has many times that size once it is parsed.
pub const MAX_DOCUMENT_BYTES: u64 = 64_000_000;

/// The most bytes of a list of records in one document, which is held and scanned as it is.
pub const MAX_EXPORT_BYTES: u64 = 256_000_000;

/// The most records of one opening, at up to 380 bytes of columns and indexes each.
pub const MAX_RECORDS: u64 = 6_000_000;

/// The most bytes of a file that is shown as part of a view.
pub const MAX_TEXT_BYTES: usize = 1_000_000;

/// The most bytes of a file that is saved, which is written in memory.
pub const MAX_SAVED_BYTES: u64 = 512_000_000;

/// Bounds on unpacking, which the reader can raise for one opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpackLimits {
    /// The most bytes that one archive may have, packed or unpacked.
    pub archive: u64,
    /// The most bytes that all archives of an opening may unpack to.
    pub total: u64,
    /// The most files that all archives of an opening may hold.
    pub files: u32,
}

impl Default for UnpackLimits {
    /// Returns bounds that no archive of a day's work comes near: a log of a million events has 243 MB, a bus of ten thousand
    /// messages forty thousand files.
    fn default() -> Self {
        Self { archive: 256_000_000, total: 1_000_000_000, files: 50_000 }
    }
}

impl UnpackLimits {
    /// Returns the bounds that the reader is offered when these are exceeded.
    pub fn raised(self) -> Self {
        const FACTOR: u32 = 4;
        Self {
            archive: self.archive.saturating_mul(FACTOR.into()),
            total: self.total.saturating_mul(FACTOR.into()),
            files: self.files.saturating_mul(FACTOR),
        }
    }

    /// Words one of the bounds.
    pub fn worded(self, bound: UnpackBound) -> String {
        match bound {
            UnpackBound::Archive => size(self.archive),
            UnpackBound::Total => format!("{} in all", size(self.total)),
            UnpackBound::Files => format!("{} files", number(self.files.into())),
        }
    }
}

/// One of the bounds on unpacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnpackBound {
    /// What one archive may have.
    Archive,
    /// What all of them may unpack to.
    Total,
    /// How many files they may hold.
    Files,
}

/// A way to open the same source again with higher bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raise {
    /// The words on the button.
    pub label: String,
    /// The higher bounds.
    pub limits: UnpackLimits,
}

impl Raise {
    /// Offers more than a bound that was exceeded.
    pub fn above(limits: UnpackLimits, exceeded: UnpackBound) -> Self {
        let limits = limits.raised();
        Self { label: format!("Unpack up to {} anyway", limits.worded(exceeded)), limits }
    }
}

/// The code of what [`over_limit`] reports.
pub const OVER_LIMIT: &str = "over-limit";

/// Reports a file or a source that exceeds a bound.
pub fn over_limit(place: &str, message: String, hint: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: OVER_LIMIT,
        place: place.to_owned(),
        message,
        hint: hint.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raise_names_the_bound_that_was_exceeded() {
        let label = |bound| Raise::above(UnpackLimits::default(), bound).label;
        assert_eq!(label(UnpackBound::Archive), "Unpack up to 1.0 GB anyway");
        assert_eq!(label(UnpackBound::Total), "Unpack up to 4.0 GB in all anyway");
        assert_eq!(label(UnpackBound::Files), "Unpack up to 200,000 files anyway");
    }

    #[test]
    fn raised_limits_never_wrap() {
        let all = UnpackLimits { archive: u64::MAX, total: u64::MAX, files: u32::MAX };
        assert_eq!(all.raised(), all);
    }
}
