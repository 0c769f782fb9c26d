//! Wire formats: how the protocols spell the model, each with one conversion each way.

/// Makes a JSON object of its fields, as `serde_json::json!` does. That macro writes out the making of each field where
/// it is used, which in the component adds up to a tenth of all code; this one calls a function.
macro_rules! object {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        $crate::wire::object(vec![$(($name, $crate::wire::json(&$value))),*])
    };
}

pub mod answer;
pub mod documents;
pub(crate) mod log;
pub mod mailbox;
pub mod orchestrator;
pub mod session;

use crate::model::{Json, JsonMap};

/// Makes an object of its fields.
pub(crate) fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Makes JSON of a text, a number, a flag, or a list of them.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> Json {
    // Nothing of that kind fails to be written.
    serde_json::to_value(value).unwrap_or_default()
}

/// Reads JSON. Nothing else does: a reader for each kind of input and of result is code many times over.
pub fn parse(text: &[u8]) -> serde_json::Result<Json> {
    serde_json::from_slice(text)
}

/// Reads a JSON object.
pub fn parse_map(text: &[u8]) -> Option<JsonMap> {
    match parse(text) {
        Ok(Json::Object(map)) => Some(map),
        _ => None,
    }
}

/// Takes a text field out of an object; anything but text counts as absent.
pub(crate) fn take_text(map: &mut JsonMap, key: &str) -> Option<String> {
    match map.get(key) {
        Some(Json::String(_)) => map.shift_remove(key).and_then(|value| value.as_str().map(str::to_owned)),
        Some(Json::Null) => {
            map.shift_remove(key);
            None
        }
        _ => None,
    }
}

/// Takes a name that must be there and be valid.
pub(crate) fn required<T>(map: &mut JsonMap, key: &str) -> Result<T, String>
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    let text = take_text(map, key).ok_or_else(|| format!("field {key:?} is missing or not text"))?;
    text.parse().map_err(|error| format!("field {key:?}: {error}"))
}

/// Parts the unknown fields of a message into those that can stand beside a format's own and those that cannot: they
/// came from another format, and under their names this one keeps something else.
pub(crate) fn part(extra: &JsonMap, stays: impl Fn(&str, &Json) -> bool) -> (JsonMap, JsonMap) {
    let (mut beside, mut apart) = (JsonMap::new(), JsonMap::new());
    for (key, value) in extra {
        let part = if stays(key, value) { &mut beside } else { &mut apart };
        part.insert(key.clone(), value.clone());
    }
    (beside, apart)
}
