//! The bodies of the message types that the documents protocol defines: task, result, status and error.

use super::{Error, Result};
use crate::model::{Json, MessageType};

/// What a field of a body must be.
enum Shape {
    Text,
    OneOf(&'static [&'static str]),
    Texts,
    List,
    Object,
    Flag,
    Percent,
}

struct Field {
    name: &'static str,
    required: bool,
    shape: Shape,
}

const fn must(name: &'static str, shape: Shape) -> Field {
    Field { name, required: true, shape }
}

const fn may(name: &'static str, shape: Shape) -> Field {
    Field { name, required: false, shape }
}

const TASK: &[Field] = &[
    must("taskId", Shape::Text),
    must("title", Shape::Text),
    must("description", Shape::Text),
    may("acceptanceCriteria", Shape::Texts),
    may("context", Shape::Object),
];
const RESULT: &[Field] = &[
    must("taskId", Shape::Text),
    must("status", Shape::OneOf(&["complete", "partial", "blocked"])),
    must("result", Shape::Text),
    may("artifacts", Shape::Texts),
    may("blockers", Shape::List),
    may("metrics", Shape::Object),
];
const STATUS: &[Field] = &[
    must("taskId", Shape::Text),
    may("progress", Shape::Percent),
    may("currentPhase", Shape::Text),
    may("eta", Shape::Text),
    may("notes", Shape::Text),
];
const ERROR: &[Field] = &[
    must("taskId", Shape::Text),
    must("errorType", Shape::OneOf(&["blocked", "failed", "timeout"])),
    must("description", Shape::Text),
    may("recoverable", Shape::Flag),
    may("suggestedAction", Shape::Text),
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

fn check_field(kind: &MessageType, field: &Field, value: Option<&Json>) -> Result<()> {
    let name = field.name;
    let Some(value) = value else {
        let fault = format!("field {name:?} is missing");
        return if field.required { Err(mismatch(kind, &fault, std::slice::from_ref(field)).into()) } else { Ok(()) };
    };
    if fits(&field.shape, value) {
        return Ok(());
    }
    let fault = format!("field {name:?} must be {}, not {}", field.shape.words(), shown(value));
    Err(mismatch(kind, &fault, std::slice::from_ref(field)).into())
}

fn fits(shape: &Shape, value: &Json) -> bool {
    match shape {
        Shape::Text => value.is_string(),
        Shape::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        Shape::Texts => value.as_array().is_some_and(|list| list.iter().all(Json::is_string)),
        Shape::List => value.is_array(),
        Shape::Object => value.is_object(),
        Shape::Flag => value.is_boolean(),
        Shape::Percent => value.as_f64().is_some_and(|number| (0.0..=100.0).contains(&number)),
    }
}

impl Shape {
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

fn mismatch(kind: &MessageType, fault: &str, fields: &[Field]) -> Error {
    let wanted: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, field.shape.words())).collect();
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
