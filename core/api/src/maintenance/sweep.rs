//! Sweeping a bus.

use huddle_core::bus::{SweepReport, SweepRules};
use huddle_core::model::{AgentName, MessageId, Span};
use serde::{Deserialize, Serialize};

use crate::when::optional_seconds;
use crate::{Context, Error, Operation};

/// Redelivers what got no sign in time, dead-letters what was redelivered often enough, and archives what is old.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sweep {
    /// How long a message that needs a reply may go without a sign; by default an hour.
    #[serde(deserialize_with = "optional_seconds")]
    pub timeout: Option<Span>,
    /// How often to redeliver; by default three times.
    pub attempts: Option<u32>,
    /// How long read messages stay; by default as the directory says.
    #[serde(deserialize_with = "optional_seconds")]
    pub retention: Option<Span>,
}

/// One recipient's copy of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentCopy {
    /// The recipient.
    pub recipient: String,
    /// The message.
    pub id: String,
}

impl From<(AgentName, MessageId)> for AgentCopy {
    fn from((agent, id): (AgentName, MessageId)) -> Self {
        Self { recipient: agent.to_string(), id: id.to_string() }
    }
}

/// The result of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Swept {
    /// The copies that were redelivered.
    pub redelivered: Vec<AgentCopy>,
    /// The copies that were dead-lettered.
    pub dead: Vec<AgentCopy>,
    /// How many messages were archived.
    pub archived: usize,
    /// How many were removed from the archive, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<usize>,
}

impl Operation for Sweep {
    type Response = Swept;

    fn run(self, context: &mut Context<'_>) -> Result<Swept, Error> {
        let default = SweepRules::default();
        let rules = SweepRules {
            timeout: self.timeout.unwrap_or(default.timeout),
            attempts: self.attempts.unwrap_or(default.attempts),
            retention: self.retention,
        };
        let agent = context.agent()?;
        Ok(context.bus().sweep(agent.as_ref(), &rules)?.into())
    }
}

impl From<SweepReport> for Swept {
    fn from(SweepReport { redelivered, dead, archived, pruned }: SweepReport) -> Self {
        let copies = |copies: Vec<_>| copies.into_iter().map(AgentCopy::from).collect();
        let pruned = (pruned > 0).then_some(pruned);
        Self { redelivered: copies(redelivered), dead: copies(dead), archived, pruned }
    }
}
