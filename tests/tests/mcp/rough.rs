//! What a server has to live through: nonsense, strangers' methods, far too much at once, and a long day.

use std::fs;
use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, ClientRequest, CustomRequest};
use rmcp::service::{ServiceError, serve_client_with_lifecycle};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};
use tokio::sync::mpsc::unbounded_channel;

use crate::mcp::fixture::{Bus, Era, Service, soon};

/// Nothing of this is a request, each for a reason of its own.
const NONSENSE: [&str; 10] = [
    "",
    "   ",
    "{",
    "}{",
    "null",
    "42",
    "[]",
    "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":7}",
    "\u{0}\u{1}\u{fffd}",
];

async fn call(client: &Service, tool: &'static str, arguments: Value) -> Value {
    let params = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone());
    serde_json::to_value(soon(client.call_tool(params)).await.unwrap()).unwrap()
}

/// Returns whether the server still does its work.
async fn is_alive(client: &Service) -> bool {
    call(client, "check_inbox", json!({})).await["structuredContent"]["count"] == 1
}

#[tokio::test]
async fn nonsense_between_requests_is_answered_and_forgotten() {
    for era in [Era::Handshake, Era::Current] {
        let bus = Bus::new();
        let mut process = tokio::process::Command::from(bus.server());
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = process.spawn().unwrap();
        let (mut stdin, stdout) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());

        // Between client and server stands somebody who puts lines of his own in between.
        let (client_end, server_end) = duplex(1 << 16);
        let (throw_in, mut thrown_in) = unbounded_channel::<String>();
        let between = tokio::spawn(async move {
            let mut said = BufReader::new(server_end).lines();
            loop {
                let line = tokio::select! {
                    line = said.next_line() => line.unwrap(),
                    line = thrown_in.recv() => line,
                };
                let Some(line) = line else { return };
                stdin.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            }
        });

        let service = serve_client_with_lifecycle(era.config(), (stdout, client_end), era.lifecycle());
        let service = soon(service).await.unwrap();
        for line in NONSENSE {
            throw_in.send(line.to_owned()).unwrap();
            assert!(is_alive(&service).await, "{era:?} {line:?}");
        }
        soon(service.cancel()).await.unwrap();
        between.abort();
        assert!(soon(process.wait()).await.unwrap().success());
    }
}

#[tokio::test]
async fn methods_that_nobody_knows_are_refused() {
    let bus = Bus::new();
    for era in [Era::Handshake, Era::Current] {
        let client = bus.client(era, era.config()).await;
        for method in ["tools/paint", "completion/complete", "logging/setLevel", ""] {
            let request = ClientRequest::CustomRequest(CustomRequest::new(method, Some(json!({}))));
            let refused = soon(client.service.send_request(request)).await;
            assert!(matches!(&refused, Err(ServiceError::McpError(error)) if error.code.0 == -32601), "{refused:?}");
        }
        let params = CallToolRequestParams::new("paint");
        let refused = soon(client.service.call_tool(params)).await;
        assert!(matches!(&refused, Err(ServiceError::McpError(error)) if error.code.0 == -32602), "{refused:?}");
        assert!(is_alive(&client.service).await);
        client.end().await;
    }
}

#[tokio::test]
async fn a_message_of_a_megabyte_is_refused_and_forgotten() {
    let bus = Bus::new();
    for era in [Era::Handshake, Era::Current] {
        let client = bus.client(era, era.config()).await;
        let service = &client.service;
        let result = call(service, "send_message", json!({"to": "bob", "content": "x".repeat(1 << 20)})).await;
        assert_eq!(result["isError"], true);
        let told = result["content"][0]["text"].as_str().unwrap();
        assert!(told.contains("more than 10240"), "{told}");
        assert!(is_alive(service).await);
        client.end().await;
    }
}

#[tokio::test]
async fn a_message_of_a_megabyte_goes_through_whole_when_that_is_meant() {
    let bus = Bus::new();
    // Letters of one to four bytes, and what JSON writes in other words.
    let content = "x\"\\é€🙂\n".repeat((1 << 20) / 12);
    let client = bus.client(Era::Current, Era::Current.config()).await;
    let result = call(&client.service, "send_message", json!({"to": "bob", "content": content, "large": true})).await;
    let id = result["structuredContent"]["id"].as_str().unwrap_or_else(|| panic!("{result}"));
    let read = bus.obey("bob", &["read", id, "--peek"]);
    assert!(read["content"] == content.as_str(), "the content is another");
    // And back: it is an answer of a line.
    let sent = bus.obey("bob", &["reply", id, "--body", &content, "--large"]);
    let read = call(&client.service, "read_message", json!({"messageId": sent["id"]})).await;
    assert!(read["structuredContent"]["content"] == content.as_str(), "the content is another");
    assert!(is_alive(&client.service).await);
    client.end().await;
}

#[tokio::test]
async fn a_thousand_calls_take_no_more_memory_than_a_hundred() {
    let bus = Bus::new();
    let client = bus.client(Era::Current, Era::Current.config()).await;
    let mut early = 0;
    for round in 0..250 {
        let sent = call(&client.service, "send_message", json!({"to": "bob", "content": "One of many."})).await;
        assert_eq!(sent["structuredContent"]["recipients"][0], "bob", "{sent}");
        let listed = call(&client.service, "list_agents", json!({})).await;
        assert_eq!(listed["structuredContent"]["agents"][1]["unread"], round + 1, "{listed}");
        assert!(is_alive(&client.service).await);
        let refused = call(&client.service, "read_message", json!({"messageId": "nothing"})).await;
        assert_eq!(refused["isError"], true);
        if round == 25 {
            early = memory(client.server);
        }
    }
    let late = memory(client.server);
    eprintln!("memory of the host's process: {early} KB, then {late} KB");
    assert!(late <= early + 512, "it grew from {early} KB to {late} KB");
    client.end().await;
}

/// Returns how much memory a process has, in kilobytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
