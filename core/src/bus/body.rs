//! The bodies of the message types that the documents protocol defines: task, result, status and error.

use super::{Error, Result};
use crate::model::{Json, MessageType};

/// The type of a body field.
enum BodyFieldType {
    Text,
    OneOf(&'static [&'static str]),
    Texts,
    List,
    Object,
    Flag,
    Percent,
}

struct BodyField {
    name: &'static str,
    required: bool,
    field_type: BodyFieldType,
}

const fn required(name: &'static str, field_type: BodyFieldType) -> BodyField {
    BodyField { name, required: true, field_type }
}

const fn optional(name: &'static str, field_type: BodyFieldType) -> BodyField {
    BodyField { name, required: false, field_type }
}

const TASK: &[BodyField] = &[
    required("taskId", BodyFieldType::Text),
    required("title", BodyFieldType::Text),
    required("description", BodyFieldType::Text),
    optional("acceptanceCriteria", BodyFieldType::Texts),
    optional("context", BodyFieldType::Object),
];
const RESULT: &[BodyField] = &[
    required("taskId", BodyFieldType::Text),
    required("status", BodyFieldType::OneOf(&["complete", "partial", "blocked"])),
    required("result", BodyFieldType::Text),
    optional("artifacts", BodyFieldType::Texts),
    optional("blockers", BodyFieldType::List),
    optional("metrics", BodyFieldType::Object),
];
const STATUS: &[BodyField] = &[
    required("taskId", BodyFieldType::Text),
    optional("progress", BodyFieldType::Percent),
    optional("currentPhase", BodyFieldType::Text),
    optional("eta", BodyFieldType::Text),
    optional("notes", BodyFieldType::Text),
];
const ERROR: &[BodyField] = &[
    required("taskId", BodyFieldType::Text),
    required("errorType", BodyFieldType::OneOf(&["blocked", "failed", "timeout"])),
    required("description", BodyFieldType::Text),
    optional("recoverable", BodyFieldType::Flag),
    optional("suggestedAction", BodyFieldType::Text),
];

/// Checks the body of a known type, field by field. Plain text passes for every type, and so do unknown fields.
pub fn check(kind: &MessageType, body: &Json) -> Result<()> {
    let fields = match kind.as_str() {
        "task" => TASK,
        "result" => RESULT,
        "status" => STATUS,
        "error" => ERROR,
        _ => return Ok(()),
    };
    match body {
        Json::Null | Json::String(_) => Ok(()),
        Json::Object(_) => fields.iter().try_for_each(|field| check_field(kind, field, body.get(field.name))),
        _ => Err(mismatch(kind, "the body must be text or an object", fields).into()),
    }
}

fn check_field(kind: &MessageType, field: &BodyField, value: Option<&Json>) -> Result<()> {
    let name = field.name;
    let Some(value) = value else {
        let fault = format!("field {name:?} is missing");
        return if field.required { Err(mismatch(kind, &fault, std::slice::from_ref(field)).into()) } else { Ok(()) };
    };
    if fits(&field.field_type, value) {
        return Ok(());
    }
    let fault = format!("field {name:?} must be {}, not {}", field.field_type.words(), shown(value));
    Err(mismatch(kind, &fault, std::slice::from_ref(field)).into())
}

fn fits(field_type: &BodyFieldType, value: &Json) -> bool {
    match field_type {
        BodyFieldType::Text => value.is_string(),
        BodyFieldType::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        BodyFieldType::Texts => value.as_array().is_some_and(|list| list.iter().all(Json::is_string)),
        BodyFieldType::List => value.is_array(),
        BodyFieldType::Object => value.is_object(),
        BodyFieldType::Flag => value.is_boolean(),
        BodyFieldType::Percent => value.as_f64().is_some_and(|number| (0.0..=100.0).contains(&number)),
    }
}

impl BodyFieldType {
    fn words(&self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Texts => "a list of texts".into(),
            Self::List => "a list".into(),
            Self::Object => "an object".into(),
            Self::Flag => "true or false".into(),
            Self::Percent => "a number from 0 to 100".into(),
        }
    }
}

fn shown(value: &Json) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 { text } else { format!("{}…", text.chars().take(39).collect::<String>()) }
}

fn mismatch(kind: &MessageType, fault: &str, fields: &[BodyField]) -> Error {
    let wanted: Vec<String> =
        fields.iter().map(|field| format!("{}: {}", field.name, field.field_type.words())).collect();
    Error::Invalid {
        message: format!("body does not fit type {kind}: {fault}"),
        hint: format!("give {}, or send plain text, or use another type", wanted.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: &str, body: &str) -> Option<String> {
        let body = serde_json::from_str(body).unwrap();
        check(&MessageType::new(kind), &body).err().map(|error| error.to_string())
    }

    #[test]
    fn the_bodies_of_the_documents_protocol_pass() {
        for (kind, body) in [
            (
                "task",
                r#"{"taskId":"t","title":"x","description":"y","acceptanceCriteria":["a"],"context":{"constraints":[]}}"#,
            ),
            (
                "result",
                r#"{"taskId":"t","status":"complete","result":"r","artifacts":["a.md"],"blockers":[],"metrics":{}}"#,
            ),
            ("status", r#"{"taskId":"t","progress":60,"currentPhase":"research","eta":"15min","notes":"n"}"#),
            (
                "error",
                r#"{"taskId":"t","errorType":"blocked","description":"d","recoverable":true,"suggestedAction":"s"}"#,
            ),
            ("task", r#""just text""#),
            ("status", "null"),
            ("interface_contract", "[1,2]"),
        ] {
            assert_eq!(fault(kind, body), None, "{kind} {body}");
        }
    }

    #[test]
    fn a_mismatch_names_the_field() {
        for (kind, body, field) in [
            ("task", r#"{"taskId":"t","title":"x"}"#, "\"description\" is missing"),
            ("task", r#"{"taskId":7,"title":"x","description":"y"}"#, "\"taskId\" must be text, not 7"),
            ("result", r#"{"taskId":"t","status":"done","result":"r"}"#, "\"status\" must be one of complete"),
            ("status", r#"{"taskId":"t","progress":101}"#, "\"progress\" must be a number from 0 to 100, not 101"),
            ("error", r#"{"taskId":"t","errorType":"blocked","description":"d","recoverable":"yes"}"#, "true or false"),
            ("task", "[1]", "text or an object"),
        ] {
            let fault = fault(kind, body).unwrap_or_default();
            assert!(fault.contains(field), "{kind} {body}: {fault}");
        }
    }
}
