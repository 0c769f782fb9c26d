//! The interface `agents`.

use huddle_api as api;

use super::Component;
use super::bindings::exports::huddle::bus::agents::{AgentEntry, Deregistered, Guest, Registered};
use super::bindings::exports::huddle::bus::types::Error;
use super::execute::{execute, execute_list};

impl Guest for Component {
    fn register(
        agent: String,
        role: String,
        capabilities: Option<Vec<String>>,
        worktree: Option<String>,
    ) -> Result<Registered, Error> {
        let capabilities = capabilities.unwrap_or_default();
        execute(agent.clone(), api::Register { name: agent, role, worktree, capabilities })
    }

    fn heartbeat(agent: String, status: Option<String>) -> Result<AgentEntry, Error> {
        execute(agent, api::Heartbeat { status })
    }

    fn deregister(agent: String) -> Result<Deregistered, Error> {
        execute(agent.clone(), api::Deregister { name: agent })
    }

    fn list_agents(capability: Option<String>) -> Result<Vec<AgentEntry>, Error> {
        execute_list(None, api::ListAgents { capability }, "agents")
    }
}
