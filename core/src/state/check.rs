//! Checking the orchestrator's files.

use super::State;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{Diagnostic, Severity};
use crate::wire::orchestrator::layout;

impl<F: FileSystem + Clone, H: Host + Clone> State<F, H> {
    /// Finds what is wrong with the shared state, the settings, the log of communications and the saved originals.
    pub fn check(&self) -> Vec<Diagnostic> {
        let settings = self.settings();
        let mut findings = settings.findings;
        let mut found = |severity, code, path: &str, message: String, remedy: &'static str| {
            let place = layout::from_project(path);
            findings.push(Diagnostic { severity, code, place, message, remedy: remedy.into() });
        };
        if !settings.value.shared_state {
            let message = "agents share no state, and what they say is not logged: the settings say so".to_owned();
            found(Severity::Info, "logging-disabled", layout::SETTINGS, message, "");
        }
        match self.shared() {
            Ok(None) => {}
            Ok(Some(shared)) => shared.faults().into_iter().for_each(|fault| {
                let remedy = "mend the field; what it says is not shown";
                found(Severity::Warning, "odd-state", layout::SHARED_CONTEXT, fault, remedy);
            }),
            Err(error) => {
                let remedy = "mend the file or move it away; it was left as it is";
                found(Severity::Error, "damaged-state", layout::SHARED_CONTEXT, error.to_string(), remedy);
            }
        }
        match self.communications() {
            Ok(log) => findings.extend(log.findings),
            Err(error) => {
                let remedy = "look at the file";
                found(Severity::Error, "damaged-log", layout::DECISIONS, error.to_string(), remedy);
            }
        }
        match self.expansions().check() {
            Ok(changed) => findings.extend(changed),
            Err(error) => {
                let (place, remedy) = (crate::compress::EXPANSION_DIR.to_owned(), error.remedy());
                let (severity, code, message) = (Severity::Warning, "unreadable-expansion", error.to_string());
                findings.push(Diagnostic { severity, code, place, message, remedy });
            }
        }
        findings
    }
}
