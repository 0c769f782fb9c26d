//! The flat world: each function is a tool, or one of the actions of a tool.

use huddle_core::model::{Json, JsonMap};

use super::bindings::Guest;
use super::{Component, global, project};
use crate::failure::Failure;
use crate::terminal::escape_json;
use crate::tools;

/// What a function returns: a document as text, of an answer or of a failure.
type Answer = Result<String, String>;

/// A call of a tool.
struct Call {
    tool: &'static str,
    arguments: JsonMap,
}

impl Call {
    fn new(tool: &'static str) -> Self {
        Self { tool, arguments: JsonMap::new() }
    }

    fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a parameter that names several things in one text.
    fn list(self, name: &str, text: impl Into<Option<String>>) -> Self {
        let list = text.into().map_or(Json::Null, |text| split(&text));
        self.with(name, list)
    }

    fn answer(self, agent: Option<String>) -> Answer {
        let failed = |failure: Failure| tools::failed(&failure).to_string();
        let project = project().map_err(failed)?;
        let text = |document: Json| escape_json(&document.to_string()).into();
        tools::call(project, &global(agent), self.tool, &self.arguments).map(text).map_err(text)
    }
}

/// Splits a text at its commas. One that names nothing is as good as none: models give it for what they leave out.
fn split(text: &str) -> Json {
    let parts: Vec<Json> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Json::from).collect();
    if parts.is_empty() { Json::Null } else { Json::Array(parts) }
}

impl Guest for Component {
    fn register(agent: String, role: String, capabilities: Option<String>) -> Answer {
        Call::new("register")
            .with("name", agent.as_str())
            .with("role", role)
            .list("capabilities", capabilities)
            .answer(Some(agent))
    }

    fn list_agents() -> Answer {
        Call::new("list_agents").answer(None)
    }

    fn check_inbox(agent: String, all: Option<bool>, limit: Option<u32>, wait: Option<u32>) -> Answer {
        Call::new("check_inbox").with("all", all).with("limit", limit).with("wait", wait).answer(Some(agent))
    }

    fn read_message(agent: String, message_id: String) -> Answer {
        Call::new("read_message").with("messageId", message_id).answer(Some(agent))
    }

    fn send_message(
        agent: String,
        to: String,
        content: String,
        type_: Option<String>,
        priority: Option<String>,
        thread_id: Option<String>,
        subject: Option<String>,
        needs_reply: Option<bool>,
        deadline: Option<String>,
        key: Option<String>,
        large: Option<bool>,
    ) -> Answer {
        Call::new("send_message")
            .with("to", to)
            .with("content", content)
            .with("type", type_)
            .with("priority", priority)
            .with("threadId", thread_id)
            .with("subject", subject)
            .with("needsReply", needs_reply)
            .with("deadline", deadline)
            .with("key", key)
            .with("large", large)
            .answer(Some(agent))
    }

    fn reply(
        agent: String,
        message_id: String,
        content: String,
        type_: Option<String>,
        priority: Option<String>,
        key: Option<String>,
    ) -> Answer {
        Call::new("reply")
            .with("messageId", message_id)
            .with("content", content)
            .with("type", type_)
            .with("priority", priority)
            .with("key", key)
            .answer(Some(agent))
    }

    fn ask(
        agent: String,
        to: String,
        question: String,
        context: Option<String>,
        format: Option<String>,
        timeout: Option<u32>,
        fallback: Option<String>,
    ) -> Answer {
        Call::new("ask")
            .with("to", to)
            .with("question", question)
            .with("context", context)
            .with("format", format)
            .with("timeout", timeout)
            .with("fallback", fallback)
            .answer(Some(agent))
    }

    fn broadcast(
        agent: String,
        content: String,
        type_: Option<String>,
        priority: Option<String>,
        subject: Option<String>,
        key: Option<String>,
    ) -> Answer {
        Call::new("broadcast")
            .with("content", content)
            .with("type", type_)
            .with("priority", priority)
            .with("subject", subject)
            .with("key", key)
            .answer(Some(agent))
    }

    fn publish_event(agent: String, event: String, data: Option<String>) -> Answer {
        Call::new("publish_event").with("event", event).with("data", data).answer(Some(agent))
    }

    fn subscribe(agent: String, events: String) -> Answer {
        Call::new("subscribe").list("events", events).answer(Some(agent))
    }

    fn trace(message_id: String) -> Answer {
        Call::new("trace").with("messageId", message_id).answer(None)
    }

    fn handoff(
        agent: String,
        to: String,
        task: String,
        context: Option<String>,
        done: Option<String>,
        next: Option<String>,
        artifacts: Option<String>,
    ) -> Answer {
        Call::new("handoff")
            .with("action", "create")
            .with("to", to)
            .with("task", task)
            .with("context", context)
            .with("done", done)
            .with("next", next)
            .list("artifacts", artifacts)
            .answer(Some(agent))
    }

