//! The context package of a sequential handoff.

use crate::model::{Json, JsonMap};
use crate::wire::object;
use crate::wire::parse;

/// The field of a handoff's metadata that carries it.
pub const FIELD: &str = "context_package";

/// The context that the next agent needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextPackage {
    /// A short summary of the work.
    pub summary: String,
    /// A reference to the full output.
    pub output_ref: Option<String>,
    /// How many tokens the work took.
    pub tokens_used: Option<u64>,
    /// What was found.
    pub key_findings: Vec<String>,
    /// The next action.
    pub next_action: Option<String>,
    /// A reference to a snapshot of the shared state.
    pub state_snapshot: Option<String>,
    /// Whether it was put together from state files because the previous agent gave none.
    pub reconstructed: bool,
}

/// Writes a package.
pub fn encode(package: &ContextPackage) -> Json {
    let context = object(vec![
        ("summary", package.summary.as_str().into()),
        ("output_ref", package.output_ref.as_deref().into()),
        ("tokens_used", package.tokens_used.into()),
        ("key_findings", package.key_findings.iter().map(String::as_str).collect()),
        ("next_action", package.next_action.as_deref().into()),
    ]);
    let mut fields = vec![
        ("handoff_type", "sequential".into()),
        ("context", context),
        ("state_snapshot", package.state_snapshot.as_deref().into()),
    ];
    fields.extend(package.reconstructed.then_some(("reconstructed", true.into())));
    object(fields)
}

/// Reads the package that a handoff's metadata carries; none when there is no summary in it.
pub fn decode(metadata: &JsonMap) -> Option<ContextPackage> {
    let fields = metadata.get(FIELD)?;
    let mut package = from_answer(fields.get("context")?);
    package.state_snapshot = text(fields, "state_snapshot");
    package.reconstructed = fields.get("reconstructed") == Some(&Json::Bool(true));
    (!package.summary.is_empty()).then_some(package)
}

/// Builds a package of what an agent answered: the fields of a context, or the whole structure, or just words.
pub fn from_answer(answer: &Json) -> ContextPackage {
    let fields = answer.get("context").filter(|context| context.is_object()).unwrap_or(answer);
    let summary = match answer {
        Json::String(text) => text.clone(),
        _ => text(fields, "summary").unwrap_or_default(),
    };
    let findings = fields.get("key_findings").and_then(Json::as_array).into_iter().flatten();
    ContextPackage {
        summary,
        output_ref: text(fields, "output_ref"),
        tokens_used: fields.get("tokens_used").and_then(Json::as_u64),
        key_findings: findings.map(shown).collect(),
        next_action: text(fields, "next_action"),
        state_snapshot: text(answer, "state_snapshot"),
        reconstructed: false,
    }
}

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["summary", "next_action"],
    "properties": {
        "summary": {"type": "string", "minLength": 1},
        "output_ref": {"type": ["string", "null"]},
        "tokens_used": {"type": ["integer", "null"]},
        "key_findings": {"type": "array", "items": {"type": "string"}},
        "next_action": {"type": "string"}
    }
}"#;

/// Returns the schema that an answer has to fit to be of use as a context.
pub fn schema() -> Json {
    parse(SCHEMA.as_bytes()).unwrap_or_default()
}

/// Writes the package for people, as a part of a handoff's document.
pub fn markdown(package: &ContextPackage) -> String {
    let mut parts = vec![package.summary.trim().to_owned()];
    if !package.key_findings.is_empty() {
        let lines: Vec<String> = package.key_findings.iter().map(|finding| format!("- {}", finding.trim())).collect();
        parts.push(format!("Key findings:\n{}", lines.join("\n")));
    }
    let tokens = package.tokens_used.map(|tokens| tokens.to_string());
    let facts = [
        ("Next action", &package.next_action),
        ("Output", &package.output_ref),
        ("Tokens used", &tokens),
        ("State snapshot", &package.state_snapshot),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| Some(format!("**{name}**: {}", value.as_ref()?)));
    let facts: Vec<String> = facts.collect();
    parts.extend((!facts.is_empty()).then(|| facts.join("\n")));
    parts.join("\n\n")
}

fn text(fields: &Json, field: &str) -> Option<String> {
    fields.get(field).and_then(Json::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn example() -> ContextPackage {
        ContextPackage {
            summary: "Listed 5 high-level tasks".into(),
            output_ref: Some("phase3a_output".into()),
            tokens_used: Some(450),
            key_findings: vec!["Task T1: Create model (complexity: 15)".into()],
            next_action: Some("Decompose these tasks into subtasks".into()),
            state_snapshot: Some("workflow_state.json".into()),
            reconstructed: false,
        }
    }

    #[test]
    fn a_package_has_the_structure_of_the_protocol() {
        let expected = r#"{"handoff_type":"sequential","context":{"summary":"Listed 5 high-level tasks","output_ref":"phase3a_output","tokens_used":450,"key_findings":["Task T1: Create model (complexity: 15)"],"next_action":"Decompose these tasks into subtasks"},"state_snapshot":"workflow_state.json"}"#;
        assert_eq!(encode(&example()).to_string(), expected);
        for package in [example(), ContextPackage { reconstructed: true, output_ref: None, ..example() }] {
            let metadata = [(FIELD.to_owned(), encode(&package))].into_iter().collect();
            assert_eq!(decode(&metadata), Some(package));
        }
        assert_eq!(decode(&JsonMap::new()), None);
    }

    #[test]
    fn an_answer_may_be_structured_or_just_words() {
        let bare = ContextPackage { state_snapshot: None, ..example() };
        assert_eq!(from_answer(&encode(&example())["context"]), bare);
        assert_eq!(from_answer(&encode(&example())), example());
        assert_eq!(from_answer(&"All done".into()).summary, "All done");
        assert_eq!(from_answer(&json!([1])), ContextPackage::default());
        assert!(schema().is_object(), "what is written here is JSON");
    }
}
