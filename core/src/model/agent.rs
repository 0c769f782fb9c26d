//! The directory of agents: who can be written to, and who hears which event.

use std::collections::BTreeMap;

use super::{AgentName, EventName, JsonMap, Limits, Timestamp, Usage};

/// One agent as the directory knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// What it does: builder, architect, …
    pub role: String,
    /// Where it works, relative to the project.
    pub worktree: String,
    /// What it can be asked for.
    pub capabilities: Vec<String>,
    /// When it was registered.
    pub registered_at: Option<Timestamp>,
    /// What it says of itself: `active` unless a heartbeat said otherwise.
    pub status: String,
    /// When it last registered, sent or gave a heartbeat.
    pub last_seen: Option<Timestamp>,
    /// How many direct messages were ever delivered to it.
    pub message_count: u64,
    /// Fields of the stored entry that this version does not know.
    pub extra: JsonMap,
}

impl Agent {
    /// Makes the entry of an agent of whom nothing is known but the name.
    pub fn unknown() -> Self {
        Self {
            role: "unknown".into(),
            worktree: ".".into(),
            capabilities: Vec::new(),
            registered_at: None,
            status: "unknown".into(),
            last_seen: None,
            message_count: 0,
            extra: JsonMap::new(),
        }
    }
}

/// Everybody on the bus.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Directory {
    /// When the bus was made.
    pub initialized_at: Option<Timestamp>,
    /// The agents by name.
    pub agents: BTreeMap<AgentName, Agent>,
    /// Who hears which event, in the order they subscribed.
    pub subscriptions: BTreeMap<EventName, Vec<AgentName>>,
    /// How long read messages stay in the inbox before they may be archived.
    pub retention_hours: u32,
    /// How much the bus may hold.
    pub limits: Limits,
    /// What the inboxes held when that was last counted; only a bus with a quota counts.
    pub usage: Option<Usage>,
}

impl Directory {
    /// The retention that the mailbox protocol starts with.
    pub const DEFAULT_RETENTION_HOURS: u32 = 72;

    /// Lists the names of all agents in order.
    pub fn names(&self) -> Vec<AgentName> {
        self.agents.keys().cloned().collect()
    }

    /// Lists who hears `event`; those who left the bus are not among them.
    pub fn subscribers(&self, event: &EventName) -> Vec<AgentName> {
        let all = self.subscriptions.get(event).into_iter().flatten();
        all.filter(|name| self.agents.contains_key(*name)).cloned().collect()
    }
}
