//! `huddle ack`

use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use super::message_options::sent_text;
use crate::args::{Args, Spec, must, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle ack",
    "Tell the sender that you have a message, without answering it",
    &[must("ID", "the message to acknowledge"), option("note", "TEXT", "a word to go with it")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let id: MessageId = args.name("ID")?;
    let sent = call.bus.ack(&me, &id, args.text("note"))?;
    call.output.answer(|| answer::sent(&sent), || sent_text("Acknowledgment", &sent, None))
}
