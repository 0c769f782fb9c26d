//! The orchestrator protocol's files under `.claude/`, and what its three protocols put into messages.

pub mod decision;
pub mod layout;
pub mod notice;
pub mod package;
pub mod query;
pub mod settings;
pub mod shared_context;

use crate::model::Json;

/// Makes an object of its fields: one function where the macro would write out each field.
pub(crate) fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
