//! The directory of agents.

use super::{texts, time};
use crate::bus::AgentView;
use crate::model::{Agent, AgentName, EventName, Json};

/// Writes the making of a bus: where it is, and whether there was none before.
pub fn initialized(place: &str, created: bool) -> Json {
    object!({"path": place, "created": created})
}

/// Writes a registration, and whether the agent is new.
pub fn registered(name: &AgentName, created: bool) -> Json {
    object!({"name": name.as_str(), "created": created})
}

/// Writes that an agent left, and how much it had not read.
pub fn deregistered(name: &AgentName, unread: usize) -> Json {
    object!({"name": name.as_str(), "unread": unread})
}

/// Writes one agent's entry.
pub fn agent(name: &AgentName, agent: &Agent) -> Json {
    object!({
        "name": name.as_str(),
        "role": agent.role,
        "status": agent.status,
        "worktree": agent.worktree,
        "capabilities": agent.capabilities,
        "registeredAt": time(agent.registered_at),
        "lastSeen": time(agent.last_seen),
        "messageCount": agent.message_count,
    })
}

/// Writes the agents with the state of their inboxes.
pub fn agents(views: &[AgentView]) -> Json {
    let all: Vec<Json> = views.iter().map(view).collect();
    object!({"count": views.len(), "agents": all})
}

fn view(view: &AgentView) -> Json {
    let mut entry = agent(&view.name, &view.agent);
    entry["unread"] = view.unread.count.into();
    entry["oldestUnread"] = time(view.unread.oldest);
    entry
}

/// Writes what an agent is subscribed to.
pub fn subscriptions(name: &AgentName, events: &[EventName]) -> Json {
    object!({"name": name.as_str(), "events": texts(events)})
}
