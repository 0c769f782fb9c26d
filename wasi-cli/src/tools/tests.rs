use std::collections::BTreeSet;

use huddle_core::host::FixedHost;
use huddle_core::model::Span;
use serde_json::json;

use super::*;
use crate::files::Reach;
use crate::project::{self, Places};
use crate::scratch::Scratch;

/// What a model has to read before it does anything.
const TOKENS: usize = 3_000;

#[test]
fn all_tools_together_are_read_in_under_3000_tokens() {
    let tokens = huddle_core::compress::estimate(&listing());
    assert!(tokens < TOKENS, "{tokens}");
}

#[test]
fn every_tool_is_a_command_with_what_it_takes() {
    let mut names = BTreeSet::new();
    for tool in TOOLS {
        assert!(names.insert(tool.name), "{} is there twice", tool.name);
        let specs: Vec<_> = tool.commands.iter().map(|words| find(words)).collect();
        for (words, spec) in tool.commands.iter().zip(&specs) {
            assert_eq!(spec.name, format!("huddle {words}"));
        }
        for param in tool.takes {
            let known = specs.iter().any(|spec| spec.takes.iter().any(|take| take.name == param.take));
            assert!(known, "{} has no {}", tool.name, param.take);
        }
    }
}

#[test]
fn the_listing_is_json_with_a_schema_for_each() {
    let tools: Json = serde_json::from_str(&listing()).unwrap();
    assert_eq!(tools.as_array().unwrap().len(), TOOLS.len());
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert!(tool["annotations"].as_object().is_some_and(|hints| !hints.is_empty()), "{tool}");
    }
    let send = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "send_message").unwrap();
    assert_eq!(send["inputSchema"]["required"], json!(["to", "content"]));
    assert_eq!(send["inputSchema"]["properties"]["priority"]["enum"], json!(["critical", "high", "normal", "low"]));
}

/// Finds a tool as clients are told of it.
fn listed(name: &str) -> Json {
    let tools: Json = serde_json::from_str(&listing()).unwrap();
    tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).expect(name).clone()
}

#[test]
fn clients_are_told_what_a_tool_changes() {
    let nothing = json!({"readOnlyHint": true});
    let once = json!({"destructiveHint": false, "idempotentHint": true});
    let each_time = json!({"destructiveHint": false});
    for tool in TOOLS {
        let wanted = match tool.name {
            "list_agents" | "trace" | "session_status" | "search_history" => &nothing,
            // Whoever sent what is listed can see that it was.
            "register" | "check_inbox" | "read_message" | "subscribe" => &once,
            // A session's log has a record of every call.
            "session_update" | "session_log" | "session_report" => &each_time,
            "send_message" | "reply" | "ask" | "broadcast" | "publish_event" | "handoff" | "context" => &each_time,
            other => panic!("what does {other} change?"),
        };
        assert_eq!(listed(tool.name)["annotations"], *wanted, "{}", tool.name);
    }
}

#[test]
fn whole_numbers_are_told_from_others() {
    let kind = |tool: &str, param: &str| listed(tool)["inputSchema"]["properties"][param]["type"].clone();
    for (tool, param) in [("check_inbox", "limit"), ("search_history", "limit"), ("context", "expectVersion")] {
        assert_eq!(kind(tool, param), "integer", "{tool} {param}");
    }
    assert_eq!((kind("check_inbox", "wait"), kind("ask", "timeout")), (json!("number"), json!("number")));
}

#[test]
fn a_call_does_not_wait_longer_than_clients_do() {
    let given = |tool: &str, arguments: Json| {
        let tool = TOOLS.iter().find(|known| known.name == tool).unwrap();
        tool.given(find(tool.commands[0]), arguments.as_object().unwrap()).unwrap()
    };
    for (wanted, waited) in
        [(json!(600), "50"), (json!(50.5), "50"), (json!(1e30), "50"), (json!(7), "7"), (json!(0.5), "0.5")]
    {
        assert_eq!(given("check_inbox", json!({"wait": wanted})), [("wait", waited.to_owned())]);
    }
    let asked = given("ask", json!({"to": "bob", "question": "?", "timeout": 600}));
    assert!(asked.contains(&("timeout", "16".to_owned())), "{asked:?}");
    // It is asked once more without an answer, and again when the answer does not fit.
    const { assert!(3 * table::ASKING <= 50) };
}

