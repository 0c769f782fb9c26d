//! `huddle ack`

use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use super::message_options::sent_text;
use crate::args::{Args, Spec, must, option};
use crate::failure::Failure;
use crate::session::Session;

pub(super) const SPEC: Spec = Spec::command(
    "huddle ack",
    "Tell the sender that you have a message, without answering it",
    &[must("ID", "the message to acknowledge"), option("note", "TEXT", "a word to go with it")],
    run,
);

fn run(args: &Args, session: &mut Session<'_>) -> Result<(), Failure> {
    let me = session.me()?;
    let id: MessageId = args.name("ID")?;
    let sent = session.bus.ack(&me, &id, args.text("note"))?;
    session.output.answer(|| answer::sent(&sent), || sent_text("Acknowledgment", &sent, None))
}
