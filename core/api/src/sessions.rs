//! Sessions: several agents do one job.
//!
//! Names in responses are the session protocol's own where it has one, and follow its spelling elsewhere.

mod data;
mod entry;
mod lifecycle;
mod log;
mod recovery;
mod reports;
mod transitions;
mod wait;

pub use data::{DataEntry, DataList, ListSharedData, PutSharedData, SharedData, ShowSharedData};
pub use entry::{SessionEntry, SessionMember, WaitingAgent};
pub use lifecycle::{
    AgentStatus, CloseSession, ListSessions, PlannedAgent, SessionList, SessionStatus, ShowSession, ShowSessionAgent,
    StartSession,
};
pub use log::{
    CountEvents, EventCount, EventCounts, EventField, EventList, EventWatch, ListEvents, LogEvent, SessionEvent,
};
pub use recovery::{AgentIssueEntry, AgentIssueList, FindAgentIssues, PartialReportEntry, StrategyEntry};
pub use reports::{
    ListReports, MergeReports, MergedReport, PutReport, Recommendation, ReportContent, ReportEntry, ReportList,
    ReportSummary, SessionReport, ShowReport,
};
pub use transitions::{CompleteAgent, FailAgent, JoinSession, JoinedAgent, RetryAgent, UpdateProgress};
pub use wait::{
    AgentSelection, AwaitAgents, BlockedAgent, DeadlockedAgent, FailedAgent, FinishedAgents, ListReadyAgents,
    ReadyAgents,
};

use huddle_core::model::AgentName;

use crate::{Context, Error};

/// Returns the agent that was named, or else the one that acts.
fn agent(given: Option<String>, context: &Context<'_>) -> Result<AgentName, Error> {
    match given {
        Some(name) => Ok(AgentName::new(name)?),
        None => context.actor(),
    }
}

/// Returns the agents that were named.
fn agents(names: Vec<String>) -> Result<Vec<AgentName>, Error> {
    Ok(names.into_iter().map(AgentName::new).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests;
