//! A part of a file as text, and how more of it is requested.

use crate::protocol::{Reply, Response};

/// How many bytes are asked for at a time.
pub const PORTION: u32 = 64 << 10;

/// How many bytes are shown at most when more is asked for before a place.
pub const MOST: u32 = PORTION * 16;

/// How many bytes before a place are shown with it.
pub const BEFORE: u64 = 512;

/// What is shown of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// Where it begins.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// Whether there is more after it.
    pub more: bool,
    /// Why more could not be read.
    pub failed: Option<String>,
}

impl Shown {
    /// Takes a part that was asked for: after what is there, or in place of it.
    pub fn take(&mut self, reply: Reply, (start, length): (u64, u32)) {
        match reply {
            Ok(Response::Text { text, cut }) => {
                if start != self.end || self.text.is_empty() {
                    (self.text, self.start) = (String::new(), start);
                }
                self.text.push_str(&text);
                (self.end, self.more, self.failed) = (start + u64::from(length), cut, None);
            }
            Err(error) => self.failed = Some(error.to_string()),
            Ok(_) => {}
        }
    }

    /// Cuts the text before and after what matters; none when that is not in it, or is nothing, or all of it.
    pub fn around(&self, offset: u64, length: u32) -> Option<(&str, &str, &str)> {
        let first = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let (before, rest) = self.text.split_at_checked(first)?;
        let (marked, after) = rest.split_at_checked(length as usize)?;
        // What stands for bytes that are no text is longer than they are: places behind it are not known.
        let known = !before.contains('\u{fffd}') && !marked.is_empty();
        let all = before.trim().is_empty() && after.trim().is_empty();
        (known && !all).then_some((before, marked, after))
    }
}

/// Gives the part to ask for first: what matters, and a little before it.
pub fn first(offset: u64, length: u32) -> (u64, u32) {
    let start = offset.saturating_sub(BEFORE);
    let before = u32::try_from(offset - start).unwrap_or_default();
    (start, length.saturating_add(before).clamp(PORTION, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::RequestError;

    fn text(text: &str, cut: bool) -> Reply {
        Ok(Response::Text { text: text.to_owned(), cut })
    }

    #[test]
    fn what_matters_is_shown_with_a_little_before_it() {
        assert_eq!(first(0, 0), (0, PORTION));
        assert_eq!(first(100, 10), (0, PORTION));
        assert_eq!(first(10_000, PORTION), (10_000 - BEFORE, PORTION + 512));
        assert_eq!(first(10_000, u32::MAX), (10_000 - BEFORE, MOST));
    }

    #[test]
    fn parts_come_after_each_other_or_anew() {
        let mut shown = Shown::default();
        shown.take(text("abc", true), (7, 3));
        shown.take(text("def", false), (10, 3));
        assert_eq!((shown.text.as_str(), shown.start, shown.end, shown.more), ("abcdef", 7, 13, false));
        shown.take(text("0123456abcdef", false), (0, 13));
        assert_eq!((shown.text.as_str(), shown.start, shown.end), ("0123456abcdef", 0, 13));
        shown.take(Err(RequestError::Failed("gone".into())), (13, 3));
        assert_eq!((shown.text.len(), shown.failed.as_deref()), (13, Some("gone")));
    }

    #[test]
    fn what_matters_is_marked_where_its_place_is_known() {
        let shown = Shown { text: "abäcd".into(), start: 10, ..Shown::default() };
        assert_eq!(shown.around(12, 2), Some(("ab", "ä", "cd")));
        assert_eq!(shown.around(13, 2), None, "within a character");
        assert_eq!((shown.around(9, 2), shown.around(12, 0), shown.around(12, 99)), (None, None, None));
        assert_eq!(shown.around(10, 6), None, "all of it");
        let damaged = Shown { text: "\u{fffd}bcd".into(), ..Shown::default() };
        assert_eq!(damaged.around(3, 1), None);
    }
}
