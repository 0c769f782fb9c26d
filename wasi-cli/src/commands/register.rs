//! `huddle register`

use clap::Args;
use huddle_core::bus::NewAgent;
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;

/// Put an agent into the directory, or bring its entry up to date
#[derive(Debug, Args)]
pub(crate) struct Register {
    /// The agent's name
    agent: AgentName,
    /// What it does: builder, architect, …
    #[arg(long)]
    role: String,
    /// Where it works, relative to the project
    #[arg(long, value_name = "PATH")]
    worktree: Option<String>,
    /// What it can be asked for; may be given again
    #[arg(long = "capability", value_name = "CAPABILITY")]
    capabilities: Vec<String>,
}

impl Register {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let Self { agent, role, worktree, capabilities } = self;
        let new = NewAgent { role: role.clone(), worktree: worktree.clone(), capabilities: capabilities.clone() };
        let created = session.bus.register(agent, &new)?;
        session.output.answer(
            || answer::registered(agent, created),
            || format!("✅ {} agent: {agent} ({role})", if created { "Registered" } else { "Updated" }),
        )
    }
}
