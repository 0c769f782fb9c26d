//! `huddle heartbeat`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::failure::Failure;
use crate::session::Session;

pub(super) const SPEC: Spec = Spec::command(
    "huddle heartbeat",
    "Say that you are alive, and what you are doing",
    &[option("status", "STATUS", "what to show as your status: active, busy, waiting for review, …")],
    run,
);

fn run(args: &Args, session: &mut Session<'_>) -> Result<(), Failure> {
    let me = session.me()?;
    let agent = session.bus.heartbeat(&me, args.text("status"))?;
    session.output.answer(|| answer::agent(&me, &agent), || format!("✅ {me} is {}", agent.status))
}
