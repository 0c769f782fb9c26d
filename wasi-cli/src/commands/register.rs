//! `huddle register`

use huddle_core::bus::NewAgent;
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must, needed, option, repeated};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle register",
    "Put an agent into the directory, or bring its entry up to date",
    &[
        must("AGENT", "the agent's name"),
        needed("role", "ROLE", "what it does: builder, architect, …"),
        option("worktree", "PATH", "where it works, relative to the project"),
        repeated("capability", "CAPABILITY", "what it can be asked for"),
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let agent: AgentName = args.name("AGENT")?;
    let role = args.need("role");
    let new = NewAgent {
        role: role.to_owned(),
        worktree: args.text("worktree").map(str::to_owned),
        capabilities: args.all("capability"),
    };
    let created = call.bus.register(&agent, &new)?;
    call.output.answer(
        || answer::registered(&agent, created),
        || format!("✅ {} agent: {agent} ({role})", if created { "Registered" } else { "Updated" }),
    )
}
