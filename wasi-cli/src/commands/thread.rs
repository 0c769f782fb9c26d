//! `huddle thread`

use huddle_core::bus::Thread;
use huddle_core::model::{Json, Message};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle thread",
    "Print a conversation from its first message to its last",
    &[must("ID", "the thread's id, or the id of a message in it")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
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
    let body = match &message.body {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        body => format!("{body:#}"),
    };
    let body: String = body.lines().map(|line| format!("\n   {line}")).collect();
    let Message { sent_at, from, to, subject, kind, id, .. } = message;
    format!("\n{sent_at} {from} → {to}: {subject} ({kind})\n   {id}{body}")
}
