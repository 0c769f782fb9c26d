//! The parts of a handoff package: `metadata.json`, and the Markdown that people and agents read.

mod markdown;

pub use markdown::{Briefing, checklist, context_links, document, task_in, with_decision};

use super::{layout, parse_object, pretty};
use crate::model::handoff::Decision;
use crate::model::{AgentName, Artifact, Handoff, HandoffId, HandoffStatus, Json, JsonMap, NameError, Timestamp};

/// Returns the directory of a handoff as seen from the project's root, which is how messages name it.
pub fn directory(id: &HandoffId) -> String {
    format!("{}/{}", layout::ROOT, layout::handoff(id))
}

/// Returns the name under which the protocol's script keeps a file, made harmless where it would not be a file's name.
pub fn base_name(source: &str) -> String {
    let base = source.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let harmless: String = base.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    if is_file_name(&harmless) { harmless } else { "artifact".to_owned() }
}

fn is_file_name(name: &str) -> bool {
    let unfit = |c: char| c.is_control() || c == '/' || c == '\\';
    !matches!(name, "" | "." | "..") && name.len() <= 255 && !name.contains(unfit)
}

/// Writes `metadata.json`.
pub fn encode_metadata(handoff: &Handoff) -> String {
    let mut fields = JsonMap::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("handoff_id", handoff.id.as_str().into());
    put("from_agent", handoff.from.as_str().into());
    put("to_agent", handoff.to.as_str().into());
    if let Some(at) = handoff.created_at {
        put("created_at", at.to_string().into());
    }
    put("status", handoff.status.as_str().into());
    put("artifacts", handoff.artifacts.iter().map(|artifact| artifact.source.as_str()).collect());
    put("task", handoff.task.as_str().into());
    let stored = handoff.artifacts.iter().map(|artifact| (artifact.source.clone(), artifact.stored.as_str().into()));
    put("artifact_files", Json::Object(stored.collect()));
    if let Some(([by, at, notes], decision)) = decided(&handoff.status) {
        put(by, decision.by.as_str().into());
        if let Some(time) = decision.at {
            put(at, time.to_string().into());
        }
        put(notes, decision.notes.as_str().into());
    }
    for (name, value) in &handoff.extra {
        fields.entry(name.as_str()).or_insert_with(|| value.clone());
    }
    pretty(&Json::Object(fields))
}

const ACCEPTED: [&str; 3] = ["accepted_by", "accepted_at", "acceptance_notes"];
const DECLINED: [&str; 3] = ["declined_by", "declined_at", "decline_reason"];

