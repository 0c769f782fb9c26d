//! Starting, listing, showing and closing sessions.

use super::Sessions;
use super::error::{Error, Result};
use super::graph::{self, AgentDependencies};
use crate::engine::fs::FileSystem;
use crate::host::{self, Host};
use crate::model::{Diagnostic, Json, JsonMap, NewEvent, Session, SessionId, Severity, Status, WithDiagnostics};
use crate::wire::session::coordination::Coordination;
use crate::wire::session::layout;

/// The most characters of a project's type.
const MAX_PROJECT_TYPE: usize = 200;

/// The parameters of a new session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// Its id; made when there is none.
    pub id: Option<SessionId>,
    /// The project's type.
    pub project_type: Option<String>,
    /// The project's path.
    pub project_path: String,
    /// The agents and their dependencies.
    pub agents: Vec<AgentDependencies>,
    /// The agent that starts it.
    pub by: String,
}

/// A session, and its coordination file with all its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionView {
    /// The parsed session.
    pub session: Session,
    /// The coordination file.
    pub coordination: Coordination,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Starts a session. Fails if a dependency is unknown or cyclic.
    pub fn start(&self, plan: &Plan) -> Result<Session> {
        self.finish_orphans();
        let twice = |at: usize| plan.agents[..at].iter().any(|(name, _)| *name == plan.agents[at].0);
        if let Some(at) = (0..plan.agents.len()).find(|at| twice(*at)) {
            let message = format!("agent {} is named twice", plan.agents[at].0);
            return Err(Error::Invalid { message, hint: "name each agent once, with all whom it waits for" }.into());
        }
        let length = plan.project_type.as_ref().map_or(0, |kind| kind.chars().count());
        if length > MAX_PROJECT_TYPE {
            let message = format!("project type has {length} characters, more than {MAX_PROJECT_TYPE}");
            return Err(Error::Invalid { message, hint: "use a word or two, as in web_app" }.into());
        }
        graph::check(&plan.agents, &plan.agents)?;
        let id = plan.id.clone().map_or_else(|| SessionId::new(host::new_uuid(&self.journal.host).to_string()), Ok)?;
        if let Err(error) = id.check_portable()
            && !self.journal.exists(&layout::within(&id, layout::COORDINATION))?
        {
            return Err(error.into());
        }
        for (name, _) in &plan.agents {
            name.check_portable()?;
        }
        let started = self.under_lease(&id, &mut |edit| {
            if self.journal.exists(&layout::within(&id, layout::COORDINATION))? {
                return Err(Error::SessionExists { id: id.clone() }.into());
            }
            let timestamp = edit.timestamp();
            let file = &mut edit.coordination;
            file.set("session_id", id.as_str().into());
            file.set("started_at", timestamp);
            if let Some(kind) = &plan.project_type {
                file.set("project_type", kind.as_str().into());
            }
            file.set("project_path", plan.project_path.as_str().into());
            file.set("agents", Json::Object(JsonMap::new()));
            for (name, needs) in &plan.agents {
                let status = ("status", Status::Waiting.as_str().into());
                file.edit(name, vec![status, ("dependencies", needs.clone().into()), ("reason", reason(needs).into())]);
            }
            edit.events.push(NewEvent::new(plan.by.as_str(), "status", "Session started"));
            Ok(())
        })?;
        Ok(started.session)
    }

    /// Lists the sessions by id.
    pub fn list(&self) -> Result<WithDiagnostics<Vec<Session>>> {
        self.finish_orphans();
        let mut found = WithDiagnostics::clean(Vec::new());
        let entries = self.journal.list_or_report(layout::SESSIONS, &mut found.findings);
        for entry in entries.into_iter().filter(|entry| entry.is_dir()) {
            match SessionId::new(entry.name.as_str()) {
                Ok(id) => {
                    let view = self.view(&id)?;
                    found.value.push(view.value.session);
                    found.findings.extend(view.findings.into_iter().filter(|one| one.severity == Severity::Error));
                }
                Err(error) => found.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "foreign-directory",
                    place: format!("{}/{}", layout::SESSIONS, entry.name),
                    message: error.to_string(),
                    hint: "rename or move the directory".into(),
                }),
            }
        }
        Ok(found)
    }

    /// Shows a session.
    pub fn status(&self, id: &SessionId) -> Result<WithDiagnostics<SessionView>> {
        self.open(id)?;
        self.view(id)
    }

    /// Reads a coordination file; one that is absent or damaged has no agents, and is a finding.
    pub(super) fn view(&self, id: &SessionId) -> Result<WithDiagnostics<SessionView>> {
        let path = layout::within(id, layout::COORDINATION);
        let read = self.journal.read(&path);
        let absent = matches!(read, Ok(None));
        let read = read.map_err(|error| error.to_string());
        let read = read.and_then(|bytes| Coordination::decode(&bytes.ok_or("there is none")?));
        let (coordination, finding) = match read {
            Ok(coordination) => (coordination, None),
            Err(fault) => (Coordination::default(), Some(fault)),
        };
        let mut found = coordination.session(id);
        found.findings.extend(finding.map(|fault| Diagnostic {
            severity: if absent { Severity::Info } else { Severity::Error },
            code: if absent { "no-coordination" } else { "damaged-coordination" },
            place: path,
            message: format!("nothing is known of the agents: {fault}"),
            hint: if absent { "agents come in with huddle session join AGENT" } else { "mend the file" }.into(),
        }));
        Ok(WithDiagnostics { value: SessionView { session: found.value, coordination }, findings: found.findings })
    }

    /// Closes a session. With agents at work only if it must be.
    pub fn close(&self, id: &SessionId, by: &str, force: bool) -> Result<Session> {
        let closed = self.change(id, &mut |edit| {
            edit.refuse_closed()?;
            let agents: Vec<String> =
                edit.session.in_state(&Status::InProgress).iter().map(ToString::to_string).collect();
            if !agents.is_empty() && !force {
                return Err(Error::StillRunning { id: id.clone(), agents }.into());
            }
            let timestamp = edit.timestamp();
            if edit.coordination == Coordination::default() {
                edit.coordination.set("session_id", id.as_str().into());
            }
            edit.coordination.set("closed_at", timestamp);
            edit.events.push(NewEvent::new(by, "status", "Session closed"));
            Ok(())
        })?;
        Ok(closed.session)
    }
}

/// Describes what an agent waits for.
pub(super) fn reason(open: &[String]) -> String {
    if open.is_empty() { "Ready to start".to_owned() } else { format!("Waiting for {}", open.join(", ")) }
}
