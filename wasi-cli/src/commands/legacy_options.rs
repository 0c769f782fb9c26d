//! The options that messages have, for commands that a table describes.

use huddle_core::model::{Json, Priority};

use crate::args::{Args, Take, flag, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const PRIORITY: Take =
    option("priority", "PRIORITY", "how urgent it is: critical, high, normal or low").default("normal");
pub(super) const THREAD: Take = option("thread", "ID", "the conversation to go on with; by default a new one begins");
pub(super) const KEY: Take = option("key", "KEY", "a name for this message, so that trying again cannot send it twice");
pub(super) const LARGE: Take = flag("large", "let a body of more than 10 KB pass");

/// Reads the body that is given under a name; none is null.
pub(super) fn optional_body(args: &Args, name: &str, call: &mut Call<'_>) -> Result<Json, Failure> {
    let Some(argument) = args.text(name) else { return Ok(Json::Null) };
    let (body, finding) = call.input.body(argument)?;
    call.output.found(finding);
    Ok(body)
}

/// Reads a priority.
pub(super) fn priority(text: &str) -> Result<Priority, String> {
    huddle_api::priority(text)
}
