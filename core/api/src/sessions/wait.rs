//! Waiting for agents, and the agents that can start.

use huddle_core::model::{AgentName, Session, Span, Status};
use huddle_core::session::{WaitResult, WaitTarget};
use serde::{Deserialize, Serialize};

use super::agents;
use crate::response::texts;
use crate::when::optional_seconds;
use crate::{Context, Error, Operation};

/// Waits until agents have finished.
///
/// It is an error at once when one of them fails, or cannot start because of a failure.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwaitAgents {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agents.
    pub target: AgentSelection,
    /// How long to wait; by default without end.
    #[serde(default, deserialize_with = "optional_seconds")]
    pub timeout: Option<Span>,
    /// Whether to go on waiting for the others when one has failed.
    #[serde(default)]
    pub keep_going: bool,
}

/// Agents of a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AgentSelection {
    /// All.
    All,
    /// Those with these names.
    Agents(Vec<String>),
    /// Those whose names match a pattern.
    Matching(String),
    /// Those that an agent depends on.
    DependenciesOf(String),
}

/// The end of a wait.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FinishedAgents {
    /// The completed agents.
    pub completed: Vec<String>,
    /// The failed agents.
    pub failed: Vec<FailedAgent>,
    /// The agents that cannot start any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<DeadlockedAgent>,
    /// How long it took.
    pub waited_ms: i64,
}

/// An agent that failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FailedAgent {
    /// Its name.
    pub name: String,
    /// What it reported.
    pub error: String,
}

/// An agent that cannot start any more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeadlockedAgent {
    /// Its name.
    pub name: String,
    /// Why it cannot start.
    pub reason: String,
}

impl Operation for AwaitAgents {
    type Response = FinishedAgents;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<FinishedAgents, Error> {
        let id = context.session(self.session)?;
        let target = match self.target {
            AgentSelection::All => WaitTarget::All,
            AgentSelection::Agents(names) => WaitTarget::Agents(agents(names)?),
            AgentSelection::Matching(pattern) => WaitTarget::Matching(pattern),
            AgentSelection::DependenciesOf(agent) => WaitTarget::DependenciesOf(AgentName::new(agent)?),
        };
        let WaitResult { completed, failed, blocked, waited } =
            context.project().sessions.wait(&id, &target, self.timeout, self.keep_going)?;
        let failed = failed.into_iter().map(|(name, error)| FailedAgent { name: name.to_string(), error });
        let blocked = blocked
            .into_iter()
            .map(|(name, reason)| DeadlockedAgent { name: name.to_string(), reason: reason.to_string() });
        Ok(FinishedAgents {
            completed: texts(&completed),
            failed: failed.collect(),
            blocked: blocked.collect(),
            waited_ms: waited.millis(),
        })
    }
}

/// Lists the agents that can start now, and whom the others wait for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListReadyAgents {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
}

/// The agents that have not started.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadyAgents {
    /// Those that can start.
    pub ready: Vec<String>,
    /// Those that cannot.
    pub blocked: Vec<BlockedAgent>,
}

/// An agent that cannot start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockedAgent {
    /// Its name.
    pub name: String,
    /// Its unfinished dependencies.
    pub waits_for: Vec<String>,
}

impl From<&Session> for ReadyAgents {
    fn from(session: &Session) -> Self {
        let waiting = session.members.iter().filter(|member| member.status == Status::Waiting);
        let blocked =
            waiting.map(|member| BlockedAgent { name: member.name.to_string(), waits_for: session.open_needs(member) });
        Self {
            ready: texts(session.ready().into_iter().map(|member| &member.name)),
            blocked: blocked.filter(|agent| !agent.waits_for.is_empty()).collect(),
        }
    }
}

impl Operation for ListReadyAgents {
    type Response = ReadyAgents;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<ReadyAgents, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.status(&id)?;
        Ok((&context.collect(found).session).into())
    }
}
