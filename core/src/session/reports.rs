//! Reports: what each agent found, and all of it together.

use std::collections::BTreeMap;

use super::Sessions;
use super::change::{NewFile, SessionEdit};
use super::error::{Error, Result};
use super::glob;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Diagnostic, Json, JsonMap, NewEvent, SessionId, Severity, WithDiagnostics};
use crate::wire::mailbox::parse_object;
use crate::wire::session::layout;
use crate::wire::session::report::Report;

/// All reports, merged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MergedReports {
    /// Whose reports these are, and what each sums up to.
    pub summaries: Vec<(AgentName, String)>,
    /// How many findings there are.
    pub total_findings: usize,
    /// How many there are of each severity; those without one count under an empty word.
    pub by_severity: BTreeMap<String, u64>,
    /// The findings that matter most, as they were written.
    pub high: Vec<Json>,
    /// Automation suggestions.
    pub suggestions: Vec<String>,
    /// Next actions.
    pub next_actions: Vec<String>,
    /// What to do about single findings.
    pub advice: Vec<Advice>,
    /// The data that the reports refer to, each once, sorted.
    pub artifacts: Vec<String>,
}

/// A recommendation about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The agent that recommends it.
    pub agent: AgentName,
    /// About what.
    pub title: String,
    /// How much that matters.
    pub severity: String,
    /// What to do.
    pub recommendation: String,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Writes an agent's report, whole, in place of an earlier one; notes where it is, and logs it.
    pub fn put_report(&self, id: &SessionId, agent: &AgentName, fields: &JsonMap) -> Result<WithDiagnostics<Report>> {
        let mut made = None;
        self.change(id, &mut |edit| {
            edit.member(agent)?;
            let report = add_report(edit, agent, fields)?;
            edit.coordination.edit(agent, vec![("report_path", layout::report(agent).into())]);
            let message = format!("Report: {} findings, {} of high severity", report.findings().len(), report.high());
            let artifact = Some(layout::report(agent));
            edit.events.push(NewEvent { artifact, ..NewEvent::new(agent.as_str(), "status", message) });
            made = Some(report);
            Ok(())
        })?;
        let report = made.unwrap_or_else(|| Report { agent: agent.clone(), fields: JsonMap::new() });
        let findings = self.absent_artifacts(id, &report)?;
        Ok(WithDiagnostics { value: report, findings })
    }

    /// Finds data that a report refers to and that are not there.
    fn absent_artifacts(&self, id: &SessionId, report: &Report) -> Result<Vec<Diagnostic>> {
        let there = self.journal.list(&layout::within(id, layout::DATA))?;
        let is_there = |path: &str| there.iter().any(|file| path == format!("{}/{}", layout::DATA, file.name));
        let absent = report.texts("data_artifacts").into_iter().filter(|path| !is_there(path));
        Ok(absent
            .map(|path| Diagnostic {
                severity: Severity::Info,
                code: "absent-artifact",
                place: layout::within(id, &layout::report(&report.agent)),
                message: format!("{path:?} is among the data_artifacts and not in the session"),
                hint: "put it: huddle session data put NAME".to_owned(),
            })
            .collect())
    }

    /// Reads an agent's report; fields that are not as the protocol has them are findings.
    pub fn report(&self, id: &SessionId, agent: &AgentName) -> Result<WithDiagnostics<Report>> {
        self.open(id)?;
        let mut found = self.read_reports(id, &|name| name == agent.as_str())?;
        match found.value.pop() {
            Some(report) => Ok(WithDiagnostics { value: report, findings: found.findings }),
            None => Err(found
                .findings
                .pop()
                .map_or_else(
                    || Error::NotFound { id: id.clone(), what: format!("report of {agent}") },
                    |Diagnostic { message, .. }| Error::Invalid {
                        message,
                        hint: "mend the file, or put the report again",
                    },
                )
                .into()),
        }
    }

    /// Reads the reports of the agents whose names fit a pattern, by name.
    pub fn reports(&self, id: &SessionId, pattern: &str) -> Result<WithDiagnostics<Vec<Report>>> {
        self.open(id)?;
        self.read_reports(id, &|name| glob::matches(pattern, name))
    }

    pub(super) fn read_reports(
        &self,
        id: &SessionId,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<WithDiagnostics<Vec<Report>>> {
        let mut found = WithDiagnostics::clean(Vec::new());
        for file in self.journal.list_or_report(&layout::within(id, layout::REPORTS), &mut found.findings) {
            let Some(stem) = file.name.strip_suffix(".json").filter(|stem| !file.is_dir() && wanted(stem)) else {
                continue;
            };
            let place = layout::within(id, &format!("{}/{}", layout::REPORTS, file.name));
            let Some(bytes) = self.journal.read_or_report(&place, &mut found.findings) else { continue };
            let read = AgentName::new(stem).map_err(|error| error.to_string());
            let odd = |code, message: String, hint: &str| Diagnostic {
                severity: Severity::Warning,
                code,
                place: place.clone(),
                message,
                hint: hint.to_owned(),
            };
            match read.and_then(|agent| Ok(Report { agent, fields: parse_object(&bytes)? })) {
                Ok(report) => {
                    let faults = report.faults();
                    found.findings.extend(faults.iter().map(|fault| odd("odd-report", fault.to_string(), "")));
                    found.value.push(report);
                }
                Err(fault) => {
                    let message = format!("the report cannot be read: {fault}");
                    found.findings.push(odd("damaged-report", message, "mend the file, or put the report again"));
                }
            }
        }
        Ok(found)
    }
}

/// Checks a report and adds it to a change.
pub(super) fn add_report(edit: &mut SessionEdit, agent: &AgentName, fields: &JsonMap) -> Result<Report> {
    let mut report = Report { agent: agent.clone(), fields: fields.clone() };
    report.fill_in(edit.now);
    let mut faults = report.faults();
    if !faults.is_empty() {
        let more = faults.len() - 1;
        return Err(Error::BadReport { agent: agent.clone(), first: faults.swap_remove(0), more }.into());
    }
    edit.files.push(NewFile { path: layout::report(agent), bytes: report.encode().into_bytes() });
    Ok(report)
}

/// Describes what reports say together.
pub fn merge(reports: &[Report]) -> MergedReports {
    let mut merged = MergedReports::default();
    for severity in ["high", "medium", "low"] {
        merged.by_severity.insert(severity.to_owned(), 0);
    }
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect::<Vec<_>>();
    for report in reports {
        merged.summaries.push((report.agent.clone(), report.text("summary").unwrap_or_default().to_owned()));
        merged.suggestions.extend(owned(report.texts("recommendations_for_automation")));
        merged.next_actions.extend(owned(report.texts("next_actions")));
        merged.artifacts.extend(owned(report.texts("data_artifacts")));
        merged.total_findings += report.findings().len();
        for finding in report.findings() {
            let text = |field: &str| finding[field].as_str().unwrap_or_default().to_owned();
            *merged.by_severity.entry(text("severity")).or_default() += 1;
            if text("severity") == "high" {
                merged.high.push(finding.clone());
            }
            if !text("recommendation").is_empty() {
                let (title, severity, recommendation) = (text("title"), text("severity"), text("recommendation"));
                merged.advice.push(Advice { agent: report.agent.clone(), title, severity, recommendation });
            }
        }
    }
    merged.artifacts.sort();
    merged.artifacts.dedup();
    merged
}
