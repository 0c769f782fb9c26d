//! Texts with wildcards, compared without regard to case.

/// A text in which some places stand for any characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    /// What stands between the wildcards, in lower case; only the first and the last can be empty, and there is at least one.
    pieces: Vec<String>,
    /// Whether all is ASCII: then nothing has to be made lower case to be compared.
    ascii: bool,
}

impl Pattern {
    /// Reads what was written: in quotes a backslash takes the meaning from what follows it, and `*` is a wildcard only
    /// where there can be one.
    pub(super) fn read(written: &[char], quoted: bool, wild: bool) -> Self {
        let mut pieces = Vec::new();
        let mut piece = String::new();
        let mut at = 0;
        while let Some(&c) = written.get(at) {
            let next = written.get(at + 1).copied();
            at += 1;
            match (c, next) {
                ('\\', Some(escaped @ ('"' | '\\' | '*'))) if quoted => {
                    piece.push(escaped);
                    at += 1;
                }
                ('*', _) if wild => {
                    if pieces.is_empty() || !piece.is_empty() {
                        pieces.push(std::mem::take(&mut piece));
                    }
                }
                _ => lower(c, &mut piece),
            }
        }
        pieces.push(piece);
        let ascii = pieces.iter().all(|piece| piece.is_ascii());
        Self { pieces, ascii }
    }

    /// Returns what stands between the wildcards.
    pub(super) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Returns the text, if it has no wildcard.
    pub(super) fn plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// Returns whether any text would do.
    pub(super) fn is_any(&self) -> bool {
        self.pieces.iter().all(String::is_empty)
    }

    /// Returns whether a value is the whole of it. What has no value is only found by asking for nothing, never by a wildcard.
    pub(super) fn is(&self, value: &str) -> bool {
        self.compare(value.as_bytes(), &|value| match self.pieces.as_slice() {
            [text] => value.eq_ignore_ascii_case(text.as_bytes()),
            [first, between @ .., last] => !value.is_empty() && spans(value, first, between, last),
            [] => false,
        })
    }

    /// Returns whether it is found within a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.compare(text, &|text| after_all(text, &self.pieces).is_some())
    }

    fn compare(&self, text: &[u8], test: &dyn Fn(&[u8]) -> bool) -> bool {
        if self.ascii {
            return test(text);
        }
        std::str::from_utf8(text).is_ok_and(|text| test(lowered(text).as_bytes()))
    }
}

/// Returns a text in lower case, as patterns are.
pub(super) fn lowered(text: &str) -> String {
    let mut lowered = String::with_capacity(text.len());
    text.chars().for_each(|c| lower(c, &mut lowered));
    lowered
}

/// Adds a character in lower case, each for itself: what a sigma becomes must not depend on where a word ends. What is not
/// ASCII stays so: the sign for kelvin, whose lower case is a plain k, would not be found in a text that has it.
fn lower(c: char, text: &mut String) {
    match c {
        'Σ' | 'ς' => text.push('σ'),
        '\u{212a}' => text.push(c),
        _ => text.extend(c.to_lowercase()),
    }
}

fn spans(value: &[u8], first: &str, between: &[String], last: &str) -> bool {
    let Some((start, rest)) = value.split_at_checked(first.len()) else { return false };
    let Some(middle) = rest.len().checked_sub(last.len()) else { return false };
    let (rest, end) = rest.split_at(middle);
    start.eq_ignore_ascii_case(first.as_bytes())
        && end.eq_ignore_ascii_case(last.as_bytes())
        && after_all(rest, between).is_some()
}

/// Returns what follows the pieces, when they are found one after the other.
fn after_all<'t>(mut text: &'t [u8], pieces: &[String]) -> Option<&'t [u8]> {
    for piece in pieces {
        text = &text[find(text, piece.as_bytes())? + piece.len()..];
    }
    Some(text)
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() { Some(0) } else { huddle_scan::find_in_any_case(text, needle) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Pattern {
        Pattern::read(&written.chars().collect::<Vec<_>>(), false, true)
    }

    #[test]
    fn a_whole_value_is_compared_without_regard_to_case() {
        let check = |written: &str, value: &str, is: bool| assert_eq!(read(written).is(value), is, "{written} {value}");
        check("ann", "Ann", true);
        check("ann", "anne", false);
        check("", "", true);
        check("", "ann", false);
        check("a*", "Ann", true);
        check("*N", "ann", true);
        check("a*n*", "ann", true);
        check("a*a", "a", false);
        check("ab*ba", "aba", false);
        check("ab*ba", "abba", true);
        check("*x*y*", "--X--Y--", true);
        check("*y*x*", "--X--Y--", false);
        check("*", "x", true);
        check("*", "", false);
        check("**", "x", true);
        check("Ä*Σ", "äΟΔΟς", true);
    }

    #[test]
    fn a_part_is_found_anywhere() {
        let check = |written: &str, text: &str, found: bool| {
            assert_eq!(read(written).is_in(text.as_bytes()), found, "{written} {text}");
        };
        check("imeou", "A TIMEOUT", true);
        check("time*out", "time is running out", true);
        check("out*time", "time is running out", false);
        check("größe", "DIE GRÖSSE", false);
        check("größe", "DIE GRÖßE", true);
        check("οδοσ", "ΟΔΟΣ ΜΟΥ", true);
        check("x", "", false);
        check("*", "", true);
    }

    #[test]
    fn wildcards_side_by_side_are_one() {
        assert_eq!(read("***").pieces(), ["", ""]);
        assert_eq!(read("**a**b**").pieces(), ["", "a", "b", ""]);
        assert_eq!(read("").pieces(), [""]);
        let quoted: Vec<char> = r#"a\*b\"\\*\n"#.chars().collect();
        assert_eq!(Pattern::read(&quoted, true, true).pieces(), [r#"a*b"\"#, r"\n"]);
        assert_eq!(Pattern::read(&quoted, true, false).pieces(), [r#"a*b"\*\n"#]);
    }
}
