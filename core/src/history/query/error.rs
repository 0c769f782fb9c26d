//! What is wrong with a query, and where.

/// A query that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The character where it goes wrong, counted from zero; the number of all characters when something is missing there.
    pub at: usize,
    /// The fault.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

impl SyntaxError {
    pub(super) fn new(at: usize, message: &str, hint: &str) -> Self {
        Self { at, message: message.to_owned(), hint: hint.to_owned() }
    }

    /// Shows the query with a caret below the character where it goes wrong.
    pub fn caret(&self, query: &str) -> String {
        // A tab or a line break would move the caret away from what it points at.
        let line: String = query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{line}\n{}^", " ".repeat(self.at))
    }
}
