//! The moves of an agent between the four states.

use huddle_core::model::AgentName;
use huddle_core::session::JoinResult;
use serde::{Deserialize, Serialize};

use super::{ReportContent, SessionMember, agent, agents};
use crate::error::is_of_waiting_agent;
use crate::{Context, Error, Operation};

/// Starts an agent, or has it wait for its dependencies; a new agent is added to the session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinSession {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
    /// Agents that must finish first.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Agents that are not waited for any longer.
    #[serde(default)]
    pub without: Vec<String>,
}

/// An agent that joined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JoinedAgent {
    /// The agent, which is at work or waiting.
    #[serde(flatten)]
    pub member: SessionMember,
    /// Its unfinished dependencies.
    pub waits_for: Vec<String>,
}

impl Operation for JoinSession {
    type Response = JoinedAgent;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<JoinedAgent, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        let (needs, without) = (agents(self.needs)?, agents(self.without)?);
        let JoinResult { member, waits_for } = context.project().sessions.join(&id, &agent, &needs, &without)?;
        Ok(JoinedAgent { member: member.into(), waits_for })
    }
}

/// Sets the progress of an agent. One that has not started and has nothing to wait for joins first.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateProgress {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
    /// What it is doing.
    #[serde(alias = "progress")]
    pub message: String,
}

impl Operation for UpdateProgress {
    type Response = SessionMember;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionMember, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        let sessions = &context.project().sessions;
        let is_ready = |agent: &AgentName| -> Result<bool, Error> {
            let session = sessions.status(&id)?.value.session;
            Ok(session.ready().iter().any(|member| member.name == *agent))
        };
        match sessions.progress(&id, &agent, &self.message) {
            Err(error) if is_of_waiting_agent(&error) && is_ready(&agent)? => {
                sessions.join(&id, &agent, &[], &[])?;
                Ok(sessions.progress(&id, &agent, &self.message)?.into())
            }
            result => Ok(result?.into()),
        }
    }
}

/// Completes an agent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteAgent {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
    /// What the log says of it.
    #[serde(default)]
    pub message: Option<String>,
    /// Its report, which is written in the same step.
    #[serde(default)]
    pub report: Option<ReportContent>,
}

impl Operation for CompleteAgent {
    type Response = SessionMember;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionMember, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        let report = self.report.map(ReportContent::into_fields).transpose()?;
        let sessions = &context.project().sessions;
        Ok(sessions.complete(&id, &agent, report.as_ref(), self.message.as_deref())?.into())
    }
}

/// Marks an agent as failed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FailAgent {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
    /// What went wrong.
    #[serde(alias = "error")]
    pub message: String,
}

impl Operation for FailAgent {
    type Response = SessionMember;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionMember, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        Ok(context.project().sessions.fail(&id, &agent, &self.message)?.into())
    }
}

/// Puts an agent that failed back to waiting.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryAgent {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent; by default the one that acts.
    #[serde(default)]
    pub agent: Option<String>,
}

impl Operation for RetryAgent {
    type Response = SessionMember;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionMember, Error> {
        let agent = agent(self.agent, context)?;
        let id = context.session(self.session)?;
        Ok(context.project().sessions.retry(&id, &agent)?.into())
    }
}
