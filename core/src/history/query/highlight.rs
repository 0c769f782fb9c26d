//! Where in a text a query finds its words.

use std::ops::Range;

use super::Query;
use super::pattern::Pattern;
use super::term::{Expression, Term};

/// The most matches that are looked for in one text.
const MAX_MATCHES: usize = 1_000;

/// The words, phrases and regular expressions of a query that a row has to have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Highlighter {
    patterns: Vec<Pattern>,
    expressions: Vec<Expression>,
}

impl Highlighter {
    /// Collects what a query looks for in texts.
    pub fn new(query: &Query) -> Self {
        let mut highlighter = Self::default();
        highlighter.add(&query.term);
        highlighter
    }

    fn add(&mut self, term: &Term) {
        match term {
            Term::All(terms) | Term::Any(terms) => terms.iter().for_each(|term| self.add(term)),
            Term::Text(pattern) if !pattern.is_any() => self.patterns.push(pattern.clone()),
            Term::Regex(expression) => self.expressions.push(expression.clone()),
            _ => {}
        }
    }

    /// Returns whether nothing is looked for in texts.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.expressions.is_empty()
    }

    /// Returns the byte ranges of all matches in a text, in order and apart from each other.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for pattern in &self.patterns {
            pattern.ranges(text, MAX_MATCHES, &mut found);
        }
        for expression in &self.expressions {
            found.extend(expression.ranges(text).take(MAX_MATCHES).filter(|range| !range.is_empty()));
        }
        found.sort_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        joined
    }

    /// Cuts a text into parts that are matches (true) and parts that are not.
    pub fn parts<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        let (mut parts, mut end) = (Vec::new(), 0);
        for range in self.ranges(text) {
            if range.start > end {
                parts.push((&text[end..range.start], false));
            }
            end = range.end;
            parts.push((&text[range], true));
        }
        if end < text.len() {
            parts.push((&text[end..], false));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, text: &str, wanted: &[(&str, bool)]) {
        assert_eq!(Highlighter::new(&Query::parse(query).unwrap()).parts(text), wanted, "{query}: {text}");
    }

    #[test]
    fn matches_are_marked_without_regard_to_case() {
        check("deploy", "Deploy, redeploy", &[("Deploy", true), (", re", false), ("deploy", true)]);
        check("ärger", "viel ÄRGER", &[("viel ", false), ("ÄRGER", true)]);
        check("σας", "ΤΟΥΣ ΣΑΣ", &[("ΤΟΥΣ ", false), ("ΣΑΣ", true)]);
        check("a*d", "xaybcdz", &[("x", false), ("a", true), ("ybc", false), ("d", true), ("z", false)]);
        check("/[0-9]+/", "a 12 b", &[("a ", false), ("12", true), (" b", false)]);
        check("\"not yet\" yet", "not yet", &[("not yet", true)]);
    }

    #[test]
    fn what_is_excluded_or_asked_of_fields_is_not_marked() {
        for query in ["", "-deploy", "from:deploy", "*", "/x*/"] {
            check(query, "deploy", &[("deploy", false)]);
        }
        check("x", "", &[]);
    }
}
