//! Terms of a query that are put in and taken out by a click.

use huddle_core::history::query::Query;

/// Writes a term: `from:ann`, `from:"agent x"`.
pub fn term(field: &str, value: &str) -> String {
    let special = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\\' | '*');
    if !value.is_empty() && !value.contains(special) {
        return format!("{field}:{value}");
    }
    let mut written = format!("{field}:\"");
    for c in value.chars() {
        if matches!(c, '"' | '\\' | '*') {
            written.push('\\');
        }
        written.push(c);
    }
    written.push('"');
    written
}

/// Says whether a query asks for a value of a field, whatever else it asks for.
pub fn has(query: &str, field: &str, value: &str) -> bool {
    let wanted = term(field, value);
    apart(query).is_some_and(|terms| terms.iter().any(|term| same(term, &wanted)))
}

/// Takes a value of a field out of a query, or puts it in. Where a message can have one value only, it takes the place of
/// another.
pub fn toggled(query: &str, field: &str, value: &str) -> String {
    let wanted = term(field, value);
    let Some(terms) = apart(query) else {
        // What has alternatives is kept together; what cannot be read would swallow the term.
        return if Query::parse(query).is_ok() { format!("({}) {wanted}", query.trim()) } else { wanted };
    };
    let was = terms.iter().any(|term| same(term, &wanted));
    let single = matches!(field, "from" | "type");
    let other = |term: &str| single && term.strip_prefix(field).is_some_and(|rest| rest.starts_with(':'));
    let mut kept: Vec<&str> = terms.into_iter().filter(|term| !same(term, &wanted) && !other(term)).collect();
    if !was {
        kept.push(&wanted);
    }
    kept.join(" ")
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Cuts a query into terms that all have to hold; none if it has alternatives, or cannot be read.
fn apart(query: &str) -> Option<Vec<&str>> {
    Query::parse(query).ok()?;
    let (mut terms, mut start, mut depth, mut inside, mut escaped) = (Vec::new(), None, 0_u32, None, false);
    for (at, c) in query.char_indices() {
        let first = start.is_none();
        match (inside, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(mark), c) if mark == c => inside = None,
            (Some(_), _) => {}
            (None, '"') => inside = Some('"'),
            // A slash is one of a regular expression where a term begins, and a character everywhere else.
            (None, '/') if first || begins(&query[start.unwrap_or(at)..at]) => inside = Some('/'),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, c) if c.is_whitespace() && depth == 0 => {
                terms.extend(start.take().map(|start| &query[start..at]));
                continue;
            }
            _ => {}
        }
        start = start.or(Some(at)).filter(|_| !(first && c.is_whitespace()));
    }
    terms.extend(start.map(|start| &query[start..]));
    (!terms.contains(&"OR")).then_some(terms)
}

/// Says whether what comes after this would be the beginning of a term.
fn begins(before: &str) -> bool {
    before.ends_with(['(', ' ', '-']) && !before.ends_with("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, field: &str, value: &str, wanted: &str) {
        assert_eq!(toggled(query, field, value), wanted, "{query}");
        assert!(Query::parse(wanted).is_ok(), "{wanted}");
    }

    #[test]
    fn a_click_puts_a_term_in_and_another_takes_it_out() {
        check("", "from", "ann", "from:ann");
        check("from:ann", "from", "ann", "");
        check("  timeout   FROM:Ann x", "from", "ann", "timeout x");
        check("from:bob timeout", "from", "ann", "timeout from:ann");
        check("-from:bob is:unread", "is", "overdue", "-from:bob is:unread is:overdue");
        check("type:status \"a  b\"", "type", "finding", "\"a  b\" type:finding");
    }

    #[test]
    fn what_is_written_otherwise_is_kept_as_it_is() {
        check("a OR from:ann", "from", "ann", "(a OR from:ann) from:ann");
        check("(a OR b) from:ann", "from", "ann", "(a OR b)");
        check("/a b/i from:ann", "from", "ann", "/a b/i");
        check("src/a from:ann", "from", "ann", "src/a");
        check("from:\"never closed", "from", "ann", "from:ann");
    }

    #[test]
    fn names_are_quoted_where_they_have_to_be() {
        check("", "from", "agent x", "from:\"agent x\"");
        check("from:\"agent x\" y", "from", "agent x", "y");
        assert_eq!(term("from", ""), "from:\"\"");
        assert_eq!(term("from", "a*\"\\"), "from:\"a\\*\\\"\\\\\"");
        assert!(has("x from:\"agent x\"", "from", "Agent X"));
        assert!(!has("-from:ann", "from", "ann") && !has("a OR from:ann", "from", "ann"));
    }
}
