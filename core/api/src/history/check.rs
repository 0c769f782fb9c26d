//! Checking a history.

use huddle_core::history::History;
use huddle_core::model::{Diagnostic, JsonMap};
use huddle_scan::{ByteAccounting, Recovery};
use serde::{Deserialize, Serialize};

use crate::diagnostic::entries;
use crate::{Context, DiagnosticEntry, Error, Operation};

/// Checks a history.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckHistory {
    /// Where it is; the project, if there is no path.
    pub paths: Vec<String>,
}

impl Operation for CheckHistory {
    type Response = HistoryCheck;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<HistoryCheck, Error> {
        context.load_history(&self.paths)?.check()
    }
}

/// The result of checking a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryCheck {
    /// Whether all data can be used.
    pub ok: bool,
    /// How many files there are.
    pub files: usize,
    /// How many entries there are.
    pub entries: usize,
    /// What became of the bytes.
    pub bytes: ByteCounts,
    /// What was found, worst first.
    pub findings: Vec<DiagnosticEntry>,
}

impl HistoryCheck {
    pub(super) fn new(history: &History, findings: Vec<Diagnostic>) -> Self {
        let (findings, ok) = entries(findings);
        let bytes = ByteCounts::from(&history.account());
        Self { ok, files: history.files.len(), entries: history.entries.len(), bytes, findings }
    }
}

/// What became of the bytes of a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ByteCounts {
    /// All bytes.
    pub total: u64,
    /// The bytes of records.
    pub parsed: u64,
    /// The bytes of records that were damaged and could be recovered.
    pub recovered: u64,
    /// The bytes of what could not.
    pub quarantined: u64,
    /// The bytes between records.
    pub between: u64,
    /// The bytes of a last line without an end.
    pub being_written: u64,
    /// How many records were recovered, by what was wrong with them.
    pub recoveries: JsonMap,
    /// How many pieces could not be recovered.
    pub damages: u64,
}

impl From<&ByteAccounting> for ByteCounts {
    fn from(account: &ByteAccounting) -> Self {
        let recoveries = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
        Self {
            total: account.total(),
            parsed: account.parsed,
            recovered: account.recovered,
            quarantined: account.quarantined,
            between: account.separators,
            being_written: account.being_written,
            recoveries: recoveries.map(|(kind, count)| (kind.as_str().to_owned(), count.into())).collect(),
            damages: account.damages,
        }
    }
}
