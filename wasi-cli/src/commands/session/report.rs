//! `huddle session report`

use huddle_core::model::AgentName;
use huddle_core::session::{MergedReports, merge};
use huddle_core::wire::answer::session as answer;

use super::{ID, object, session, table};
use crate::args::{Args, Spec, maybe, must, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::group(
    "huddle session report",
    "Hand over what an agent found, and read what all found together",
    &[PUT, SHOW, LIST, MERGE],
);

const PUT: Spec = Spec::command(
    "huddle session report put",
    "Write an agent's report",
    &[must("AGENT", "the agent"), maybe("REPORT", "a file, JSON, or - for standard input, which is the default"), ID],
    put,
)
.more(
    r#"A report is a JSON object:
  status           completed, partial, in_progress or failed
  summary          text
  findings         a list of {"type": "issue|recommendation|info", "severity": "high|medium|low", "title", "description",
                   and if there are: "location", "recommendation", "example"}
  and if there are: metrics {items_analyzed, issues_found, …}, data_artifacts, next_actions,
                   recommendations_for_automation (lists of texts), and fields of your own
agent_name and timestamp are filled in."#,
);

const SHOW: Spec =
    Spec::command("huddle session report show", "Print an agent's report", &[must("AGENT", "the agent"), ID], show);

const LIST: Spec = Spec::command("huddle session report list", "List the reports with their summaries", &[ID], list);

const MERGE: Spec = Spec::command(
    "huddle session report merge",
    "Put reports together: findings by severity, next actions, recommendations, data",
    &[option("agents", "GLOB", "only of agents whose names fit, as in '*-analyzer'").default("*"), ID],
    merged,
);

fn put(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let (id, agent): (_, AgentName) = (session(args, call)?, args.name("AGENT")?);
    let fields = object(args.text("REPORT"), call)?;
    let put = call.project.sessions.put_report(&id, &agent, &fields)?;
    call.output.found(put.findings);
    let report = put.value;
    let said = || format!("✅ Report of {agent}: {}", text::count(report.findings().len(), "finding"));
    call.output.answer(|| answer::report(&report), said)
}

fn show(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let (id, agent): (_, AgentName) = (session(args, call)?, args.name("AGENT")?);
    let found = call.project.sessions.report(&id, &agent)?;
    call.output.found(found.findings);
    call.output.answer(|| answer::report(&found.value), || found.value.encode())
}

fn list(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let found = call.project.sessions.reports(&id, "*")?;
    call.output.found(found.findings);
    let answer = answer::reports(&found.value);
    let columns = [
        ("AGENT", "agent_name"),
        ("STATUS", "status"),
        ("FINDINGS", "findings"),
        ("HIGH", "high_severity"),
        ("SUMMARY", "summary"),
    ];
    let shown = table(&answer, "reports", &columns, "No reports.");
    call.output.answer(|| answer, || shown)
}

fn merged(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let found = call.project.sessions.reports(&id, args.need("agents"))?;
    call.output.found(found.findings);
    let merged = merge(&found.value);
    call.output.answer(|| answer::merged(&merged), || together(&merged))
}

fn together(merged: &MergedReports) -> String {
    let severities: Vec<String> =
        ["high", "medium", "low"].iter().map(|word| format!("{} {word}", merged.by_severity[*word])).collect();
    let reports = text::count(merged.summaries.len(), "report");
    let findings = text::count(merged.total_findings, "finding");
    let mut lines = vec![format!("{reports}, {findings}: {}", severities.join(", "))];
    lines.extend(merged.summaries.iter().map(|(agent, summary)| format!("   {agent}: {summary}")));
    let advice = merged.advice.iter().map(|one| format!("[{}] {}: {}", one.severity, one.title, one.recommendation));
    let advice: Vec<String> = advice.collect();
    for (title, items) in [
        ("Next actions", &merged.next_actions),
        ("Recommendations", &advice),
        ("Automation", &merged.suggestions),
        ("Data", &merged.artifacts),
    ] {
        if !items.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(items.iter().map(|item| format!("   - {item}")));
        }
    }
    lines.join("\n")
}
