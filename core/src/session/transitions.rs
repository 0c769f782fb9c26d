//! The four states of an agent and the moves between them; each is stamped, and a record tells of it.

use super::Sessions;
use super::change::SessionEdit;
use super::error::{Error, Result};
use super::graph::{self, AgentDependencies};
use super::lifecycle::reason;
use super::reports::add_report;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Json, JsonMap, Member, NewEvent, SessionId, Status};
use crate::wire::session::layout;

/// The result of joining.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinResult {
    /// The agent as it is now: at work, or waiting.
    pub member: Member,
    /// Its unfinished dependencies.
    pub waits_for: Vec<String>,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Starts an agent, or has it wait for its dependencies; a new agent is added to the session.
    ///
    /// With `without`, it does not wait for these, whatever became of them.
    pub fn join(
        &self,
        id: &SessionId,
        agent: &AgentName,
        needs: &[AgentName],
        without: &[AgentName],
    ) -> Result<JoinResult> {
        let mut waits_for = Vec::new();
        let edit = self.change(id, &mut |edit| {
            edit.refuse_closed()?;
            let before = edit.session.member(agent.as_str()).cloned();
            if let Some(member) = before.as_ref().filter(|member| member.status != Status::Waiting) {
                return Err(illegal("start", member).into());
            }
            if before.is_none() {
                agent.check_portable()?;
            }
            let known = before.unwrap_or_else(|| new_member(agent));
            let member = with_needs(&known, needs, without)?;
            check_needs(edit, &member, needs)?;
            waits_for = edit.session.open_needs(&member);
            let timestamp = edit.timestamp();
            let started = waits_for.is_empty();
            let status = if started { Status::InProgress } else { Status::Waiting };
            let message_text = if started { "Started".to_owned() } else { reason(&waits_for) };
            let without = if member.without.is_empty() { Json::Null } else { member.without.clone().into() };
            let entry = edit.coordination.entry(agent.as_str()).cloned();
            edit.coordination.edit(
                agent,
                vec![
                    ("status", status.as_str().into()),
                    ("started_at", if started { timestamp } else { Json::Null }),
                    ("progress", if started { "Started".into() } else { Json::Null }),
                    ("dependencies", member.dependencies.into()),
                    ("without", without),
                    ("reason", if started { Json::Null } else { message_text.as_str().into() }),
                ],
            );
            // One who asks again and again whether it may start makes no news.
            if edit.coordination.entry(agent.as_str()) != entry.as_ref() {
                edit.events.push(NewEvent::new(agent.as_str(), "status", message_text));
            }
            Ok(())
        })?;
        Ok(JoinResult { member: edit.member(agent)?.clone(), waits_for })
    }

    /// Sets an agent's progress.
    pub fn progress(&self, id: &SessionId, agent: &AgentName, text: &str) -> Result<Member> {
        self.transition(id, agent, "tell the progress of", &[Status::InProgress], &mut |edit| {
            edit.coordination.edit(agent, vec![("progress", text.into())]);
            edit.events.push(NewEvent::new(agent.as_str(), "status", text));
            Ok(())
        })
    }

    /// Completes an agent, with its report if there is one.
    pub fn complete(
        &self,
        id: &SessionId,
        agent: &AgentName,
        report: Option<&JsonMap>,
        message: Option<&str>,
    ) -> Result<Member> {
        let there = self.journal.exists(&layout::within(id, &layout::report(agent)))?;
        self.transition(id, agent, "complete", &[Status::InProgress], &mut |edit| {
            let message_text = match report {
                Some(fields) => {
                    let report = add_report(edit, agent, fields)?;
                    format!("Completed: {} findings, {} of high severity", report.findings().len(), report.high())
                }
                None => "Completed".to_owned(),
            };
            let path = if report.is_some() || there { layout::report(agent).into() } else { Json::Null };
            let changes = vec![("status", Status::Completed.as_str().into()), ("completed_at", edit.timestamp())];
            edit.coordination.edit(agent, changes);
            // A null would take away what a snippet has set.
            if !path.is_null() {
                edit.coordination.edit(agent, vec![("report_path", path)]);
            }
            if let Some(message) = message {
                edit.coordination.edit(agent, vec![("progress", message.into())]);
            }
            edit.events.push(NewEvent::new(agent.as_str(), "completed", message.unwrap_or(&message_text)));
            Ok(())
        })
    }

    /// Marks an agent as failed.
    pub fn fail(&self, id: &SessionId, agent: &AgentName, error: &str) -> Result<Member> {
        self.transition(id, agent, "fail", &[Status::InProgress, Status::Waiting], &mut |edit| {
            let changes = vec![
                ("status", Status::Failed.as_str().into()),
                ("failed_at", edit.timestamp()),
                ("error", error.into()),
                ("reason", Json::Null),
            ];
            edit.coordination.edit(agent, changes);
            let message = format!("Failed: {}", error.lines().next().unwrap_or_default());
            let error = Some(error.to_owned());
            edit.events.push(NewEvent { error, ..NewEvent::new(agent.as_str(), "error", message) });
            Ok(())
        })
    }

    /// Puts an agent that failed back to waiting, so that it can join again.
    pub fn retry(&self, id: &SessionId, agent: &AgentName) -> Result<Member> {
        self.change(id, &mut |edit| {
            edit.refuse_closed()?;
            let member = edit.member(agent)?;
            if !matches!(member.status, Status::Failed | Status::Other(_)) {
                return Err(illegal("retry", member).into());
            }
            let message_text = format!("Retry after: {}", member.error.as_deref().unwrap_or(member.status.as_str()));
            let tries = edit.coordination.entry(agent.as_str()).and_then(|entry| entry.get("retries"));
            let tries = tries.and_then(Json::as_u64).unwrap_or(0).saturating_add(1);
            let gone = ["error", "failed_at", "started_at", "completed_at", "progress"];
            edit.coordination.edit(agent, gone.iter().map(|field| (*field, Json::Null)).collect());
            let status = ("status", Status::Waiting.as_str().into());
            edit.coordination
                .edit(agent, vec![status, ("reason", message_text.as_str().into()), ("retries", tries.into())]);
            edit.events.push(NewEvent::new(agent.as_str(), "status", message_text));
            Ok(())
        })
        .and_then(|edit| edit.member(agent).cloned())
    }

    /// Moves an agent on from one of some states.
    fn transition(
        &self,
        id: &SessionId,
        agent: &AgentName,
        doing: &'static str,
        from: &[Status],
        act: &mut dyn FnMut(&mut SessionEdit) -> Result<()>,
    ) -> Result<Member> {
        let edit = self.change(id, &mut |edit| {
            edit.refuse_closed()?;
            let member = edit.member(agent)?;
            if from.contains(&member.status) { act(edit) } else { Err(illegal(doing, member).into()) }
        })?;
        edit.member(agent).cloned()
    }
}

