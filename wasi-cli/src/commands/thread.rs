//! `huddle thread`

use huddle_api::{HistoryEntry, HistoryThread, Message, ShowHistoryThread, ShowThread, Thread};
use huddle_core::model::Json;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Print a conversation from its first message to its last
#[derive(Debug, clap::Args)]
pub(crate) struct ThreadArgs {
    /// the thread's id, or the id of a message in it
    id: String,
    #[command(flatten)]
    paths: Paths,
}

impl ThreadArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { id, paths: Paths { paths } } = self;
        if paths.is_empty() {
            let thread = call.execute(ShowThread { thread_id: id })?;
            return call.answer(&thread, show);
        }
        let thread = call.execute(ShowHistoryThread { thread_id: id, paths })?;
        call.answer(&thread, show_history)
    }
}

fn show(Thread { entry: thread, messages }: &Thread) -> String {
    let mut lines = vec![format!("💬 {}", thread.subject)];
    lines.push(format!("   Thread: {}", thread.thread_id));
    lines.push(format!("   Participants: {}", text::list(&thread.participants)));
    lines.extend(messages.iter().map(line));
    for waiting in &thread.waiting {
        let until = waiting.deadline.as_ref().map_or_else(String::new, |deadline| format!(" by {deadline}"));
        lines.push(format!("\n⏳ {} waits for {}{until}", waiting.id, text::list(&waiting.waits_for)));
    }
    lines.join("\n")
}

fn line(message: &Message) -> String {
    let Message { created_at, from, subject, kind, id, body, .. } = message;
    // No name contains a comma.
    let to = message.to.replace(',', ", ");
    format!("\n{created_at} {from} → {to}: {subject} ({kind})\n   {id}{}", indented(body, "   "))
}

/// Shows what was said, each line set off.
fn indented(body: &Json, margin: &str) -> String {
    let body = match body {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        body => format!("{body:#}"),
    };
    body.lines().map(|line| format!("\n{margin}{line}")).collect()
}

fn show_history(HistoryThread { entry: thread, messages, title }: &HistoryThread) -> String {
    let mut lines = vec![format!("💬 {title}")];
    lines.push(format!("   Thread: {}", thread.thread_id));
    lines.push(format!("   Participants: {}", text::list(&thread.participants)));
    for entries in messages.chunk_by(|a, b| a.is_noise && b.is_noise) {
        lines.push(match entries {
            [first, ..] if first.is_noise => {
                format!("\n… {} that nobody said (role:noise finds them)", text::count(entries.len(), "record"))
            }
            entries => entries.iter().map(entry).collect::<Vec<_>>().join("\n"),
        });
    }
    lines.extend(messages.iter().filter_map(waiting));
    lines.join("\n")
}

/// Says who owes an answer, and until when.
fn waiting(entry: &HistoryEntry) -> Option<String> {
    let owing = entry.deliveries.iter().filter(|delivery| delivery.unanswered);
    let owing: Vec<&str> = owing.map(|delivery| delivery.recipient.as_str()).collect();
    let until = entry.deadline.as_ref().map_or_else(String::new, |deadline| format!(" by {deadline}"));
    let asked = entry.id.as_ref().unwrap_or(&entry.place);
    (!owing.is_empty()).then(|| format!("\n⏳ {asked} waits for {}{until}", text::list(&owing)))
}

fn entry(entry: &HistoryEntry) -> String {
    let HistoryEntry { subject, place, .. } = entry;
    let margin = "  ".repeat(entry.depth.min(20) as usize);
    let from = entry.from.as_deref().unwrap_or_default();
    let to = entry.to.as_ref().map_or_else(String::new, |to| format!(" → {to}"));
    let side = entry.record.get("isSidechain") == Some(&Json::Bool(true));
    let side = side.then_some("sidechain");
    let marks = [entry.kind.as_deref(), entry.severity.as_deref(), side, entry.delivery.as_deref()];
    let marks = marks.into_iter().flatten().collect::<Vec<_>>().join(", ");
    // What has no subject is told by what it says: a short one has said it all.
    let body = Some(&entry.body).filter(|body| body.as_str() != Some(subject));
    let body = body.map_or_else(String::new, |body| indented(body, &format!("{margin}   ")));
    let at = text::or_dash(entry.created_at.as_ref());
    format!("\n{margin}{at} {from}{to}: {subject} ({marks})\n{margin}   {place}{body}")
}
