use crate::history::query::{Query, SyntaxError};

/// Checks that a query is refused at the caret below it, and what is said.
fn check(shown: &str, message: &str, hint: &str) {
    let (query, caret) = shown.rsplit_once('\n').unwrap();
    let error = Query::parse(query).unwrap_err();
    assert_eq!(error.caret(query), shown, "{error}");
    assert_eq!(error.at, caret.len() - 1);
    assert!(error.message.contains(message), "{query}: {}", error.message);
    assert!(error.hint.contains(hint), "{query}: {}", error.hint);
}

#[test]
fn query_delimiters_must_be_closed() {
    check("a \"b c\n  ^", "this quote is never closed", "put a quote at its end");
    check("from:\"b\n     ^", "this quote is never closed", "\\\"");
    check("größe \"\\\"\n      ^", "this quote is never closed", "");
    check("a (b (c)\n  ^", "this ( is never closed", "put a )");
    check("-(\n ^", "this ( is never closed", "");
    check("a) b\n ^", "nothing opens this )", "leave it out");
    check(")\n^", "nothing opens this )", "");
    check("(a))\n   ^", "nothing opens this )", "");
    check("-OR )\n    ^", "nothing opens this )", "");
    check("/tmp\n^", "has no / at its end", "to look for a path, quote it");
}

#[test]
fn query_groups_and_or_need_terms() {
    check("a ()\n  ^", "nothing between these parentheses", "quote them");
    check("a \"\"\n  ^", "nothing between these quotes", "");
    check("//\n^", "is empty", "quote");
    check("OR\n^", "OR needs a term on both sides", "lower case");
    check("OR a\n^", "OR needs", "");
    check("a OR\n  ^", "OR needs", "");
    check("a OR OR b\n  ^", "OR needs", "");
    check("(a OR) b\n   ^", "OR needs", "");
    check("(OR a)\n ^", "OR needs", "");
    check("a OR )\n  ^", "OR needs", "");
}

#[test]
fn a_field_has_to_have_a_value_that_it_knows() {
    check("from:\n     ^", "from: has no value", "right after the colon");
    check("to: ann\n   ^", "to: has no value", "\"to:\"");
    check("from:(a OR b)\n     ^", "from: has no value", "");
    check("-is:red\n    ^", "is: cannot be \"red\"", "it can be unread, unanswered, overdue, crossed, damaged");
    check("is:un*\n   ^", "is: cannot be", "");
    check("has:\"\"\n     ^", "has: cannot be \"\"", "it can be artifact");
    check("a after:yesterday\n        ^", "\"yesterday\" is no date", "2025-01-23T10:00");
    for bad in ["2025-02-30", "2025-01-23T10", "2025-01-23T25:00", "2025-01-23T10:00x", "2025-01-23T10:00:00+1", "é"] {
        check(&format!("before:{bad}\n       ^"), "is no date", "");
    }
    check("before:0000-01-01T00:00+01:00\n       ^", "is no date", "");
}

#[test]
fn a_slip_in_a_field_is_told_from_a_word() {
    check("a form:Bob\n  ^", "there is no field form:", "did you mean from:? ");
    check("form:Bob\n^", "", "quote it: \"form:Bob\"");
    check("-typ:x\n ^", "there is no field typ:", "did you mean type:?");
    check("form: bob\n^", "there is no field form:", "did you mean from:?");
    check("fiel:\"a b\"\n^", "there is no field fiel:", "did you mean file:?");
}

#[test]
fn a_regular_expression_has_to_be_one() {
    check("/usr/lib\n     ^", "there can only be an i", "\\/");
    check("a /(/\n  ^", "cannot be read", "backslash");
    check("/a/ii\n   ^", "there can only be an i", "");
    check("/a{1000}{1000}{1000}/\n^", "cannot be read", "");
}

#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| format!("{}a{}", "-(".repeat(depth), ")".repeat(depth));
    assert!(Query::parse(&nested(64)).is_ok());
    let error = Query::parse(&nested(65)).unwrap_err();
    assert_eq!((error.at, error.message.as_str()), (129, "parentheses are nested deeper than 64 times"));
    assert!(Query::parse(&"(".repeat(1_000_000)).is_err());
    assert!(Query::parse(&"a OR -b ".repeat(10_000)).is_ok());
}

#[test]
fn a_caret_stays_below_its_character() {
    let query = "a\tb\nc )";
    assert_eq!(Query::parse(query).unwrap_err().caret(query), "a b c )\n      ^");
    let far = SyntaxError { at: 100_000, message: String::new(), hint: String::new() };
    assert_eq!(far.caret("").len(), 100_002);
}
