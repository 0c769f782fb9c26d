//! `huddle agents`

use clap::Args;
use huddle_core::bus::AgentView;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;
use crate::text;

/// List the agents, when they were last seen, and what waits for them
#[derive(Debug, Args)]
pub(crate) struct Agents {
    /// Only those that have this capability
    #[arg(long)]
    capability: Option<String>,
}

impl Agents {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let found = session.bus.agents(self.capability.as_deref())?;
        session.output.found(found.findings);
        session.output.answer(|| answer::agents(&found.value), || table(&found.value))
    }
}

fn table(views: &[AgentView]) -> String {
    if views.is_empty() {
        return "No such agents. Register one: huddle register AGENT --role ROLE".to_owned();
    }
    let mut rows =
        vec![text::row([&"AGENT", &"ROLE", &"STATUS", &"LAST SEEN", &"UNREAD", &"OLDEST UNREAD", &"CAPABILITIES"])];
    rows.extend(views.iter().map(|AgentView { name, agent, unread }| {
        let (seen, oldest) = (text::or_dash(agent.last_seen.as_ref()), text::or_dash(unread.oldest.as_ref()));
        text::row([name, &agent.role, &agent.status, &seen, &unread.count, &oldest, &text::list(&agent.capabilities)])
    }));
    text::table(&rows)
}
