//! Skipping records that cannot be wanted, without reading them.

/// Texts that a record must have in it to be wanted, in either case.
#[derive(Debug, Clone, Default)]
pub struct Needles(Vec<Needle>);

#[derive(Debug, Clone)]
struct Needle {
    /// Lower case, ASCII.
    text: Vec<u8>,
    /// Which of its bytes is looked for first: the one that is seldom met.
    rare: usize,
}

/// Letters from the most to the least frequent in what agents write; what is not among them is rarer still.
const FREQUENT: &[u8] = b"\" etaoinsrdlcumhfpgywbv-_.kxjqz";

impl Needles {
    /// Takes texts in lower case; those that are not ASCII, or empty, are left out, because they may be written otherwise.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let usable = texts.into_iter().filter(|text| text.is_ascii() && !text.is_empty());
        Self(usable.map(|text| Needle { text: text.as_bytes().to_vec(), rare: rarest(text.as_bytes()) }).collect())
    }

    /// Says whether a record may be wanted. One with a backslash in it may spell anything differently.
    pub fn may_be_in(&self, record: &[u8]) -> bool {
        self.0.iter().all(|needle| needle.is_in(record)) || memchr::memchr(b'\\', record).is_some()
    }
}

fn rarest(text: &[u8]) -> usize {
    let rank = |byte: &u8| FREQUENT.iter().position(|frequent| frequent == byte).unwrap_or(FREQUENT.len());
    (0..text.len()).max_by_key(|place| rank(&text[*place])).unwrap_or(0)
}

impl Needle {
    fn is_in(&self, record: &[u8]) -> bool {
        let rare = self.text[self.rare];
        let fits = |place: usize| {
            let start = place.checked_sub(self.rare);
            let part = start.and_then(|start| record.get(start..start + self.text.len()));
            part.is_some_and(|part| part.eq_ignore_ascii_case(&self.text))
        };
        memchr::memchr2_iter(rare, rare.to_ascii_uppercase(), record).any(fits)
    }
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
}
