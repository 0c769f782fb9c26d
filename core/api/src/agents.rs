//! The bus itself, and its agents.

use huddle_core::bus::{AgentView, NewAgent};
use huddle_core::model::{Agent, AgentName};
use serde::{Deserialize, Serialize};

use crate::response::text;
use crate::{Context, Error, Operation};

/// Creates the bus of a project, if there is none yet.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitBus {}

/// The bus of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BusInitialized {
    /// Where it is.
    pub path: String,
    /// Whether there was none before.
    pub created: bool,
}

impl Operation for InitBus {
    type Response = BusInitialized;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<BusInitialized, Error> {
        let created = context.bus().init()?;
        Ok(BusInitialized { path: context.project().bus_place().to_owned(), created })
    }
}

/// Registers an agent, or brings its entry up to date.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// What it does.
    pub role: String,
    /// Where it works, relative to the project.
    #[serde(default)]
    pub worktree: Option<String>,
    /// What it can be asked for.
    #[serde(default)]
    pub capabilities: Vec<String>,
}

/// A registration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Registered {
    /// The agent.
    pub name: String,
    /// Whether it is new.
    pub created: bool,
}

impl Operation for Register {
    type Response = Registered;

    fn run(self, context: &mut Context<'_>) -> Result<Registered, Error> {
        let Self { name, role, worktree, capabilities } = self;
        let agent = AgentName::new(name)?;
        let created = context.bus().register(&agent, &NewAgent { role, worktree, capabilities })?;
        Ok(Registered { name: agent.to_string(), created })
    }
}

/// Lists the agents, or those with a capability.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListAgents {
    /// The capability.
    #[serde(default)]
    pub capability: Option<String>,
}

/// An agent's entry in the directory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the directory")]
pub struct AgentEntry {
    pub name: String,
    pub role: String,
    pub status: String,
    pub worktree: String,
    pub capabilities: Vec<String>,
    pub registered_at: Option<String>,
    pub last_seen: Option<String>,
    pub message_count: u64,
}

impl AgentEntry {
    fn new(name: &AgentName, agent: Agent) -> Self {
        Self {
            name: name.to_string(),
            role: agent.role,
            status: agent.status,
            worktree: agent.worktree,
            capabilities: agent.capabilities,
            registered_at: text(agent.registered_at.as_ref()),
            last_seen: text(agent.last_seen.as_ref()),
            message_count: agent.message_count,
        }
    }
}

/// An agent with the state of its inbox.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentListEntry {
    /// Its entry in the directory.
    #[serde(flatten)]
    pub entry: AgentEntry,
    /// How many messages it has not read.
    pub unread: usize,
    /// When the oldest of them was sent.
    pub oldest_unread: Option<String>,
}

/// The agents of a bus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentList {
    /// How many there are.
    pub count: usize,
    /// Each of them, by name.
    pub agents: Vec<AgentListEntry>,
}

impl Operation for ListAgents {
    type Response = AgentList;

    fn run(self, context: &mut Context<'_>) -> Result<AgentList, Error> {
        let views = context.bus().agents(self.capability.as_deref())?;
        let views: Vec<AgentView> = context.collect(views);
        let agents: Vec<_> = views.into_iter().map(AgentListEntry::from).collect();
        Ok(AgentList { count: agents.len(), agents })
    }
}

impl From<AgentView> for AgentListEntry {
    fn from(AgentView { name, agent, unread }: AgentView) -> Self {
        let entry = AgentEntry::new(&name, agent);
        Self { entry, unread: unread.count, oldest_unread: text(unread.oldest.as_ref()) }
    }
}

/// Records that the acting agent is alive, and its status.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heartbeat {
    /// What it says of itself.
    #[serde(default)]
    pub status: Option<String>,
}

impl Operation for Heartbeat {
    type Response = AgentEntry;

    fn run(self, context: &mut Context<'_>) -> Result<AgentEntry, Error> {
        let agent = context.actor()?;
        let entry = context.bus().heartbeat(&agent, self.status.as_deref())?;
        Ok(AgentEntry::new(&agent, entry))
    }
}

/// Removes an agent from the directory and from all subscriptions; its messages stay.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deregister {
    /// Its name.
    pub name: String,
}

/// An agent that was removed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Deregistered {
    /// The agent.
    pub name: String,
    /// How many messages it had not read.
    pub unread: usize,
}

impl Operation for Deregister {
    type Response = Deregistered;

    fn run(self, context: &mut Context<'_>) -> Result<Deregistered, Error> {
        let agent = AgentName::new(self.name)?;
        let unread = context.bus().deregister(&agent)?;
        Ok(Deregistered { name: agent.to_string(), unread })
    }
}
