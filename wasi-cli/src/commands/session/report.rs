//! `huddle session report`

use huddle_api::{ListReports, MergeReports, MergedReport, PutReport, ShowReport};

use super::{SessionOption, object, table};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Hand over what an agent found, and read what all found together
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(super) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ReportCommand {
    Put(PutArgs),
    Show(ShowArgs),
    List(ListArgs),
    Merge(MergeArgs),
}

impl ReportArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            ReportCommand::Put(args) => args.run(call),
            ReportCommand::Show(args) => args.run(call),
            ReportCommand::List(args) => args.run(call),
            ReportCommand::Merge(args) => args.run(call),
        }
    }
}

const REPORT_FORM: &str = r#"A report is a JSON object:
  status           completed, partial, in_progress or failed
  summary          text
  findings         a list of {"type": "issue|recommendation|info", "severity": "high|medium|low", "title", "description",
                   and if there are: "location", "recommendation", "example"}
  and if there are: metrics {items_analyzed, issues_found, …}, data_artifacts, next_actions,
                   recommendations_for_automation (lists of texts), and fields of your own
agent_name and timestamp are filled in."#;

/// Write an agent's report
#[derive(Debug, clap::Args)]
#[command(after_help = REPORT_FORM)]
struct PutArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    /// a file, JSON, or - for standard input, which is the default
    report: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl PutArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let (agent, report) = match (self.agent, self.report) {
            // No agent is called like that: the only argument is the report.
            (Some(report), None) if report.starts_with(['-', '@', '{', '[']) => (None, Some(report)),
            given => given,
        };
        let agent = match agent {
            Some(agent) => agent,
            None => call.context.actor()?.to_string(),
        };
        let fields = object(report.as_deref(), call)?;
        let request = PutReport { session: self.session.id, agent: Some(agent.clone()), report: Some(fields.into()) };
        let report = call.execute(request)?;
        call.answer(&report, |report| {
            format!("✅ Report of {agent}: {}", text::count(report.0.findings().len(), "finding"))
        })
    }
}

/// Print an agent's report
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// the agent; by default the one that acts
    agent: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl ShowArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let report = call.execute(ShowReport { session: self.session.id, agent: self.agent })?;
        call.answer(&report, |report| report.0.encode())
    }
}

/// List the reports with their summaries
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    session: SessionOption,
}

impl ListArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let list = call.execute(ListReports { session: self.session.id })?;
        call.answer(&list, |list| {
            let rows = list.reports.iter().map(|report| {
                let [status, summary] = [&report.status, &report.summary].map(|text| text::or_dash(text.as_ref()));
                let [findings, high] = [report.findings, report.high_severity].map(|count| count.to_string());
                [report.agent_name.clone(), status, findings, high, summary]
            });
            table(["AGENT", "STATUS", "FINDINGS", "HIGH", "SUMMARY"], rows, "No reports.")
        })
    }
}

/// Put reports together: findings by severity, next actions, recommendations, data
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// only of agents whose names fit, as in '*-analyzer'
    #[arg(long, value_name = "GLOB", default_value = "*")]
    agents: String,
    #[command(flatten)]
    session: SessionOption,
}

impl MergeArgs {
    fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let merged = call.execute(MergeReports { session: self.session.id, agents: Some(self.agents) })?;
        call.answer(&merged, together)
    }
}

fn together(merged: &MergedReport) -> String {
    let severities: Vec<String> =
        ["high", "medium", "low"].iter().map(|word| format!("{} {word}", merged.by_severity[*word])).collect();
    let reports = text::count(merged.reports, "report");
    let findings = text::count(merged.total_findings, "finding");
    let mut lines = vec![format!("{reports}, {findings}: {}", severities.join(", "))];
    lines.extend(merged.summaries.iter().map(|one| format!("   {}: {}", one.agent_name, one.summary)));
    let advice = merged.recommendations.iter();
    let advice: Vec<_> =
        advice.map(|one| format!("[{}] {}: {}", one.severity, one.title, one.recommendation)).collect();
    for (title, items) in [
        ("Next actions", &merged.next_actions),
        ("Recommendations", &advice),
        ("Automation", &merged.automation_suggestions),
        ("Data", &merged.data_artifacts),
    ] {
        if !items.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(items.iter().map(|item| format!("   - {item}")));
        }
    }
    lines.join("\n")
}
