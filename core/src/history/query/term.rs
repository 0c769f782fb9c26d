//! What a query asks for, and whether a row has it.

use regex_lite::{Regex, RegexBuilder};

use super::field::{QueryField, State};
use super::pattern::Pattern;
use super::{Facts, Needle};
use crate::model::time::Timestamp;

/// The most bytes that a regular expression may be compiled to: one that is larger takes long on every text.
const REGEX_BYTES: usize = 256 << 10;

/// One condition, or several.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// All of them hold; nothing is always so.
    All(Vec<Term>),
    /// At least one of them holds.
    Any(Vec<Term>),
    /// It does not hold.
    Not(Box<Term>),
    /// A text of the row has this in it.
    Text(Pattern),
    /// A text of the row is found by this.
    Regex(Expression),
    /// A field has this value.
    Value(QueryField, Pattern),
    /// The row is from before this time.
    Before(Timestamp),
    /// The row is from this time, or later.
    After(Timestamp),
    /// The row is in a state.
    Is(State),
    /// The row names an artifact.
    HasArtifact,
}

impl Term {
    /// Joins terms that all have to hold.
    pub(super) fn all(terms: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for term in terms {
            match term {
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        joined(flat, Self::All)
    }

    /// Joins terms of which one has to hold.
    pub(super) fn one_of(terms: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for term in terms {
            match term {
                Self::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        joined(flat, Self::Any)
    }

    /// Turns a term into its opposite.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Returns whether a single condition somewhere in it passes a test.
    pub(super) fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::All(terms) | Self::Any(terms) => terms.iter().any(|term| term.any(test)),
            Self::Not(inner) => inner.any(test),
            single => test(single),
        }
    }

    /// Returns whether a row has what is asked for.
    pub(super) fn matches(&self, row: &dyn Facts) -> bool {
        match self {
            Self::All(terms) => terms.iter().all(|term| term.matches(row)),
            Self::Any(terms) => terms.iter().any(|term| term.matches(row)),
            Self::Not(inner) => !inner.matches(row),
            Self::Text(pattern) => pattern.is_any() || row.any_text(&mut |text| pattern.is_in(text)),
            Self::Regex(expression) => row.any_text(&mut |text| expression.is_in(text)),
            Self::Value(field, pattern) => value_matches(*field, pattern, row),
            Self::Before(end) => row.time().is_some_and(|time| time < *end),
            Self::After(start) => row.time().is_some_and(|time| time >= *start),
            Self::Is(state) => row.is(*state),
            Self::HasArtifact => row.has_artifact(),
        }
    }

    /// Lists texts that every row that matches has in its JSON.
    pub(super) fn needles(&self) -> Vec<Needle> {
        let mut needles = Vec::new();
        for text in self.parts().iter().flat_map(Self::certain) {
            if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_. ".contains(&byte)) {
                needles.push(Needle { text: text.clone() });
            }
        }
        needles
    }

    /// Returns the terms that all have to hold.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::All(terms) => terms,
            single => std::slice::from_ref(single),
        }
    }

    fn certain(&self) -> &[String] {
        match self {
            Self::Text(pattern) => pattern.pieces(),
            // The path of a file is not in its rows.
            Self::Value(field, pattern) if *field != QueryField::File && pattern.plain().is_some() => pattern.pieces(),
            _ => &[],
        }
    }

    /// Ranks what it takes to decide: columns, then what is derived from them, then texts.
    fn cost(&self) -> u8 {
        match self {
            Self::All(terms) | Self::Any(terms) => terms.iter().map(Self::cost).max().unwrap_or(0),
            Self::Not(inner) => inner.cost(),
            Self::Value(..) | Self::Before(_) | Self::After(_) | Self::HasArtifact => 0,
            Self::Is(_) => 1,
            Self::Text(_) => 2,
            Self::Regex(_) => 3,
        }
    }
}

/// Joins terms so that the cheapest are asked first; one alone stays as it is.
fn joined(mut terms: Vec<Term>, join: fn(Vec<Term>) -> Term) -> Term {
    if terms.len() == 1
        && let Some(single) = terms.pop()
    {
        return single;
    }
    terms.sort_by_key(Term::cost);
    join(terms)
}

fn value_matches(field: QueryField, pattern: &Pattern, row: &dyn Facts) -> bool {
    let value = match field {
        QueryField::From => row.from(),
        QueryField::To => row.to(),
        QueryField::Type => row.kind(),
        QueryField::Severity => row.severity(),
        QueryField::Thread => row.thread(),
        QueryField::Priority => row.priority(),
        QueryField::File => row.file(),
        QueryField::Before | QueryField::After | QueryField::Is | QueryField::Has => "",
    };
    match field {
        QueryField::File if !value.is_empty() && pattern.plain() != Some("") => pattern.is_in(value.as_bytes()),
        QueryField::To => value.split(", ").any(|name| pattern.is(name)) || pattern.is(value),
        _ => pattern.is(value),
    }
}

/// A regular expression, known by how it was written.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    /// What stood between the slashes.
    pub(super) written: String,
    /// Whether case does not matter.
    pub(super) any_case: bool,
    regex: Regex,
}

impl Expression {
    pub(super) fn read(written: String, any_case: bool) -> Result<Self, regex_lite::Error> {
        let regex = RegexBuilder::new(&without_escaped_slashes(&written))
            .case_insensitive(any_case)
            .size_limit(REGEX_BYTES)
            .build()?;
        Ok(Self { written, any_case, regex })
    }

    fn is_in(&self, text: &[u8]) -> bool {
        std::str::from_utf8(text).is_ok_and(|text| self.regex.is_match(text))
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written && self.any_case == other.any_case
    }
}

/// Takes the backslash from slashes, which only had one to be told from the end, and leaves every other escape.
fn without_escaped_slashes(written: &str) -> String {
    let mut pattern = String::with_capacity(written.len());
    let mut chars = written.chars();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next() } else { None };
        if escaped != Some('/') {
            pattern.push(c);
        }
        pattern.extend(escaped);
    }
    pattern
}
