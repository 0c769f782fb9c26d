//! Skipping records that cannot be wanted, without reading them.

use crate::json::skip_blanks;

/// Texts that a record must have in it to be wanted, in either case.
#[derive(Debug, Clone, Default)]
pub struct Needles(Vec<Needle>);

#[derive(Debug, Clone)]
struct Needle {
    /// Lower case, ASCII.
    text: Vec<u8>,
    /// Which of its bytes is looked for first: the one that is met least.
    rare: usize,
}

impl Needles {
    /// Takes texts in lower case; those that are not ASCII, or empty, are left out, because they may be written otherwise.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let usable = texts.into_iter().filter(|text| text.is_ascii() && !text.is_empty());
        Self(usable.map(|text| Needle { text: text.as_bytes().to_vec(), rare: 0 }).collect())
    }

    /// Learns from the beginning of a file what is seldom met in it: which text to go by, and which of its bytes.
    pub fn rank_by_rarity(&mut self, sample: &[u8]) {
        let mut met = [0usize; 256];
        sample.iter().for_each(|byte| met[usize::from(byte.to_ascii_lowercase())] += 1);
        for needle in &mut self.0 {
            let often = |place: &usize| met[usize::from(needle.text[*place])];
            needle.rare = (0..needle.text.len()).min_by_key(often).unwrap_or(0);
        }
        self.0.sort_by_cached_key(|needle| needle.count(sample));
    }

    /// Returns whether there is nothing to go by.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a record may be wanted. One with a backslash in it may spell anything differently.
    pub fn may_be_in(&self, record: &[u8]) -> bool {
        self.0.iter().all(|needle| needle.find(record, 0).is_some()) || has_escapes(record)
    }

    /// Returns whether the one text that is looked for stands in a text of a record, other than a key. There is no telling without
    /// reading the record where something in it is escaped, or where what is looked for could stand beside its texts.
    pub fn occurs_in_string_value(&self, record: &[u8]) -> Option<bool> {
        let [needle] = self.0.as_slice() else { return None };
        if !needle.is_word() || has_escapes(record) {
            return None;
        }
        let mut from = 0;
        while let Some(place) = needle.find(record, from) {
            from = place + needle.text.len();
            // The text that it stands in goes on to the next quote, and a key is one that a colon follows.
            let end = from + memchr::memchr(b'"', &record[from..])?;
            if record.get(skip_blanks(record, end + 1)) != Some(&b':') {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Finds the places in lines, from one on, at which a wanted record may lie.
    pub(crate) fn candidates(&self, lines: &[u8], from: usize) -> Candidates<'_> {
        let mut candidates = Candidates { needle: self.0.first(), text: from, odd: from, end: from };
        candidates.find_text(lines);
        candidates.find_odd(lines);
        candidates.find_end(lines);
        candidates
    }
}

/// Places where the rarest text is, or a byte that may hide it.
pub(crate) struct Candidates<'n> {
    needle: Option<&'n Needle>,
    /// The next place of the text; the end when there is none.
    text: usize,
    /// The next place of a backslash, or of a zero byte, which may stand in the middle of a text.
    odd: usize,
    /// The next end of a line that no record ends with: the line may end in the middle of a text.
    end: usize,
}

impl Candidates<'_> {
    /// Returns the next place, in order.
    pub(crate) fn next(&mut self, lines: &[u8]) -> Option<usize> {
        let place = self.text.min(self.odd).min(self.end);
        if place >= lines.len() {
            return None;
        }
        if self.text == place {
            self.text += 1;
            self.find_text(lines);
        }
        if self.odd == place {
            self.odd += 1;
            self.find_odd(lines);
        }
        if self.end == place {
            self.end += 1;
            self.find_end(lines);
        }
        Some(place)
    }

    fn find_text(&mut self, lines: &[u8]) {
        self.text = self.needle.and_then(|needle| needle.find(lines, self.text)).unwrap_or(lines.len());
    }

    fn find_end(&mut self, lines: &[u8]) {
        let mut ends = memchr::memchr_iter(b'\n', &lines[self.end..]).map(|end| self.end + end);
        self.end = ends.find(|end| *end == 0 || lines[*end - 1] != b'}').unwrap_or(lines.len());
    }

    fn find_odd(&mut self, lines: &[u8]) {
        let next = memchr::memchr2(b'\\', 0, &lines[self.odd..]);
        self.odd = next.map_or(lines.len(), |next| self.odd + next);
    }
}

impl Needle {
    fn count(&self, bytes: &[u8]) -> usize {
        let mut from = 0;
        let next = || {
            from = self.find(bytes, from)? + 1;
            Some(from)
        };
        std::iter::from_fn(next).count()
    }

