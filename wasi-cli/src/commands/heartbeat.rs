//! `huddle heartbeat`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle heartbeat",
    "Say that you are alive, and what you are doing",
    &[option("status", "STATUS", "what to show as your status: active, busy, waiting for review, …")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let agent = call.bus.heartbeat(&me, args.text("status"))?;
    call.output.answer(|| answer::agent(&me, &agent), || format!("✅ {me} is {}", agent.status))
}
