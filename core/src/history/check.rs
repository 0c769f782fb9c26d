//! Cross-checks: what was claimed against what there is to show for it.
//!
//! Every finding has a code that stays, how much it matters, where it is, and what to do.

mod logs;
mod mailboxes;
mod sessions;
mod talk;

use std::io;

use super::record::Bytes;
use super::{Derived, History};
use crate::model::{Finding, Severity, Timestamp};
use crate::order;

impl History {
    /// Finds what is wrong, the worst first, as of `now`; messages of mailboxes are read for it.
    pub fn check(&self, derived: &Derived, now: Timestamp, from: &mut dyn Bytes) -> io::Result<Vec<Finding>> {
        let mut findings = self.findings.clone();
        findings.extend(logs::check(self));
        findings.extend(sessions::check(self));
        findings.extend(talk::check(self, derived));
        findings.extend(mailboxes::check(self, now, from)?);
        order::sort(&mut findings);
        findings.dedup();
        Ok(findings)
    }
}

/// Makes a finding.
fn finding(
    severity: Severity,
    code: &'static str,
    place: impl Into<String>,
    message: String,
    hint: impl Into<String>,
) -> Finding {
    Finding { severity, code, place: place.into(), message, hint: hint.into() }
}
