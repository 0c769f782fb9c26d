//! `huddle send --batch`: many messages in one start.

use huddle_api::{SendMessage, When, document, priority};
use huddle_core::model::{ErrorKind, Json};
use huddle_core::wire::answer;
use huddle_core::wire::mailbox::parse_object;

use crate::call::Call;
use crate::failure::{Failure, exit_code};
use crate::remedy::Face;
use crate::text;

/// Sends a message for each line, and answers each with a line. One that cannot be sent does not stop the others.
pub(super) fn run(call: &mut Call<'_>) -> Result<(), Failure> {
    let (mut number, mut sent, mut failed) = (0, 0, 0);
    while let Some(line) = call.input.next_line()? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let mut shown = match request(&line).and_then(|request| call.execute(request)) {
            Ok(done) => {
                sent += 1;
                document(&done)
            }
            Err(failure) => {
                failed += 1;
                let hint = Face::Command.hint(&failure.remedy);
                answer::failure(exit_code(failure.kind), failure.kind, &failure.message, &hint)
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

fn request(line: &[u8]) -> Result<SendMessage, Failure> {
    let fields = parse_object(line).map_err(invalid)?;
    let mut request = SendMessage::default();
    for (name, value) in &fields {
        set(&mut request, name, value)?;
    }
    Ok(request)
}

/// Sets one field of a request. The documents protocol's names are good, too.
fn set(request: &mut SendMessage, name: &str, value: &Json) -> Result<(), Failure> {
    match name {
        "to" => request.to = names(value)?,
        "subject" => request.subject = Some(string(name, value)?),
        "body" | "content" => request.content = value.clone().into(),
        "type" => request.kind = Some(string(name, value)?),
        "priority" => {
            request.priority = Some(priority(&string(name, value)?).map_err(|fault| mismatch(name, &fault))?);
        }
        "thread" | "threadId" if value.is_null() => {}
        "thread" | "threadId" => request.thread_id = Some(string(name, value)?),
        "needs_reply" | "requiresResponse" => request.needs_reply = flag(name, value)?,
        "deadline" | "responseDeadline" if value.is_null() => {}
        "deadline" | "responseDeadline" => {
            request.deadline = Some(When::parse(&string(name, value)?).map_err(|fault| mismatch(name, &fault))?);
        }
        "key" => request.key = Some(string(name, value)?),
        "task" => request.task_id = Some(string(name, value)?),
        "files" => request.related_files = strings(name, value)?,
        "large" => request.large = flag(name, value)?,
        _ => return Err(mismatch(name, "there is no such field")),
    }
    Ok(())
}

fn names(value: &Json) -> Result<Vec<String>, Failure> {
    match value {
        Json::String(text) => Ok(text.split(',').map(str::to_owned).collect()),
        _ => strings("to", value),
    }
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
