//! The expected format of an answer.

use super::schema;
use crate::bus::{Error, Result};
use crate::model::Json;
use crate::wire;

/// The formats that have a name, with what they ask for.
const NAMES: [(&str, &str); 9] = [
    ("json", "JSON"),
    ("object", "an object"),
    ("array", "a list"),
    ("string", "text"),
    ("number", "a number"),
    ("boolean", "true or false"),
    ("text", "text that is not empty"),
    ("lines", "lines: a list of texts, or text"),
    ("markdown", "Markdown text that is not empty"),
];

/// The expected format of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Format {
    /// Any format.
    #[default]
    Any,
    /// One of the formats that have a name: `json`, `object`, `array`, `string`, `number`, `boolean`, `text`, `lines` or
    /// `markdown`.
    Named(&'static str),
    /// A JSON Schema.
    Schema(Json),
    /// As these words say, which only the one who answers can understand.
    Described(String),
}

impl Format {
    /// Takes a name, a JSON Schema or a description.
    ///
    /// A schema that says more than can be checked here is refused: a misfit would pass for a fit.
    pub fn new(format: &Json) -> Result<Self> {
        let fault = match format {
            Json::String(text) if text.trim_start().starts_with('{') => "it is not JSON".to_owned(),
            Json::Object(_) | Json::Bool(_) => match schema::review(format) {
                Ok(()) => return Ok(Self::Schema(format.clone())),
                Err(fault) => fault,
            },
            Json::Null => return Ok(Self::Any),
            Json::String(text) => return Ok(Self::word(text)),
            _ => "it is neither a name nor a schema".to_owned(),
        };
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        Err(Error::Usage {
            message: format!("the format of the answer cannot be used: {fault}"),
            hint: format!("give one of {}, or a JSON Schema, or describe it in words", names.join(", ")),
        }
        .into())
    }

    fn word(text: &str) -> Self {
        let named = NAMES.iter().find(|(name, _)| *name == text.trim());
        named.map_or_else(|| Self::Described(text.to_owned()), |(name, _)| Self::Named(name))
    }

    /// Reads a format that somebody else has asked for; none when it makes no sense here.
    pub fn read(format: &Json) -> Option<Self> {
        Self::new(format).ok()
    }

    /// Returns whether answers can be checked against it.
    pub fn is_checked(&self) -> bool {
        !matches!(self, Self::Described(_))
    }

    /// Writes it as a question carries it.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Any => Json::Null,
            Self::Named(name) => (*name).into(),
            Self::Schema(schema) => schema.clone(),
            Self::Described(words) => words.as_str().into(),
        }
    }

    /// Describes what about an answer does not fit, if anything.
    pub fn misfit(&self, answer: &Json) -> Option<String> {
        match self {
            Self::Any | Self::Described(_) => None,
            Self::Schema(schema) => schema::misfit(schema, answer),
            Self::Named(name) => {
                let wanted = NAMES.iter().find(|(known, _)| known == name).map_or(*name, |(_, words)| words);
                (!fits(name, answer)).then(|| format!("the answer must be {wanted}, not {}", schema::shown(answer)))
            }
        }
    }
}

fn fits(name: &str, answer: &Json) -> bool {
    let text = answer.as_str();
    match name {
        // What is plain text to us was no JSON when it was given, unless somebody wrapped it once more.
        "json" => text.map_or(!answer.is_null(), |text| wire::parse(text.as_bytes()).is_ok()),
        "object" => answer.is_object(),
        "array" => answer.is_array(),
        "string" => text.is_some(),
        "number" => answer.is_number(),
        "boolean" => answer.is_boolean(),
        "lines" => answer.as_array().map_or(text.is_some_and(|text| !text.trim().is_empty()), |lines| {
            lines.iter().all(|line| line.as_str().is_some_and(|line| !line.contains('\n')))
        }),
        _ => text.is_some_and(|text| !text.trim().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn named_formats_admit_what_they_say() {
        let all =
            [json!(null), json!("two\nlines"), json!("{}"), json!(""), json!(5), json!(true), json!(["a"]), json!({})];
        for (name, admitted) in [
            ("json", "00101111"),
            ("object", "00000001"),
            ("array", "00000010"),
            ("string", "01110000"),
            ("number", "00001000"),
            ("boolean", "00000100"),
            ("text", "01100000"),
            ("lines", "01100010"),
            ("markdown", "01100000"),
        ] {
            let format = Format::new(&name.into()).unwrap();
            assert_eq!(format, Format::Named(name));
            let fits: String = all.iter().map(|value| if format.misfit(value).is_none() { '1' } else { '0' }).collect();
            assert_eq!(fits, admitted, "{name}");
        }
        let fault = Format::Named("array").misfit(&json!("ten")).unwrap();
        assert_eq!(fault, "the answer must be a list, not \"ten\"");
    }

    #[test]
    fn a_format_is_a_name_a_schema_or_a_description() {
        assert_eq!(Format::new(&Json::Null).unwrap(), Format::Any);
        let described = Format::new(&"OpenAPI schema".into()).unwrap();
        assert!(!described.is_checked() && described.misfit(&json!(5)).is_none());
        let schema = json!({"type": "object"});
        assert_eq!(Format::new(&schema).unwrap().to_json(), schema);
        for bad in [json!("{\"type\": "), json!(5), json!([]), json!({"type": "thing"}), json!({"pattern": "a"})] {
            let error = Format::new(&bad).unwrap_err();
            assert!(error.hint().contains("markdown"), "{bad}");
            assert_eq!(Format::read(&bad), None);
        }
    }
}
