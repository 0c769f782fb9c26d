//! A session that has no coordination file, told by its log.

use super::{COMPLETED, Coordination};
use crate::model::{AgentName, Event, Json, JsonMap, SessionId, Status};
use crate::wire::object;
use crate::wire::session::layout;

impl Coordination {
    /// Derives from a log what the file would say: who spoke, when, and how far each says that it is.
    pub fn derived(id: &SessionId, log: &[Event], has_report: &dyn Fn(&AgentName) -> bool) -> Self {
        let mut agents = JsonMap::new();
        for event in log {
            let Some(name) = event.text("from").and_then(|name| AgentName::new(name).ok()) else { continue };
            let entry = agents.entry(name.as_str()).or_insert_with(|| new_entry(event));
            if let Json::Object(entry) = entry {
                note(entry, event);
                if entry.get("status") == Some(&Status::Completed.as_str().into()) && has_report(&name) {
                    entry.insert("report_path".to_owned(), layout::report(&name).into());
                }
            }
        }
        if agents.is_empty() {
            return Self::default();
        }
        let mut derived = Self::default();
        derived.set("session_id", id.as_str().into());
        if let Some(at) = log.iter().find_map(|event| event.text("timestamp")) {
            derived.set("started_at", at.into());
        }
        derived.set("agents", Json::Object(agents));
        derived
    }
}

fn new_entry(event: &Event) -> Json {
    let mut fields = vec![("status", Status::InProgress.as_str().into())];
    fields.extend(event.text("timestamp").map(|at| ("started_at", at.into())));
    fields.push(("dependencies", Json::Array(Vec::new())));
    object(fields)
}

/// Notes what a record says of its author's work. Its last word counts.
fn note(entry: &mut JsonMap, event: &Event) {
    let mut set = |field: &str, value: Option<&str>| match value {
        Some(value) => drop(entry.insert(field.to_owned(), value.into())),
        None => drop(entry.shift_remove(field)),
    };
    let message = event.text("message");
    match event.text("type") {
        Some("completed") => {
            set("status", Some(Status::Completed.as_str()));
            set("completed_at", event.text("timestamp"));
            set("progress", Some(message.unwrap_or(COMPLETED)));
            set("error", None);
        }
        Some("error") => {
            set("status", Some(Status::Failed.as_str()));
            set("error", event.text("error").or(message));
            set("completed_at", None);
        }
        kind => {
            set("status", Some(Status::InProgress.as_str()));
            ["completed_at", "error"].iter().for_each(|field| set(field, None));
            if kind == Some("status") && message.is_some() {
                set("progress", message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Json;

    /// The log of the protocol's example session, which has no coordination file.
    const LOG: &str = r#"{"timestamp":"2025-01-23T10:00:00Z","from":"security","type":"status","message":"Starting"}
{"timestamp":"2025-01-23T10:00:01Z","from":"performance","type":"status","message":"Starting"}
{"timestamp":"2025-01-23T10:02:00Z","from":"security","type":"finding","severity":"high","data":{"title":"SQL Injection"}}
{"timestamp":"2025-01-23T10:05:00Z","from":"security","type":"completed","message":"Found 5 issues"}
{"timestamp":"2025-01-23T10:07:00Z","from":"coordinator","type":"error","message":"Failed","error":"no disk"}"#;

    fn derive(log: &str) -> Coordination {
        let event = |line| Event { fields: crate::wire::parse_map(str::as_bytes(line)).unwrap() };
        let log: Vec<Event> = log.lines().map(event).collect();
        Coordination::derived(&"abc123".parse().unwrap(), &log, &|name| name.as_str() == "security")
    }

    #[test]
    fn a_session_is_derived_from_its_log() {
        let expected = serde_json::json!({
            "session_id": "abc123", "started_at": "2025-01-23T10:00:00Z",
            "agents": {
                "security": {"status": "completed", "started_at": "2025-01-23T10:00:00Z", "dependencies": [],
                    "progress": "Found 5 issues", "completed_at": "2025-01-23T10:05:00Z", "report_path": "reports/security.json"},
                "performance": {"status": "in_progress", "started_at": "2025-01-23T10:00:01Z", "dependencies": [],
                    "progress": "Starting"},
                "coordinator": {"status": "failed", "started_at": "2025-01-23T10:07:00Z", "dependencies": [], "error": "no disk"},
            },
        });
        assert_eq!(derive(LOG).document(), expected);
        assert_eq!(derive(""), Coordination::default());
        let resumed = r#"{"from":"a","type":"error","error":"x"}
{"from":"a","type":"status","message":"again"}"#;
        assert_eq!(
            derive(resumed).document()["agents"]["a"],
            serde_json::json!({"status": "in_progress", "dependencies": [], "progress": "again"})
        );
        assert_eq!(derive(r#"{"from":"a/b","type":"status"}"#).document(), Json::Object(JsonMap::new()));
    }
}
