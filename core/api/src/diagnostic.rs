//! Diagnostics as a part of a response.

use huddle_core::model::{Diagnostic, Remedy, Severity};
use serde::Serialize;

/// A diagnostic that a response reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiagnosticEntry {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// What programs tell diagnostics apart by.
    pub code: &'static str,
    /// The file, message or agent it is about.
    pub place: String,
    /// What was found.
    pub message: String,
    /// What can be done; faces reword it from the remedy.
    pub hint: String,
    /// The advice; not a part of the document.
    #[serde(skip)]
    pub remedy: Remedy,
    /// The severity; not a part of the document.
    #[serde(skip)]
    pub level: Severity,
}

impl From<Diagnostic> for DiagnosticEntry {
    fn from(diagnostic: Diagnostic) -> Self {
        let Diagnostic { severity, code, place, message, remedy } = diagnostic;
        let hint = remedy.to_string();
        Self { severity: severity.to_string(), code, place, message, hint, remedy, level: severity }
    }
}

/// Returns the entries of diagnostics, and whether all data can be used.
pub(crate) fn entries(diagnostics: Vec<Diagnostic>) -> (Vec<DiagnosticEntry>, bool) {
    let ok = diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
    (diagnostics.into_iter().map(DiagnosticEntry::from).collect(), ok)
}
