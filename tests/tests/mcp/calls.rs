//! Every tool is called, every kind of resource is read, every prompt is given.

use std::collections::{BTreeMap, BTreeSet};

use rmcp::ClientHandler;
use rmcp::model::{CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp::service::ServiceError;
use serde_json::{Value, json};

use crate::mcp::fixture::{Bus, Era, Service, soon};

/// The calls that the clients of both SDKs make.
const CALLS: &str = include_str!("../../hosts/mcp-calls.json");

/// What was kept of answers, by the names that later calls have for it.
type Kept = BTreeMap<String, Value>;

#[tokio::test]
async fn every_tool_resource_and_prompt_with_a_handshake() {
    check(Era::Handshake).await;
}

#[tokio::test]
async fn every_tool_resource_and_prompt_without_one() {
    check(Era::Current).await;
}

#[tokio::test]
async fn older_revisions_are_agreed_on() {
    struct Old(&'static str);
    impl ClientHandler for Old {
        fn get_info(&self) -> rmcp::model::ClientConfig {
            let version = serde_json::from_value(json!(self.0)).unwrap();
            Era::Handshake.config().with_protocol_version(version)
        }
    }
    let bus = Bus::new();
    for (asked, answered) in [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-12-31", "2025-11-25")]
    {
        let client = bus.client(Era::Handshake, Old(asked)).await;
        assert_eq!(client.service.peer_info().unwrap().protocol_version.as_str(), answered);
        assert!(!soon(client.service.list_all_tools()).await.unwrap().is_empty());
        client.end().await;
    }
}

async fn check(era: Era) {
    let bus = Bus::new();
    let client = bus.client(era, era.config()).await;
    let service = &client.service;
    assert_eq!(service.peer_info().unwrap().protocol_version, era.revision());
    let kept = call_every_tool(service).await;
    read_resources(service, &kept, era).await;
    read_prompts(service).await;
    client.end().await;
    check_others_see_it(&bus, &kept);
}

async fn call_every_tool(client: &Service) -> Kept {
    let calls: Vec<Value> = serde_json::from_str(CALLS).unwrap();
    let listed = soon(client.list_all_tools()).await.unwrap();
    let names: BTreeSet<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, calls.iter().map(|call| call["tool"].as_str().unwrap()).collect());
    for tool in &listed {
        assert!(tool.description.is_some() && tool.output_schema.is_some() && tool.annotations.is_some(), "{tool:?}");
        let tool = serde_json::to_value(tool).unwrap();
        check_all_is_called(&tool, &calls);
    }
    let mut kept = Kept::new();
    for call in &calls {
        let params = CallToolRequestParams::new(call["tool"].as_str().unwrap().to_owned())
            .with_arguments(filled(&call["arguments"], &kept).as_object().unwrap().clone());
        let result = soon(client.call_tool(params)).await.unwrap();
        let result = serde_json::to_value(result).unwrap();
        check_answer(call, &result, &mut kept);
        let schema =
            listed.iter().find(|tool| tool.name == call["tool"].as_str().unwrap()).unwrap().output_schema.as_ref();
        check_structure(&result, &serde_json::to_value(schema).unwrap());
    }
    kept
}

/// Of a tool that does several things, each is called.
fn check_all_is_called(tool: &Value, calls: &[Value]) {
    let actions = tool["inputSchema"]["properties"]["action"]["enum"].as_array();
    let called = calls.iter().filter(|call| call["tool"] == tool["name"] && call.get("failure").is_none());
    let called: Vec<&Value> = called.map(|call| &call["arguments"]["action"]).collect();
    for action in actions.into_iter().flatten() {
        assert!(called.contains(&action), "nobody calls {} {action}", tool["name"]);
    }
}

/// Clients hold whatever is structured against the schema of answers, also if it failed.
fn check_structure(result: &Value, schema: &Value) {
    let Some(answer) = result.get("structuredContent") else { return };
    for field in schema["required"].as_array().into_iter().flatten() {
        let (found, kind) = (&answer[field.as_str().unwrap()], &schema["properties"][field.as_str().unwrap()]["type"]);
        let fits = match kind.as_str().unwrap() {
            "string" => found.is_string(),
            "array" => found.is_array(),
            "boolean" => found.is_boolean(),
            "integer" => found.is_u64(),
            other => panic!("{other}"),
        };
        assert!(fits, "{field} of {answer} is no {kind}");
    }
}

fn check_answer(call: &Value, result: &Value, kept: &mut Kept) {
    let answer: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(result["isError"] == true, call.get("failure").is_some(), "{call} {answer}");
    if let Some(kind) = call.get("failure") {
        assert_eq!((&answer["error"]["kind"], result.get("structuredContent")), (kind, None), "{result}");
        return;
    }
    assert_eq!(&answer, &result["structuredContent"]);
    let answer = &answer;
    for (path, wanted) in call["answer"].as_object().unwrap() {
        assert_eq!(at(answer, path), filled(wanted, kept), "{path} of {answer}");
    }
    for (name, path) in call.get("keep").and_then(Value::as_object).into_iter().flatten() {
        kept.insert(name.clone(), at(answer, path.as_str().unwrap()));
    }
}

/// Goes into a document by names and numbers with dots between them.
fn at(document: &Value, path: &str) -> Value {
    let found = path.split('.').try_fold(document, |inner, part| match part.parse::<usize>() {
        Ok(number) if inner.is_array() => inner.get(number),
        _ => inner.get(part),
    });
    found.unwrap_or_else(|| panic!("there is no {path}: {document}")).clone()
}

/// Puts what was kept where its name stands.
fn filled(value: &Value, kept: &Kept) -> Value {
    match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), filled(value, kept))).collect(),
        Value::String(text) => text.strip_prefix('$').map_or_else(|| value.clone(), |name| kept[name].clone()),
        _ => value.clone(),
    }
}

