//! `huddle answer`

use huddle_core::bus::ReplyDraft;
use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use super::message_options::{KEY, LARGE, PRIORITY, optional_body, priority, sent_text};
use crate::args::{Args, Spec, must, needed};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle answer",
    "Answer a question that was asked with huddle ask",
    &[
        must("ID", "the question"),
        needed("body", "JSON|@FILE|-", "the answer: JSON or plain text; @FILE reads a file, - reads standard input"),
        PRIORITY,
        KEY,
        LARGE,
    ],
    run,
)
.more("An answer that does not fit the format that was asked for is sent all the same, with a warning.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: MessageId = args.name("ID")?;
    let draft = ReplyDraft {
        body: optional_body(args, "body", call)?,
        priority: args.read("priority", priority)?.unwrap_or_default(),
        key: args.text("key").map(str::to_owned),
        allow_large: args.has("large"),
        ..ReplyDraft::default()
    };
    let sent = call.bus.answer(&me, &id, &draft)?;
    call.look_beside();
    call.output.answer(|| answer::sent(&sent), || sent_text("Answer", &sent, None))
}
