//! Prompts: what a person may have a model told.

use huddle_core::model::Json;

use super::rpc::{Answer, Fault};

/// The prompts there are.
pub(super) const LIST: &str = concat!(
    r#"{"prompts":["#,
    r#"{"name":"primer","description":"How to talk to the other agents of this project"},"#,
    r#"{"name":"handoff","description":"Pass the work on to another agent","arguments":[{"name":"to","description":"who takes over","required":true},{"name":"task","description":"what is handed over"}]}]}"#,
);

/// Gives a prompt with its blanks filled in.
pub(super) fn get(name: &str, arguments: &Json) -> Answer {
    let said = match name {
        "primer" => include_str!("primer.md").to_owned(),
        "handoff" => {
            let to = arguments["to"].as_str().ok_or_else(|| Fault::params("handoff needs \"to\": who takes over"))?;
            let task = arguments["task"].as_str().unwrap_or("what you are working on");
            format!(
                "Hand over to {to}: {task}.\n\nCall handoff with action create. Give what is done, what comes next step by \
                 step, what {to} has to know that no file says, and the paths of the files that belong to it. Then call \
                 trace with the notice's id now and then: when {to} has not seen it, say so."
            )
        }
        _ => return Err(Fault::params(&format!("there is no prompt {name:?}; there are primer and handoff"))),
    };
    let text = Json::from(said);
    Ok(format!(r#"{{"messages":[{{"role":"user","content":{{"type":"text","text":{text}}}}}]}}"#))
}
