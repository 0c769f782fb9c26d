//! Wire formats: how the protocols spell the model, each with one conversion each way.

/// Makes a JSON object of its fields, as `serde_json::json!` does. That macro writes out the making of each field where
/// it is used, which in the component adds up to a tenth of all code; this one calls a function.
macro_rules! object {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        $crate::wire::object(vec![$(($name, $crate::wire::json(&$value))),*])
    };
}

pub mod answer;
pub(crate) mod log;
pub mod mailbox;
pub mod orchestrator;
pub mod session;

use crate::model::Json;

/// Makes an object of its fields.
pub(crate) fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Makes JSON of a text, a number, a flag, or a list of them.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> Json {
    // Nothing of that kind fails to be written.
    serde_json::to_value(value).unwrap_or_default()
}
