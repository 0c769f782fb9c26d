//! `coordination.json`.

use crate::model::{
    AgentName, Diagnostic, Json, JsonMap, Member, Session, SessionId, Severity, Status, Timestamp, WithDiagnostics,
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
        let session = Session {
            id: id.clone(),
            started_at: time(&self.fields, "started_at"),
            closed_at: time(&self.fields, "closed_at"),
            project_type: text(&self.fields, "project_type"),
            project_path: text(&self.fields, "project_path"),
            members,
        };
        for member in &session.members {
            if let Status::Other(word) = &member.status {
                let message = format!("agent {} has status {word:?}, which the protocol does not know", member.name);
                findings.push(odd(id, message));
            }
            for need in member.dependencies.iter().filter(|need| session.member(need).is_none()) {
                let message = format!("agent {} waits for {need:?}, which is not in the session", member.name);
                findings.push(odd(id, message));
            }
        }
        WithDiagnostics { value: session, findings }
    }
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
        place: super::layout::within(id, super::layout::COORDINATION),
        message,
        hint: "mend the file, or have the agent join anew".to_owned(),
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
