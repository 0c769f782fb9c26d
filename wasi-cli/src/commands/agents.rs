//! `huddle agents`

use huddle_api::{AgentListEntry, ListAgents};

use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// List the agents, when they were last seen, and what waits for them
#[derive(Debug, clap::Args)]
pub(crate) struct AgentsArgs {
    /// only those that can be asked for this
    #[arg(long, value_name = "CAPABILITY")]
    capability: Option<String>,
}

impl AgentsArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let list = call.execute(ListAgents { capability: self.capability })?;
        call.answer(&list, |list| table(&list.agents))
    }
}

fn table(agents: &[AgentListEntry]) -> String {
    if agents.is_empty() {
        return "No such agents. Register one: huddle register AGENT --role ROLE".to_owned();
    }
    let mut rows =
        vec![text::row([&"AGENT", &"ROLE", &"STATUS", &"LAST SEEN", &"UNREAD", &"OLDEST UNREAD", &"CAPABILITIES"])];
    rows.extend(agents.iter().map(|AgentListEntry { entry: agent, unread, oldest_unread }| {
        let (seen, oldest) = (text::or_dash(agent.last_seen.as_ref()), text::or_dash(oldest_unread.as_ref()));
        text::row([&agent.name, &agent.role, &agent.status, &seen, unread, &oldest, &text::list(&agent.capabilities)])
    }));
    text::table(&rows)
}
