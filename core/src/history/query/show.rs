//! Writes a query in its normal form: what is read again is the same query.

use std::fmt;

use super::Query;
use super::pattern::Pattern;
use super::term::Term;

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shown(&self.term))
    }
}

fn shown(term: &Term) -> String {
    match term {
        Term::All(terms) => list(terms, " "),
        Term::Any(terms) => list(terms, " OR "),
        Term::Not(inner) => negation(inner),
        Term::Text(pattern) => text(pattern),
        Term::Regex(expression) => {
            format!("/{}/{}", expression.written, if expression.any_case { "i" } else { "" })
        }
        Term::Value(field, pattern) => format!("{}:{}", field.name(), value(pattern)),
        Term::Before(time) => format!("before:{time}"),
        Term::After(time) => format!("after:{time}"),
        Term::Is(state) => format!("is:{}", state.name()),
        Term::HasArtifact => "has:artifact".to_owned(),
    }
}

fn list(terms: &[Term], between: &str) -> String {
    let mut parts = Vec::new();
    for term in terms {
        let part = shown(term);
        // Side by side binds tighter: only what has an OR in it is grouped.
        parts.push(if matches!(term, Term::Any(_)) { format!("({part})") } else { part });
    }
    parts.join(between)
}

fn negation(inner: &Term) -> String {
    let part = shown(inner);
    if matches!(inner, Term::All(_) | Term::Any(_)) || part.starts_with('-') {
        format!("-({part})")
    } else {
        format!("-{part}")
    }
}

/// Writes a word as it is if it would be read as one, and otherwise as a phrase. One with a wildcard was read as a word
/// before: in quotes its wildcards would be stars.
fn text(pattern: &Pattern) -> String {
    match pattern.plain() {
        Some(text) if text.contains([':', '*']) || text.starts_with(['-', '/']) => quoted(text),
        Some(text) => bare_or_quoted(text),
        None => pattern.pieces().join("*"),
    }
}

fn value(pattern: &Pattern) -> String {
    let pieces = pattern.pieces();
    if pieces.iter().any(|piece| needs_quotes(piece) || piece.contains('*')) || pattern.plain() == Some("") {
        let escaped: Vec<String> = pieces.iter().map(|piece| escaped(piece)).collect();
        return format!("\"{}\"", escaped.join("*"));
    }
    pieces.join("*")
}

/// Writes a value as it can stand after a field's colon.
pub(super) fn bare_or_quoted(text: &str) -> String {
    if text.is_empty() || text.contains('*') || needs_quotes(text) { quoted(text) } else { text.to_owned() }
}

fn needs_quotes(text: &str) -> bool {
    text.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\\'))
}

/// Writes a text so that it is read as it is.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '*') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
