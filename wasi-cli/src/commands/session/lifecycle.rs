//! `huddle session start`, `list`, `status` and `close`

use std::path::{Path, PathBuf};

use huddle_api::{
    CloseSession, ListSessions, PlannedAgent, SessionEntry, SessionMember, SessionStatus, ShowSession,
    ShowSessionAgent, StartSession,
};

use super::SessionOption;
use crate::call::Call;
use crate::failure::Failure;
use crate::{project, text};

/// Start a session; prints its id
#[derive(Debug, clap::Args)]
pub(super) struct StartArgs {
    /// what kind of project it works on, as in web_app
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// an agent of it, and whom that waits for
    #[arg(long = "agent", value_name = "NAME[:DEP,DEP]", value_parser = planned_agent)]
    agents: Vec<PlannedAgent>,
    /// where the project is; by default --root
    #[arg(long, value_name = "DIR")]
    path: Option<String>,
    /// its id; by default a new UUID
    #[arg(long, value_name = "SESSION")]
    id: Option<String>,
}

impl StartArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { kind, agents, path, id } = self;
        let path = path.unwrap_or_else(|| whole_path(&call.global.root).display().to_string());
        let request =
            StartSession { agents, session: id, project_type: kind, project_path: Some(path), started_by: None };
        let session = call.execute(request)?;
        call.answer(&session, |session| session.session_id.clone())
    }
}

/// Reads an agent and those whom it waits for: `NAME:DEP,DEP`.
fn planned_agent(text: &str) -> Result<PlannedAgent, String> {
    let (name, needs) = text.split_once(':').unwrap_or((text, ""));
    let needs = needs.split(',').map(str::trim).filter(|need| !need.is_empty());
    Ok(PlannedAgent { name: name.to_owned(), needs: needs.map(str::to_owned).collect() })
}

/// Returns a path from the root of the file system on, where the system knows it: WASI does not.
fn whole_path(path: &Path) -> PathBuf {
    #[cfg(not(target_os = "wasi"))]
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.to_owned()
}

/// List the sessions and how far they are
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {}

impl ListArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let list = call.execute(ListSessions {})?;
        if list.sessions.is_empty() {
            project::reach(&call.global.root)?;
        }
        call.answer(&list, |list| table(&list.sessions))
    }
}

/// Say how far each agent is
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    /// only this agent
    agent: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl StatusArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let session = self.session.id;
        let Some(agent) = self.agent else {
            let status = call.execute(ShowSession { session })?;
            return call.answer(&status, whole);
        };
        let status = call.execute(ShowSessionAgent { session, agent })?;
        call.answer(&status, |status| {
            let member = &status.member;
            text::row([&member.name, &member.status, &note(member)]).join("  ")
        })
    }
}

/// End a session: nobody joins or moves any more
#[derive(Debug, clap::Args)]
pub(super) struct CloseArgs {
    /// even if agents are at work
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    session: SessionOption,
}

impl CloseArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let closed = call.execute(CloseSession { session: self.session.id, force: self.force })?;
        call.answer(&closed, |closed| format!("✅ Closed session {}", closed.session_id))
    }
}

fn table(sessions: &[SessionEntry]) -> String {
    let rows = sessions.iter().map(|session| {
        let state = if session.closed_at.is_some() { "closed" } else { "open" };
        let started = text::or_dash(session.started_at.as_ref());
        [session.session_id.clone(), started, state.to_owned(), counts(session)]
    });
    let none = "No sessions. Start one: huddle session start --agent NAME";
    super::table(["SESSION", "STARTED", "STATE", "AGENTS"], rows, none)
}

/// Counts the agents in each state: `2 completed, 1 waiting`.
fn counts(session: &SessionEntry) -> String {
    let states = [
        (session.completed.len(), "completed"),
        (session.in_progress.len(), "in_progress"),
        (session.waiting.len(), "waiting"),
        (session.failed.len(), "failed"),
    ];
    let counts = states.iter().filter(|(count, _)| *count > 0);
    text::list(&counts.map(|(count, state)| format!("{count} {state}")).collect::<Vec<_>>())
}

fn whole(status: &SessionStatus) -> String {
    let session = &status.entry;
    let closed = session.closed_at.as_ref().map(|at| format!(", closed {at}")).unwrap_or_default();
    let started = text::or_dash(session.started_at.as_ref());
    let rows = status
        .members
        .iter()
        .map(|member| [member.name.clone(), member.status.clone(), text::list(&member.dependencies), note(member)]);
    let agents = super::table(["AGENT", "STATUS", "NEEDS", "NOTE"], rows, "No agents.");
    format!("Session {} · started {started}{closed}\n{agents}", session.session_id)
}

/// Returns what there is to say of an agent's state, in a line.
fn note(member: &SessionMember) -> String {
    let said = match member.status.as_str() {
        "waiting" => &member.reason,
        "failed" => &member.error,
        _ => &member.progress,
    };
    said.as_deref().and_then(|text| text.lines().next()).unwrap_or("-").to_owned()
}