async fn read_resources(client: &Service, kept: &Kept, era: Era) {
    let listed: BTreeSet<String> =
        soon(client.list_all_resources()).await.unwrap().into_iter().map(|resource| resource.uri).collect();
    let thread = format!("huddle://thread/{}", kept["thread"].as_str().unwrap());
    for uri in ["huddle://inbox", &thread, "huddle://context/notes", "huddle://session/job"] {
        assert!(listed.contains(uri), "{uri} is not in {listed:?}");
    }
    for uri in &listed {
        assert!(!read(client, uri).await.unwrap().is_empty(), "{uri}");
    }
    let templates = soon(client.list_all_resource_templates()).await.unwrap();
    let templates: BTreeSet<&str> = templates.iter().map(|template| template.uri_template.as_str()).collect();
    let wanted =
        ["message/{id}", "thread/{id}", "context/{name}", "session/{id}"].map(|path| format!("huddle://{path}"));
    assert_eq!(templates, wanted.iter().map(String::as_str).collect());

    let message = read(client, &format!("huddle://message/{}", kept["question"].as_str().unwrap())).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&message).unwrap()["from"], "bob");
    assert!(read(client, "huddle://context/notes").await.unwrap().contains("Port 8080."));
    for absent in ["huddle://message/nothing", "huddle://nothing", "file:///etc/passwd"] {
        let code = if era == Era::Current { -32602 } else { -32002 };
        let refused = read(client, absent).await;
        assert!(matches!(&refused, Err(ServiceError::McpError(error)) if error.code.0 == code), "{refused:?}");
    }
}

async fn read(client: &Service, uri: &str) -> Result<String, ServiceError> {
    let mut result = soon(client.read_resource(ReadResourceRequestParams::new(uri))).await?;
    match result.contents.pop() {
        Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text),
        other => panic!("not a text: {other:?}"),
    }
}

async fn read_prompts(client: &Service) {
    let prompts = soon(client.list_all_prompts()).await.unwrap();
    assert!(prompts.len() >= 2, "{prompts:?}");
    for prompt in prompts {
        let arguments = prompt.arguments.unwrap_or_default().into_iter().map(|it| (it.name, json!("bob"))).collect();
        let params = GetPromptRequestParams::new(prompt.name.clone()).with_arguments(arguments);
        let told = serde_json::to_value(soon(client.get_prompt(params)).await.unwrap()).unwrap();
        assert!(!told["messages"][0]["content"]["text"].as_str().unwrap().is_empty(), "{}", prompt.name);
    }
}

/// What was done by tools is there for the command, word for word.
fn check_others_see_it(bus: &Bus, kept: &Kept) {
    let sent = bus.obey("bob", &["read", kept["sent"].as_str().unwrap(), "--peek"]);
    assert_eq!(
        (&sent["from"], &sent["priority"], &sent["subject"]),
        (&json!("alice"), &json!("critical"), &json!("Interface"))
    );
    let traced = bus.obey("", &["trace", kept["question"].as_str().unwrap()]);
    assert_eq!(traced["deliveries"][0]["step"], "answered", "{traced}");
    let checked = bus.obey("", &["check"]);
    let bad = checked["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error").count();
    assert_eq!(bad, 0, "{checked}");
}
