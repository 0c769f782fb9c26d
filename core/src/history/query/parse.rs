//! Reads a query: terms side by side, `OR` between them, parentheses around them.

use super::error::SyntaxError;
use super::field::{QueryField, State};
use super::pattern::Pattern;
use super::show::quoted;
use super::term::{Expression, Term};
use super::tokens::{Token, TokenKind, Tokenizer, name};
use crate::model::time::Timestamp;

/// How deep parentheses can be nested: more than anybody writes, and not enough to fill the stack.
const DEPTH: usize = 64;

/// Reads a whole query.
pub(super) fn query(text: &str) -> Result<Term, SyntaxError> {
    let chars: Vec<char> = text.chars().collect();
    let tokens: Vec<Token> = Tokenizer::of(&chars).collect();
    if tokens.is_empty() {
        return Ok(Term::All(Vec::new()));
    }
    let mut parser = Parser { chars: &chars, tokens: &tokens, next: 0, depth: 0 };
    let term = parser.any()?;
    match parser.kind() {
        None => Ok(term),
        Some(_) => Err(parser.never_opened()),
    }
}

struct Parser<'q> {
    chars: &'q [char],
    tokens: &'q [Token],
    /// The number of the piece that comes next.
    next: usize,
    /// How many parentheses are open.
    depth: usize,
}

impl<'q> Parser<'q> {
    fn kind(&self) -> Option<TokenKind> {
        self.tokens.get(self.next).map(|token| token.kind)
    }

    fn text(&self, token: &Token) -> String {
        self.chars[token.value.clone()].iter().collect()
    }

    /// Reads what stands between parentheses, or all.
    fn any(&mut self) -> Result<Term, SyntaxError> {
        let mut sides = vec![self.all()?];
        while self.kind() == Some(TokenKind::Or) {
            self.next += 1;
            sides.push(self.all()?);
        }
        Ok(Term::one_of(sides))
    }

    /// Reads terms that stand side by side.
    fn all(&mut self) -> Result<Term, SyntaxError> {
        let mut terms = Vec::new();
        while let Some(token) = self.tokens.get(self.next)
            && !matches!(token.kind, TokenKind::Or | TokenKind::Close)
        {
            self.next += 1;
            terms.push(self.term(token)?);
        }
        if terms.is_empty() { Err(self.nothing_here()) } else { Ok(Term::all(terms)) }
    }

    fn term(&mut self, token: &'q Token) -> Result<Term, SyntaxError> {
        match token.kind {
            TokenKind::Open => self.group(token),
            TokenKind::Minus => self.negation(),
            TokenKind::Phrase => self.phrase(token),
            TokenKind::Regex => self.regex(token),
            TokenKind::Field(field) => self.field(field, token),
            TokenKind::Word | TokenKind::Or | TokenKind::Close => self.word(token),
        }
    }

    fn negation(&mut self) -> Result<Term, SyntaxError> {
        // A hyphen only negates when something follows it.
        let Some(token) = self.tokens.get(self.next) else { return Err(self.nothing_here()) };
        self.next += 1;
        Ok(self.term(token)?.negated())
    }

    fn group(&mut self, open: &Token) -> Result<Term, SyntaxError> {
        if self.depth == DEPTH {
            let message = format!("parentheses are nested deeper than {DEPTH} times");
            return Err(SyntaxError::new(open.start, &message, "leave out those that are not needed"));
        }
        self.depth += 1;
        let inner = self.any()?;
        if self.kind() != Some(TokenKind::Close) {
            return Err(never_closed(open));
        }
        self.next += 1;
        self.depth -= 1;
        Ok(inner)
    }

    fn phrase(&self, token: &Token) -> Result<Term, SyntaxError> {
        self.check_quotes(token)?;
        if token.value.is_empty() {
            let hint = "write what to look for between the quotes, or leave them out";
            return Err(SyntaxError::new(token.start, "there is nothing between these quotes", hint));
        }
        Ok(Term::Text(Pattern::read(&self.chars[token.value.clone()], true, false)))
    }

    fn word(&self, token: &Token) -> Result<Term, SyntaxError> {
        let word = &self.chars[token.value.clone()];
        if let Some(slip) = name(word)
            && let Some(field) = QueryField::near(&slip)
        {
            let text = quoted(&self.text(token));
            let hint = format!("did you mean {}:? To look for it as a text, quote it: {text}", field.name());
            return Err(SyntaxError::new(token.start, &format!("there is no field {slip}:"), &hint));
        }
        Ok(Term::Text(Pattern::read(word, false, true)))
    }

