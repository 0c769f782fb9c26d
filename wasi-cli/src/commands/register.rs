//! `huddle register`

use huddle_api::Register;

use crate::call::Call;
use crate::failure::Failure;

/// Put an agent into the directory, or bring its entry up to date
#[derive(Debug, clap::Args)]
pub(crate) struct RegisterArgs {
    /// the agent's name; by default the one that acts
    agent: Option<String>,
    /// what it does: builder, architect, …
    #[arg(long, value_name = "ROLE")]
    role: String,
    /// where it works, relative to the project
    #[arg(long, value_name = "PATH")]
    worktree: Option<String>,
    /// what it can be asked for
    #[arg(long = "capability", value_name = "CAPABILITY")]
    capabilities: Vec<String>,
}

impl RegisterArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { agent, role, worktree, capabilities } = self;
        let name = agent.map_or_else(|| call.context.actor().map(|actor| actor.to_string()), Ok)?;
        let registered = call.execute(Register { name, role: role.clone(), worktree, capabilities })?;
        call.answer(&registered, |registered| {
            let done = if registered.created { "Registered" } else { "Updated" };
            format!("✅ {done} agent: {} ({role})", registered.name)
        })
    }
}
