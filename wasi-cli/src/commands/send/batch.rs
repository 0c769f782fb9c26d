//! `huddle send --batch`: many messages in one start.

use huddle_core::bus::{Draft, ErrorKind};
use huddle_core::model::{AgentName, Json, MessageType, ThreadId};
use huddle_core::wire::answer;
use huddle_core::wire::mailbox::parse_object;

use crate::call::Call;
use crate::commands::message_options::priority;
use crate::failure::Failure;
use crate::text;
use crate::when::When;

/// Sends a message for each line, and answers each with a line. One that cannot be sent does not stop the others.
pub(super) fn run(me: &AgentName, call: &mut Call<'_>) -> Result<(), Failure> {
    let (mut number, mut sent, mut failed) = (0, 0, 0);
    while let Some(line) = call.input.next_line()? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let result = draft(&line, call).and_then(|draft| Ok(call.bus.send(me, &draft)?));
        let mut shown = match result {
            Ok(done) => {
                sent += 1;
                answer::sent(&done)
            }
            Err(failure) => {
                failed += 1;
                answer::failure(failure.kind, &failure.message, &failure.hint)
            }
        };
        shown["line"] = number.into();
        call.output.line(&shown)?;
    }
    if failed == 0 {
        return Ok(());
    }
    let message = format!("{} not sent, {sent} sent", text::count(failed, "message"));
    let failure =
        Failure::new(ErrorKind::Invalid, message, "each answer with \"error\" names its line; send those again");
    // The answer is a stream of lines: an error document at its end would be taken for one of them.
    call.output.failure_as_text(&failure);
    Err(Failure::said(ErrorKind::Invalid))
}

fn draft(line: &[u8], call: &Call<'_>) -> Result<Draft, Failure> {
    let fields = parse_object(line).map_err(invalid)?;
    let mut draft = Draft::new("");
    for (name, value) in &fields {
        set(&mut draft, name, value, call)?;
    }
    Ok(draft)
}

/// Sets one field of a draft. The documents protocol's names are good, too.
fn set(draft: &mut Draft, name: &str, value: &Json, call: &Call<'_>) -> Result<(), Failure> {
    match name {
        "to" => draft.to = names(value)?,
        "subject" => draft.subject = string(name, value)?,
        "body" | "content" => draft.body = value.clone(),
        "type" => draft.kind = Some(MessageType::new(string(name, value)?)),
        "priority" => draft.priority = priority(&string(name, value)?).map_err(|fault| mismatch(name, &fault))?,
        "thread" | "threadId" if value.is_null() => {}
        "thread" | "threadId" => draft.thread = Some(ThreadId::new(string(name, value)?)?),
        "needs_reply" | "requiresResponse" => draft.needs_reply = flag(name, value)?,
        "deadline" | "responseDeadline" if value.is_null() => {}
        "deadline" | "responseDeadline" => {
            let when = When::parse(&string(name, value)?).map_err(|fault| mismatch(name, &fault))?;
            draft.deadline = Some(when.ahead_of(call.now()));
        }
        "key" => draft.key = Some(string(name, value)?),
        "task" => draft.task = Some(string(name, value)?),
        "files" => draft.files = strings(name, value)?,
        "large" => draft.allow_large = flag(name, value)?,
        _ => return Err(mismatch(name, "there is no such field")),
    }
    Ok(())
}

fn names(value: &Json) -> Result<Vec<AgentName>, Failure> {
    let texts = match value {
        Json::String(text) => text.split(',').map(str::to_owned).collect(),
        _ => strings("to", value)?,
    };
    Ok(texts.into_iter().map(AgentName::new).collect::<Result<_, _>>()?)
}

fn string(name: &str, value: &Json) -> Result<String, Failure> {
    value.as_str().map(str::to_owned).ok_or_else(|| mismatch(name, "it must be text"))
}

fn strings(name: &str, value: &Json) -> Result<Vec<String>, Failure> {
    let list = value.as_array().ok_or_else(|| mismatch(name, "it must be a list of texts"))?;
    list.iter().map(|item| string(name, item)).collect()
}

fn flag(name: &str, value: &Json) -> Result<bool, Failure> {
    value.as_bool().ok_or_else(|| mismatch(name, "it must be true or false"))
}

fn mismatch(name: &str, fault: &str) -> Failure {
    invalid(format!("field {name:?}: {fault}"))
}

fn invalid(message: String) -> Failure {
    Failure::new(ErrorKind::Invalid, message, "huddle send --help lists the fields")
}
