//! Findings: what is wrong with stored data, said rather than hidden.

use std::fmt;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Data cannot be used.
    Error,
    /// Something is off, and work goes on.
    Warning,
    /// Worth knowing.
    Info,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        })
    }
}

/// One thing that is wrong, where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// A short stable name for this kind of finding: `damaged-message`.
    pub code: &'static str,
    /// The file or thing it is about.
    pub place: String,
    /// What was found.
    pub message: String,
    /// How to mend it.
    pub hint: String,
}

/// A value that was read, and what was found wrong on the way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found<T> {
    /// What could be read.
    pub value: T,
    /// What could not, or should be looked at.
    pub findings: Vec<Finding>,
}

impl<T> Found<T> {
    /// Makes a value with nothing wrong.
    pub fn clean(value: T) -> Self {
        Self { value, findings: Vec::new() }
    }
}
