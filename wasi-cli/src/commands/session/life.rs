//! `huddle session start`, `list`, `status` and `close`

use std::path::{Path, PathBuf};

use huddle_core::model::{AgentName, Json, Member, Session, SessionId, Status};
use huddle_core::session::{Plan, SessionView};
use huddle_core::wire::answer::session as answer;

use super::{ID, actor, session};
use crate::args::{Args, Spec, flag, maybe, option, repeated};
use crate::call::Call;
use crate::failure::Failure;
use crate::{project, text};

pub(super) const START: Spec = Spec::command(
    "huddle session start",
    "Start a session; prints its id",
    &[
        option("type", "TYPE", "what kind of project it works on, as in web_app"),
        repeated("agent", "NAME[:DEP,DEP]", "an agent of it, and whom that waits for"),
        option("path", "DIR", "where the project is; by default --root"),
        option("id", "SESSION", "its id; by default a new UUID"),
    ],
    start,
);

pub(super) const LIST: Spec = Spec::command("huddle session list", "List the sessions and how far they are", &[], list);

pub(super) const STATUS: Spec = Spec::command(
    "huddle session status",
    "Say how far each agent is",
    &[maybe("AGENT", "only this agent"), ID],
    status,
);

pub(super) const CLOSE: Spec = Spec::command(
    "huddle session close",
    "End a session: nobody joins or moves any more",
    &[flag("force", "even if agents are at work"), ID],
    close,
);

fn start(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut agents = Vec::new();
    for agent in args.all("agent") {
        let (name, needs) = agent.split_once(':').unwrap_or((&agent, ""));
        let needs = needs.split(',').map(str::trim).filter(|need| !need.is_empty()).map(str::to_owned);
        agents.push((AgentName::new(name)?, needs.collect()));
    }
    let root = whole_path(&call.global.root);
    let plan = Plan {
        id: args.text("id").map(SessionId::new).transpose()?,
        project_type: args.text("type").map(str::to_owned),
        project_path: args.text("path").map_or_else(|| root.display().to_string(), str::to_owned),
        agents,
        by: actor(call),
    };
    let session = call.project.sessions.start(&plan)?;
    call.output.answer(|| answer::session(&session), || session.id.to_string())
}

/// Gives a path from the root of the file system on, where the system tells it: WASI does not.
fn whole_path(path: &Path) -> PathBuf {
    #[cfg(not(target_os = "wasi"))]
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.to_owned()
}

fn list(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let found = call.project.sessions.list()?;
    if found.value.is_empty() {
        project::reach(&call.global.root)?;
    }
    call.output.found(found.findings);
    call.output.answer(|| answer::sessions(&found.value), || table(&found.value))
}

fn status(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let found = call.project.sessions.status(&id)?;
    call.output.found(found.findings);
    let view = found.value;
    let Some(name) = args.text("AGENT") else {
        return call.output.answer(|| answer::session_status(&view), || whole(&view));
    };
    let Some((member, entry)) = view.session.member(name).zip(view.coordination.entry(name)) else {
        let known = view.session.names().iter().map(ToString::to_string).collect();
        let unknown = huddle_core::session::Error::UnknownAgent { id, name: name.to_owned(), known };
        return Err(Box::new(unknown).into());
    };
    call.output
        .answer(|| Json::Object(entry.clone()), || text::row([&member.name, &member.status, &note(member)]).join("  "))
}

fn close(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let closed = call.project.sessions.close(&id, &actor(call), args.has("force"))?;
    call.output.answer(|| answer::session(&closed), || format!("✅ Closed session {id}"))
}

fn table(sessions: &[Session]) -> String {
    if sessions.is_empty() {
        return "No sessions. Start one: huddle session start --agent NAME".to_owned();
    }
    let mut rows = vec![text::row([&"SESSION", &"STARTED", &"STATE", &"AGENTS"])];
    rows.extend(sessions.iter().map(|session| {
        let started = text::or_dash(session.started_at.as_ref());
        let state = if session.closed_at.is_some() { "closed" } else { "open" };
        text::row([&session.id, &started, &state, &tally(session)])
    }));
    text::table(&rows)
}

/// Counts the agents in each state: `2 completed, 1 waiting`.
fn tally(session: &Session) -> String {
    let states = [Status::Completed, Status::InProgress, Status::Waiting, Status::Failed];
    let counts = states.iter().map(|state| (session.in_state(state).len(), state)).filter(|(count, _)| *count > 0);
    text::list(&counts.map(|(count, state)| format!("{count} {state}")).collect::<Vec<_>>())
}

fn whole(SessionView { session, .. }: &SessionView) -> String {
    let closed = session.closed_at.map(|at| format!(", closed {at}")).unwrap_or_default();
    let started = text::or_dash(session.started_at.as_ref());
    let mut lines = vec![format!("Session {} · started {started}{closed}", session.id)];
    let mut rows = vec![text::row([&"AGENT", &"STATUS", &"NEEDS", &"NOTE"])];
    rows.extend(
        session
            .members
            .iter()
            .map(|member| text::row([&member.name, &member.status, &text::list(&member.dependencies), &note(member)])),
    );
    lines.push(if session.members.is_empty() { "No agents.".to_owned() } else { text::table(&rows) });
    lines.join("\n")
}

/// Gives what there is to say of an agent's state, in a line.
fn note(member: &Member) -> String {
    let said = match member.status {
        Status::Waiting => &member.reason,
        Status::Failed => &member.error,
        _ => &member.progress,
    };
    said.as_deref().and_then(|text| text.lines().next()).unwrap_or("-").to_owned()
}
