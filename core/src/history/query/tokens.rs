//! A query cut into the pieces it is written in. Every text can be cut: what is wrong with a piece is for others to say.

use std::ops::Range;

use super::field::QueryField;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TokenKind {
    /// An opening parenthesis.
    Open,
    /// A closing parenthesis.
    Close,
    /// A hyphen that negates what follows it.
    Minus,
    /// The word `OR`.
    Or,
    /// Any other word.
    Word,
    /// A text in quotes.
    Phrase,
    /// A regular expression and the letters that follow it.
    Regex,
    /// A field with its value.
    Field(QueryField),
}

/// One piece of a query. All places count characters.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Where it begins.
    pub(super) start: usize,
    /// What is said: without quotes, slashes and the field's name.
    pub(super) value: Range<usize>,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether the value is in quotes.
    pub(super) quoted: bool,
    /// Whether the quotes or slashes around the value are both there.
    pub(super) closed: bool,
}

/// Cuts a query into its pieces, from the first to the last.
pub(super) struct Tokenizer<'q> {
    chars: &'q [char],
    at: usize,
}

impl<'q> Tokenizer<'q> {
    pub(super) fn of(chars: &'q [char]) -> Self {
        Self { chars, at: 0 }
    }

    fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    fn piece(&self, start: usize) -> Option<Token> {
        Some(match self.char(start)? {
            '(' => plain(TokenKind::Open, start, start + 1),
            ')' => plain(TokenKind::Close, start, start + 1),
            '-' if self.negates(start) => plain(TokenKind::Minus, start, start + 1),
            '"' => self.enclosed(TokenKind::Phrase, start, start),
            '/' => self.regex(start),
            _ => self.word(start),
        })
    }

    /// Returns whether a hyphen stands right before a term. Two are the start of an option, which is a word.
    fn negates(&self, at: usize) -> bool {
        self.char(at + 1).is_some_and(|next| !next.is_whitespace() && next != ')' && next != '-')
    }

    fn regex(&self, start: usize) -> Token {
        let mut token = self.enclosed(TokenKind::Regex, start, start);
        token.quoted = false;
        token.end = self.word_end(token.end);
        token
    }

    fn word(&self, start: usize) -> Token {
        let end = self.word_end(start);
        let word = &self.chars[start..end];
        match field(word) {
            Some((field, after)) if start + after == end && self.char(end) == Some('"') => {
                self.enclosed(TokenKind::Field(field), start, end)
            }
            Some((field, after)) => Token { value: start + after..end, ..plain(TokenKind::Field(field), start, end) },
            None if word == ['O', 'R'] => plain(TokenKind::Or, start, end),
            None => plain(TokenKind::Word, start, end),
        }
    }

    fn word_end(&self, start: usize) -> usize {
        let ends = |c: &char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
        self.chars[start..].iter().position(ends).map_or(self.chars.len(), |len| start + len)
    }

    /// Makes a piece whose value is between the mark at `open` and the next such mark that no backslash precedes.
    fn enclosed(&self, kind: TokenKind, start: usize, open: usize) -> Token {
        let mark = self.char(open);
        let mut at = open + 1;
        while at < self.chars.len() && self.char(at) != mark {
            at += if self.chars[at] == '\\' { 2 } else { 1 };
        }
        let close = at.min(self.chars.len());
        let closed = close < self.chars.len();
        Token { kind, start, value: open + 1..close, end: close + usize::from(closed), quoted: true, closed }
    }
}

impl Iterator for Tokenizer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.char(self.at)?.is_whitespace() {
            self.at += 1;
        }
        let token = self.piece(self.at)?;
        self.at = token.end;
        Some(token)
    }
}

fn plain(kind: TokenKind, start: usize, end: usize) -> Token {
    Token { kind, start, value: start..end, end, quoted: false, closed: true }
}

/// Returns the field that a word begins with, and where its colon ends.
fn field(word: &[char]) -> Option<(QueryField, usize)> {
    let name = name(word)?;
    Some((QueryField::named(&name)?, name.len() + 1))
}

/// Returns the letters before the first colon of a word, if there is nothing else.
pub(super) fn name(word: &[char]) -> Option<String> {
    let colon = word.iter().position(|c| !c.is_ascii_alphabetic())?;
    (word[colon] == ':').then(|| word[..colon].iter().collect())
}