/// Returns a decision and the fields that carry it.
fn decided(status: &HandoffStatus) -> Option<([&'static str; 3], &Decision)> {
    match status {
        HandoffStatus::Pending => None,
        HandoffStatus::Accepted(decision) => Some((ACCEPTED, decision)),
        HandoffStatus::Declined(decision) => Some((DECLINED, decision)),
    }
}

/// Reads `metadata.json`; the error names the field that is wrong.
pub fn decode_metadata(bytes: &[u8]) -> Result<Handoff, String> {
    let mut fields = Fields(parse_object(bytes)?);
    let id = fields.required_name("handoff_id", HandoffId::new)?;
    let from = fields.required_name("from_agent", AgentName::new)?;
    let to = fields.required_name("to_agent", AgentName::new)?;
    let created_at = fields.time("created_at")?;
    let task = fields.text("task")?.unwrap_or_default();
    let artifacts = fields.artifacts()?;
    let status = match fields.required("status")?.as_str() {
        "pending_acceptance" => HandoffStatus::Pending,
        "accepted" => HandoffStatus::Accepted(fields.decision(ACCEPTED, &to)?),
        "declined" => HandoffStatus::Declined(fields.decision(DECLINED, &to)?),
        other => return Err(format!("field \"status\" is {other:?}, not pending_acceptance, accepted or declined")),
    };
    Ok(Handoff { id, from, to, task, created_at, status, artifacts, extra: fields.0 })
}

/// The fields that have not been taken yet: in the end, those that this version does not know.
struct Fields(JsonMap);

impl Fields {
    /// Takes a field out, those after it kept in order; `null` is as good as absent.
    fn take(&mut self, field: &str) -> Option<Json> {
        self.0.shift_remove(field).filter(|value| !value.is_null())
    }

    fn text(&mut self, field: &str) -> Result<Option<String>, String> {
        match self.take(field) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("field {field:?} must be text, not {other}")),
        }
    }

    fn required(&mut self, field: &str) -> Result<String, String> {
        self.text(field)?.ok_or_else(|| missing(field))
    }

    fn name<T>(&mut self, field: &str, new: fn(String) -> Result<T, NameError>) -> Result<Option<T>, String> {
        let name = self.text(field)?.map(new).transpose();
        name.map_err(|error| format!("field {field:?} cannot be used: {error}"))
    }

    fn required_name<T>(&mut self, field: &str, new: fn(String) -> Result<T, NameError>) -> Result<T, String> {
        self.name(field, new)?.ok_or_else(|| missing(field))
    }

    fn time(&mut self, field: &str) -> Result<Option<Timestamp>, String> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let time = Timestamp::parse(&text).ok_or_else(|| format!("field {field:?} is not a time: {text:?}"))?;
        Ok(Some(time))
    }

    /// Takes a decision; who made it may be missing, since only the receiver can.
    fn decision(&mut self, [by, at, notes]: [&str; 3], to: &AgentName) -> Result<Decision, String> {
        let by = self.name(by, AgentName::new)?.unwrap_or_else(|| to.clone());
        Ok(Decision { by, at: self.time(at)?, notes: self.text(notes)?.unwrap_or_default() })
    }

    /// Takes the artifacts: paths as the protocol lists them, and the names of their copies where they are told.
    fn artifacts(&mut self) -> Result<Vec<Artifact>, String> {
        let sources = match self.take("artifacts") {
            None => Vec::new(),
            Some(Json::Array(items)) => items,
            Some(other) => return Err(format!("field \"artifacts\" must be a list, not {other}")),
        };
        let mut stored = self.stored_names()?;
        let mut artifacts = Vec::new();
        for source in sources {
            let Json::String(source) = source else {
                return Err(format!("field \"artifacts\" must list paths, not {source}"));
            };
            let stored = stored.iter().find(|known| known.source == source).map(|known| known.stored.clone());
            artifacts.push(Artifact { stored: stored.unwrap_or_else(|| base_name(&source)), source });
        }
        stored.retain(|known| artifacts.iter().all(|artifact| artifact.source != known.source));
        artifacts.append(&mut stored);
        Ok(artifacts)
    }

    fn stored_names(&mut self) -> Result<Vec<Artifact>, String> {
        const FIELD: &str = "artifact_files";
        let files = match self.take(FIELD) {
            None => JsonMap::new(),
            Some(Json::Object(files)) => files,
            Some(other) => return Err(format!("field {FIELD:?} must be an object, not {other}")),
        };
        let artifact = |(source, stored): (String, Json)| match stored {
            Json::String(stored) if is_file_name(&stored) => Ok(Artifact { source, stored }),
            other => Err(format!("field {FIELD:?} must give {source:?} the name of a file, not {other}")),
        };
        files.into_iter().map(artifact).collect()
    }
}

