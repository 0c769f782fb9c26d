//! `huddle thread`

use huddle_api::{Message, ShowThread, Thread};
use huddle_core::history::snapshot::time;
use huddle_core::history::{EntryView, History};
use huddle_core::model::Json;
use huddle_core::wire::answer;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::Past;
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
        if !paths.is_empty() {
            return of_past(&id, &paths, call);
        }
        let thread = call.execute(ShowThread { thread_id: id })?;
        call.answer(&thread, show)
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

/// Prints a conversation of what lies at a path, answers below what they answer.
fn of_past(wanted: &str, paths: &[String], call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(paths, call)?;
    let (thread, messages) = past.thread(wanted, "huddle threads PATH lists the conversations")?;
    let subject = past.subject(&thread)?;
    call.output.answer(
        || answer::history_thread(&past.history, &past.derived, &thread, &messages),
        || {
            let mut lines = vec![format!("💬 {subject}")];
            lines.push(format!("   Thread: {}", past.history.thread_name(&thread)));
            let participants = past.history.participants(&past.derived, &thread);
            lines.push(format!("   Participants: {}", text::list(&participants)));
            for said in messages.chunk_by(|a, b| a.is_noise() && b.is_noise()) {
                lines.push(match said {
                    [first, ..] if first.is_noise() => {
                        format!("\n… {} that nobody said (role:noise finds them)", text::count(said.len(), "record"))
                    }
                    said => said.iter().map(past_line).collect::<Vec<_>>().join("\n"),
                });
            }
            lines.extend(messages.iter().filter_map(|said| past_waiting(&past.history, said)));
            lines.join("\n")
        },
    )
}

/// Says who owes an answer, and until when.
fn past_waiting(history: &History, said: &EntryView) -> Option<String> {
    let owing = said.deliveries.iter().filter(|delivery| delivery.unanswered);
    let owing: Vec<&str> = owing.map(|delivery| history.table.text(delivery.recipient)).collect();
    let until = time(history.table.due()[said.row as usize]).map_or_else(String::new, |due| format!(" by {due}"));
    let asked = if said.id.is_empty() { &said.place } else { &said.id };
    (!owing.is_empty()).then(|| format!("\n⏳ {asked} waits for {}{until}", text::list(&owing)))
}

fn past_line(said: &EntryView) -> String {
    let margin = "  ".repeat(said.depth.min(20) as usize);
    let to = if said.to.is_empty() { String::new() } else { format!(" → {}", said.to) };
    let side = if said.record.get("isSidechain") == Some(&Json::Bool(true)) { "sidechain" } else { "" };
    let marks = [said.kind.clone(), said.severity.clone(), side.to_owned(), said.delivery()];
    let marks = marks.into_iter().filter(|mark| !mark.is_empty()).collect::<Vec<_>>().join(", ");
    // What has no subject is told by what it says: a short one has said it all.
    let body = Some(said.body()).filter(|body| body.as_str() != Some(&said.subject));
    let body = indented(&body.unwrap_or_default(), &format!("{margin}   "));
    let at = text::or_dash(said.at.as_ref());
    format!("\n{margin}{at} {}{to}: {} ({marks})\n{margin}   {}{body}", said.from, said.subject, said.place)
}
