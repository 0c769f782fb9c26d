//! `huddle history`

use huddle_api::{HistoryAgent, HistoryOverview, ProblemCounts, ShowHistory};

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Say what agents left behind: who, when, how much, and what stands out
///
/// Reads mailboxes, sessions, shared state, decisions.jsonl, exported documents, lists of messages, transcripts and
/// team inboxes of Claude Code, and any log of JSON lines. What was passed over is told with the reason.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    paths: Paths,
}

impl HistoryArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let overview = call.execute(ShowHistory { paths: self.paths.paths })?;
        call.answer(&overview, show)
    }
}

fn show(overview: &HistoryOverview) -> String {
    let roots = overview.sources.iter();
    let mut lines: Vec<String> = roots.map(|root| format!("📚 {} ({})", root.path, root.kind)).collect();
    lines.push(format!(
        "{} in {}, {}",
        text::count(overview.entries, "entry"),
        text::count(overview.formats.iter().map(|format| format.files).sum(), "file"),
        text::count(overview.bytes.total as usize, "byte"),
    ));
    if let (Some(first), Some(last), Some(duration)) = (&overview.from, &overview.to, overview.duration) {
        lines.push(format!("from {first} to {last} ({duration})"));
    }
    let formats = overview.formats.iter().map(|format| {
        let (files, records) = (text::count(format.files, "file"), text::count(format.records as usize, "record"));
        text::row([&format!("  {}", format.format), &files, &records])
    });
    if !overview.formats.is_empty() {
        lines.push(text::table(&formats.collect::<Vec<_>>()));
    }
    if !overview.agents.is_empty() {
        lines.push(format!("\n{}", agents(&overview.agents)));
    }
    let states = overview.states.iter().map(|(state, count)| format!("{count} {state}"));
    let threads = text::count(overview.threads, "conversation");
    lines.push(format!("\n💬 {threads}; {}", states.collect::<Vec<_>>().join(", ")));
    lines.extend(sessions(overview));
    if !overview.reports.summaries.is_empty() {
        let rank = |word: &str| ["high", "medium", "low"].iter().position(|known| *known == word).unwrap_or(3);
        let mut severities: Vec<_> = overview.reports.by_severity.iter().collect();
        severities.sort_by_key(|(word, _)| rank(word));
        let severities = severities.into_iter().map(|(word, count)| format!("{count} {word}"));
        let reports = text::count(overview.reports.summaries.len(), "report");
        let found = text::count(overview.reports.total_findings, "finding");
        lines.push(format!("📋 {reports}, {found}: {}", severities.collect::<Vec<_>>().join(", ")));
    }
    let ProblemCounts { errors, warnings, infos } = overview.problems;
    let mark = if errors + warnings == 0 { "✅" } else { "⚠️" };
    let problems = [text::count(errors, "error"), text::count(warnings, "warning"), text::count(infos, "note")];
    lines.push(match errors + warnings + infos {
        0 => format!("{mark} nothing is wrong"),
        _ => format!("{mark} {} (huddle check says which)", problems.join(", ")),
    });
    lines.extend(overview.passed_over.iter().map(|ignored| {
        format!("   passed over {}: {}: {}", text::count(ignored.files, "file"), ignored.why, ignored.example)
    }));
    lines.join("\n")
}

fn agents(list: &[HistoryAgent]) -> String {
    let mut rows = vec![text::row([
        &"AGENT",
        &"SENT",
        &"GOT",
        &"UNREAD",
        &"OVERDUE",
        &"HIGH",
        &"FIRST",
        &"LAST",
        &"LONGEST SILENCE",
    ])];
    rows.extend(list.iter().map(|agent| {
        let [first, last] = [&agent.first_seen, &agent.last_seen].map(|at| text::or_dash(at.as_ref()));
        let silence = text::or_dash(agent.longest_silence.as_ref());
        let HistoryAgent { name, sent, received, unread, overdue, high, .. } = agent;
        text::row([name, sent, received, unread, overdue, high, &first, &last, &silence])
    }));
    text::table(&rows)
}

fn sessions(overview: &HistoryOverview) -> impl Iterator<Item = String> {
    overview.sessions.iter().map(|session| {
        let members = session.agents.iter().map(|member| format!("{} {}", member.name, member.status));
        format!("🧭 session {}: {}", session.id, members.collect::<Vec<_>>().join(", "))
    })
}
