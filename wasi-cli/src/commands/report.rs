//! `huddle report`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::failure::Failure;
use crate::session::Session;

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

fn broadcast(args: &Args, session: &mut Session<'_>) -> Result<(), Failure> {
    let report = session.bus.broadcast_report(&args.name("ID")?)?;
    session.output.answer(|| answer::broadcast_report(&report), || report.to_string())
}

fn blocker(args: &Args, session: &mut Session<'_>) -> Result<(), Failure> {
    let report = session.bus.blocker_report(args.need("ID"))?;
    session.output.answer(|| answer::blocker_report(&report), || report.to_string())
}
