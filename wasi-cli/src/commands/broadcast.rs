//! `huddle broadcast`

use huddle_core::wire::answer;

use super::message_options::{
    BODY, DEADLINE, FILE, KEY, LARGE, NEEDS_REPLY, PRIORITY, TASK, THREAD, TYPE, draft, sent_text,
};
use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle broadcast",
    "Send a message to every registered agent but yourself",
    &[
        must("SUBJECT", "one line that says what it is about"),
        TYPE,
        BODY,
        PRIORITY,
        THREAD,
        NEEDS_REPLY,
        DEADLINE,
        KEY,
        TASK,
        FILE,
        LARGE,
    ],
    run,
)
.more("For decisions that concern everybody. What concerns some is an event: see publish and subscribe.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let subject = args.need("SUBJECT");
    let draft = draft(args, subject, call)?;
    let sent = call.bus.broadcast(&me, &draft)?;
    call.output.answer(|| answer::sent(&sent), || sent_text("Broadcast", &sent, Some(subject)))
}
