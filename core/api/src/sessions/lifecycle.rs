//! Starting, listing, showing and closing sessions.

use huddle_core::model::{AgentName, JsonMap, SessionId};
use huddle_core::session::{self, Plan};
use serde::{Deserialize, Serialize, Serializer};

use super::{SessionEntry, SessionMember};
use crate::response::texts;
use crate::{Context, Error, Operation, document};

/// Starts a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSession {
    /// Its agents.
    #[serde(default)]
    pub agents: Vec<PlannedAgent>,
    /// Its id; by default a new UUID.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The type of the project that it works on.
    #[serde(default)]
    pub project_type: Option<String>,
    /// Where that project is; by default where the bus is.
    #[serde(default)]
    pub project_path: Option<String>,
    /// Who starts it; by default the acting agent, or else the coordinator.
    #[serde(default)]
    pub started_by: Option<String>,
}

/// An agent of a session that is to be started.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedAgent {
    /// Its name.
    pub name: String,
    /// The agents that must finish before it starts.
    #[serde(default)]
    pub needs: Vec<String>,
}

impl Operation for StartSession {
    type Response = SessionEntry;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionEntry, Error> {
        let project = context.project();
        let planned = |agent: PlannedAgent| Ok((AgentName::new(agent.name)?, agent.needs));
        let plan = Plan {
            id: self.session.map(SessionId::new).transpose()?,
            project_type: self.project_type,
            project_path: self.project_path.unwrap_or_else(|| project.path().to_owned()),
            agents: self.agents.into_iter().map(planned).collect::<Result<_, Error>>()?,
            by: self.started_by.unwrap_or_else(|| coordinator(context)),
        };
        Ok((&project.sessions.start(&plan)?).into())
    }
}

/// Returns the name under which somebody starts and closes sessions.
fn coordinator(context: &Context<'_>) -> String {
    context.agent_text().unwrap_or("coordinator").to_owned()
}

/// Lists the sessions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {}

/// The sessions of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionList {
    /// How many there are.
    pub count: usize,
    /// Each of them, by id.
    pub sessions: Vec<SessionEntry>,
}

impl Operation for ListSessions {
    type Response = SessionList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionList, Error> {
        let found = context.project().sessions.list()?;
        let sessions: Vec<_> = context.collect(found).iter().map(SessionEntry::from).collect();
        Ok(SessionList { count: sessions.len(), sessions })
    }
}

/// Shows a session: how far each agent is.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowSession {
    /// Its id; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
}

/// A session with all that its coordination file has. It serializes to the entry, with the file's fields over it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionStatus {
    /// The session.
    pub entry: SessionEntry,
    /// Its agents.
    pub members: Vec<SessionMember>,
    /// The fields of the coordination file.
    pub coordination: JsonMap,
}

impl Serialize for SessionStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = document(&self.entry);
        if let Some(fields) = fields.as_object_mut() {
            fields.extend(self.coordination.clone());
        }
        fields.serialize(serializer)
    }
}

impl Operation for ShowSession {
    type Response = SessionStatus;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionStatus, Error> {
        let id = context.session(self.session)?;
        let found = context.project().sessions.status(&id)?;
        let view = context.collect(found);
        let coordination = match view.coordination.document() {
            huddle_core::model::Json::Object(fields) => fields,
            _ => JsonMap::new(),
        };
        let entry = SessionEntry::from(&view.session);
        Ok(SessionStatus { entry, members: view.session.members.into_iter().map(Into::into).collect(), coordination })
    }
}

/// Shows one agent of a session.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowSessionAgent {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// The agent.
    pub agent: String,
}

/// An agent of a session, as its coordination file has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct AgentStatus {
    /// Its entry in the file.
    pub entry: JsonMap,
    /// The agent; not a part of the document.
    #[serde(skip)]
    pub member: SessionMember,
}

impl Operation for ShowSessionAgent {
    type Response = AgentStatus;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<AgentStatus, Error> {
        let (id, name) = (context.session(self.session)?, self.agent);
        let found = context.project().sessions.status(&id)?;
        let view = context.collect(found);
        match view.session.member(&name).zip(view.coordination.entry(&name)) {
            Some((member, entry)) => Ok(AgentStatus { entry: entry.clone(), member: member.clone().into() }),
            None => {
                let known = texts(&view.session.names());
                Err(Box::new(session::Error::UnknownAgent { id, name, known }).into())
            }
        }
    }
}

/// Closes a session.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CloseSession {
    /// Its id; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Whether agents may be at work.
    #[serde(default)]
    pub force: bool,
}

impl Operation for CloseSession {
    type Response = SessionEntry;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionEntry, Error> {
        let id = context.session(self.session)?;
        Ok((&context.project().sessions.close(&id, &coordinator(context), self.force)?).into())
    }
}
