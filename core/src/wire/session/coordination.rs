//! `coordination.json`.

mod derived;

use std::collections::BTreeSet;

use crate::model::{
    AgentName, DeadEnd, Diagnostic, Json, JsonMap, Member, Session, SessionId, Severity, Status, Timestamp,
    WithDiagnostics,
};
use crate::wire::mailbox::{parse_object, pretty};

/// A coordination file: what it says, and every field it came with. Only what is set is changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coordination {
    fields: JsonMap,
}

impl Coordination {
    /// Reads a file.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let fields = parse_object(bytes)?;
        if fields.get("agents").is_some_and(|agents| !agents.is_object()) {
            return Err("its \"agents\" is not a JSON object".to_owned());
        }
        Ok(Self { fields })
    }

    /// Writes the file.
    pub fn encode(&self) -> String {
        pretty(&self.document())
    }

    /// Returns all that the file says.
    pub fn document(&self) -> Json {
        Json::Object(self.fields.clone())
    }

    /// Sets a field of the session.
    pub fn set(&mut self, field: &str, value: Json) {
        self.fields.insert(field.to_owned(), value);
    }

    /// Returns when the session was closed.
    pub fn closed_at(&self) -> Option<Timestamp> {
        time(&self.fields, "closed_at")
    }

    /// Returns an agent's entry.
    pub fn entry(&self, agent: &str) -> Option<&JsonMap> {
        self.fields.get("agents")?.get(agent)?.as_object()
    }

    /// Changes an agent's entry, making one that is not there: a null removes a field.
    pub fn edit(&mut self, agent: &AgentName, changes: Vec<(&'static str, Json)>) {
        let agents = self.fields.entry("agents").or_insert_with(|| Json::Object(JsonMap::new()));
        let Some(agents) = agents.as_object_mut() else { return };
        let entry = agents.entry(agent.as_str()).or_insert_with(|| Json::Object(JsonMap::new()));
        if !entry.is_object() {
            *entry = Json::Object(JsonMap::new());
        }
        let Some(entry) = entry.as_object_mut() else { return };
        for (field, value) in changes {
            if value.is_null() {
                entry.shift_remove(field);
            } else {
                entry.insert(field.to_owned(), value);
            }
        }
    }

    /// Describes what the file means, and what in it makes no sense.
    pub fn session(&self, id: &SessionId) -> WithDiagnostics<Session> {
        let mut findings = Vec::new();
        let mut members = Vec::new();
        for (name, entry) in self.fields.get("agents").and_then(Json::as_object).into_iter().flatten() {
            match (AgentName::new(name.as_str()), entry.as_object()) {
                (Ok(name), Some(entry)) => members.push(member(name, entry)),
                (Err(error), _) => findings.push(odd(id, format!("an agent cannot be used: {error}"))),
                (_, None) => findings.push(odd(id, format!("the entry of agent {name:?} is not an object"))),
            }
        }
        let mut session = Session {
            id: id.clone(),
            started_at: time(&self.fields, "started_at"),
            closed_at: time(&self.fields, "closed_at"),
            project_type: text(&self.fields, "project_type"),
            project_path: text(&self.fields, "project_path"),
            members,
        };
        let names = BTreeSet::from_iter(session.members.iter().map(|member| member.name.as_str()));
        for member in &session.members {
            if let Status::Other(word) = &member.status {
                let message = format!("agent {} has status {word:?}, which the protocol does not know", member.name);
                findings.push(odd(id, message));
            }
            for need in member.dependencies.iter().filter(|need| !names.contains(need.as_str())) {
                let message = format!("agent {} waits for {need:?}, which is not in the session", member.name);
                findings.push(odd(id, message));
            }
        }
        let dead_ends = session.dead_ends();
        findings.extend(dead_end_findings(&session, &dead_ends));
        let reasons: Vec<Option<String>> = session
            .members
            .iter()
            .zip(&dead_ends)
            .map(|(one, dead_end)| reason(&session, one, dead_end.as_ref()))
            .collect();
        for (member, reason) in session.members.iter_mut().zip(reasons) {
            member.reason = reason;
            if member.status == Status::Completed && member.progress.as_deref() == Some(STARTED) {
                member.progress = Some(COMPLETED.to_owned());
            }
        }
        WithDiagnostics { value: session, findings }
    }

    /// Brings the reasons in the file up to what they are now, as [`Coordination::session`] tells them.
    pub fn refresh_reasons(&mut self, session: &Session) {
        let Some(agents) = self.fields.get_mut("agents").and_then(Json::as_object_mut) else { return };
        for member in &session.members {
            let Some(entry) = agents.get_mut(member.name.as_str()).and_then(Json::as_object_mut) else { continue };
            match &member.reason {
                Some(reason) => drop(entry.insert("reason".to_owned(), reason.as_str().into())),
                None => drop(entry.shift_remove("reason")),
            }
        }
    }
}

