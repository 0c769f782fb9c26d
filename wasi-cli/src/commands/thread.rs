//! `huddle thread`

use huddle_core::bus::Thread;
use huddle_core::history::snapshot::time;
use huddle_core::history::{EntryView, History};
use huddle_core::model::{Json, Message};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::{PATHS, Past};
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle thread",
    "Print a conversation from its first message to its last",
    &[must("ID", "the thread's id, or the id of a message in it"), PATHS],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    if args.has("PATH") {
        return of_past(args, call);
    }
    let thread = call.value(call.bus.thread(args.need("ID"))?);
    call.output.answer(|| answer::thread(&thread), || show(&thread))
}

fn show(thread: &Thread) -> String {
    let mut lines = vec![format!("💬 {}", thread.subject)];
    lines.push(format!("   Thread: {}", thread.id));
    lines.push(format!("   Participants: {}", text::list(&thread.participants)));
    lines.extend(thread.messages.iter().map(said));
    for waiting in &thread.waiting {
        let until = waiting.deadline.map_or_else(String::new, |deadline| format!(" by {deadline}"));
        lines.push(format!("\n⏳ {} waits for {}{until}", waiting.id, text::list(&waiting.waits_for)));
    }
    lines.join("\n")
}

fn said(message: &Message) -> String {
    let Message { sent_at, from, to, subject, kind, id, body, .. } = message;
    format!("\n{sent_at} {from} → {to}: {subject} ({kind})\n   {id}{}", indented(body, "   "))
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
fn of_past(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(args, call)?;
    let (thread, messages) = past.thread(args.need("ID"), "huddle threads PATH lists the conversations")?;
    call.output.answer(
        || answer::history_thread(&past.history, &past.derived, &thread, &messages),
        || {
            let mut lines = vec![format!("💬 {}", messages.first().map_or("", |said| said.subject.as_str()))];
            lines.push(format!("   Thread: {}", past.history.thread_name(&thread)));
            let participants = past.history.participants(&past.derived, &thread);
            lines.push(format!("   Participants: {}", text::list(&participants)));
            lines.extend(messages.iter().map(past_line));
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
