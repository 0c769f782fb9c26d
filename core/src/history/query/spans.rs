//! A query cut into the pieces it is written in. Every text can be cut: what is wrong with a piece is for others to say.

use std::ops::Range;

use super::field::Field;

/// What a piece looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
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
    Field(Field),
}

/// One piece of a query. All places count characters.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) shape: Shape,
    /// Where it begins.
    pub(super) start: usize,
    /// What is said: without quotes, slashes and the field's name.
    pub(super) value: Range<usize>,
    /// Where it ends.
    pub(super) end: usize,
    /// Says whether the value is in quotes.
    pub(super) quoted: bool,
    /// Says whether the quotes or slashes around the value are both there.
    pub(super) closed: bool,
}

/// Cuts a query into its pieces, from the first to the last.
pub(super) struct Spans<'q> {
    chars: &'q [char],
    at: usize,
}

impl<'q> Spans<'q> {
    pub(super) fn of(chars: &'q [char]) -> Self {
        Self { chars, at: 0 }
    }

    fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    fn piece(&self, start: usize) -> Option<Span> {
        Some(match self.char(start)? {
            '(' => plain(Shape::Open, start, start + 1),
            ')' => plain(Shape::Close, start, start + 1),
            '-' if self.negates(start) => plain(Shape::Minus, start, start + 1),
            '"' => self.enclosed(Shape::Phrase, start, start),
            '/' => self.regex(start),
            _ => self.word(start),
        })
    }

    /// Says whether a hyphen stands right before a term. Two are the start of an option, which is a word.
    fn negates(&self, at: usize) -> bool {
        self.char(at + 1).is_some_and(|next| !next.is_whitespace() && next != ')' && next != '-')
    }

    fn regex(&self, start: usize) -> Span {
        let mut span = self.enclosed(Shape::Regex, start, start);
        span.quoted = false;
        span.end = self.word_end(span.end);
        span
    }

    fn word(&self, start: usize) -> Span {
        let end = self.word_end(start);
        let word = &self.chars[start..end];
        match field(word) {
            Some((field, after)) if start + after == end && self.char(end) == Some('"') => {
                self.enclosed(Shape::Field(field), start, end)
            }
            Some((field, after)) => Span { value: start + after..end, ..plain(Shape::Field(field), start, end) },
            None if word == ['O', 'R'] => plain(Shape::Or, start, end),
            None => plain(Shape::Word, start, end),
        }
    }

    fn word_end(&self, start: usize) -> usize {
        let ends = |c: &char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
        self.chars[start..].iter().position(ends).map_or(self.chars.len(), |len| start + len)
    }

    /// Makes a piece whose value is between the mark at `open` and the next such mark that no backslash precedes.
    fn enclosed(&self, shape: Shape, start: usize, open: usize) -> Span {
        let mark = self.char(open);
        let mut at = open + 1;
        while at < self.chars.len() && self.char(at) != mark {
            at += if self.chars[at] == '\\' { 2 } else { 1 };
        }
        let close = at.min(self.chars.len());
        let closed = close < self.chars.len();
        Span { shape, start, value: open + 1..close, end: close + usize::from(closed), quoted: true, closed }
    }
}

impl Iterator for Spans<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while self.char(self.at)?.is_whitespace() {
            self.at += 1;
        }
        let span = self.piece(self.at)?;
        self.at = span.end;
        Some(span)
    }
}

fn plain(shape: Shape, start: usize, end: usize) -> Span {
    Span { shape, start, value: start..end, end, quoted: false, closed: true }
}

/// Gives the field that a word begins with, and where its colon ends.
fn field(word: &[char]) -> Option<(Field, usize)> {
    let name = name(word)?;
    Some((Field::named(&name)?, name.len() + 1))
}

/// Gives the letters before the first colon of a word, if there is nothing else.
pub(super) fn name(word: &[char]) -> Option<String> {
    let colon = word.iter().position(|c| !c.is_ascii_alphabetic())?;
    (word[colon] == ':').then(|| word[..colon].iter().collect())
}
