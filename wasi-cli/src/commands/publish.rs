//! `huddle publish`

use huddle_core::model::EventName;
use huddle_core::wire::answer;

use super::message_options::{LARGE, optional_body, sent_text};
use crate::args::{Args, Spec, must, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle publish",
    "Publish an event: it is kept, and each of its subscribers gets a copy",
    &[
        must("EVENT", "the event: TaskCompleted, BlockerEncountered, …"),
        option("data", "JSON|@FILE|-", "what happened: JSON or plain text; @FILE reads a file, - reads standard input"),
        LARGE,
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let event: EventName = args.name("EVENT")?;
    let data = optional_body(args, "data", call)?;
    let sent = call.bus.publish(&me, &event, data, args.has("large"))?;
    call.output.answer(|| answer::sent(&sent), || sent_text(&format!("Event {event}"), &sent, None))
}
