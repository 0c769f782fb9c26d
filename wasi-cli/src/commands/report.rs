//! `huddle report`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec =
    Spec::group("huddle report", "Report on a broadcast or on a blocker", &[BROADCAST, BLOCKER]);

const BROADCAST: Spec = Spec::command(
    "huddle report broadcast",
    "Say who has received and acknowledged a broadcast",
    &[must("ID", "the broadcast's id")],
    broadcast,
);

const BLOCKER: Spec = Spec::command(
    "huddle report blocker",
    "Tell the story of a blocker, from when it was met to when it was resolved",
    &[must("ID", "the id of the event, of the task, or of the blocker")],
    blocker,
);

fn broadcast(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let report = call.value(call.bus.broadcast_report(&args.name("ID")?)?);
    call.output.answer(|| answer::broadcast_report(&report), || report.to_string())
}

fn blocker(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let report = call.value(call.bus.blocker_report(args.need("ID"))?);
    call.output.answer(|| answer::blocker_report(&report), || report.to_string())
}