/// The progress of an agent that has just started.
pub const STARTED: &str = "Started";
/// The progress of an agent that completed and did not say more.
pub const COMPLETED: &str = "Completed";
/// How the reasons begin that Huddle writes.
const READY: &str = "Ready to start";
const WAITING_FOR: &str = "Waiting for ";
const BLOCKED: &str = "Blocked: ";
/// How the reason of an agent that starts over begins.
pub const RETRY: &str = "Retry after: ";

/// Describes what an agent waits for.
pub fn waiting_reason(open: &[String]) -> String {
    if open.is_empty() { READY.to_owned() } else { format!("{WAITING_FOR}{}", open.join(", ")) }
}

/// Returns why an agent waits now. What somebody wrote in words of their own stays as long as it can be true.
fn reason(session: &Session, member: &Member, dead_end: Option<&DeadEnd>) -> Option<String> {
    match member.status {
        Status::Waiting => {}
        Status::Other(_) => return member.reason.clone(),
        Status::InProgress | Status::Completed | Status::Failed => return None,
    }
    if let Some(dead_end) = dead_end {
        return Some(format!("{BLOCKED}{dead_end}"));
    }
    let written = member.reason.as_deref()?;
    let open = session.open_needs(member);
    let names_needs = |rest: &str| rest.split(", ").all(|name| member.dependencies.iter().any(|need| need == name));
    let is_ours =
        written == READY || written.starts_with(BLOCKED) || written.strip_prefix(WAITING_FOR).is_some_and(names_needs);
    let is_stale = if open.is_empty() {
        !member.dependencies.is_empty() && !written.starts_with(RETRY)
    } else {
        written.starts_with(RETRY)
    };
    Some(if is_ours || is_stale { waiting_reason(&open) } else { written.to_owned() })
}

/// Reports each failure and each cycle that keeps agents from starting.
fn dead_end_findings(session: &Session, dead_ends: &[Option<DeadEnd>]) -> Vec<Diagnostic> {
    let mut found: Vec<(&DeadEnd, Vec<&str>)> = Vec::new();
    for (member, dead_end) in session.members.iter().zip(dead_ends) {
        let Some(dead_end) = dead_end else { continue };
        match found.iter().position(|(known, _)| is_same(known, dead_end)) {
            Some(at) => found[at].1.push(member.name.as_str()),
            None if found.len() < MAX_DEAD_ENDS => found.push((dead_end, vec![member.name.as_str()])),
            None => {}
        }
    }
    let finding = |(dead_end, names): (&DeadEnd, Vec<&str>)| Diagnostic {
        severity: Severity::Warning,
        code: match dead_end {
            DeadEnd::Failed { .. } => "blocked-by-failure",
            DeadEnd::Cycle { .. } => "circular-dependencies",
        },
        place: super::layout::place(&session.id, super::layout::COORDINATION),
        message: format!("{dead_end}; cannot start: {}", some_of(&names)),
        remedy: match dead_end {
            DeadEnd::Failed { agent, .. } => format!("have {agent} start over, or the others go on without it"),
            DeadEnd::Cycle { path } => format!("have {} fail; then the others can go on without it", path[0]),
        }
        .into(),
    };
    found.into_iter().map(finding).collect()
}

/// So many dead ends are told, and so many names of each.
const MAX_DEAD_ENDS: usize = 20;

fn is_same(one: &DeadEnd, other: &DeadEnd) -> bool {
    match (one, other) {
        (DeadEnd::Failed { agent, .. }, DeadEnd::Failed { agent: other, .. }) => agent == other,
        // One cycle is one list, whoever waits for it.
        (DeadEnd::Cycle { path }, DeadEnd::Cycle { path: other }) => std::sync::Arc::ptr_eq(path, other),
        _ => false,
    }
}

