//! The published schemas of our files, for tests that hold what is written against them.

use std::collections::BTreeMap;

use crate::bus::Format;
use crate::model::Json;

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schemas/", $name, ".schema.json")))),*]
    };
}

/// The schemas by name.
const SCHEMAS: [(&str, &str); 12] = schemas![
    "broadcast",
    "context-package",
    "coordination",
    "decision",
    "digest",
    "labels",
    "orchestrator-settings",
    "query-request",
    "query-response",
    "report",
    "session-event",
    "shared-context",
];

/// The document that describes every file.
const DOCUMENT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/protocols.md"));

fn schema(name: &str) -> Json {
    let all = BTreeMap::from(SCHEMAS);
    serde_json::from_str(all.get(name).unwrap_or_else(|| panic!("there is no schema {name}"))).expect("it is JSON")
}

/// Forbids the fields that a schema does not name: what we write is documented.
fn strict(schema: &mut Json) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if let Some(fields) = keywords.get_mut("properties").and_then(Json::as_object_mut) {
        fields.values_mut().for_each(strict);
        keywords.entry("additionalProperties").or_insert(false.into());
    }
    for name in ["items", "additionalProperties"] {
        keywords.get_mut(name).into_iter().for_each(strict);
    }
}

/// Fails when something that we wrote does not fit its schema, or has a field that the schema does not name.
#[track_caller]
pub(crate) fn check(name: &str, written: &Json) {
    let mut schema = schema(name);
    strict(&mut schema);
    let format = Format::new(&schema).expect("the schema can be checked");
    assert_eq!(format.misfit(written), None, "{name}: {written}");
}

/// Returns what a schema says of a type, in the words of the document.
fn type_words(schema: &Json) -> String {
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = schema["enum"].as_array() {
        let words: Vec<String> =
            values.iter().map(|value| format!("`{}`", value.as_str().unwrap_or_default())).collect();
        return words.join(", ");
    }
    match &schema["type"] {
        Json::Array(names) => names.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or "),
        Json::String(name) if name == "array" => match schema["items"]["type"].as_str() {
            Some("object") => "list of objects".to_owned(),
            Some("string") => "list of texts".to_owned(),
            _ => format!("list of {}", type_words(&schema["items"])),
        },
        Json::String(name) if name == "string" => {
            if schema["format"] == "date-time" { "time" } else { "text" }.to_owned()
        }
        Json::String(name) => name.clone(),
        _ => "anything".to_owned(),
    }
}

/// Writes the rows of a schema's table.
fn rows(schema: &Json, above: &str, rows_so_far: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = schema["required"].as_array().is_some_and(|all| all.contains(&name.as_str().into()));
        let (words, required) = (type_words(field), if is_required { "required" } else { "" });
        let description = field["description"].as_str().expect("every field is described");
        rows_so_far.push(format!("| `{above}{name}` | {words} | {required} | {description} |"));
        rows(field, &format!("{above}{name}."), rows_so_far);
        rows(&field["additionalProperties"], &format!("{above}{name}.*."), rows_so_far);
        rows(&field["items"], &format!("{above}{name}[]."), rows_so_far);
    }
}

#[test]
fn the_document_has_the_table_of_every_schema() {
    for (name, _) in SCHEMAS {
        let mut table = Vec::new();
        rows(&schema(name), "", &mut table);
        let table = format!("| field | type | | meaning |\n| --- | --- | --- | --- |\n{}\n", table.join("\n"));
        assert!(DOCUMENT.contains(&table), "docs/protocols.md must have this table for {name}:\n{table}");
        assert!(DOCUMENT.contains(&format!("(schemas/{name}.schema.json)")), "{name}");
    }
}

#[test]
fn the_schemas_fit_the_protocols_examples() {
    use crate::wire::session::by_spec;
    let fits = |name: &str, text: &str| {
        let value: Json = serde_json::from_str(text).expect("it is JSON");
        let format = Format::new(&schema(name)).expect("the schema can be checked");
        assert_eq!(format.misfit(&value), None, "{name}: {text}");
    };
    fits("coordination", by_spec!("coordination.json"));
    by_spec!("messages.jsonl").lines().for_each(|line| fits("session-event", line));
    let decision = r#"{"timestamp": "2025-01-29T10:30:00Z", "type": "agent_communication", "protocol": "handoff",
        "from": "task-lister", "to": "task-decomposer", "tokensTransferred": 450, "compressionRatio": 0.15, "success": true}"#;
    fits("decision", decision);
    let settings = r#"{"agentCommunication": {"protocols": ["handoff", "broadcast", "query"], "sharedStateEnabled": true,
        "contextCompression": true, "maxContextTokens": 500, "timeoutMs": 30000}}"#;
    fits("orchestrator-settings", settings);
    let broadcast = r#"{"broadcast_type": "context_update", "message": {"type": "user_preference_change",
        "content": "User prefers Spanish responses", "priority": "high", "action_required": false}}"#;
    fits("broadcast", broadcast);
}

#[test]
fn a_misfit_is_seen() {
    let line: Json = serde_json::json!({"timestamp": "2025-01-23T10:00:00Z", "from": "a", "type": "status", "own": 1});
    let mut schema = schema("session-event");
    assert_eq!(Format::new(&schema).unwrap().misfit(&line), None, "others may write more");
    strict(&mut schema);
    assert!(Format::new(&schema).unwrap().misfit(&line).is_some());
}
