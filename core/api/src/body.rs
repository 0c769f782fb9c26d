//! Bodies of messages, which are JSON or text.

use huddle_core::model::{Diagnostic, Json, Severity};
use huddle_core::wire;
use serde::{Deserialize, Deserializer};

use crate::Context;

/// The body of a message; null when there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    json: Json,
    /// Why text that looks like JSON is none.
    fault: Option<String>,
}

impl Body {
    /// Reads a body: an object or a list in JSON, and otherwise text.
    pub fn read(text: &str) -> Self {
        match wire::structure(text) {
            Some(Ok(json)) => Self { json, fault: None },
            Some(Err(error)) => Self { json: Json::String(text.to_owned()), fault: Some(error.to_string()) },
            None => Self { json: Json::String(text.to_owned()), fault: None },
        }
    }

    /// Returns the JSON, and adds a diagnostic to the context when text was probably meant to be JSON.
    pub(crate) fn into_json(self, context: &mut Context<'_>) -> Json {
        context.note(self.fault.map(|fault| Diagnostic {
            severity: Severity::Warning,
            code: "body-is-text",
            place: "the body".to_owned(),
            message: format!("looks like JSON but cannot be read as such, and went as text: {fault}"),
            remedy: "check its quotes and brackets".into(),
        }));
        self.json
    }
}

impl From<Json> for Body {
    fn from(json: Json) -> Self {
        Self { json: wire::body_of(json), fault: None }
    }
}

/// Models give JSON as text or as it is.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Json::deserialize(deserializer)? {
            Json::String(text) => Self::read(&text),
            json => json.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_is_json_where_it_can_be_and_text_otherwise() {
        let check = |given: &str, json: &str, suspect: bool| {
            let body: Body = serde_json::from_str(given).unwrap();
            assert_eq!((body.json.to_string(), body.fault.is_some()), (json.to_owned(), suspect), "{given}");
        };
        check(r#""plain words""#, r#""plain words""#, false);
        check(r#""{\"a\": 1}""#, r#"{"a":1}"#, false);
        check(r#"{"a": 1}"#, r#"{"a":1}"#, false);
        check(r#""{a: 1}""#, r#""{a: 1}""#, true);
        check("7", r#""7""#, false);
        check(r#""1.10""#, r#""1.10""#, false);
        check("null", "null", false);
    }
}