    /// Returns whether it has a letter that no number has, nor `true`, `false` or `null`, and nothing that a text ends with.
    fn is_word(&self) -> bool {
        let is_of_words = |byte: &u8| byte.is_ascii_alphabetic() && !b"truefalsn".contains(byte);
        self.text.iter().any(is_of_words) && !self.text.contains(&b'"')
    }

    /// Finds where the text begins, from a place on. Compiled once: it is a lot of code.
    #[inline(never)]
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        find_by(bytes, from, &self.text, self.rare)
    }
}

#[inline(never)]
fn has_escapes(record: &[u8]) -> bool {
    memchr::memchr(b'\\', record).is_some()
}

/// Finds where a text begins that is not empty, in either case of ASCII letters.
pub fn find_in_any_case(bytes: &[u8], text: &[u8]) -> Option<usize> {
    find_by(bytes, 0, text, 0)
}

/// Finds where a text begins, from a place on, by looking for one of its bytes first.
fn find_by(bytes: &[u8], from: usize, text: &[u8], rare: usize) -> Option<usize> {
    // Most values are shorter than what is looked for.
    if bytes.len() < from + text.len() {
        return None;
    }
    let (lower, upper) = (text[rare].to_ascii_lowercase(), text[rare].to_ascii_uppercase());
    let starts = memchr::memchr2_iter(lower, upper, bytes.get(from..)?);
    let mut starts = starts.filter_map(|place| (from + place).checked_sub(rare));
    starts.find(|start| {
        let part = bytes.get(*start..*start + text.len());
        *start >= from && part.is_some_and(|part| part.eq_ignore_ascii_case(text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_skipped_only_when_a_text_cannot_be_in_it() {
        let check = |texts: &[&str], record: &str, may: bool| {
            assert_eq!(Needles::new(texts.iter().copied()).may_be_in(record.as_bytes()), may, "{texts:?} {record}");
        };
        check(&[], "", true);
        check(&["finding", "high"], r#"{"type":"Finding","severity":"HIGH"}"#, true);
        check(&["finding", "high"], r#"{"type":"finding","severity":"low"}"#, false);
        check(&["finding"], r#"{"type":"findin"#, false);
        check(&["g"], "fing", true);
        check(&["high"], r#"{"severity":"h\u0069gh"}"#, true);
        check(&["ä", ""], "x", true);
    }

    #[test]
    fn needles_in_values_are_distinguished_from_keys() {
        let check = |text: &str, record: &str, stands: Option<bool>| {
            assert_eq!(Needles::new([text]).occurs_in_string_value(record.as_bytes()), stands, "{text} {record}");
        };
        check("high", r#"{"severity":"a HIGH one"}"#, Some(true));
        check("high", r#"{"highest" : "low", "n": 1}"#, Some(false));
        check("high", r#"{"highest" : "low", "list": ["so high"]}"#, Some(true));
        check("high", r#"{"highest": {"high":"x"}, "last": "high"}"#, Some(true));
        check("high", r#"{"n": "hig", "h": "igh"}"#, Some(false));
        check("high", r#"{"n": "low\n"}"#, None);
        check("true", r#"{"n": "true"}"#, None);
        check("1e5", r#"{"n": "1e5"}"#, None);
        let several = Needles::new(["high", "low"]);
        assert_eq!(several.occurs_in_string_value(br#"{"a":"high low"}"#), None);
    }

    #[test]
    fn needles_are_ordered_by_rarity() {
        let mut needles = Needles::new(["finding", "high"]);
        needles.rank_by_rarity(b"finding a finding, an agent, and one that is High");
        assert_eq!((needles.0[0].text.as_slice(), needles.0[1].text.as_slice()), (&b"high"[..], &b"finding"[..]));
        assert_eq!((needles.0[0].rare, needles.0[1].rare), (0, 0), "there are few of h and of f");
        needles.rank_by_rarity(b"");
        assert!(needles.may_be_in(b"a HIGH finding"));
    }

    #[test]
    fn candidates_come_in_order_and_are_all() {
        let lines = b"{a high}\n{b \\ c}\n{HIGH \0 high}\n{ab\n{c}\n";
        let needles = Needles::new(["high"]);
        let mut candidates = needles.candidates(lines, 0);
        let places: Vec<usize> = std::iter::from_fn(|| candidates.next(lines)).collect();
        assert_eq!(places, [3, 12, 18, 23, 25, 34]);
        let mut later = needles.candidates(lines, 14);
        assert_eq!(later.next(lines), Some(18));
    }
}
