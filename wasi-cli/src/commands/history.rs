//! `huddle history`

use huddle_core::history::snapshot::time;
use huddle_core::history::{Agent, Overview};
use huddle_core::wire::answer;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::{PATHS, Past};
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle history",
    "Say what agents left behind: who, when, how much, and what stands out",
    &[PATHS],
    run,
)
.more(
    "Reads mailboxes, sessions, shared state, decisions.jsonl, exported documents, lists of messages, transcripts and\n\
             team inboxes of Claude Code, and any log of JSON lines. What was passed over is told with the reason.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(args, call)?;
    let findings = past.check()?;
    let overview = Overview::of(&past.history, &past.derived, &findings);
    call.output.answer(|| answer::overview(&past.history, &past.derived, &overview), || show(&past, &overview))
}

fn show(past: &Past, overview: &Overview) -> String {
    let history = &past.history;
    let mut lines: Vec<String> =
        history.roots.iter().map(|root| format!("📚 {} ({})", root.path, root.kind.as_str())).collect();
    lines.push(format!(
        "{} in {}, {}",
        text::count(history.entries.len(), "entry"),
        text::count(overview.formats.values().map(|(files, _)| files).sum(), "file"),
        text::count(overview.account.total() as usize, "byte"),
    ));
    if let Some((first, last)) = overview.span {
        lines.push(format!("from {first} to {last} ({})", last.since(first)));
    }
    let formats = overview.formats.iter().map(|(name, (files, records))| {
        text::row([&format!("  {name}"), &text::count(*files, "file"), &text::count(*records as usize, "record")])
    });
    if !overview.formats.is_empty() {
        lines.push(text::table(&formats.collect::<Vec<_>>()));
    }
    if !overview.agents.list.is_empty() {
        lines.push(format!("\n{}", agents(past, &overview.agents.list)));
    }
    let states = overview.states.iter().map(|(state, count)| format!("{count} {}", state.name()));
    let threads = text::count(past.derived.threads.threads.len(), "conversation");
    lines.push(format!("\n💬 {threads}; {}", states.collect::<Vec<_>>().join(", ")));
    lines.extend(sessions(past));
    if !overview.reports.summaries.is_empty() {
        let rank = |word: &str| ["high", "medium", "low"].iter().position(|known| *known == word).unwrap_or(3);
        let mut severities: Vec<_> = overview.reports.by_severity.iter().collect();
        severities.sort_by_key(|(word, _)| rank(word));
        let severities = severities.into_iter().map(|(word, count)| format!("{count} {word}"));
        let reports = text::count(overview.reports.summaries.len(), "report");
        let found = text::count(overview.reports.total_findings, "finding");
        lines.push(format!("📋 {reports}, {found}: {}", severities.collect::<Vec<_>>().join(", ")));
    }
    let [errors, warnings, infos] = overview.findings;
    let mark = if errors + warnings == 0 { "✅" } else { "⚠️" };
    let problems = [text::count(errors, "error"), text::count(warnings, "warning"), text::count(infos, "note")];
    lines.push(match errors + warnings + infos {
        0 => format!("{mark} nothing is wrong"),
        _ => format!("{mark} {} (huddle check says which)", problems.join(", ")),
    });
    lines.extend(
        overview
            .ignored_files
            .iter()
            .map(|(why, (files, example))| format!("   passed over {}: {why}: {example}", text::count(*files, "file"))),
    );
    lines.join("\n")
}

fn agents(past: &Past, list: &[Agent]) -> String {
    let table = &past.history.table;
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
        let [first, last] = [agent.first_at, agent.last_at].map(|at| text::or_dash(time(at).as_ref()));
        let silence = agent.silences.first();
        let silence = silence.and_then(|silence| Some(time(silence.end)?.since(time(silence.start)?)));
        let (unread, overdue, high) = (agent.unread, agent.overdue, agent.findings.high);
        let name = table.text(agent.name);
        text::row([
            &name,
            &agent.sent,
            &agent.received,
            &unread,
            &overdue,
            &high,
            &first,
            &last,
            &text::or_dash(silence.as_ref()),
        ])
    }));
    text::table(&rows)
}

fn sessions(past: &Past) -> Vec<String> {
    let sessions = past.history.state_files.sessions.iter().map(|paper| {
        let members = paper.value.members.iter().map(|member| format!("{} {}", member.name, member.status));
        format!("🧭 session {}: {}", paper.value.id, members.collect::<Vec<_>>().join(", "))
    });
    sessions.collect()
}
