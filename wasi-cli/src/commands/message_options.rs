//! The options that messages have, whoever they are for.

use huddle_core::bus::{Draft, SendReceipt};
use huddle_core::model::{Json, MessageType, Priority, ThreadId};

use crate::args::{Args, Take, flag, option, repeated};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;
use crate::when::When;

pub(super) const TYPE: Take =
    option("type", "TYPE", "what kind of message it is: task, result, question, … any word will do");
pub(super) const BODY: Take =
    option("body", "JSON|@FILE|-", "what it says: JSON or plain text; @FILE reads a file, - reads standard input");
pub(super) const PRIORITY: Take =
    option("priority", "PRIORITY", "how urgent it is: critical, high, normal or low").default("normal");
pub(super) const THREAD: Take = option("thread", "ID", "the conversation to go on with; by default a new one begins");
pub(super) const NEEDS_REPLY: Take = flag("needs-reply", "ask for an answer");
pub(super) const DEADLINE: Take =
    option("deadline", "SPAN|TIME", "until when the answer is needed, as in 2h; implies --needs-reply");
pub(super) const KEY: Take = option("key", "KEY", "a name for this message, so that trying again cannot send it twice");
pub(super) const TASK: Take = option("task", "ID", "the task it belongs to");
pub(super) const FILE: Take = repeated("file", "PATH", "a file it is about");
pub(super) const LARGE: Take = flag("large", "let a body of more than 10 KB pass");

/// Makes a draft of a message to nobody yet.
pub(super) fn draft(args: &Args, subject: &str, call: &mut Call<'_>) -> Result<Draft, Failure> {
    let deadline = args.read("deadline", When::parse)?;
    Ok(Draft {
        kind: args.text("type").map(MessageType::new),
        body: optional_body(args, "body", call)?,
        priority: args.read("priority", priority)?.unwrap_or_default(),
        thread: args.text("thread").map(ThreadId::new).transpose()?,
        needs_reply: args.has("needs-reply"),
        deadline: deadline.map(|deadline| deadline.ahead_of(call.now())),
        key: args.text("key").map(str::to_owned),
        task: args.text("task").map(str::to_owned),
        files: args.all("file"),
        allow_large: args.has("large"),
        ..Draft::new(subject)
    })
}

/// Reads the body that is given under a name; none is null.
pub(super) fn optional_body(args: &Args, name: &str, call: &mut Call<'_>) -> Result<Json, Failure> {
    let Some(argument) = args.text(name) else { return Ok(Json::Null) };
    let (body, finding) = call.input.body(argument)?;
    call.output.found(finding);
    Ok(body)
}

/// Reads a priority.
pub(super) fn priority(text: &str) -> Result<Priority, String> {
    Priority::parse(text).ok_or_else(|| "give critical, high, normal or low".to_owned())
}

/// Tells people what was sent.
pub(super) fn sent_text(what: &str, sent: &SendReceipt, subject: Option<&str>) -> String {
    let mut lines = vec![match sent.duplicate {
        true => format!("{what} was sent before under this key; nothing was sent now"),
        false if sent.recipients.is_empty() => format!("✅ {what} kept; nobody was there to get it"),
        false => format!("✅ {what} sent to {}", text::list(&sent.recipients)),
    }];
    lines.push(format!("   ID: {}", sent.id));
    lines.extend(subject.map(|subject| format!("   Subject: {subject}")));
    lines.extend(sent.thread.as_ref().map(|thread| format!("   Thread: {thread}")));
    lines.join("\n")
}
