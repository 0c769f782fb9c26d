//! The overview: what was given, who is in it, and what stands out.

use std::collections::BTreeMap;

use huddle_scan::{ByteAccounting, NO_TIME};

use super::query::State;
use super::snapshot::time;
use super::{Agents, Derived, History};
use crate::model::{Diagnostic, Severity, Timestamp};
use crate::session::{MergedReports, merge};

/// What a history comes to.
#[derive(Debug)]
pub struct Overview {
    /// What kinds of file were read, with how many files and records of each.
    pub formats: BTreeMap<&'static str, (usize, u64)>,
    /// Why files were passed over, with how many and one of them.
    pub ignored_files: BTreeMap<&'static str, (usize, String)>,
    /// The accounting of all bytes.
    pub account: ByteAccounting,
    /// The first and the last time in it.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Everybody.
    pub agents: Agents,
    /// How many entries are in each state that follows from others.
    pub states: Vec<(State, usize)>,
    /// What the reports of sessions say together.
    pub reports: MergedReports,
    /// How many findings there are: errors, warnings, and what is worth knowing.
    pub findings: [usize; 3],
}

impl Overview {
    /// Sums up a history.
    pub fn of(history: &History, derived: &Derived, findings: &[Diagnostic]) -> Self {
        let times = history.table.time().iter().copied().filter(|time| *time != NO_TIME);
        let span = times.fold(None, |span: Option<(i64, i64)>, time| {
            let (first, last) = span.unwrap_or((time, time));
            Some((first.min(time), last.max(time)))
        });
        let mut overview = Self {
            formats: BTreeMap::new(),
            ignored_files: BTreeMap::new(),
            account: history.account(),
            span: span.and_then(|(first, last)| Some((time(first)?, time(last)?))),
            agents: Agents::of(&history.table, &history.entries, &derived.deliveries),
            states: derived.counts(),
            reports: merge(
                &history.state_files.reports.iter().map(|state_file| state_file.value.clone()).collect::<Vec<_>>(),
            ),
            findings: [Severity::Error, Severity::Warning, Severity::Info]
                .map(|severity| findings.iter().filter(|finding| finding.severity == severity).count()),
        };
        overview.add_files(history);
        overview
    }

    fn add_files(&mut self, history: &History) {
        for file in &history.files {
            if let super::Role::Ignored(why) | super::Role::Known(why) = file.role {
                let (count, _) = self.ignored_files.entry(why).or_insert_with(|| (0, file.path.clone()));
                *count += 1;
            } else {
                let format = if file.format.is_empty() { "artifact" } else { file.format };
                let (count, records) = self.formats.entry(format).or_default();
                *count += 1;
                *records += file.account.records;
            }
        }
    }
}
