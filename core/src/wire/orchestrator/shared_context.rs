//! `shared-context.json`: read, changed in place, written; what this version does not know stays where it was.

use crate::model::{AgentName, Json, JsonMap, Timestamp};
use crate::wire::mailbox::{parse_object, pretty};
use crate::wire::object as object_of;
use crate::wire::parse_map;

/// The field that counts changes: ours, beside the protocol's.
const VERSION: &str = "version";

/// A shared state that says nothing yet.
const EMPTY: &str = r#"{
    "taskId": null,
    "currentPhase": null,
    "sharedContext": {"objective": "", "keyDecisions": [], "artifacts": [], "blockers": [], "notes": []},
    "agentStates": {}
}"#;

/// The shared state as it stands in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedContext {
    raw: JsonMap,
}

/// The author and time of an addition to the shared state.
#[derive(Debug, Clone, Copy)]
pub struct Author<'a> {
    /// The author, if known.
    pub by: Option<&'a AgentName>,
    /// When.
    pub at: Timestamp,
}

impl SharedContext {
    /// Starts a shared state with every field that the protocol has.
    pub fn new(task: &str) -> Self {
        let mut new = Self { raw: parse_map(EMPTY.as_bytes()).unwrap_or_default() };
        new.set_task(task);
        new
    }

    /// Reads a shared state; only what is no JSON object cannot be one.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        parse_object(bytes).map(|raw| Self { raw })
    }

    /// Writes it.
    pub fn encode(&self) -> String {
        pretty(&self.document())
    }

    /// Returns the whole document, unknown fields and all.
    pub fn document(&self) -> Json {
        Json::Object(self.raw.clone())
    }

    /// Returns how often Huddle has changed it.
    pub fn version(&self) -> u64 {
        self.raw.get(VERSION).and_then(Json::as_u64).unwrap_or(0)
    }

    /// Counts a change.
    pub fn count(&mut self) {
        self.raw.insert(VERSION.into(), self.version().saturating_add(1).into());
    }

    /// Returns what the agents are after.
    pub fn objective(&self) -> &str {
        self.shared("objective").and_then(Json::as_str).unwrap_or_default()
    }

    /// Returns a list of the shared context; what is no list is empty.
    pub fn list(&self, field: &str) -> &[Json] {
        self.shared(field).and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// Returns what is known of each agent.
    pub fn agents(&self) -> impl Iterator<Item = (&str, &Json)> {
        let agents = self.raw.get("agentStates").and_then(Json::as_object).into_iter().flatten();
        agents.map(|(name, state)| (name.as_str(), state))
    }

    fn shared(&self, field: &str) -> Option<&Json> {
        self.raw.get("sharedContext")?.get(field)
    }

    /// Sets the task's id.
    pub fn set_task(&mut self, id: &str) {
        self.raw.insert("taskId".into(), id.into());
    }

    /// Sets the phase: a number, or a word where phases have parts, as in `3a`.
    pub fn set_phase(&mut self, phase: &str) {
        let value = phase.parse::<u64>().map_or_else(|_| Json::from(phase), Json::from);
        self.raw.insert("currentPhase".into(), value);
    }

    /// Sets what the agents are after.
    pub fn set_objective(&mut self, objective: &str) -> Result<(), String> {
        self.shared_mut()?.insert("objective".into(), objective.into());
        Ok(())
    }

    /// Adds a decision.
    pub fn decide(&mut self, decision: &str, author: Author<'_>) -> Result<(), String> {
        self.push("keyDecisions", signed(&[("decision", decision)], author))
    }

    /// Adds something that was made; what is there already, from the same agent, is not added again.
    pub fn add_artifact(&mut self, kind: &str, path: &str, author: Author<'_>) -> Result<(), String> {
        let mut artifact = signed(&[("type", kind), ("path", path)], author);
        // The protocol does not say when an artifact was made.
        artifact.as_object_mut().map(|fields| fields.shift_remove("timestamp"));
        if self.list("artifacts").contains(&artifact) { Ok(()) } else { self.push("artifacts", artifact) }
    }

    /// Adds something that is in the way, under an id of its own.
    pub fn block(&mut self, id: &str, blocker: &str, author: Author<'_>) -> Result<(), String> {
        self.push("blockers", signed(&[("id", id), ("blocker", blocker)], author))
    }

    /// Removes what was in the way, by its id; one without an id goes by its text. Says whether it was there.
    pub fn unblock(&mut self, id: &str) -> Result<bool, String> {
        let blockers = self.list_mut("blockers")?;
        let before = blockers.len();
        blockers.retain(|blocker| !goes_by(blocker, id));
        Ok(blockers.len() < before)
    }

    /// Adds a note.
    pub fn note(&mut self, note: &str, author: Author<'_>) -> Result<(), String> {
        self.push("notes", signed(&[("note", note)], author))
    }

    /// Sets where an agent stands; who has completed its work has no current task.
    pub fn set_agent(
        &mut self,
        name: &AgentName,
        status: &str,
        task: Option<&str>,
        output_ref: Option<&str>,
    ) -> Result<(), String> {
        let states = object(&mut self.raw, "agentStates")?;
        let state = object(states, name.as_str())?;
        state.insert("status".into(), status.into());
        if status == "completed" {
            state.shift_remove("current_task");
        }
        for (field, value) in [("output_ref", output_ref), ("current_task", task)] {
            if let Some(value) = value {
                state.insert(field.into(), value.into());
            }
        }
        Ok(())
    }

    fn shared_mut(&mut self) -> Result<&mut JsonMap, String> {
        object(&mut self.raw, "sharedContext")
    }

    fn push(&mut self, field: &str, item: Json) -> Result<(), String> {
        self.list_mut(field)?.push(item);
        Ok(())
    }

    fn list_mut(&mut self, field: &str) -> Result<&mut Vec<Json>, String> {
        let value = self.shared_mut()?.entry(field).or_insert(Json::Null);
        if value.is_null() {
            *value = Json::Array(Vec::new());
        }
        value.as_array_mut().ok_or_else(|| format!("field {field:?} must be a list"))
    }
}

/// Returns the object in a field, made when there is none; anything else there is not ours to replace.
fn object<'a>(map: &'a mut JsonMap, field: &str) -> Result<&'a mut JsonMap, String> {
    let value = map.entry(field).or_insert(Json::Null);
    if value.is_null() {
        *value = Json::Object(JsonMap::new());
    }
    value.as_object_mut().ok_or_else(|| format!("field {field:?} must be an object"))
}

fn signed(words: &[(&str, &str)], author: Author<'_>) -> Json {
    let mut fields: Vec<(&str, Json)> = words.iter().map(|(field, word)| (*field, (*word).into())).collect();
    fields.extend(author.by.map(|by| ("by", by.as_str().into())));
    fields.push(("timestamp", author.at.floor().to_string().into()));
    object_of(fields)
}

/// Returns whether a blocker goes by an id; other agents may write theirs as mere text.
fn goes_by(blocker: &Json, id: &str) -> bool {
    match blocker {
        Json::String(text) => text == id,
        Json::Object(fields) => match fields.get("id") {
            Some(Json::String(own)) => own == id,
            // An id that was written as a number is asked for by its digits.
            Some(own) => own.as_u64().is_some_and(|own| id.parse() == Ok(own)),
            None => fields.values().any(|value| value.as_str() == Some(id)),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests;
