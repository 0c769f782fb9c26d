//! Checking all sessions: what their files claim against what there is.

use super::Sessions;
use super::error::Result;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{Diagnostic, Event, Member, SessionId, Severity, Status};
use crate::wire::session::layout;
use crate::wire::session::report::Report;

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Finds what is wrong with the sessions, and gives how many there are; changes nothing.
    pub fn check(&self) -> Result<(usize, Vec<Diagnostic>)> {
        let listed = self.list()?;
        let mut findings = listed.findings;
        for session in &listed.value {
            // One that cannot be read keeps no other from being checked.
            match self.check_session(&session.id) {
                Ok(found) => findings.extend(found),
                Err(error) => findings.push(Diagnostic {
                    severity: Severity::Error,
                    code: "unreadable-file",
                    place: format!("{}/{}", layout::ROOT, layout::session(&session.id)),
                    message: format!("the session could not be checked: {error}"),
                    remedy: "look at the file and move it away; nothing else is affected".into(),
                }),
            }
        }
        findings.extend(self.check_journal());
        findings.sort();
        findings.dedup();
        Ok((listed.value.len(), findings))
    }

    fn check_session(&self, id: &SessionId) -> Result<Vec<Diagnostic>> {
        let view = self.view(id)?;
        let log = self.read_log(id)?;
        let reports = self.read_reports(id, &|_| true)?;
        let mut findings: Vec<Diagnostic> =
            view.findings.into_iter().chain(log.findings).chain(reports.findings).collect();
        for member in &view.value.session.members {
            let report = reports.value.iter().find(|report| report.agent == member.name);
            let last = log.value.iter().rev().find(|event| event.text("from") == Some(member.name.as_str()));
            findings.extend(self.check_member(id, member, report, last)?);
        }
        for report in &reports.value {
            findings.extend(self.absent_artifacts(id, report)?);
        }
        Ok(findings)
    }

    fn check_member(
        &self,
        id: &SessionId,
        member: &Member,
        report: Option<&Report>,
        last: Option<&Event>,
    ) -> Result<Vec<Diagnostic>> {
        let (name, mut findings) = (&member.name, Vec::new());
        let mut found = |severity, code, message: String, remedy: String| {
            let place = layout::place(id, layout::COORDINATION);
            findings.push(Diagnostic { severity, code, place, message, remedy: remedy.into() });
        };
        let path = member.report_path.as_deref().filter(|path| super::log::leads_out(path).is_none());
        let is_there = path.map_or(Ok(true), |path| self.journal.exists(&layout::within(id, path)))?;
        let report_hint = format!("have {name} write its report");
        if let Some(path) = member.report_path.as_deref().filter(|_| path.is_none() || !is_there) {
            let message = format!("{name} is said to have its report at {path:?}, and there is none");
            found(Severity::Warning, "absent-report", message, report_hint);
        } else if member.status == Status::Completed && report.is_none() {
            let message = format!("{name} is said to be completed, and has no report");
            found(Severity::Warning, "completed-without-report", message, report_hint);
        }
        let reported = report.and_then(|report| report.text("status"));
        if member.status == Status::Completed && reported == Some("failed") {
            let message = format!("{name} is said to be completed, and its report says failed");
            found(Severity::Error, "completed-but-failed", message, "read the report before going on".to_owned());
        }
        let hint = format!("ask {name} how far it is");
        match (&member.status, last.and_then(|event| event.text("type"))) {
            (Status::Completed, Some("error")) => {
                let message = format!("{name} is said to be completed, and the last it said is an error");
                found(Severity::Warning, "completed-after-error", message, hint);
            }
            (Status::Waiting | Status::InProgress, Some("completed")) => {
                let message = format!("{name} said that it is done, and is still said to be {}", member.status);
                found(Severity::Warning, "completed-in-log-only", message, hint);
            }
            _ => {}
        }
        Ok(findings)
    }
}
