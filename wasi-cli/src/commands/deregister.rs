//! `huddle deregister`

use clap::Args;
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// Take an agent off the directory and out of all subscriptions; its messages stay
#[derive(Debug, Args)]
pub(crate) struct Deregister {
    /// The agent's name
    agent: AgentName,
}

impl Deregister {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let agent = &self.agent;
        let unread = session.bus.deregister(agent)?;
        session.output.answer(
            || answer::deregistered(agent, unread),
            || format!("✅ Deregistered agent: {agent} ({} unread)", text::count(unread, "message")),
        )
    }
}
