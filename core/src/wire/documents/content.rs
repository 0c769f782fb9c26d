//! `content`: text as it is, structure as JSON text, and a mark where that cannot be told from the content alone.

use super::extended::with_plain_numbers;
use crate::bus::draft::{MAX_DEPTH, depth};
use crate::model::Json;
use crate::wire::parse;

/// The type of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentType {
    Text,
    Json,
}

impl ContentType {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }

    pub(super) fn parse(word: &str) -> Option<Self> {
        [Self::Text, Self::Json].into_iter().find(|one| one.as_str() == word)
    }

    /// Marks a content that would be read as something else than the body it was written from.
    pub(super) fn needed_for(body: &Json, content: &str) -> Option<Self> {
        let mark = if body.is_string() { Self::Text } else { Self::Json };
        (guess(content) != *body).then_some(mark)
    }
}

/// Reads a content.
pub(super) fn decode(content: Json, mark: Option<ContentType>) -> Json {
    match (content, mark) {
        (Json::String(text), Some(ContentType::Text)) => Json::String(text),
        // Nothing at all is written as an empty text.
        (Json::String(text), Some(ContentType::Json)) if text.is_empty() => Json::Null,
        (Json::String(text), Some(ContentType::Json)) => parse(text.as_bytes()).unwrap_or(Json::String(text)),
        (Json::String(text), None) => guess(&text),
        // Against the protocol, and clear all the same.
        (structure, _) => with_plain_numbers(structure),
    }
}

/// Takes a text for a structure if it is written as an object or a list that other readers can take too.
fn guess(text: &str) -> Json {
    let structure = text.trim_start().starts_with(['{', '[']).then(|| parse(text.as_bytes()).ok()).flatten();
    structure.filter(|value| depth(value) <= MAX_DEPTH).unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Writes a body and reads it back.
    fn check(body: &Json, content: &str, mark: Option<&str>) {
        let needed = ContentType::needed_for(body, content);
        assert_eq!(needed.map(ContentType::as_str), mark, "{body}");
        assert_eq!(decode(content.into(), mark.and_then(ContentType::parse)), *body);
    }

    #[test]
    fn every_body_comes_back_as_it_was() {
        check(&json!({"z": 1, "a": [true, null, 0.5]}), r#"{"z":1,"a":[true,null,0.5]}"#, None);
        check(&json!("plain words"), "plain words", None);
        check(&json!(""), "", None);
        check(&json!("{\"a\":1}"), "{\"a\":1}", Some("text"));
        check(&json!("[]"), "[]", Some("text"));
        check(&json!("{broken"), "{broken", None);
        check(&json!("5"), "5", None);
        check(&json!(5), "5", Some("json"));
        check(&json!(true), "true", Some("json"));
        check(&Json::Null, "", Some("json"));
    }

    #[test]
    fn structure_deeper_than_readers_take_stays_text_unless_it_is_marked() {
        let deep = (0..110).fold(Json::Null, |inner, _| json!([inner]));
        check(&deep, &deep.to_string(), Some("json"));
        check(&deep.to_string().into(), &deep.to_string(), None);
    }

    #[test]
    fn structure_that_nobody_made_a_text_of_is_read_too() {
        assert_eq!(decode(json!({"n": {"$numberInt": "5"}}), None), json!({"n": 5}));
    }
}
