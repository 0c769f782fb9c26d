//! Diagnostics: problems of stored data, reported instead of hidden.

use std::fmt;

/// The severity of a diagnostic.
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

/// A problem, where it is, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// A short stable name of this kind of problem: `damaged-message`.
    pub code: &'static str,
    /// The file or thing it is about.
    pub place: String,
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub hint: String,
}

/// A value that was read, and the problems met while reading it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WithDiagnostics<T> {
    /// The part that could be read.
    pub value: T,
    /// The problems; in JSON the field has the same name.
    pub findings: Vec<Diagnostic>,
}

impl<T> WithDiagnostics<T> {
    /// Wraps a value without problems.
    pub fn clean(value: T) -> Self {
        Self { value, findings: Vec::new() }
    }
}
