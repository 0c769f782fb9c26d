//! Merged reports of a session.

use super::texts;
use crate::model::{AgentName, Json};
use crate::session::{Advice, MergedReports};
use crate::wire::object;

/// Writes what reports say together.
pub(super) fn merged(merged: &MergedReports) -> Json {
    let summary = |(agent, summary): &(AgentName, String)| {
        object(vec![("agent_name", agent.as_str().into()), ("summary", summary.as_str().into())])
    };
    let advice = |advice: &Advice| {
        object(vec![
            ("agent_name", advice.agent.as_str().into()),
            ("severity", advice.severity.as_str().into()),
            ("title", advice.title.as_str().into()),
            ("recommendation", advice.recommendation.as_str().into()),
        ])
    };
    let severities = merged.by_severity.iter().map(|(word, count)| (word.clone(), (*count).into()));
    object(vec![
        ("reports", merged.summaries.len().into()),
        ("total_findings", merged.total_findings.into()),
        ("by_severity", Json::Object(severities.collect())),
        ("high_severity", merged.high.len().into()),
        ("high_severity_findings", Json::Array(merged.high.clone())),
        ("automation_opportunities", merged.suggestions.len().into()),
        ("automation_suggestions", texts(&merged.suggestions)),
        ("next_actions", texts(&merged.next_actions)),
        ("recommendations", merged.advice.iter().map(advice).collect()),
        ("data_artifacts", texts(&merged.artifacts)),
        ("summaries", merged.summaries.iter().map(summary).collect()),
    ])
}
