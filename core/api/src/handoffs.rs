//! Handoffs: a task, with all that belongs to it, passed from one agent to another.

mod context;
mod create;
mod package;

pub use context::{GiverContext, HandoffContext, RequestContext};
pub use create::{CreateHandoff, HandoffCreated};
pub use package::{HandoffArtifact, HandoffPackage, ReadArtifact, ReadHandoff};

use huddle_core::model::handoff::Decision;
use huddle_core::model::{self, HandoffId, HandoffStatus};
use serde::{Deserialize, Serialize};

use crate::response::text;
use crate::{Context, Error, Operation};

/// Lists the handoffs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListHandoffs {}

/// Accepts a handoff and tells its giver.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptHandoff {
    /// The handoff.
    #[serde(alias = "handoffId")]
    pub id: String,
    /// What to say to the giver.
    #[serde(default)]
    pub notes: String,
}

/// Declines a handoff and tells its giver why.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclineHandoff {
    /// The handoff.
    #[serde(alias = "handoffId")]
    pub id: String,
    /// Why.
    pub reason: String,
}

/// The structured part of a handoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// Its id.
    pub id: String,
    /// The agent that hands over.
    pub from: String,
    /// The agent that takes over.
    pub to: String,
    /// What is handed over, in a line.
    pub task: String,
    /// `pending_acceptance`, `accepted` or `declined`.
    pub status: &'static str,
    /// When it was created.
    pub created_at: Option<String>,
    /// The files in it.
    pub artifacts: Vec<Artifact>,
    /// The receiver's decision; its fields are absent while there is none.
    #[serde(flatten)]
    pub decision: Option<HandoffDecision>,
}

/// A file that a handoff carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Artifact {
    /// The path it was given as.
    pub source: String,
    /// Its name in the package.
    pub stored: String,
}

/// The decision on a handoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandoffDecision {
    /// The agent that decided.
    pub decided_by: String,
    /// When.
    pub decided_at: Option<String>,
    /// What it said.
    pub notes: String,
}

/// The handoffs of a bus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandoffList {
    /// How many there are.
    pub count: usize,
    /// Each of them, by id.
    pub handoffs: Vec<Handoff>,
}

impl From<model::Handoff> for Handoff {
    fn from(handoff: model::Handoff) -> Self {
        let status = handoff.status.as_str();
        let artifact = |model::Artifact { source, stored }| Artifact { source, stored };
        Self {
            id: handoff.id.to_string(),
            from: handoff.from.to_string(),
            to: handoff.to.to_string(),
            task: handoff.task,
            status,
            created_at: text(handoff.created_at.as_ref()),
            artifacts: handoff.artifacts.into_iter().map(artifact).collect(),
            decision: match handoff.status {
                HandoffStatus::Pending => None,
                HandoffStatus::Accepted(decision) | HandoffStatus::Declined(decision) => Some(decision.into()),
            },
        }
    }
}

impl From<Decision> for HandoffDecision {
    fn from(Decision { by, at, notes }: Decision) -> Self {
        Self { decided_by: by.to_string(), decided_at: text(at.as_ref()), notes }
    }
}

impl Operation for ListHandoffs {
    type Response = HandoffList;

    fn run(self, context: &mut Context<'_>) -> Result<HandoffList, Error> {
        let handoffs = context.bus().handoffs()?;
        let handoffs: Vec<_> = context.collect(handoffs).into_iter().map(Handoff::from).collect();
        Ok(HandoffList { count: handoffs.len(), handoffs })
    }
}

impl Operation for AcceptHandoff {
    type Response = Handoff;

    fn run(self, context: &mut Context<'_>) -> Result<Handoff, Error> {
        let agent = context.actor()?;
        Ok(context.bus().accept_handoff(&agent, &HandoffId::new(self.id)?, &self.notes)?.into())
    }
}

impl Operation for DeclineHandoff {
    type Response = Handoff;

    fn run(self, context: &mut Context<'_>) -> Result<Handoff, Error> {
        let agent = context.actor()?;
        Ok(context.bus().decline_handoff(&agent, &HandoffId::new(self.id)?, &self.reason)?.into())
    }
}
