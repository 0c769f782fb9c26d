//! Sessions and their agents, as responses show them.

use huddle_core::model::{Member, Session, Status};
use serde::Serialize;

use crate::response::{text, texts};

/// A session: when it began and ended, and which agents are in which state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of the coordination file")]
pub struct SessionEntry {
    pub session_id: String,
    pub started_at: Option<String>,
    pub closed_at: Option<String>,
    pub project_type: Option<String>,
    pub project_path: Option<String>,
    pub completed: Vec<String>,
    pub in_progress: Vec<String>,
    pub waiting: Vec<WaitingAgent>,
    pub failed: Vec<String>,
}

/// An agent that has not started.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WaitingAgent {
    /// Its name.
    pub name: String,
    /// The agents that it depends on.
    pub deps: Vec<String>,
}

/// An agent of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of the coordination file")]
pub struct SessionMember {
    pub name: String,
    pub status: String,
    pub dependencies: Vec<String>,
    pub started_at: Option<String>,
    pub completed_at: Option<String>,
    pub progress: Option<String>,
    pub reason: Option<String>,
    pub error: Option<String>,
    pub report_path: Option<String>,
}

impl From<&Session> for SessionEntry {
    fn from(session: &Session) -> Self {
        let in_state = |status| texts(&session.in_state(&status));
        let waiting = session.members.iter().filter(|member| member.status == Status::Waiting);
        let waiting =
            waiting.map(|member| WaitingAgent { name: member.name.to_string(), deps: member.dependencies.clone() });
        Self {
            session_id: session.id.to_string(),
            started_at: text(session.started_at.as_ref()),
            closed_at: text(session.closed_at.as_ref()),
            project_type: session.project_type.clone(),
            project_path: session.project_path.clone(),
            completed: in_state(Status::Completed),
            in_progress: in_state(Status::InProgress),
            waiting: waiting.collect(),
            failed: in_state(Status::Failed),
        }
    }
}

impl From<Member> for SessionMember {
    fn from(member: Member) -> Self {
        Self {
            name: member.name.to_string(),
            status: member.status.to_string(),
            dependencies: member.dependencies,
            started_at: text(member.started_at.as_ref()),
            completed_at: text(member.completed_at.as_ref()),
            progress: member.progress,
            reason: member.reason,
            error: member.error,
            report_path: member.report_path,
        }
    }
}
