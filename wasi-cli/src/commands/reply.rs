//! `huddle reply`

use huddle_core::bus::ReplyDraft;
use huddle_core::model::{MessageId, MessageType};
use huddle_core::wire::answer;

use super::message_options::{BODY, KEY, LARGE, PRIORITY, optional_body, priority, sent_text};
use crate::args::{Args, Spec, must, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle reply",
    "Answer a message: to its sender, in its conversation",
    &[
        must("ID", "the message to answer"),
        BODY,
        option("type", "TYPE", "what kind of message the answer is; by default a response"),
        PRIORITY,
        option("subject", "TEXT", "another subject than \"Re: …\""),
        KEY,
        LARGE,
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: MessageId = args.name("ID")?;
    let draft = ReplyDraft {
        body: optional_body(args, "body", call)?,
        kind: args.text("type").map(MessageType::new),
        priority: args.read("priority", priority)?.unwrap_or_default(),
        subject: args.text("subject").map(str::to_owned),
        key: args.text("key").map(str::to_owned),
        allow_large: args.has("large"),
    };
    let sent = call.bus.reply(&me, &id, &draft)?;
    call.output.answer(|| answer::sent(&sent), || sent_text("Response", &sent, None))
}
