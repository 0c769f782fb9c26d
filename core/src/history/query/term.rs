//! What a query asks for, and whether a row has it.

use std::fmt;

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
    /// The row took so many tokens.
    Tokens(Range),
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
            Self::All(terms) => terms.iter().all(|term| match term {
                Self::Is(state) if state.is_of_copies() => is_for_recipients(*state, terms, row),
                term => term.matches(row),
            }),
            Self::Any(terms) => terms.iter().any(|term| term.matches(row)),
            Self::Not(inner) => !inner.matches(row),
            Self::Text(pattern) => pattern.is_any() || row.any_text(&mut |text| pattern.is_in(text)),
            Self::Regex(expression) => row.any_text(&mut |text| expression.is_in(text)),
            Self::Value(field, pattern) => value_matches(*field, pattern, row),
            Self::Before(end) => row.time().is_some_and(|time| time < *end),
            Self::After(start) => row.time().is_some_and(|time| time >= *start),
            Self::Is(state) => row.is(*state),
            Self::HasArtifact => row.has_artifact(),
            Self::Tokens(range) => range.contains(row.tokens()),
        }
    }

    /// Lists texts that every row that matches has in its JSON.
    pub(super) fn needles(&self) -> Vec<Needle> {
        self.needles_of(&|_| true)
    }

    /// Lists those of them that words and phrases ask for.
    pub(super) fn text_needles(&self) -> Vec<Needle> {
        self.needles_of(&|term| matches!(term, Self::Text(_)))
    }

    fn needles_of(&self, is_meant: &dyn Fn(&Self) -> bool) -> Vec<Needle> {
        let mut needles = Vec::new();
        for text in self.parts().iter().filter(|term| is_meant(term)).flat_map(Self::certain) {
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
            // What the path of a file says, or what a transcript's row means, is not in the row.
            Self::Value(field, pattern) if field.is_column() && pattern.plain().is_some() => pattern.pieces(),
            _ => &[],
        }
    }

    /// Ranks what it takes to decide: columns, then what is derived from them, then texts.
    fn cost(&self) -> u8 {
        match self {
            Self::All(terms) | Self::Any(terms) => terms.iter().map(Self::cost).max().unwrap_or(0),
            Self::Not(inner) => inner.cost(),
            Self::Value(..) | Self::Before(_) | Self::After(_) | Self::HasArtifact | Self::Tokens(_) => 0,
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
        QueryField::Role => row.role(),
        QueryField::Model => row.model(),
        QueryField::Before
        | QueryField::After
        | QueryField::Is
        | QueryField::Has
        | QueryField::Tool
        | QueryField::Tokens => "",
    };
    match field {
        QueryField::Tool => row.any_tool(&mut |tool| pattern.is(tool)),
        QueryField::File if row.any_touched_file(&mut |file| pattern.is_in(file.as_bytes())) => true,
        QueryField::File if !value.is_empty() && pattern.plain() != Some("") => pattern.is_in(value.as_bytes()),
        QueryField::To => row
            .any_recipient(&mut |name| pattern.is(name))
            .unwrap_or_else(|| value.split(", ").any(|name| pattern.is(name)) || pattern.is(value)),
        _ => pattern.is(value),
    }
}

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Range {
    /// Reads `10`, `>10`, `>=10`, `<10` or `<=10`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let rest = text.trim_start_matches(['<', '>', '=']);
        let number = rest.replace(['_', ','], "").parse::<u64>().ok()?;
        let (first, last) = match &text[..text.len() - rest.len()] {
            "" | "=" => (number, number),
            ">" => (number.checked_add(1)?, u64::MAX),
            ">=" => (number, u64::MAX),
            "<" => (0, number.checked_sub(1)?),
            "<=" => (0, number),
            _ => return None,
        };
        Some(Self { first, last })
    }

    const fn contains(self, number: u64) -> bool {
        self.first <= number && number <= self.last
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "{first}"),
            (first, u64::MAX) => write!(f, ">={first}"),
            (_, last) => write!(f, "<={last}"),
        }
    }
}

/// Returns whether a row is in a state with the recipients that stand beside it: `to:bob is:unread`.
fn is_for_recipients(state: State, terms: &[Term], row: &dyn Facts) -> bool {
    let recipients = |term: &&Term| matches!(term, Term::Value(QueryField::To, pattern) if pattern.plain() != Some(""));
    let patterns: Vec<&Pattern> = terms
        .iter()
        .filter(recipients)
        .filter_map(|term| if let Term::Value(_, pattern) = term { Some(pattern) } else { None })
        .collect();
    if patterns.is_empty() {
        return row.is(state);
    }
    // `to:ALL` names nobody whose copy could be told.
    patterns.iter().any(|pattern| row.is_for(state, &mut |name| pattern.is(name)))
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

    /// Iterates over the byte ranges that it finds in a text.
    pub(super) fn ranges(&self, text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.regex.find_iter(text).map(|found| found.range())
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
