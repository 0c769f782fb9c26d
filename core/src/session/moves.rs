//! The four states of an agent and the moves between them; each is stamped, and a record tells of it.

use super::Sessions;
use super::change::Work;
use super::error::{Error, Result};
use super::graph::{self, Needs};
use super::life::reason;
use super::reports::add_report;
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::model::{AgentName, Json, JsonMap, Member, NewEvent, SessionId, Status};
use crate::wire::session::layout;

/// How joining went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The agent as it is now: at work, or waiting.
    pub member: Member,
    /// Whom it waits for.
    pub waits_for: Vec<String>,
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Brings an agent to work, or has it wait for those whom it needs; one who is new comes into the session.
    ///
    /// With `without`, it does not wait for these, whatever became of them.
    pub fn join(
        &self,
        id: &SessionId,
        agent: &AgentName,
        needs: &[AgentName],
        without: &[AgentName],
    ) -> Result<Joined> {
        let mut waits_for = Vec::new();
        let work = self.change(id, &mut |work| {
            work.refuse_closed()?;
            let before = work.session.member(agent.as_str()).cloned();
            if let Some(member) = before.as_ref().filter(|member| member.status != Status::Waiting) {
                return Err(illegal("start", member).into());
            }
            if before.is_none() {
                agent.check_portable()?;
            }
            let known = before.unwrap_or_else(|| new_member(agent));
            let member = with_needs(&known, needs, without)?;
            check_needs(work, &member, needs)?;
            waits_for = work.session.open_needs(&member);
            let stamp = work.stamp();
            let started = waits_for.is_empty();
            let status = if started { Status::InProgress } else { Status::Waiting };
            let said = if started { "Started".to_owned() } else { reason(&waits_for) };
            let without = if member.without.is_empty() { Json::Null } else { member.without.clone().into() };
            let entry = work.coordination.entry(agent.as_str()).cloned();
            work.coordination.edit(
                agent,
                vec![
                    ("status", status.as_str().into()),
                    ("started_at", if started { stamp } else { Json::Null }),
                    ("progress", if started { "Started".into() } else { Json::Null }),
                    ("dependencies", member.dependencies.into()),
                    ("without", without),
                    ("reason", if started { Json::Null } else { said.as_str().into() }),
                ],
            );
            // One who asks again and again whether it may start makes no news.
            if work.coordination.entry(agent.as_str()) != entry.as_ref() {
                work.events.push(NewEvent::new(agent.as_str(), "status", said));
            }
            Ok(())
        })?;
        Ok(Joined { member: work.member(agent)?.clone(), waits_for })
    }

    /// Says what an agent is doing.
    pub fn progress(&self, id: &SessionId, agent: &AgentName, text: &str) -> Result<Member> {
        self.move_agent(id, agent, "tell the progress of", &[Status::InProgress], &mut |work| {
            work.coordination.edit(agent, vec![("progress", text.into())]);
            work.events.push(NewEvent::new(agent.as_str(), "status", text));
            Ok(())
        })
    }

    /// Says that an agent has finished, handing over its report if there is one.
    pub fn complete(
        &self,
        id: &SessionId,
        agent: &AgentName,
        report: Option<&JsonMap>,
        message: Option<&str>,
    ) -> Result<Member> {
        let there = self.disk.exists(&layout::within(id, &layout::report(agent)))?;
        self.move_agent(id, agent, "complete", &[Status::InProgress], &mut |work| {
            let said = match report {
                Some(fields) => {
                    let report = add_report(work, agent, fields)?;
                    format!("Completed: {} findings, {} of high severity", report.findings().len(), report.high())
                }
                None => "Completed".to_owned(),
            };
            let path = if report.is_some() || there { layout::report(agent).into() } else { Json::Null };
            let changes = vec![("status", Status::Completed.as_str().into()), ("completed_at", work.stamp())];
            work.coordination.edit(agent, changes);
            // A null would take away what a snippet has set.
            if !path.is_null() {
                work.coordination.edit(agent, vec![("report_path", path)]);
            }
            if let Some(message) = message {
                work.coordination.edit(agent, vec![("progress", message.into())]);
            }
            work.events.push(NewEvent::new(agent.as_str(), "completed", message.unwrap_or(&said)));
            Ok(())
        })
    }

    /// Says that an agent cannot go on.
    pub fn fail(&self, id: &SessionId, agent: &AgentName, error: &str) -> Result<Member> {
        self.move_agent(id, agent, "fail", &[Status::InProgress, Status::Waiting], &mut |work| {
            let changes = vec![
                ("status", Status::Failed.as_str().into()),
                ("failed_at", work.stamp()),
                ("error", error.into()),
                ("reason", Json::Null),
            ];
            work.coordination.edit(agent, changes);
            let message = format!("Failed: {}", error.lines().next().unwrap_or_default());
            let error = Some(error.to_owned());
            work.events.push(NewEvent { error, ..NewEvent::new(agent.as_str(), "error", message) });
            Ok(())
        })
    }

    /// Puts an agent that failed back to waiting, so that it can join again.
    pub fn retry(&self, id: &SessionId, agent: &AgentName) -> Result<Member> {
        self.change(id, &mut |work| {
            work.refuse_closed()?;
            let member = work.member(agent)?;
            if !matches!(member.status, Status::Failed | Status::Other(_)) {
                return Err(illegal("retry", member).into());
            }
            let said = format!("Retry after: {}", member.error.as_deref().unwrap_or(member.status.as_str()));
            let tries = work.coordination.entry(agent.as_str()).and_then(|entry| entry.get("retries"));
            let tries = tries.and_then(Json::as_u64).unwrap_or(0).saturating_add(1);
            let gone = ["error", "failed_at", "started_at", "completed_at", "progress"];
            work.coordination.edit(agent, gone.iter().map(|field| (*field, Json::Null)).collect());
            let status = ("status", Status::Waiting.as_str().into());
            work.coordination.edit(agent, vec![status, ("reason", said.as_str().into()), ("retries", tries.into())]);
            work.events.push(NewEvent::new(agent.as_str(), "status", said));
            Ok(())
        })
        .and_then(|work| work.member(agent).cloned())
    }

    /// Moves an agent on from one of some states.
    fn move_agent(
        &self,
        id: &SessionId,
        agent: &AgentName,
        doing: &'static str,
        from: &[Status],
        act: &mut dyn FnMut(&mut Work) -> Result<()>,
    ) -> Result<Member> {
        let work = self.change(id, &mut |work| {
            work.refuse_closed()?;
            let member = work.member(agent)?;
            if from.contains(&member.status) { act(work) } else { Err(illegal(doing, member).into()) }
        })?;
        work.member(agent).cloned()
    }
}

fn illegal(doing: &'static str, member: &Member) -> Error {
    Error::IllegalMove { agent: member.name.clone(), doing, status: member.status.to_string() }
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

fn check_needs(work: &Work, member: &Member, added: &[AgentName]) -> Result<()> {
    let others = work.session.members.iter().filter(|other| other.name != member.name).chain([member]);
    let all: Vec<Needs> = others.map(|one| (one.name.clone(), one.dependencies.clone())).collect();
    graph::check(&all, &[(member.name.clone(), added.iter().map(ToString::to_string).collect())])
}
