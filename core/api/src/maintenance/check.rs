//! Checking a bus.

use huddle_core::bus::{CheckReport, Mended};
use serde::{Deserialize, Serialize};

use crate::diagnostic::entries;
use crate::{Context, DiagnosticEntry, Error, Operation};

/// Checks the bus and the journal of the sessions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckBus {
    /// Whether to quarantine what nobody can read or carry out.
    pub mend: bool,
}

/// The result of checking a bus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BusCheck {
    /// Whether all data can be used.
    pub ok: bool,
    /// How many agents there are.
    pub agents: usize,
    /// How many messages there are.
    pub messages: usize,
    /// What was found, worst first.
    pub findings: Vec<DiagnosticEntry>,
    /// The files that were quarantined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mended: Vec<MovedFile>,
}

/// A file that was quarantined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MovedFile {
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

impl Operation for CheckBus {
    type Response = BusCheck;

    // The check reports on the directory itself.
    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<BusCheck, Error> {
        let report = if self.mend { context.bus().mend()? } else { context.bus().check()? };
        let CheckReport { agents, messages, mut findings, mended } = report;
        findings.extend(context.project().sessions.check_journal());
        let (findings, ok) = entries(findings);
        let mended = mended.into_iter().map(|Mended { from, to }| MovedFile { from, to }).collect();
        Ok(BusCheck { ok, agents, messages, findings, mended })
    }
}
