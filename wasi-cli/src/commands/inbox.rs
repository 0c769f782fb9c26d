//! `huddle inbox`

use std::io;

use huddle_core::bus::{Inbox, InboxCursor, InboxFilter};
use huddle_core::model::{AgentName, Delivery, Json, MessageType, Span, ThreadId};
use huddle_core::wire::answer;

use super::message_options::priority;
use crate::args::{Args, Spec, flag, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::{text, when};

pub(super) const SPEC: Spec = Spec::command(
    "huddle inbox",
    "List what you have not read, most urgent first, then oldest first",
    &[
        flag("all", "list what you have read, too"),
        option("type", "TYPE", "only of this type"),
        option("from", "AGENT", "only from this agent"),
        option("min-priority", "PRIORITY", "only at least this urgent: critical, high, normal or low"),
        option("thread", "ID", "only of this conversation"),
        option("limit", "N", "list at most so many; the count still tells all. With --watch, end after so many"),
        option("wait", "SECONDS", "when there is nothing, wait for something to come; exit code 4 when nothing does"),
        flag("watch", "print each message as a line of JSON as it arrives, until stopped"),
        option("for", "SECONDS", "stop watching after this long"),
        flag("count", "only say how many are unread, and nothing when none are; nothing is listed"),
        flag("peek", "look and leave no trace: nothing counts as offered"),
    ],
    run,
)
.more("Listing does not mark anything as read: huddle read ID does.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    if args.has("count") {
        return count(&me, call);
    }
    let mut wanted = wanted(args)?;
    let wait = args.read("wait", when::span)?;
    if args.has("watch") {
        if wait.is_some() {
            return Err(args.wrong("--watch and --wait do not go together"));
        }
        return watch(&me, &mut wanted, args, call);
    }
    if args.has("for") {
        return Err(args.wrong("--for goes with --watch"));
    }
    let mut inbox = match wait {
        Some(wait) => call.bus.wait_inbox(&me, &wanted, wait)?,
        None => call.bus.inbox(&me, &wanted)?,
    };
    call.output.found(std::mem::take(&mut inbox.findings));
    call.output.answer(|| answer::inbox(&inbox), || show(&me, &inbox, wanted.all))
}

/// Says how many are unread, for hooks that run often: an agent without mail hears nothing.
fn count(me: &AgentName, call: &mut Call<'_>) -> Result<(), Failure> {
    let count = call.bus.unread(me)?.count;
    let said = match count {
        0 => String::new(),
        _ => format!("📬 {me}: {}: huddle inbox", text::count(count, "unread message")),
    };
    call.output.answer(|| Json::from_iter([("count", count)]), || said)
}

fn wanted(args: &Args) -> Result<InboxFilter, Failure> {
    Ok(InboxFilter {
        all: args.has("all"),
        kind: args.text("type").map(MessageType::new),
        from: args.text("from").map(AgentName::new).transpose()?,
        min_priority: args.read("min-priority", priority)?,
        thread: args.text("thread").map(ThreadId::new).transpose()?,
        limit: args.number("limit")?.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        peek: args.has("peek"),
    })
}

/// How long a watcher is content with the engine's word that nothing came.
const LOOK_AT_LEAST: Span = Span::from_seconds(30);

fn watch(me: &AgentName, wanted: &mut InboxFilter, args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let end = args.read("for", when::span)?.map(|span| call.now().plus(span));
    // The limit counts what is printed in all, not what one look at the inbox may show.
    let mut left = wanted.limit.take().unwrap_or(usize::MAX);
    let mut watch = InboxCursor::default();
    while left > 0 {
        let news = call.bus.poll_new(me, wanted, &mut watch)?;
        call.output.found(news.findings);
        for delivery in news.shown.iter().take(left) {
            match call.output.line(&answer::notification(delivery)) {
                // Whoever was listening has heard enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
        left = left.saturating_sub(news.shown.len());
        let rest = end.map_or(LOOK_AT_LEAST, |end| end.since(call.now()).min(LOOK_AT_LEAST));
        if rest == Span::default() {
            break;
        }
        call.bus.wait_for_mail(me, rest)?;
    }
    Ok(())
}

fn show(me: &AgentName, inbox: &Inbox, all: bool) -> String {
    let what = if all { "message" } else { "unread message" };
    let mut lines = vec![format!("📬 {me}: {}", text::count(inbox.total, what))];
    lines.extend(inbox.shown.iter().map(entry));
    if inbox.shown.len() < inbox.total {
        lines.push(format!("… and {} more", inbox.total - inbox.shown.len()));
    }
    lines.join("\n")
}

/// How many characters of a subject a listing shows; `huddle read` shows all.
const SUBJECT_WIDTH: usize = 400;
/// How many characters of a type a listing shows.
const KIND_WIDTH: usize = 80;

fn entry(delivery: &Delivery) -> String {
    let message = &delivery.message;
    let mut notes = Vec::new();
    notes.extend(message.requires_response.then(|| "needs a reply".to_owned()));
    notes.extend(message.deadline.map(|deadline| format!("by {deadline}")));
    notes.extend((!delivery.is_unread()).then(|| "read".to_owned()));
    let notes = if notes.is_empty() { String::new() } else { format!(" · {}", notes.join(" ")) };
    let preview = message.preview(80);
    let (subject, kind) =
        (text::shorten(&message.subject, SUBJECT_WIDTH), text::shorten(message.kind.as_str(), KIND_WIDTH));
    let preview = if preview == message.subject { String::new() } else { format!("\n      {preview}") };
    format!(
        "   [{}] {}: {} ({}){notes}\n      {} · {}{preview}",
        message.priority, message.from, subject, kind, message.id, message.sent_at
    )
}
