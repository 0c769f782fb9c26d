//! Queries that nobody would write.

use super::{Row, rows};
use crate::history::query::{Facts, Query};

/// Random numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn query(&mut self, pieces: &[&str]) -> String {
        let mut query = String::new();
        for _ in 0..self.below(12) {
            match self.below(8) {
                0 => query.extend(char::from_u32(self.below(0x3000) as u32)),
                1 => query.push(char::from(self.below(95) as u8 + b' ')),
                2 | 3 => query.push(' '),
                _ => query.push_str(pieces[self.below(pieces.len())]),
            }
        }
        query
    }
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "-",
    "--",
    "\"",
    "\\",
    "\\\"",
    "/",
    "/i",
    "\\/",
    "*",
    "**",
    ":",
    " OR ",
    "OR",
    " or ",
    " ",
    "a",
    "ann",
    "deploy",
    "Größe",
    "İ",
    "ΟΣ",
    "\u{212a}",
    "from:",
    "to:",
    "TYPE:",
    "severity:",
    "thread:",
    "priority:",
    "file:",
    "before:",
    "after:",
    "is:",
    "has:",
    "form:",
    "foo:",
    "from:ann",
    "to:\"b*\"",
    "is:unread",
    "is:damaged",
    "has:artifact",
    "after:2025-01-23",
    "before:2025-01-23T10:00",
    "T11:00",
    "+23:59",
    "\"a b\"",
    "\"a*\\*\"",
    "/a+/",
    "/a/i",
    "/[/",
    " (a OR b) ",
    "-(",
    "😀",
];

/// Pieces that make a query more often than not, so that much of what is read is deep.
const WHOLE: &[&str] = &[
    " ( ann ) ",
    " -( a OR ",
    " b ) ",
    " OR ",
    " -",
    "from:s* ",
    "to:\"ann\" ",
    " is:crossed ",
    "\"a b\" ",
    "/e/i ",
    "x*y ",
    "-",
    "*",
    " --z* ",
    "after:2025-01-23 ",
    "in",
    "file:box ",
    "(",
    ")",
    "type:\"\" ",
    "\\",
];

fn check(query: &str, rows: &[Row], cursor: usize) -> bool {
    let completion = Query::complete(query, cursor);
    assert!(completion.start <= query.chars().count(), "{query:?}");
    match Query::parse(query) {
        Ok(parsed) => {
            let shown = parsed.to_string();
            assert_eq!(Query::parse(&shown).as_ref(), Ok(&parsed), "{query:?} became {shown:?}");
            let needles = parsed.needles();
            for row in rows.iter().filter(|row| parsed.matches(*row)) {
                for needle in &needles {
                    let found =
                        row.any_text(&mut |text| huddle_scan::find_in_any_case(text, needle.text.as_bytes()).is_some());
                    assert!(found, "{query:?} finds a row without {needle:?}");
                }
            }
            true
        }
        Err(error) => {
            assert!(error.at <= query.chars().count(), "{query:?}: {error}");
            assert!(!error.message.is_empty() && !error.hint.is_empty());
            assert!(error.caret(query).ends_with('^'));
            false
        }
    }
}

#[test]
fn query_display_round_trips_for_random_text() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let rows = rows();
    let mut read = 0;
    for round in 0..200_000 {
        let query = numbers.query(if round % 2 == 0 { PIECES } else { WHOLE });
        let cursor = numbers.below(30);
        read += usize::from(check(&query, &rows, cursor));
    }
    assert!((20_000..180_000).contains(&read), "{read} could be read: too many of one kind");
}