#[test]
fn a_question_waits_as_the_settings_say_but_not_longer_than_clients_do() {
    for (settings, deadline) in [("1000", "2025-11-29T14:30:53Z"), ("600000", "2025-11-29T14:31:08Z")] {
        let project = Project::new();
        let config = project.dir.path().join(".claude/config");
        std::fs::create_dir_all(&config).unwrap();
        let text = format!(r#"{{"agentCommunication": {{"timeoutMs": {settings}}}}}"#);
        std::fs::write(config.join("orchestrator-settings.json"), text).unwrap();
        project.call("ann", "ask", &json!({"to": "bob", "question": "Which?", "fallback": 1})).unwrap();
        let inbox = project.call("bob", "check_inbox", &json!({})).unwrap();
        assert_eq!(inbox["notifications"][0]["responseDeadline"], deadline, "{inbox}");
    }
}

/// A project with ann and bob in it.
struct Project {
    dir: Scratch,
    host: FixedHost,
}

impl Project {
    fn new() -> Self {
        let project = Self { dir: Scratch::new(), host: FixedHost::at("2025-11-29T14:30:52Z") };
        for name in ["ann", "bob"] {
            project.call("ann", "register", &json!({"name": name, "role": "builder"})).unwrap();
        }
        project
    }

    fn call(&self, agent: &str, tool: &str, arguments: &Json) -> Result<Json, Json> {
        let read = |text: String| serde_json::from_str(&text).unwrap();
        let arguments = arguments.as_object().unwrap();
        self.with(Some(agent), |project, global| call(project, global, tool, arguments)).map(read).map_err(read)
    }

    /// Does something with the project as one agent's call finds it.
    fn with<T>(&self, agent: Option<&str>, work: impl FnOnce(&project::Project<'_>, &Global) -> T) -> T {
        let global = Global {
            agent: agent.map(str::to_owned),
            root: self.dir.path().to_owned(),
            bus: None,
            json: false,
            lock_wait: Span::from_seconds(1),
            reach: Reach::Project(Vec::new()),
        };
        let places = Places::of(&global).unwrap();
        work(&project::Project::open(&places, &self.host, global.lock_wait), &global)
    }
}

#[test]
fn a_message_goes_from_tool_to_tool() {
    let project = Project::new();
    let content = json!({"taskId": "t-1", "title": "Build it", "description": "the parser"});
    let sent = project.call("ann", "send_message", &json!({"to": "bob", "content": content, "type": "task"})).unwrap();
    let inbox = project.call("bob", "check_inbox", &json!({})).unwrap();
    assert_eq!((&inbox["count"], &inbox["notifications"][0]["id"]), (&json!(1), &sent["id"]));
    assert_eq!(inbox["notifications"][0]["subject"], "Build it");
    let read = project.call("bob", "read_message", &json!({"messageId": sent["id"]})).unwrap();
    assert_eq!(serde_json::from_str::<Json>(read["content"].as_str().unwrap()).unwrap(), content);
    project.call("bob", "reply", &json!({"messageId": sent["id"], "content": "done"})).unwrap();
    let trace = project.call("ann", "trace", &json!({"messageId": sent["id"]})).unwrap();
    assert_eq!(trace["deliveries"][0]["step"], "answered");
}

#[test]
fn content_never_names_a_file() {
    let project = Project::new();
    std::fs::write(project.dir.path().join("secret"), "hidden").unwrap();
    let path = format!("@{}", project.dir.path().join("secret").display());
    let sent = project.call("ann", "send_message", &json!({"to": "bob", "content": path})).unwrap();
    let read = project.call("bob", "read_message", &json!({"messageId": sent["id"]})).unwrap();
    assert_eq!(read["content"], path);
}

#[test]
fn what_is_wrong_is_named_with_what_the_tool_takes() {
    let project = Project::new();
    let check = |tool: &str, arguments: Json, wanted: &str| {
        let told = project.call("ann", tool, &arguments).unwrap_err();
        assert_eq!(told["error"]["message"], wanted, "{tool} {arguments}");
    };
    check("sing", json!({}), "there is no tool \"sing\"");
    check("send_message", json!({"to": "bob"}), "\"content\" is missing");
    check("send_message", json!({"to": ["bob"], "content": "x"}), r#""to" has to be a text, not ["bob"]"#);
    check("send_message", json!({"to": "bob", "content": "x", "cc": "eve"}), "send_message takes no \"cc\" here");
    check("subscribe", json!({"events": [1]}), "\"events\" has to be a list of texts, not [1]");
    check("context", json!({"action": "burn"}), "context cannot do \"burn\"");
    check("context", json!({"action": "list", "name": "x"}), "context takes no \"name\" here");
    check("context", json!({"action": "show"}), "\"name\" is missing");
    check("context", json!({"action": "update", "name": "x"}), "\"text\" is missing");
    check("handoff", json!({"action": "create", "task": "x"}), "\"to\" is missing");
    check("handoff", json!({"action": "create", "to": "bob"}), "\"task\" is missing");
    check("handoff", json!({"action": "decline", "id": "x"}), "\"reason\" is missing");
    check("session_update", json!({"action": "fail", "session": "s"}), "\"message\" is missing");
    check("session_update", json!({"action": "progress", "session": "s"}), "\"message\" is missing");
    check("session_report", json!({"action": "put", "session": "s"}), "what to write is missing");
    check(
        "send_message",
        json!({"to": "eve", "content": "x"}),
        "no agent \"eve\" is registered; registered are ann, bob",
    );
}

#[test]
fn no_error_speaks_of_a_command_line() {
    let project = Project::new();
    for tool in TOOLS {
        for action in tool.actions() {
            let several = tool.commands.len() > 1;
            let arguments = if several { json!({"action": action}) } else { json!({}) };
            let arguments = arguments.as_object().unwrap();
            for agent in [None, Some("ann")] {
                let answer = project.with(agent, |project, global| call(project, global, tool.name, arguments));
                let told = answer.err().unwrap_or_default();
                assert!(!told.contains("usage:") && !told.contains("--"), "{} {action}: {told}", tool.name);
            }
        }
    }
    let told = project.call("ann", "session_update", &json!({"action": "fail"})).unwrap_err();
    assert_eq!(
        told["error"]["hint"],
        "session_update takes message, session; action is one of progress, join, complete, fail"
    );
}

#[test]
fn an_agent_reports_for_itself() {
    let project = Project::new();
    let plan = vec![("agent", "ann".to_owned()), ("id", "s1".to_owned())];
    project.with(None, |project, global| run(project, global, "session start", plan)).unwrap();
    project.call("ann", "session_update", &json!({"action": "join", "session": "s1"})).unwrap();
    let moved = project
        .call("ann", "session_update", &json!({"action": "fail", "session": "s1", "message": "no disk"}))
        .unwrap();
    assert_eq!((&moved["name"], &moved["error"]), (&json!("ann"), &json!("no disk")));
    let logged =
        project.call("ann", "session_log", &json!({"type": "finding", "message": "slow", "session": "s1"})).unwrap();
    assert_eq!(logged["from"], "ann");
}