fn illegal(doing: &'static str, member: &Member) -> Error {
    Error::IllegalTransition { agent: member.name.clone(), doing, status: member.status.to_string() }
}

fn new_member(name: &AgentName) -> Member {
    Member {
        name: name.clone(),
        status: Status::Waiting,
        dependencies: Vec::new(),
        without: Vec::new(),
        started_at: None,
        completed_at: None,
        progress: None,
        reason: None,
        error: None,
        report_path: None,
    }
}

/// Adds to whom an agent waits for, and to whom it goes on without.
fn with_needs(member: &Member, needs: &[AgentName], without: &[AgentName]) -> Result<Member> {
    let mut member = member.clone();
    for need in needs {
        if !member.dependencies.iter().any(|known| known == need.as_str()) {
            member.dependencies.push(need.to_string());
        }
    }
    for name in without {
        if !member.dependencies.iter().any(|known| known == name.as_str()) {
            let message = format!("{} does not wait for {name}", member.name);
            return Err(Error::Invalid { message, hint: "huddle session status shows who waits for whom" }.into());
        }
        if !member.without.iter().any(|known| known == name.as_str()) {
            member.without.push(name.to_string());
        }
    }
    Ok(member)
}

fn check_needs(edit: &SessionEdit, member: &Member, added: &[AgentName]) -> Result<()> {
    let others = edit.session.members.iter().filter(|other| other.name != member.name).chain([member]);
    let all: Vec<AgentDependencies> = others.map(|one| (one.name.clone(), one.dependencies.clone())).collect();
    graph::check(&all, &[(member.name.clone(), added.iter().map(ToString::to_string).collect())])
}