    fn regex(&self, token: &Token) -> Result<Term, SyntaxError> {
        const HINT: &str = "inside, write \\/ for a slash; to look for a path, quote it: \"/tmp/a\"";
        if !token.closed {
            return Err(SyntaxError::new(token.start, "this regular expression has no / at its end", HINT));
        }
        if token.value.is_empty() {
            return Err(SyntaxError::new(
                token.start,
                "this regular expression is empty",
                "to find slashes, quote them",
            ));
        }
        let after = token.value.end + 1;
        let any_case = match &self.chars[after..token.end] {
            [] => false,
            ['i' | 'I'] => true,
            _ => return Err(SyntaxError::new(after, "after a regular expression there can only be an i", HINT)),
        };
        Expression::read(self.text(token), any_case).map(Term::Regex).map_err(|error| {
            let message = format!("this regular expression cannot be read: {error}");
            SyntaxError::new(token.start, &message, "put a backslash before what stands for itself, or use quotes")
        })
    }

    fn field(&self, field: QueryField, token: &Token) -> Result<Term, SyntaxError> {
        self.check_quotes(token)?;
        if token.value.is_empty() && !token.quoted {
            let name = field.name();
            let hint = format!("write the value right after the colon, or quote what is a text: \"{name}:\"");
            return Err(SyntaxError::new(token.value.start, &format!("{name}: has no value"), &hint));
        }
        match field {
            QueryField::Before => self.time(token).map(Term::Before),
            QueryField::After => self.time(token).map(Term::After),
            QueryField::Is => self.choice(field, token).map(|place| Term::Is(State::ALL[place])),
            QueryField::Has => self.choice(field, token).map(|_| Term::HasArtifact),
            _ => {
                let pattern = Pattern::read(&self.chars[token.value.clone()], token.quoted, true);
                Ok(Term::Value(field, pattern))
            }
        }
    }

    fn time(&self, token: &Token) -> Result<Timestamp, SyntaxError> {
        let written = self.text(token);
        moment(&written).ok_or_else(|| {
            let hint = "write 2025-01-23, 2025-01-23T10:00 or 2025-01-23T10:00:00+01:00; UTC where no zone is given";
            SyntaxError::new(token.value.start, &format!("{written:?} is no date"), hint)
        })
    }

    /// Returns the place of a value among those that the field knows.
    fn choice(&self, field: QueryField, token: &Token) -> Result<usize, SyntaxError> {
        let written = self.text(token);
        let known = field.values();
        known.iter().position(|value| value.eq_ignore_ascii_case(&written)).ok_or_else(|| {
            let message = format!("{}: cannot be {written:?}", field.name());
            let hint = format!("it can be {}", known.join(", "));
            SyntaxError::new(token.value.start, &message, &hint)
        })
    }

    fn check_quotes(&self, token: &Token) -> Result<(), SyntaxError> {
        if token.closed {
            return Ok(());
        }
        let hint = "put a quote at its end; inside, write \\\" for a quote";
        Err(SyntaxError::new(token.value.start - 1, "this quote is never closed", hint))
    }

    /// Describes what is wrong where a term should begin and does not.
    fn nothing_here(&self) -> SyntaxError {
        let before = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        let here = self.tokens.get(self.next);
        if let Some(or) = [before, here].into_iter().flatten().find(|token| token.kind == TokenKind::Or) {
            let hint = "write a term before and after it, or in lower case to look for the word";
            return SyntaxError::new(or.start, "OR needs a term on both sides", hint);
        }
        match (before, here) {
            (Some(open), Some(_)) => {
                let hint = "write terms between them, or quote them to look for them";
                SyntaxError::new(open.start, "there is nothing between these parentheses", hint)
            }
            (Some(open), None) => never_closed(open),
            (None, _) => self.never_opened(),
        }
    }

    fn never_opened(&self) -> SyntaxError {
        let at = self.tokens.get(self.next).map_or(0, |close| close.start);
        SyntaxError::new(at, "nothing opens this )", "leave it out, or quote it to look for it")
    }
}

fn never_closed(open: &Token) -> SyntaxError {
    SyntaxError::new(
        open.start,
        "this ( is never closed",
        "put a ) at the end of the group, or quote it to look for it",
    )
}

/// Reads a date, with a time of day, seconds and a zone as far as they are there.
fn moment(text: &str) -> Option<Timestamp> {
    let whole = match text.split_at_checked("2025-01-23T10:00".len()) {
        None => format!("{text}T00:00:00Z"),
        Some((minute, rest)) => {
            let seconds = if rest.starts_with(':') { "" } else { ":00" };
            let zone = if rest.contains(['Z', 'z', '+', '-']) { "" } else { "Z" };
            format!("{minute}{seconds}{rest}{zone}")
        }
    };
    // An offset can lead out of the calendar, where a time can no longer be written.
    Timestamp::parse(&whole).filter(|time| Timestamp::parse(&time.to_string()) == Some(*time))
}
