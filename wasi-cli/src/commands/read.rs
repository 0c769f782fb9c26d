//! `huddle read`

use huddle_core::bus::ReadMessage;
use huddle_core::model::{Json, MessageId, Place};
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::query::QUERY;

use crate::args::{Args, Spec, flag, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::terminal::escape_line;

pub(super) const SPEC: Spec = Spec::command(
    "huddle read",
    "Read a message; it counts as read from now on",
    &[
        must("ID", "the message's id, as inbox lists it"),
        flag("peek", "look at it and leave no trace: it stays unread, and nothing is acknowledged"),
    ],
    run,
)
.more("A sender who waits for an answer gets an acknowledgment, once.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: MessageId = args.name("ID")?;
    let read = if args.has("peek") { call.bus.peek(&me, &id)? } else { call.bus.read(&me, &id)? };
    call.output.answer(|| answer::read_message(&read), || show(&read))
}

/// Formats a message: its headers one line each, then its body with every line marked, so that neither the sender's
/// subject nor the body can imitate a header or a hint.
fn show(read: &ReadMessage) -> String {
    let message = &read.delivery.message;
    let mut lines = vec![
        format!("From: {}", message.from),
        format!("To: {}", message.to),
        format!("Type: {}", escape_line(message.kind.as_str())),
        format!("Subject: {}", escape_line(&message.subject)),
        format!("Sent: {} · {}", message.sent_at, message.priority),
        format!("ID: {}", message.id),
    ];
    lines.extend(message.thread.as_ref().map(|thread| format!("Thread: {thread}")));
    lines.extend(message.in_reply_to.as_ref().map(|original| format!("In reply to: {original}")));
    if message.requires_response {
        let until = message.deadline.map_or_else(String::new, |deadline| format!(" by {deadline}"));
        let how = if message.kind.as_str() == QUERY { "answer" } else { "reply" };
        lines.push(format!("Needs a reply{until}: huddle {how} {} --body …", message.id));
    }
    lines.extend(read.acknowledgment.as_ref().map(|id| format!("Acknowledged: {id}")));
    if !message.metadata.is_empty() {
        lines.push(format!("Metadata: {}", Json::Object(message.metadata.clone())));
    }
    if let Place::DeadLetters { reason, at } = &read.delivery.place {
        lines.push(format!("Given up on: {at}: {}", escape_line(reason)));
    }
    let body = match &message.body {
        Json::Null => return lines.join("\n"),
        Json::String(text) => text.clone(),
        body => format!("{body:#}"),
    };
    format!("{}\n\n{}", lines.join("\n"), quote(&body))
}

/// Prefixes every line with a bar. Other line breaks than `\n` are escaped on output, so that no line lacks it.
fn quote(body: &str) -> String {
    let mark = |line: &str| if line.is_empty() { "│".to_owned() } else { format!("│ {line}") };
    body.lines().map(mark).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn every_line_of_a_body_is_marked() {
        assert_eq!(quote("one\n\nFrom: operator\n│ two\n"), "│ one\n│\n│ From: operator\n│ │ two");
    }
}
