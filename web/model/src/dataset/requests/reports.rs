//! What agents reported.

use std::io;

use huddle_core::history::StateFile;
use huddle_core::history::timeline::{Class, Severity};
use huddle_core::model::{Json, Timestamp};
use huddle_core::wire::session::report::Report;

use crate::dataset::Dataset;
use crate::protocol::ReportsView;
use crate::protocol::papers::{Artifact, ReportCard, ReportFinding};

/// How many findings of logs are listed.
const MOST_LOGGED: usize = 200;

impl Dataset {
    /// Gives all reports, taken together, and the findings that were only logged.
    pub(super) fn reports(&mut self) -> io::Result<ReportsView> {
        let papers = &self.history.state_files.reports;
        let said = |field: &str| {
            let texts = |paper: &StateFile<Report>| {
                let agent = paper.value.agent.as_str().to_owned();
                let texts: Vec<_> =
                    paper.value.texts(field).into_iter().map(|text| (agent.clone(), text.to_owned())).collect();
                texts
            };
            papers.iter().flat_map(texts).collect::<Vec<_>>()
        };
        let reports = papers.iter().map(|paper| self.report(paper)).collect();
        let (next_actions, suggestions) = (said("next_actions"), said("recommendations_for_automation"));
        let artifacts = papers.iter().flat_map(|paper| self.artifacts(paper)).collect();
        let findings = self.findings_of_reports();
        let mut logged = self.logged();
        let logged_total = logged.len() as u32;
        logged.truncate(MOST_LOGGED);
        let logged = self.lines(&logged)?;
        Ok(ReportsView { reports, findings, next_actions, suggestions, artifacts, logged, logged_total })
    }

    /// Lists the findings of all reports, those that matter most first.
    pub(super) fn findings_of_reports(&self) -> Vec<ReportFinding> {
        let all = self.history.state_files.reports.iter();
        let mut findings: Vec<ReportFinding> = all
            .flat_map(|paper| paper.value.findings().iter().map(|found| finding(paper.value.agent.as_str(), found)))
            .collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(Severity::of_word(&finding.severity)));
        findings
    }

    fn report(&self, paper: &StateFile<Report>) -> ReportCard {
        let report = &paper.value;
        let text = |field: &str| report.text(field).unwrap_or_default().to_owned();
        let count = |severity: &str| report.findings().iter().filter(|one| one["severity"] == severity).count() as u32;
        let metrics = report.fields.get("metrics").and_then(Json::as_object).into_iter().flatten();
        let number = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ReportCard {
            agent: report.agent.as_str().to_owned(),
            status: text("status"),
            summary: text("summary"),
            at: report.text("timestamp").and_then(Timestamp::parse).map(Timestamp::micros),
            metrics: metrics.map(|(name, value)| (name.replace('_', " "), number(value))).collect(),
            severities: ["high", "medium", "low"].map(count),
            file: self.history.files[paper.file as usize].path.clone(),
        }
    }

    fn artifacts(&self, paper: &StateFile<Report>) -> Vec<Artifact> {
        let agent = paper.value.agent.as_str();
        paper.value.texts("data_artifacts").into_iter().map(|path| self.artifact_of(agent, path, paper.root)).collect()
    }

    /// Describes a file that an agent refers to.
    pub(super) fn artifact_of(&self, agent: &str, path: &str, root: Option<usize>) -> Artifact {
        let found = self.resolve(path, root);
        let size = found.as_ref().and_then(|path| self.history.file_by_path.get(path));
        let size = size.map(|file| self.history.files[*file as usize].size);
        Artifact { path: found.unwrap_or_else(|| path.to_owned()), agent: agent.to_owned(), size }
    }

    /// Lists the entries that tell of findings, those that matter most first.
    fn logged(&self) -> Vec<u32> {
        let table = &self.history.table;
        let symbols = table.symbols.len();
        let mut is_finding: Vec<Option<bool>> = vec![None; symbols];
        let mut severities: Vec<Option<Severity>> = vec![None; symbols];
        let mut found: [Vec<u32>; 4] = Default::default();
        for (position, row) in self.history.entries.iter().enumerate() {
            let (kind, severity) = (table.kind()[*row as usize], table.severity()[*row as usize]);
            let finds = is_finding[kind.index()]
                .get_or_insert_with(|| Class::of_kind(table.text(kind)) == Some(Class::Finding));
            if *finds {
                let severity =
                    severities[severity.index()].get_or_insert_with(|| Severity::of_word(table.text(severity)));
                found[*severity as usize].push(position as u32);
            }
        }
        found.into_iter().rev().flatten().collect()
    }
}

fn finding(agent: &str, found: &Json) -> ReportFinding {
    let text = |field: &str| match &found[field] {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    };
    ReportFinding {
        agent: agent.to_owned(),
        severity: text("severity"),
        kind: text("type"),
        title: text("title"),
        description: text("description"),
        location: text("location"),
        recommendation: text("recommendation"),
        example: text("example"),
    }
}
