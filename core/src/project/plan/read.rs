//! Reading a plan.

use crate::model::{AgentName, Status};

/// A task of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanTask {
    /// Its id, as in `T1`; empty when it has none.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// Who does it.
    pub agent: Option<AgentName>,
    /// The tasks that must be done before it.
    pub requires: Vec<String>,
    /// How far it is, as the plan says.
    pub status: Status,
    /// The line that it is on, counted from 1.
    pub line: usize,
    /// The line of its status, which may be another.
    pub(super) status_line: Option<usize>,
}

impl PlanTask {
    /// Returns whether it is meant by an id or a title.
    pub fn goes_by(&self, name: &str) -> bool {
        (!self.id.is_empty() && self.id.eq_ignore_ascii_case(name)) || self.title == name
    }

    /// Returns its id, or its title where it has none.
    pub fn name(&self) -> &str {
        if self.id.is_empty() { &self.title } else { &self.id }
    }
}

/// Reads the tasks of a plan, in its order. It never fails: what is no task is passed over.
pub fn read(text: &str) -> Vec<PlanTask> {
    let mut tasks: Vec<PlanTask> = Vec::new();
    let mut is_open = false;
    let mut in_code = false;
    for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line.trim())) {
        in_code ^= line.starts_with("```");
        if in_code {
            continue;
        }
        if let Some(rest) = line.strip_prefix('#') {
            let heading = rest.trim_start_matches('#').trim();
            let task =
                strip_word(heading, "task").filter(|rest| rest.contains(':') && !rest.trim_matches(':').is_empty());
            is_open = task.is_some();
            tasks.extend(task.map(|rest| task_of(rest.trim_start_matches(':').trim(), Status::Waiting, number)));
        } else if let Some((is_done, rest)) = boxed(line) {
            is_open = false;
            let status = if is_done { Status::Completed } else { Status::Waiting };
            let task = PlanTask { status_line: Some(number), ..task_of(rest, status, number) };
            tasks.extend((!task.title.is_empty()).then_some(task));
        } else if let (true, Some(task), Some((name, value))) = (is_open, tasks.last_mut(), field(line)) {
            set(task, &name, value, number);
        }
    }
    tasks
}

/// Takes an item with a box apart: whether it is ticked, and what it says.
pub(super) fn boxed(line: &str) -> Option<(bool, &str)> {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = line
        .strip_prefix(['-', '*', '+'])
        .or_else(|| numbered.strip_prefix(['.', ')']).filter(|_| numbered != line))?;
    let item = item.trim_start();
    for (mark, is_done) in [("[ ]", false), ("[x]", true), ("[X]", true)] {
        if let Some(rest) = item.strip_prefix(mark) {
            return Some((is_done, rest.trim()));
        }
    }
    None
}

/// Takes a field such as `- **Assigned To**: Builder` apart.
pub(super) fn field(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.trim_start_matches(['-', '*', ' ']).split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ']).to_ascii_lowercase();
    let value = value.trim_matches(['*', ' ']);
    (name.len() <= 20 && !value.is_empty()).then_some((name, value))
}

fn set(task: &mut PlanTask, name: &str, value: &str, number: usize) {
    match name {
        "assigned to" | "assigned" | "agent" | "owner" => {
            task.agent = AgentName::new(value.trim_matches(['@', '`'])).ok();
        }
        "status" => {
            task.status = status_of(value);
            task.status_line = Some(number);
        }
        "dependencies" | "depends on" | "requires" | "dependency" => task.requires = names(value),
        "id" | "task id" => value.trim_matches('`').clone_into(&mut task.id),
        _ => {}
    }
}

fn status_of(value: &str) -> Status {
    let word = value.to_ascii_lowercase().replace([' ', '-'], "_");
    let has = |words: &[&str]| words.iter().any(|one| word.contains(one));
    if has(&["complete", "done", "✅"]) && !has(&["incomplete", "not_"]) {
        Status::Completed
    } else if has(&["progress", "started", "🔄"]) && !has(&["not_"]) {
        Status::InProgress
    } else if has(&["fail", "❌"]) {
        Status::Failed
    } else {
        Status::Waiting
    }
}

/// Reads what a task says of itself: `T1: Create the model @builder-1 (requires: T0)`.
fn task_of(text: &str, status: Status, line: usize) -> PlanTask {
    let (id, rest) = match text.split_once(':') {
        Some((id, rest)) if is_id(id) => {
            (id.trim_matches(['*', '`', ' ']).to_owned(), rest.trim_start_matches('*').trim())
        }
        _ => (String::new(), text),
    };
    let (rest, requires) = requirements(rest);
    let mut agent = None;
    let words = rest.split_whitespace().filter(|word| {
        let name = word.strip_prefix('@').map(|name| name.trim_end_matches([',', '.', ';', ')']));
        let named = name.and_then(|name| AgentName::new(name).ok());
        let is_agent = named.is_some();
        agent = agent.take().or(named);
        !is_agent
    });
    let title = words.collect::<Vec<_>>().join(" ").trim_matches(['*', ' ', '-', '–', '—']).to_owned();
    PlanTask { id, title, agent, requires, status, line, status_line: None }
}

fn is_id(text: &str) -> bool {
    let text = text.trim_matches(['*', '`', ' ']);
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 40 && text.chars().all(is_word) && text.contains(|c: char| c.is_ascii_digit())
}

/// Takes the requirements out of a text: in brackets, or after the word at its end.
fn requirements(text: &str) -> (String, Vec<String>) {
    let lower = text.to_ascii_lowercase();
    for word in ["requires", "depends on", "after:"] {
        let Some(at) = lower.find(word) else { continue };
        let rest = text[at + word.len()..].trim_start_matches([':', ' ']);
        let (listed, after) = rest.split_once(')').unwrap_or((rest, ""));
        let before = text[..at].trim_end().trim_end_matches(['(', '-', '–', '—', ',', ';']).trim_end();
        // An agent may be named after them.
        let (listed, agent) = listed.split_once('@').map_or((listed, None), |(listed, agent)| (listed, Some(agent)));
        let agent = agent.map(|agent| format!(" @{agent}")).unwrap_or_default();
        return (format!("{before}{agent} {after}"), names(listed));
    }
    (text.to_owned(), Vec::new())
}

fn names(list: &str) -> Vec<String> {
    let list = list.split([',', ';']).flat_map(|part| part.split(" and "));
    let names = list.map(|name| name.trim_matches(['*', '`', ' ', '.', '[', ']']).to_owned());
    names
        .filter(|name| !name.is_empty() && !matches!(name.to_ascii_lowercase().as_str(), "none" | "n/a" | "-"))
        .collect()
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| text[word.len()..].trim_start()).filter(|rest| !rest.is_empty())
}
