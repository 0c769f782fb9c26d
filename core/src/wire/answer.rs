//! Answers: what an operation gave, as the one JSON document that programs read.
//!
//! The command's `--json`, the component and MCP show the same documents, so that a number in one is the same in the
//! others. Inbox and message have the field names of the documents protocol; all other names follow its spelling.
//! Every answer is an object, so that [`with_findings`] can add what was found wrong on the way.

mod agents;
mod ask;
mod compress;
mod context;
mod failure;
mod handoff;
mod history;
mod inbox;
mod message;
mod migrate;
mod report;
mod sent;
pub mod session;
mod state;
mod thread;
mod upkeep;

pub use agents::{agent, agents, deregistered, initialized, registered, subscriptions};
pub use ask::{asked, handoff_context};
pub use compress::compressed;
pub use context::{context, context_updated, contexts};
pub use failure::{failure, findings, with_findings};
pub use handoff::{artifact, handoff, handoff_created, handoff_package, handoffs};
pub use history::{exported, history_checkup, history_thread, history_threads, hits, overview, syntax_error, timeline};
pub use inbox::{inbox, notification};
pub use message::{message, read_message};
pub use migrate::{imported, migrated};
pub use report::{blocker_report, broadcast_report, summary};
pub use sent::sent;
pub use state::{choices, settings, shared_state};
pub use thread::{thread, threads, trace};
pub use upkeep::{archived, checkup, dead_letters, retried, swept};

use std::fmt::Display;

use crate::model::{Json, Timestamp};

/// Writes a time, or null when there is none.
fn time(at: Option<Timestamp>) -> Json {
    shown(at.as_ref())
}

/// Writes what can be shown as text, or null when there is none.
fn shown<T: Display>(value: Option<&T>) -> Json {
    value.map_or(Json::Null, |value| Json::String(value.to_string()))
}

/// Writes a list of what can be shown as texts.
fn texts<'a, T: Display + 'a>(values: impl IntoIterator<Item = &'a T>) -> Json {
    values.into_iter().map(|value| Json::String(value.to_string())).collect()
}