fn some_of(names: &[&str]) -> String {
    let shown = names[..names.len().min(MAX_DEAD_ENDS)].join(", ");
    if names.len() > MAX_DEAD_ENDS { format!("{shown} and {} more", names.len() - MAX_DEAD_ENDS) } else { shown }
}

fn member(name: AgentName, entry: &JsonMap) -> Member {
    let status = match entry.get("status") {
        Some(Json::String(word)) => Status::parse(word),
        None => Status::Other(String::new()),
        Some(other) => Status::Other(other.to_string()),
    };
    Member {
        name,
        status,
        dependencies: texts(entry, "dependencies"),
        without: texts(entry, "without"),
        started_at: time(entry, "started_at"),
        completed_at: time(entry, "completed_at"),
        progress: text(entry, "progress"),
        reason: text(entry, "reason"),
        error: text(entry, "error"),
        report_path: text(entry, "report_path"),
    }
}

fn text(fields: &JsonMap, field: &str) -> Option<String> {
    fields.get(field).and_then(Json::as_str).map(str::to_owned)
}

/// Reads a list of texts; what is not text is shown as it is, so that nobody starts before what it stands for.
fn texts(fields: &JsonMap, field: &str) -> Vec<String> {
    let list = fields.get(field).and_then(Json::as_array).into_iter().flatten();
    list.map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect()
}

fn time(fields: &JsonMap, field: &str) -> Option<Timestamp> {
    fields.get(field).and_then(Json::as_str).and_then(Timestamp::parse)
}

fn odd(id: &SessionId, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "odd-coordination",
        place: super::layout::place(id, super::layout::COORDINATION),
        message,
        remedy: "mend the file, or have the agent join anew".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_SPEC: &str = by_spec!("coordination.json");

    fn id() -> SessionId {
        "a1b2c3d4-e5f6-7890-abcd-ef1234567890".parse().unwrap()
    }

    #[test]
    fn the_protocols_example_is_read() {
        let found = Coordination::decode(BY_SPEC.as_bytes()).unwrap().session(&id());
        let session = found.value;
        assert_eq!(session.project_path.as_deref(), Some("/path/to/project"));
        let shown: Vec<_> = session.members.iter().map(|one| format!("{} {}", one.name, one.status)).collect();
        let wanted = ["security-analyzer completed", "performance-analyzer in_progress", "skill-generator waiting"];
        assert_eq!(shown, wanted);
        let generator = session.member("skill-generator").unwrap();
        assert_eq!(session.open_needs(generator), ["performance-analyzer", "code-quality-analyzer"]);
        assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
        assert!(found.findings[0].message.contains("\"code-quality-analyzer\", which is not in the session"));
    }

    #[test]
    fn coordination_edit_changes_given_fields_only() {
        let mut file = Coordination::decode(BY_SPEC.as_bytes()).unwrap();
        let before = file.document();
        assert_eq!(serde_json::from_str::<Json>(&file.encode()).unwrap(), before);
        let agent = "performance-analyzer".parse().unwrap();
        file.edit(&agent, vec![("status", "completed".into()), ("progress", Json::Null)]);
        file.set("closed_at", "2025-01-23T11:00:00Z".into());
        let mut wanted = before;
        wanted["agents"]["performance-analyzer"]["status"] = "completed".into();
        wanted["agents"]["performance-analyzer"].as_object_mut().unwrap().shift_remove("progress");
        wanted["closed_at"] = "2025-01-23T11:00:00Z".into();
        assert_eq!(file.encode(), pretty(&wanted), "to the order of its fields");
    }

    #[test]
    fn invalid_coordination_entries_are_reported_and_kept() {
        let odd = r#"{"agents":{"a/b":{"status":"waiting"},"x":7,"y":{"status":"asleep","dependencies":["a/b",3]}},"more":[1]}"#;
        let file = Coordination::decode(odd.as_bytes()).unwrap();
        let found = file.session(&id());
        assert_eq!(found.value.names(), ["y".parse().unwrap()]);
        assert_eq!(found.value.members[0].dependencies, ["a/b", "3"]);
        assert_eq!(found.findings.len(), 5, "{:?}", found.findings);
        assert_eq!(file.document().to_string(), odd);
        assert!(Coordination::decode(br#"{"agents":[]}"#).is_err());
    }
}
