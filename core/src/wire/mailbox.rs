//! The mailbox protocol's files under `.agent-messages/`, as the protocol's own shell snippets write and read them.

pub mod context;
pub mod handoff;
pub mod index;
pub mod layout;
pub mod lock;
pub mod message;
pub mod receipt;
pub mod registry;
pub mod stored;

use crate::model::{Json, JsonMap};
use crate::wire::parse;

/// Writes JSON as `jq` does: two spaces an indent, and a newline at the end.
pub fn pretty(value: &Json) -> String {
    format!("{value:#}\n")
}

/// Reads a JSON object, or says what is wrong with it.
pub fn parse_object(bytes: &[u8]) -> Result<JsonMap, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    match parse(bytes) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(error) => Err(format!("it is not JSON: {error}")),
    }
}
