//! `huddle summary`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle summary",
    "Sum up a conversation: who took part, how long it took, how it ended",
    &[must("ID", "the thread's id, or the id of a message in it")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let summary = call.value(call.bus.summary(args.need("ID"))?);
    call.output.answer(|| answer::summary(&summary), || summary.to_string())
}