    fn handoff_list() -> Answer {
        Call::new("handoff").with("action", "list").answer(None)
    }

    fn handoff_show(id: String) -> Answer {
        Call::new("handoff").with("action", "show").with("id", id).answer(None)
    }

    fn handoff_accept(agent: String, id: String, notes: Option<String>) -> Answer {
        Call::new("handoff").with("action", "accept").with("id", id).with("notes", notes).answer(Some(agent))
    }

    fn handoff_decline(agent: String, id: String, reason: String) -> Answer {
        Call::new("handoff").with("action", "decline").with("id", id).with("reason", reason).answer(Some(agent))
    }

    fn context_show(name: Option<String>) -> Answer {
        Call::new("context")
            .with("action", if name.is_some() { "show" } else { "list" })
            .with("name", name)
            .answer(None)
    }

    fn context_create(agent: String, name: String, text: String) -> Answer {
        Call::new("context").with("action", "create").with("name", name).with("text", text).answer(Some(agent))
    }

    fn context_update(agent: String, name: String, text: String, expect_version: Option<u32>) -> Answer {
        Call::new("context")
            .with("action", "update")
            .with("name", name)
            .with("text", text)
            .with("expectVersion", expect_version)
            .answer(Some(agent))
    }

    fn session_status(session: String) -> Answer {
        Call::new("session_status").with("session", session).answer(None)
    }

    fn session_update(agent: String, session: String, action: String, message: Option<String>) -> Answer {
        Call::new("session_update")
            .with("session", session)
            .with("action", action)
            .with("message", message)
            .answer(Some(agent))
    }

    fn session_log(
        agent: String,
        session: String,
        type_: String,
        message: String,
        severity: Option<String>,
        data: Option<String>,
    ) -> Answer {
        Call::new("session_log")
            .with("session", session)
            .with("type", type_)
            .with("message", message)
            .with("severity", severity)
            .with("data", data)
            .answer(Some(agent))
    }

    fn session_report(agent: String, session: String, report: Option<String>) -> Answer {
        Call::new("session_report")
            .with("action", if report.is_some() { "put" } else { "merge" })
            .with("session", session)
            .with("report", report)
            .answer(Some(agent))
    }

    fn session_report_show(agent: String, session: String) -> Answer {
        Call::new("session_report").with("action", "show").with("session", session).answer(Some(agent))
    }

    fn search_history(query: String, limit: Option<u32>, paths: Option<String>) -> Answer {
        Call::new("search_history").with("query", query).with("limit", limit).list("paths", paths).answer(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{TOOLS, Tool};

    /// The functions of the world with their parameters, each as the tools spell it.
    fn functions() -> Vec<(String, Vec<String>)> {
        let exports = include_str!("../../../wit/tools.wit").lines().filter_map(|line| {
            let (name, rest) = line.trim().strip_prefix("export ")?.split_once(": func(")?;
            let (params, _) = rest.split_once(") ->")?;
            let params = params.split(", ").filter_map(|param| param.split_once(':'));
            let params = params.map(|(name, _)| camel_case(name.trim_start_matches('%'))).collect();
            Some((name.replace('-', "_"), params))
        });
        exports.collect()
    }

    fn camel_case(name: &str) -> String {
        let mut parts = name.split('-');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| name + &part[..1].to_ascii_uppercase() + &part[1..])
    }

    /// The tool that a function is an action of: the one with the longest name that begins it.
    fn tool(function: &str) -> &'static Tool {
        let tools = TOOLS.iter().filter(|tool| function.starts_with(tool.name));
        tools.max_by_key(|tool| tool.name.len()).unwrap_or_else(|| panic!("{function} is no tool"))
    }

    #[test]
    fn every_function_is_a_tool_that_takes_its_parameters() {
        let functions = functions();
        assert!(functions.len() > 20);
        for (name, params) in functions {
            let tool = tool(&name);
            for param in params.iter().filter(|param| *param != "agent") {
                assert!(tool.takes(param), "{} takes no {param}", tool.name);
            }
        }
    }

    #[test]
    fn all_that_a_tool_takes_is_taken_by_functions() {
        let functions = functions();
        for known in TOOLS {
            let of_tool = functions.iter().filter(|(name, _)| tool(name).name == known.name);
            let taken: Vec<&String> = of_tool.flat_map(|(_, params)| params).collect();
            let is_implied =
                |name: &str| ["action", "agent"].contains(&name) || (known.name, name) == ("register", "name");
            for param in known.params().filter(|name| !is_implied(name)) {
                assert!(taken.iter().any(|name| *name == param), "no function gives {} its {param}", known.name);
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
}
