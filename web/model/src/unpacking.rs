//! What may be unpacked, and why an archive was not unpacked to its end.

use huddle_core::model::{Diagnostic, Severity};

use crate::limits::{UnpackBound, UnpackLimits, over_limit};

/// What to do about an archive that exceeds a bound.
pub const HINT: &str = "raise the limit with its button, or unpack it yourself and open the part that you want";

/// What may still be unpacked in one opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpackBudget {
    /// How many bytes.
    pub bytes: u64,
    /// How many files.
    pub files: u32,
}

impl UnpackBudget {
    /// Returns all that the limits allow.
    pub fn new(limits: UnpackLimits) -> Self {
        Self { bytes: limits.total, files: limits.files }
    }

    /// Takes one file from what may still be unpacked; one that is too large uses up what it could have had.
    ///
    /// # Errors
    /// When the file exceeds a bound: which one.
    pub fn spend(&mut self, size: u64, room: &mut u64) -> Result<(), UnpackBound> {
        self.files = self.files.checked_sub(1).ok_or(UnpackBound::Files)?;
        let (limit, is_total) = (self.bytes.min(*room), self.bytes < *room);
        let taken = size.min(limit);
        self.bytes -= taken;
        *room -= taken;
        match size > limit {
            true if is_total => Err(UnpackBound::Total),
            true => Err(UnpackBound::Archive),
            false => Ok(()),
        }
    }
}

/// Why an archive was not unpacked to its end.
pub enum Fault {
    /// It exceeds a bound.
    Over(UnpackBound),
    /// It is damaged or encrypted, or somebody still writes it.
    Damaged(String),
}

impl From<String> for Fault {
    fn from(error: String) -> Self {
        Self::Damaged(error)
    }
}

impl Fault {
    /// Names the file of an archive that is damaged.
    pub fn within(self, member: &str) -> Self {
        match self {
            Self::Damaged(error) => Self::Damaged(format!("{member}: {error}")),
            over @ Self::Over(_) => over,
        }
    }

    /// Reports it; `is_part` says whether some files came out whole.
    pub fn diagnostic(&self, path: &str, limits: UnpackLimits, is_part: bool) -> Diagnostic {
        let bound = match self {
            Self::Damaged(error) => {
                return Diagnostic {
                    severity: Severity::Warning,
                    code: "damaged-archive",
                    place: path.to_owned(),
                    message: format!("{path} cannot be unpacked: {error}"),
                    hint: "unpack it yourself, and open what comes out".to_owned(),
                };
            }
            Self::Over(bound) => *bound,
        };
        let limit = limits.worded(bound);
        let exceeds = match bound {
            UnpackBound::Archive => format!("unpacks to more than {limit}"),
            UnpackBound::Total => format!("and those before it unpack to more than {limit}"),
            UnpackBound::Files => format!("and those before it hold more than {limit}"),
        };
        let left_out = if is_part { "a part of it" } else { "it" };
        over_limit(path, format!("the archive {path} {exceeds}; {left_out} was left out"), HINT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_names_the_bound_that_is_exceeded_first() {
        let limits = UnpackLimits { archive: 10, total: 25, files: 4 };
        let mut budget = UnpackBudget::new(limits);
        let (mut one, mut two, mut three) = (limits.archive, limits.archive, limits.archive);
        assert_eq!(budget.spend(10, &mut one), Ok(()));
        assert_eq!(budget.spend(11, &mut two), Err(UnpackBound::Archive));
        assert_eq!((budget.bytes, two), (5, 0), "what was unpacked in vain counts");
        assert_eq!(budget.spend(5, &mut three), Ok(()));
        assert_eq!(budget.spend(1, &mut three), Err(UnpackBound::Total));
        assert_eq!(budget.spend(0, &mut three), Err(UnpackBound::Files));
    }

    #[test]
    fn diagnostic_names_archive_limit_and_remedy() {
        let check = |bound, is_part, wanted: &str| {
            let found = Fault::Over(bound).diagnostic("l/a.zip", UnpackLimits::default(), is_part);
            assert_eq!((found.code, found.place.as_str(), found.hint.as_str()), ("over-limit", "l/a.zip", HINT));
            assert_eq!(found.message, wanted);
        };
        check(UnpackBound::Archive, false, "the archive l/a.zip unpacks to more than 256.0 MB; it was left out");
        check(
            UnpackBound::Total,
            false,
            "the archive l/a.zip and those before it unpack to more than 1.0 GB in all; it was left out",
        );
        check(
            UnpackBound::Files,
            true,
            "the archive l/a.zip and those before it hold more than 50,000 files; a part of it was left out",
        );
    }
}
