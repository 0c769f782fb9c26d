//! What could stand at the cursor.

use super::field::QueryField;
use super::pattern::lowered;
use super::show::bare_or_quoted;
use super::tokens::{Token, TokenKind, Tokenizer};

/// Completions at a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The character where a choice begins: it takes the place of everything from there to the cursor.
    pub start: usize,
    /// The field whose value is being written; none when a term begins here.
    pub field: Option<QueryField>,
    /// The text typed so far.
    pub typed: String,
    /// The choices, as they would be written.
    pub choices: Vec<String>,
}

impl Completion {
    /// Adds a value that the field could have, if it begins with what is typed.
    pub fn add(&mut self, value: &str) {
        if self.field.is_some() && self.begins(value) {
            self.choices.push(bare_or_quoted(value));
        }
    }

    fn begins(&self, choice: &str) -> bool {
        let start = choice.get(..self.typed.len());
        start.is_some_and(|start| lowered(start) == lowered(&self.typed))
    }

    fn of_value(start: usize, field: QueryField, typed: String) -> Self {
        let mut completion = Self { start, field: Some(field), typed, choices: Vec::new() };
        field.values().iter().for_each(|value| completion.add(value));
        completion
    }

    fn of_term(start: usize, typed: String) -> Self {
        let mut completion = Self { start, field: None, typed, choices: Vec::new() };
        let names = QueryField::ALL.into_iter().map(QueryField::name).filter(|name| completion.begins(name));
        completion.choices = names.map(|name| format!("{name}:")).collect();
        completion
    }

    fn nothing(cursor: usize) -> Self {
        Self { start: cursor, field: None, typed: String::new(), choices: Vec::new() }
    }
}

pub(super) fn at(text: &str, cursor: usize) -> Completion {
    let chars: Vec<char> = text.chars().take(cursor).collect();
    match Tokenizer::of(&chars).last() {
        Some(token) if token.end == chars.len() => of_token(&token, &chars),
        _ => Completion::of_term(chars.len(), String::new()),
    }
}

fn of_token(token: &Token, chars: &[char]) -> Completion {
    let typed: String = chars[token.value.clone()].iter().collect();
    match token.kind {
        TokenKind::Field(_) if token.quoted && token.closed => Completion::nothing(token.end),
        TokenKind::Field(field) => Completion::of_value(token.value.start - usize::from(token.quoted), field, typed),
        TokenKind::Phrase | TokenKind::Regex => Completion::nothing(token.end),
        TokenKind::Word | TokenKind::Or if typed != "-" => Completion::of_term(token.start, typed),
        _ => Completion::of_term(token.end, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what completes the text at `|`: where it begins, and the choices.
    fn check(text: &str, start: usize, choices: &[&str]) {
        let cursor = text.chars().position(|c| c == '|').unwrap();
        let mut completion = at(&text.replace('|', ""), cursor);
        if matches!(completion.field, Some(QueryField::From | QueryField::To)) {
            ["ann", "Änne", "agent x"].iter().for_each(|name| completion.add(name));
        }
        let found: Vec<&str> = completion.choices.iter().map(String::as_str).collect();
        assert_eq!((completion.start, found.as_slice()), (start, choices), "{text}");
    }

    const NAMES: &[&str] =
        &["from:", "to:", "type:", "severity:", "thread:", "priority:", "file:", "before:", "after:", "is:", "has:"];

    #[test]
    fn names_complete_where_a_term_begins() {
        check("|", 0, NAMES);
        check("word |", 5, NAMES);
        check("(|", 1, NAMES);
        check("-|", 1, NAMES);
        check("-(-|", 3, NAMES);
        check("t|", 0, &["to:", "type:", "thread:"]);
        check("ann -FR|", 5, &["from:"]);
        check("größe f|from", 6, &["from:", "file:"]);
        check("zebra|", 0, &[]);
        check("ö|", 0, &[]);
        check("\"a phrase f|", 11, &[]);
        check("/regex f|", 8, &[]);
        check("\"a phrase\" f|", 11, &["from:", "file:"]);
    }

    #[test]
    fn values_complete_after_a_colon() {
        check("is:|", 3, &["unread", "unanswered", "overdue", "crossed", "damaged"]);
        check("-is:UN|", 4, &["unread", "unanswered"]);
        check("has:|x", 4, &["artifact"]);
        check("from:|", 5, &["ann", "Änne", "\"agent x\""]);
        check("from:a|", 5, &["ann", "\"agent x\""]);
        check("(to:\"agent |", 4, &["\"agent x\""]);
        check("from:ä|", 5, &["Änne"]);
        check("from:\"ann\"|", 10, &[]);
        check("before:|", 7, &[]);
        check("foo:|", 0, &[]);
    }

    #[test]
    fn a_cursor_behind_the_end_is_at_the_end() {
        assert_eq!(at("is:d", 99), at("is:d", 4));
    }
}
