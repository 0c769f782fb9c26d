//! Names for what was left out.

use std::fmt;

use uuid::Uuid;

/// The name of saved bytes, made from the bytes: digits only, so that it can be no path.
///
/// Tokenizers read digits three at a time, and anything else that looks random a letter or two at a time: digits are the
/// shortest name for a reader that pays by the token.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference(String);

impl Reference {
    /// How many digits are enough unless two contents meet.
    pub const SHORT: usize = 12;
    /// All digits that there are.
    pub const LONG: usize = 36;

    /// Names bytes, with so many digits.
    pub fn to(bytes: &[u8], digits: usize) -> Self {
        let digits = digits.clamp(Self::SHORT, Self::LONG);
        let mut number = Uuid::new_v5(&Uuid::NAMESPACE_OID, bytes).as_u128();
        let mut text = String::with_capacity(digits);
        for _ in 0..digits {
            text.push(char::from(b'0' + (number % 10) as u8));
            number /= 10;
        }
        Self(text)
    }

    /// Reads a reference as it stands in a compressed text: `[expand:482913664120]`, without the frame, or with `full:`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('[').trim_end_matches(']');
        let text = text.strip_prefix("expand:").unwrap_or(text);
        let text = text.strip_prefix("full:").unwrap_or(text);
        let is_one = (Self::SHORT..=Self::LONG).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_one.then(|| Self(text.to_owned()))
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
