//! The search language: one line that says which rows are wanted.
//!
//! | written | wanted are rows |
//! | --- | --- |
//! | `deploy` | with this in one of their texts; `*` stands for any characters |
//! | `"not yet"` | with exactly this in one of their texts; `\"` is a quote, `\\` a backslash |
//! | `/time-?out/i` | with a text that the regular expression finds; `i` ignores case, `\/` is a slash |
//! | `from:ann` | from her; as well `to:`, `type:`, `severity:`, `thread:` and `priority:` |
//! | `from:sec*`, `from:"agent x"` | whose value looks like this; `from:""` finds rows that do not say |
//! | `file:logs/2025` | with this in the path of their file |
//! | `after:2025-01-23`, `before:2025-01-23T10:00` | from this moment on, or earlier than it; UTC where no zone is given |
//! | `is:unread` | that nobody read; as well `unanswered`, `overdue`, `crossed` and `damaged` |
//! | `has:artifact` | that name an artifact |
//! | `-from:ann` | that the rest would not find |
//! | `a b OR c` | with both `a` and `b`, or with `c`; parentheses group |
//!
//! Case never matters, except in a regular expression. A word with a colon that is no field (`src/db.rs:42`) is a word, and
//! so is one that begins with two hyphens (`--force`).
//!
//! ```
//! use huddle_core::history::query::Query;
//!
//! let query = Query::parse("(from:Ann OR -is:unread) timeout")?;
//! assert_eq!(query.to_string(), "(from:ann OR -is:unread) timeout");
//! assert_eq!(query.needles()[0].text, "timeout");
//!
//! let error = Query::parse("is:red").unwrap_err();
//! assert_eq!(error.caret("is:red"), "is:red\n   ^");
//! # Ok::<(), huddle_core::history::query::SyntaxError>(())
//! ```

mod complete;
mod error;
mod field;
mod parse;
mod pattern;
mod show;
mod term;
#[cfg(test)]
mod tests;
mod tokens;

pub use complete::Completion;
pub use error::SyntaxError;
pub use field::{QueryField, State};

use crate::model::time::Timestamp;
use term::Term;

/// A search that was read and can be asked about rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    term: Term,
}

/// The properties of a row that a query tests.
pub trait Facts {
    /// Returns who made it; like every text here it is empty when the row does not say.
    fn from(&self) -> &str;
    /// Returns who it is for; several names are joined by a comma and a space.
    fn to(&self) -> &str;
    /// Returns its type.
    fn kind(&self) -> &str;
    /// Returns how much it matters.
    fn severity(&self) -> &str;
    /// Returns the conversation that it belongs to.
    fn thread(&self) -> &str;
    /// Returns how urgent it is.
    fn priority(&self) -> &str;
    /// Returns the path of its file.
    fn file(&self) -> &str;
    /// Returns when it was made, if it says so.
    fn time(&self) -> Option<Timestamp>;
    /// Returns whether it is in a state.
    fn is(&self, state: State) -> bool;
    /// Returns whether it names an artifact.
    fn has_artifact(&self) -> bool;
    /// Shows each text of the row to `look` until it returns true; returns whether it did. Bytes, because to look for a word
    /// nobody has to know that they are UTF-8.
    fn any_text(&self, look: &mut dyn FnMut(&[u8]) -> bool) -> bool;
}

/// A text that stands in every row that a query finds: lower-case letters, digits, `-`, `_`, `.` and spaces, all ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    /// The text, to be looked for without regard to ASCII case.
    pub text: String,
}

impl Query {
    /// Reads a query. One with nothing in it finds every row.
    ///
    /// # Errors
    /// Says at which character the text cannot be understood, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        parse::query(text).map(|term| Self { term })
    }

    /// Returns whether nothing is asked for, so that every row matches.
    pub fn is_empty(&self) -> bool {
        matches!(&self.term, Term::All(terms) if terms.is_empty())
    }

    /// Returns whether the row has to be looked at with its text (words, phrases, regular expressions).
    pub fn needs_text(&self) -> bool {
        self.term.any(&|term| matches!(term, Term::Text(_) | Term::Regex(_)))
    }

    /// Returns whether states that are derived from the whole history are asked for: every one but being damaged.
    pub fn needs_states(&self) -> bool {
        self.term.any(&|term| matches!(term, Term::Is(state) if *state != State::Damaged))
    }

    /// Returns whether it is asked what is damaged: then bytes that are no row count too.
    pub fn asks_for_damage(&self) -> bool {
        self.term.any(&|term| matches!(term, Term::Is(State::Damaged)))
    }

    /// Returns whether a row is wanted.
    pub fn matches(&self, row: &dyn Facts) -> bool {
        self.term.matches(row)
    }

    /// Lists texts that the raw JSON of every wanted row has in it, for skipping rows without reading them.
    ///
    /// A row whose JSON has a backslash may spell them differently and cannot be skipped. The list is empty when nothing is
    /// certain.
    pub fn needles(&self) -> Vec<Needle> {
        self.term.needles()
    }

    /// Returns whether it is one word and nothing else, and that word is its only needle: whatever has it in a text is wanted.
    pub fn is_word(&self) -> bool {
        let word = if let [Term::Text(pattern)] = self.term.parts() { pattern.plain() } else { None };
        word.is_some_and(|word| matches!(self.needles().as_slice(), [needle] if needle.text == word))
    }

    /// Lists what could stand at the cursor, which counts characters. Only the text before it is looked at.
    ///
    /// Names of fields and the values of `is:` and `has:` are known here; the caller adds names of agents and the like.
    pub fn complete(text: &str, cursor: usize) -> Completion {
        complete::at(text, cursor)
    }
}
