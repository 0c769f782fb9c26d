//! Which tool each function of the flat world is.

use huddle_core::model::{Json, JsonMap};

use super::{global, project, take_text};
use crate::tools;

/// Functions that are one of the things that a tool can do: function, tool, action.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("handoff", "handoff", "create"),
    ("handoff-list", "handoff", "list"),
    ("handoff-show", "handoff", "show"),
    ("handoff-accept", "handoff", "accept"),
    ("handoff-decline", "handoff", "decline"),
    ("context-show", "context", "show"),
    ("context-create", "context", "create"),
    ("context-update", "context", "update"),
    ("session-report", "session_report", "put"),
    ("session-report-show", "session_report", "show"),
];

/// Parameters that name several things in one text.
const LISTS: [&str; 4] = ["artifacts", "capabilities", "events", "paths"];

/// Calls the tool that a function is, and gives its answer or its failure, each as text.
pub(super) fn carry_out(name: &str, mut arguments: Json) -> Result<Json, Json> {
    let agent = take_text(&mut arguments, "agent");
    let Json::Object(mut arguments) = arguments else { return Err(Json::Null) };
    let tool = name_tool(name, &mut arguments);
    if tool == "register" {
        arguments.insert("name".to_owned(), agent.clone().into());
    }
    for (_, value) in arguments.iter_mut().filter(|(name, _)| LISTS.contains(&name.as_str())) {
        *value = value.as_str().map_or(Json::Null, split);
    }
    let project = project().map_err(|failure| tools::failed(&failure))?;
    tools::call(project, &global(agent), &tool, &arguments).map(Json::String).map_err(Json::String)
}

/// Takes a text with commas apart. One that names nothing is as good as none: models give it for what they leave out.
fn split(text: &str) -> Json {
    let parts: Vec<Json> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Json::from).collect();
    if parts.is_empty() { Json::Null } else { Json::Array(parts) }
}

/// Gives the tool's name, and says what it is to do where it can do several things.
fn name_tool(name: &str, arguments: &mut JsonMap) -> String {
    let Some((_, tool, action)) = ACTIONS.iter().find(|(function, ..)| *function == name) else {
        return name.replace('-', "_");
    };
    let is_missing = |argument: &str| arguments.get(argument).is_none_or(Json::is_null);
    let action = match name {
        "context-show" if is_missing("name") => "list",
        "session-report" if is_missing("report") => "merge",
        _ => action,
    };
    arguments.insert("action".to_owned(), action.into());
    (*tool).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::shape::{FUNCTIONS, Function, Kind};
    use super::*;
    use crate::tools::TOOLS;

    /// Names what a function takes, but for who acts.
    fn params(function: &Function) -> Vec<&'static str> {
        let Kind::Record(params) = function.params.shape().kind else { panic!("{}", function.name.text()) };
        params.all().iter().map(|param| param.name.text()).filter(|name| *name != "agent").collect()
    }

    #[test]
    fn every_function_is_a_tool_that_takes_its_parameters() {
        for function in FUNCTIONS {
            let mut arguments: JsonMap = params(function).iter().map(|name| ((*name).to_owned(), Json::Null)).collect();
            let tool = name_tool(function.name.text(), &mut arguments);
            let tool = TOOLS.iter().find(|known| known.name == tool).unwrap_or_else(|| panic!("{tool}"));
            for name in arguments.keys().filter(|name| *name != "action") {
                assert!(tool.takes(name), "{} takes no {name}", tool.name);
            }
        }
    }

    #[test]
    fn a_list_has_no_empty_names() {
        assert_eq!(split("rust, two words,wasm").to_string(), r#"["rust","two words","wasm"]"#);
        assert_eq!(split(",rust, ,wasm,").to_string(), r#"["rust","wasm"]"#);
        for nothing in ["", " ", ",", " , "] {
            assert_eq!(split(nothing), Json::Null, "{nothing:?}");
        }
    }

    #[test]
    fn all_that_a_tool_can_do_is_done_by_functions() {
        for tool in TOOLS {
            let (mut actions, mut taken) = (Vec::new(), Vec::new());
            for function in FUNCTIONS {
                // Some functions do one thing with a parameter, and another without.
                for given in [Json::from("given"), Json::Null] {
                    let mut arguments: JsonMap =
                        params(function).iter().map(|name| ((*name).to_owned(), given.clone())).collect();
                    if name_tool(function.name.text(), &mut arguments) == tool.name {
                        actions.push(arguments.get("action").and_then(Json::as_str).unwrap_or_default().to_owned());
                        taken.extend(params(function));
                    }
                }
            }
            // One of the parameters may be what says it.
            let says = taken.contains(&"action");
            for action in tool.actions().filter(|_| tool.actions().count() > 1 && !says) {
                assert!(actions.iter().any(|known| known == action), "no function does {} {action}", tool.name);
            }
            assert!(!actions.is_empty(), "no function is {}", tool.name);
            for name in tool.params().filter(|name| !["name", "agent"].contains(name) || tool.name == "context") {
                assert!(taken.contains(&name), "no function gives {} its {name}", tool.name);
            }
        }
    }
}
