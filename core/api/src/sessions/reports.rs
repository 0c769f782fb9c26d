//! Reports of agents.

use std::collections::BTreeMap;

use huddle_core::model::{ErrorKind, Json, JsonMap};
use huddle_core::session::{MergedReports, merge};
use huddle_core::wire::mailbox::parse_object;
use huddle_core::wire::session::report::Report;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::agent;
use crate::{Context, Error, Operation};

/// A report as a caller gives it: a JSON object, or its text.
#[derive(Debug, Clone, PartialEq)]
pub enum ReportContent {
    /// The object.
    Fields(JsonMap),
    /// Its text, which is read when the report is written.
    Text(String),
}

impl ReportContent {
    pub(super) fn into_fields(self) -> Result<JsonMap, Error> {
        let text = match self {
            Self::Fields(fields) => return Ok(fields),
            Self::Text(text) => text,
        };
        parse_object(text.as_bytes()).map_err(|fault| {
            let place = if text.trim_start().starts_with('{') { "the argument" } else { &text };
            let message = format!("a report is a JSON object: {fault}: {place}");
            Error::new(ErrorKind::Invalid, message, "check the quoting")
        })
    }
}

impl From<JsonMap> for ReportContent {
    fn from(fields: JsonMap) -> Self {
        Self::Fields(fields)
    }
}

impl<'de> Deserialize<'de> for ReportContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Json::deserialize(deserializer)? {
            Json::Object(fields) => Self::Fields(fields),
            Json::String(text) => Self::Text(text),
            other => Self::Text(other.to_string()),
        })
    }
}

/// Writes an agent's report.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutReport {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
    /// The report.
    #[serde(default)]
    pub report: Option<ReportContent>,
}

/// A report. It serializes to the fields of its file.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionReport(pub Report);

impl Serialize for SessionReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fields.serialize(serializer)
    }
}

impl Operation for PutReport {
    type Response = SessionReport;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionReport, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        let report = self.report.ok_or_else(|| Error::usage("what to write is missing", "give a JSON object"))?;
        let put = context.project().sessions.put_report(&id, &agent, &report.into_fields()?)?;
        Ok(SessionReport(context.collect(put)))
    }
}

/// Shows an agent's report.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowReport {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
}

impl Operation for ShowReport {
    type Response = SessionReport;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionReport, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        let found = context.project().sessions.report(&id, &agent)?;
        Ok(SessionReport(context.collect(found)))
    }
}

/// Lists the reports of a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListReports {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
}

/// The reports of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportList {
    /// How many there are.
    pub count: usize,
    /// Each of them, by agent.
    pub reports: Vec<ReportEntry>,
}

/// A report in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportEntry {
    /// The agent.
    pub agent_name: String,
    /// When it was written.
    pub timestamp: Option<String>,
    /// What it says of itself: `completed`, `partial`, `in_progress` or `failed`.
    pub status: Option<String>,
    /// Its summary.
    pub summary: Option<String>,
    /// How many findings it has.
    pub findings: usize,
    /// How many of them are of high severity.
    pub high_severity: usize,
}

impl From<&Report> for ReportEntry {
    fn from(report: &Report) -> Self {
        let text = |field: &str| report.text(field).map(str::to_owned);
        Self {
            agent_name: report.agent.to_string(),
            timestamp: text("timestamp"),
            status: text("status"),
            summary: text("summary"),
            findings: report.findings().len(),
            high_severity: report.high(),
        }
    }
}

impl Operation for ListReports {
    type Response = ReportList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<ReportList, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.reports(&id, "*")?;
        let reports: Vec<_> = context.collect(found).iter().map(ReportEntry::from).collect();
        Ok(ReportList { count: reports.len(), reports })
    }
}

/// Merges the reports of a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergeReports {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Only those of agents whose names match a pattern.
    #[serde(default)]
    pub agents: Option<String>,
}

/// Reports of a session, merged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MergedReport {
    /// How many there are.
    pub reports: usize,
    /// How many findings they have.
    pub total_findings: usize,
    /// How many findings there are of each severity; those without one count under an empty word.
    pub by_severity: BTreeMap<String, u64>,
    /// How many findings are of high severity.
    pub high_severity: usize,
    /// These findings, as they were written.
    pub high_severity_findings: Vec<Json>,
    /// How many suggestions for automation there are.
    pub automation_opportunities: usize,
    /// These suggestions.
    pub automation_suggestions: Vec<String>,
    /// What to do next.
    pub next_actions: Vec<String>,
    /// What to do about single findings.
    pub recommendations: Vec<Recommendation>,
    /// The data that the reports refer to, each once, sorted.
    pub data_artifacts: Vec<String>,
    /// The summary of each report.
    pub summaries: Vec<ReportSummary>,
}

/// A recommendation about a finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of a report")]
pub struct Recommendation {
    pub agent_name: String,
    pub severity: String,
    pub title: String,
    pub recommendation: String,
}

/// The summary of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of a report")]
pub struct ReportSummary {
    pub agent_name: String,
    pub summary: String,
}

impl From<MergedReports> for MergedReport {
    fn from(merged: MergedReports) -> Self {
        let summaries = merged.summaries.into_iter();
        let summaries = summaries
            .map(|(agent, summary)| ReportSummary { agent_name: agent.to_string(), summary })
            .collect::<Vec<_>>();
        let recommendations = merged.advice.into_iter().map(|advice| Recommendation {
            agent_name: advice.agent.to_string(),
            severity: advice.severity,
            title: advice.title,
            recommendation: advice.recommendation,
        });
        Self {
            reports: summaries.len(),
            total_findings: merged.total_findings,
            by_severity: merged.by_severity,
            high_severity: merged.high.len(),
            high_severity_findings: merged.high,
            automation_opportunities: merged.suggestions.len(),
            automation_suggestions: merged.suggestions,
            next_actions: merged.next_actions,
            recommendations: recommendations.collect(),
            data_artifacts: merged.artifacts,
            summaries,
        }
    }
}

impl Operation for MergeReports {
    type Response = MergedReport;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<MergedReport, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.reports(&id, self.agents.as_deref().unwrap_or("*"))?;
        Ok(merge(&context.collect(found)).into())
    }
}
