//! Cross-checks: what was claimed against what there is to show for it.
//!
//! Every finding has a code that stays, how much it matters, where it is, and what to do.

mod logs;
mod mailboxes;
mod sessions;
mod threads;

use std::cmp::Ordering;
use std::io;

use super::record::ByteSource;
use super::{Derived, History};
use crate::model::{Diagnostic, Severity, Timestamp};

impl History {
    /// Finds what is wrong, the worst first, as of `now`; messages of mailboxes are read for it.
    pub fn check(&self, derived: &Derived, now: Timestamp, from: &mut dyn ByteSource) -> io::Result<Vec<Diagnostic>> {
        let mut findings = self.findings.clone();
        findings.extend(logs::check(self));
        findings.extend(sessions::check(self));
        findings.extend(threads::check(self, derived));
        findings.extend(mailboxes::check(self, now, from)?);
        findings.sort_by(|a, b| {
            let first = a.severity.cmp(&b.severity).then(a.code.cmp(b.code));
            first.then_with(|| natural(&a.place, &b.place)).then_with(|| a.cmp(b))
        });
        findings.dedup();
        Ok(findings)
    }
}

/// Compares texts as people do: line 5 comes before line 11.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let (Some(one), Some(other)) = (a.first(), b.first()) {
        let (mine, theirs) = (digits(a), digits(b));
        let order = match (mine.len(), theirs.len()) {
            (0, _) | (_, 0) => one.cmp(other),
            // A longer number is a larger one.
            (mine_length, length) => mine_length.cmp(&length).then(mine.cmp(theirs)),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (&a[mine.len().max(1)..], &b[theirs.len().max(1)..]);
    }
    a.len().cmp(&b.len())
}

/// Returns the digits that a text begins with.
fn digits(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|byte| byte.is_ascii_digit()).count()]
}

/// Counts things.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Creates a finding.
fn finding(
    severity: Severity,
    code: &'static str,
    place: impl Into<String>,
    message: String,
    hint: impl Into<String>,
) -> Diagnostic {
    Diagnostic { severity, code, place: place.into(), message, hint: hint.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_places_are_compared_as_numbers() {
        let mut places = ["a, line 11", "a, line 5", "a", "b, line 1", "a, line 5, byte 9", "a/2", "a/b", ""];
        places.sort_by(|a, b| natural(a, b));
        assert_eq!(places, ["", "a", "a, line 5", "a, line 5, byte 9", "a, line 11", "a/2", "a/b", "b, line 1"]);
    }
}