fn missing(field: &str) -> String {
    format!("field {field:?} is missing")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by the protocol's own script: fixtures/mailbox-by-spec-scripts.
    const FIXTURE: &str = r#"{
  "handoff_id": "handoff_20261116_025726",
  "from_agent": "architect-1",
  "to_agent": "builder-1",
  "created_at": "2026-11-16T02:57:26Z",
  "status": "pending_acceptance",
  "artifacts": ["docs/jwt-design.md"]
}
"#;

    fn at(text: &str) -> Option<Timestamp> {
        Some(Timestamp::parse(text).unwrap())
    }

    fn decode(text: &str) -> Handoff {
        decode_metadata(text.as_bytes()).unwrap()
    }

    fn decision(notes: &str) -> Decision {
        Decision { by: "builder-1".parse().unwrap(), at: at("2026-11-16T03:00:00Z"), notes: notes.to_owned() }
    }

    #[test]
    fn what_the_script_wrote_is_read_and_kept() {
        let handoff = decode(FIXTURE);
        assert_eq!(handoff.id.as_str(), "handoff_20261116_025726");
        assert_eq!((handoff.from.as_str(), handoff.to.as_str()), ("architect-1", "builder-1"));
        assert_eq!((handoff.created_at, &handoff.status), (at("2026-11-16T02:57:26Z"), &HandoffStatus::Pending));
        let design = Artifact { source: "docs/jwt-design.md".to_owned(), stored: "jwt-design.md".to_owned() };
        assert_eq!((handoff.artifacts.as_slice(), handoff.task.as_str()), ([design].as_slice(), ""));
        assert!(handoff.extra.is_empty());
        assert_eq!(decode(&encode_metadata(&handoff)), handoff);
    }

    #[test]
    fn metadata_is_written_as_jq_would() {
        let mut handoff = decode(FIXTURE);
        handoff.task = "Implement JWT".to_owned();
        handoff.status = HandoffStatus::Accepted(decision("fine"));
        handoff.extra.insert("ticket".to_owned(), 7.into());
        let expected = r#"{
  "handoff_id": "handoff_20261116_025726",
  "from_agent": "architect-1",
  "to_agent": "builder-1",
  "created_at": "2026-11-16T02:57:26Z",
  "status": "accepted",
  "artifacts": [
    "docs/jwt-design.md"
  ],
  "task": "Implement JWT",
  "artifact_files": {
    "docs/jwt-design.md": "jwt-design.md"
  },
  "accepted_by": "builder-1",
  "accepted_at": "2026-11-16T03:00:00Z",
  "acceptance_notes": "fine",
  "ticket": 7
}
"#;
        assert_eq!(encode_metadata(&handoff), expected);
        assert_eq!(decode(expected), handoff);
        handoff.status = HandoffStatus::Declined(decision("no time"));
        let declined = encode_metadata(&handoff);
        assert!(declined.contains("\"decline_reason\": \"no time\""), "{declined}");
        assert_eq!(decode(&declined), handoff);
    }

    #[test]
    fn a_field_that_is_known_wins_over_a_leftover() {
        let mut handoff = decode(&FIXTURE.replace("\"status\"", "\"accepted_by\": \"nobody\", \"status\""));
        assert_eq!(handoff.extra["accepted_by"], "nobody");
        handoff.status = HandoffStatus::Accepted(decision(""));
        let decoded = decode(&encode_metadata(&handoff));
        assert_eq!((decoded.status, decoded.extra), (handoff.status, JsonMap::new()));
    }

    #[test]
    fn a_decision_made_by_hand_may_say_little() {
        let handoff = decode(&FIXTURE.replace("pending_acceptance", "declined"));
        let decision = Decision { by: "builder-1".parse().unwrap(), at: None, notes: String::new() };
        assert_eq!(handoff.status, HandoffStatus::Declined(decision));
    }

    #[test]
    fn copies_have_the_names_that_are_told() {
        let files = r#"["a/x.rs", "b/x.rs", "c/y.rs"], "artifact_files": {"b/x.rs": "x-2.rs", "z": "z"}"#;
        let handoff = decode(&FIXTURE.replace(r#"["docs/jwt-design.md"]"#, files));
        let pairs: Vec<_> = handoff.artifacts.iter().map(|file| (file.source.as_str(), file.stored.as_str())).collect();
        assert_eq!(pairs, [("a/x.rs", "x.rs"), ("b/x.rs", "x-2.rs"), ("c/y.rs", "y.rs"), ("z", "z")]);
    }

    #[test]
    fn a_fault_names_its_field() {
        let check = |from: &str, to: &str, fault: &str| {
            let text = FIXTURE.replace(from, to);
            assert_eq!(decode_metadata(text.as_bytes()).unwrap_err(), fault);
        };
        check("\"to_agent\"", "\"to\"", "field \"to_agent\" is missing");
        check("\"architect-1\"", "5", "field \"from_agent\" must be text, not 5");
        let fault = "field \"from_agent\" cannot be used: agent name \"../x\" starts with a dot";
        check("architect-1", "../x", fault);
        check("2026-11-16T02:57:26Z", "today", "field \"created_at\" is not a time: \"today\"");
        let fault = "field \"status\" is \"done\", not pending_acceptance, accepted or declined";
        check("pending_acceptance", "done", fault);
        check("[\"docs/jwt-design.md\"]", "{}", "field \"artifacts\" must be a list, not {}");
        check("\"docs/jwt-design.md\"", "1", "field \"artifacts\" must list paths, not 1");
        let fault = "field \"artifact_files\" must give \"a\" the name of a file, not \"../../b\"";
        check("\"artifacts\"", "\"artifact_files\": {\"a\": \"../../b\"}, \"artifacts\"", fault);
        assert_eq!(decode_metadata(b"[]").unwrap_err(), "it is not a JSON object");
        for end in 0..FIXTURE.trim_end().len() {
            assert!(decode_metadata(&FIXTURE.as_bytes()[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn a_copy_never_leaves_its_directory() {
        let check = |source: &str, name: &str| assert_eq!(base_name(source), name, "{source:?}");
        check("docs/jwt-design.md", "jwt-design.md");
        check("C:\\work\\a.rs", "a.rs");
        check("build/", "build");
        check(".gitignore", ".gitignore");
        check("a\nb.txt", "a_b.txt");
        for bad in ["", "/", "..", "a/..", "./.", &"x".repeat(256)] {
            check(bad, "artifact");
        }
    }
}
