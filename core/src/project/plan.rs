//! `MULTI_AGENT_PLAN.md`: the tasks of several agents, in a document that people and agents write.
//!
//! A task is an item with a box, `- [ ] T1: Create the model @builder-1 (requires: T0)`, or a heading `## Task: …` with the
//! fields *Assigned To*, *Status* and *Dependencies* below it. The rest of the document is left as it is.

mod read;
mod tick;

use std::collections::BTreeSet;

pub use read::{PlanTask, read};
pub use tick::{PlanUpdate, ticked, update};

use crate::model::{AgentName, Diagnostic, Handoff, HandoffStatus, Session, Severity, Status};
use crate::session;

/// The document, in the project's root.
pub const FILE: &str = "MULTI_AGENT_PLAN.md";

/// How far a task is, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStatus {
    /// The task.
    pub task: PlanTask,
    /// How far it is.
    pub status: Status,
    /// What shows it; none when it is only what the plan says.
    pub evidence: Option<String>,
}

/// Makes a session of a plan: its agents, each waiting for those whose tasks its own require.
///
/// Tasks that nobody is named for, and requirements that are no tasks, are findings.
pub fn import(tasks: &[PlanTask], by: &str, project_path: &str) -> (session::Plan, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let mut agents: Vec<(AgentName, Vec<String>)> = Vec::new();
    for task in tasks {
        let Some(agent) = &task.agent else {
            findings.push(finding(task, "unassigned-task", "nobody is named for it", "name an agent: @NAME"));
            continue;
        };
        if !agents.iter().any(|(name, _)| name == agent) {
            agents.push((agent.clone(), Vec::new()));
        }
        for need in &task.requires {
            let Some(needed) = tasks.iter().find(|other| other.goes_by(need)) else {
                let message = format!("it requires {need:?}, which is no task of the plan");
                findings.push(finding(task, "unknown-requirement", &message, "name a task of the plan"));
                continue;
            };
            let others = needed.agent.iter().filter(|other| *other != agent);
            let entry = agents.iter_mut().find(|(name, _)| name == agent);
            if let Some((_, needs)) = entry {
                needs
                    .extend(others.map(ToString::to_string).filter(|other| !needs.contains(other)).collect::<Vec<_>>());
            }
        }
    }
    let plan =
        session::Plan { agents, by: by.to_owned(), project_path: project_path.to_owned(), ..session::Plan::default() };
    (plan, findings)
}

/// Tells how far each task is: as the session's agents and the handoffs show, or else as the plan says.
pub fn status(tasks: &[PlanTask], session: Option<&Session>, handoffs: &[Handoff]) -> Vec<TaskStatus> {
    let done: BTreeSet<&str> =
        tasks.iter().filter(|task| handed_over(task, handoffs).is_some()).map(|task| task.id.as_str()).collect();
    let one = |task: &PlanTask| {
        let member = task.agent.as_ref().and_then(|agent| session?.member(agent.as_str()));
        let (status, evidence) = match (handed_over(task, handoffs), member) {
            _ if task.status == Status::Completed => (Status::Completed, None),
            (Some(handoff), _) => (Status::Completed, Some(format!("handoff {} was accepted", handoff.id))),
            // An agent at work is at the first of its tasks that is not done.
            (None, Some(member)) if member.status == Status::InProgress => {
                let own = tasks.iter().filter(|other| other.agent == task.agent && other.status != Status::Completed);
                let first = own.filter(|other| !done.contains(other.id.as_str())).map(|other| other.line).min();
                let status = if first == Some(task.line) { Status::InProgress } else { Status::Waiting };
                (status, Some(format!("{} is in_progress", member.name)))
            }
            (None, Some(member)) => (member.status.clone(), Some(format!("{} is {}", member.name, member.status))),
            (None, None) => (task.status.clone(), None),
        };
        TaskStatus { task: task.clone(), status, evidence }
    };
    tasks.iter().map(one).collect()
}

/// Finds the accepted handoff of a task: its own agent gave it, and it names the task.
fn handed_over<'h>(task: &PlanTask, handoffs: &'h [Handoff]) -> Option<&'h Handoff> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    handoffs.iter().find(|handoff| {
        let names_it = handoff.task.split(|c| !is_word(c)).any(|word| !task.id.is_empty() && word == task.id);
        let is_own = task.agent.as_ref().is_none_or(|agent| *agent == handoff.from);
        is_own && (names_it || handoff.task == task.title) && matches!(handoff.status, HandoffStatus::Accepted(_))
    })
}

fn finding(task: &PlanTask, code: &'static str, message: &str, remedy: &'static str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code,
        place: format!("{FILE}:{}", task.line),
        message: format!("task {}: {message}", task.name()),
        remedy: remedy.into(),
    }
}

#[cfg(test)]
mod tests;
