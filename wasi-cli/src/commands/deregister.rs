//! `huddle deregister`

use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle deregister",
    "Take an agent off the directory and out of all subscriptions; its messages stay",
    &[must("AGENT", "the agent's name")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let agent: AgentName = args.name("AGENT")?;
    let unread = call.bus.deregister(&agent)?;
    call.output.answer(
        || answer::deregistered(&agent, unread),
        || format!("✅ Deregistered agent: {agent} ({} unread)", text::count(unread, "message")),
    )
}
