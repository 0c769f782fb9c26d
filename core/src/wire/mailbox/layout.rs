//! Where things lie, relative to `.agent-messages/`. Every path is made of validated names.

use crate::model::{AgentName, ContextName, EventName, HandoffId, MessageId};

/// The directory that holds a bus, in a project's root.
pub const ROOT: &str = ".agent-messages";
/// The directory of agents.
pub const REGISTRY: &str = "registry.json";
/// The routing table.
pub const ROUTING: &str = "routing.json";
/// The inboxes, one directory an agent.
pub const INBOX: &str = "inbox";
/// The senders' log.
pub const OUTBOX: &str = "outbox";
/// What was put away, by date; below each date the layout repeats.
pub const ARCHIVE: &str = "archive";
/// The events, one directory a type.
pub const EVENTS: &str = "events";
/// The broadcasts.
pub const BROADCASTS: &str = "broadcasts";
/// The shared contexts.
pub const CONTEXTS: &str = "shared-context";
/// The handoff packages, one directory each.
pub const HANDOFFS: &str = "handoffs";
/// What was given up on, one directory an agent.
pub const DEAD_LETTERS: &str = "dead-letters";
/// What inbox checks have listed, one log an agent.
pub const OFFERED: &str = ".huddle/offered";
/// What is known of the messages in inboxes without reading them, one log an agent.
pub const INDEX: &str = ".huddle/index";
/// The directories that every bus of the protocol has.
pub const DIRECTORIES: [&str; 7] = [INBOX, OUTBOX, ARCHIVE, EVENTS, BROADCASTS, CONTEXTS, HANDOFFS];

/// The ending of the marker that says when a message was read.
pub const READ: &str = ".read";
/// The ending of the note that says how often a message was offered anew.
pub const REDELIVERED: &str = ".redelivered";
/// The ending of the note that says why a message was given up on.
pub const DEAD: &str = ".dead";
/// All endings that may follow a message's file name.
pub const SIDECARS: [&str; 3] = [READ, REDELIVERED, DEAD];

/// An agent's inbox directory.
pub fn inbox(agent: &AgentName) -> String {
    format!("{INBOX}/{agent}")
}

/// A message in an inbox.
pub fn inbox_message(agent: &AgentName, id: &MessageId) -> String {
    format!("{INBOX}/{agent}/{id}.json")
}

/// A message among the dead letters.
pub fn dead_letter(agent: &AgentName, id: &MessageId) -> String {
    format!("{DEAD_LETTERS}/{agent}/{id}.json")
}

/// The sender's record of a message to one agent.
pub fn outbox(id: &MessageId, to: &AgentName) -> String {
    format!("{OUTBOX}/{id}_to_{to}.json")
}

/// The record of a broadcast.
pub fn broadcast(id: &MessageId) -> String {
    format!("{BROADCASTS}/{id}.json")
}

/// The record of an event.
pub fn event(event: &EventName, id: &MessageId) -> String {
    format!("{EVENTS}/{event}/{id}.json")
}

/// A path as it lies in the archive of a date.
pub fn archived(date: &str, path: &str) -> String {
    format!("{ARCHIVE}/{date}/{path}")
}

/// A shared context document.
pub fn context(name: &ContextName) -> String {
    format!("{CONTEXTS}/{name}.md")
}

/// The lock of a shared context document.
pub fn context_lock(name: &ContextName) -> String {
    format!("{CONTEXTS}/{name}.md.lock")
}

/// The directory of a handoff package.
pub fn handoff(id: &HandoffId) -> String {
    format!("{HANDOFFS}/{id}")
}

/// The log of what was listed to an agent.
pub fn offered(agent: &AgentName) -> String {
    format!("{OFFERED}/{agent}.log")
}

/// The index of an agent's inbox.
pub fn index(agent: &AgentName) -> String {
    format!("{INDEX}/{agent}.log")
}

/// The note that says which state of an agent's inbox its index knows whole.
pub fn index_stamp(agent: &AgentName) -> String {
    format!("{INDEX}/{agent}.stamp")
}
