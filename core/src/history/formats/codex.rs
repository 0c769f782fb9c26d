//! Rollouts of Codex: since 2025-09 each item in an envelope with its time, before that the items alone.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::{says, text_of, texts};
use super::{AgentKind, AgentRef, Author, Context, Format, Link, Part, Turn, TurnFlags, TurnRole, Usage};

/// The reader.
#[derive(Debug)]
pub(super) struct Codex;

const ENVELOPES: [&str; 5] = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
/// Begins of texts that the program puts in a person's place.
const PUT_IN: [&str; 6] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions",
    "<turn_aborted>",
    "<skill>",
    "# AGENTS.md instructions",
];

impl Format for Codex {
    fn name(&self) -> &'static str {
        "Codex rollout"
    }

    fn agent(&self) -> &'static str {
        "codex"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let kind = text_of(record, "type").unwrap_or_default();
        let has = |key: &str| record.get(key).is_some();
        let is_item = || match &*kind {
            "message" => record.get("content").is_some_and(|content| {
                content.elements().any(|part| says(part, "type", "input_text") || says(part, "type", "output_text"))
            }),
            "function_call" | "function_call_output" => has("call_id"),
            "reasoning" => has("summary"),
            _ => false,
        };
        if ENVELOPES.contains(&&*kind) && record.get("payload").is_some_and(RawJson::is_object) {
            95
        } else if says(record, "record_type", "state") {
            85
        } else if is_item() {
            80
        } else if has("id") && has("timestamp") && has("instructions") {
            75
        } else if !kind.is_empty() && !has("from") {
            40
        } else {
            0
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        let kind = text_of(record, "type").unwrap_or_default();
        let payload = record.get("payload").unwrap_or(record);
        let mut turn = match &*kind {
            "session_meta" => session(payload, context),
            "turn_context" => {
                if let Some(model) = text_of(payload, "model") {
                    context.model = model.into_owned();
                }
                Turn { directory: text_of(payload, "cwd"), ..Turn::noise(Some(kind)) }
            }
            "event_msg" => event(payload, context),
            "compacted" => Turn { flags: TurnFlags::COMPACTION, kind: Some(kind), ..Turn::of(TurnRole::Lifecycle) },
            "response_item" => item(payload),
            "" if record.get("instructions").is_some() => session(payload, context),
            "" => Turn::noise(text_of(record, "record_type")),
            _ => item(record),
        };
        if !context.session.is_empty() {
            turn.session = Some(Cow::Owned(context.session.clone()));
        }
        if !context.agent.is_empty() {
            let name = (!context.agent_name.is_empty()).then(|| Cow::Owned(context.agent_name.clone()));
            let key = Cow::Owned(context.agent.clone());
            turn.agent = Some(AgentRef { kind: AgentKind::SubAgent, key, name, call: None });
            if turn.author == Author::Human {
                turn.author = Author::Principal;
            }
        }
        if turn.model.is_none() && !context.model.is_empty() && turn.author == Author::Agent {
            turn.model = Some(Cow::Owned(context.model.clone()));
        }
        turn
    }
}

/// Reads what a file says of its session; one that was forked repeats that of its origin.
fn session<'b>(payload: RawJson<'b>, context: &mut Context) -> Turn<'b> {
    let id = text_of(payload, "id");
    if context.session.is_empty()
        && let Some(id) = &id
    {
        let spawn = payload.at(&["source", "subagent", "thread_spawn"]);
        let parent = spawn.and_then(|spawn| text_of(spawn, "parent_thread_id"));
        if let Some(parent) = parent {
            context.agent = id.clone().into_owned();
            let name = text_of(payload, "agent_nickname").or_else(|| text_of(payload, "agent_role"));
            context.agent_name = name.unwrap_or_default().into_owned();
            context.session = parent.into_owned();
        } else {
            context.session = id.clone().into_owned();
        }
    }
    let branch = payload.at(&["git", "branch"]).and_then(RawJson::text);
    let kind = Some(Cow::Borrowed("session-start"));
    Turn { kind, directory: text_of(payload, "cwd"), branch, ..Turn::of(TurnRole::Lifecycle) }
}

/// Reads an item of the conversation.
fn item<'b>(item: RawJson<'b>) -> Turn<'b> {
    let kind = text_of(item, "type").unwrap_or_default();
    match &*kind {
        "message" => message(item),
        "reasoning" => {
            let thoughts = ["summary", "content"].into_iter().filter_map(|key| item.get(key)).flat_map(texts);
            let parts = thoughts.map(|part| match part {
                Part::Text(text) => Part::Thinking(text),
                other => other,
            });
            Turn { parts: parts.collect(), ..Turn::of(TurnRole::Thinking) }
        }
        "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" => {
            let id = text_of(item, "call_id").or_else(|| text_of(item, "id")).unwrap_or_default();
            let name = text_of(item, "name").unwrap_or_else(|| Cow::Owned(kind.trim_end_matches("_call").to_owned()));
            let input = ["arguments", "input", "action"].into_iter().find_map(|key| item.get(key));
            let call = Part::Call { id: id.clone(), name, input: input.unwrap_or(RawJson::new(b"")) };
            Turn { id: (!id.is_empty()).then_some(id), parts: vec![call], ..Turn::of(TurnRole::ToolCall) }
        }
        kind if kind.ends_with("_call_output") => {
            let content = item.get("output").unwrap_or(RawJson::new(b""));
            let id = text_of(item, "call_id").unwrap_or_default();
            let is_error = is_failure(content);
            let link = started_agent(content).map(|agent| Link { call: id.clone(), agent });
            let turn = Turn { parts: vec![Part::Result { id, content, is_error }], link, ..Turn::default() };
            turn.with_role_of_parts()
        }
        "compaction" | "compacted" => Turn { flags: TurnFlags::COMPACTION, ..Turn::of(TurnRole::Lifecycle) },
        _ => Turn::noise(Some(kind)),
    }
}

fn message<'b>(item: RawJson<'b>) -> Turn<'b> {
    let parts = item.get("content").map(texts).unwrap_or_default();
    let first = parts.first().and_then(|part| match part {
        Part::Text(text) => text.text(),
        _ => None,
    });
    let is_put_in = first.is_some_and(|text| PUT_IN.iter().any(|prefix| text.trim_start().starts_with(prefix)));
    let role = text_of(item, "role").unwrap_or_default();
    match &*role {
        "assistant" => Turn { parts, ..Turn::of(TurnRole::Answer) },
        "user" if !is_put_in => Turn { parts, author: Author::Human, ..Turn::of(TurnRole::Prompt) },
        _ => Turn { parts, kind: Some(Cow::Borrowed("instructions")), ..Turn::default() },
    }
}

/// Reads an event; those that repeat an item are noise.
fn event<'b>(payload: RawJson<'b>, context: &Context) -> Turn<'b> {
    let kind = text_of(payload, "type").unwrap_or_default();
    let mut turn = match &*kind {
        "task_started"
        | "task_complete"
        | "turn_aborted"
        | "error"
        | "stream_error"
        | "shutdown_complete"
        | "entered_review_mode"
        | "exited_review_mode" => Turn::of(TurnRole::Lifecycle),
        "context_compacted" => Turn { flags: TurnFlags::COMPACTION, ..Turn::of(TurnRole::Lifecycle) },
        "token_count" => tokens(payload, context),
        _ => Turn::default(),
    };
    turn.flags.set(TurnFlags::ERROR, matches!(&*kind, "error" | "stream_error"));
    turn.kind = Some(kind);
    turn
}

/// Reads how many tokens an answer took. The same count may be told again: the sum up to it tells which it is.
fn tokens<'b>(payload: RawJson<'b>, context: &Context) -> Turn<'b> {
    let Some(last) = payload.at(&["info", "last_token_usage"]) else { return Turn::default() };
    let number = |key: &str| last.get(key).and_then(RawJson::number).unwrap_or_default();
    let cached = number("cached_input_tokens");
    let usage = Usage {
        input: number("input_tokens").saturating_sub(cached),
        output: number("output_tokens"),
        cache_read: cached,
        cache_write: 0,
    };
    let sum = payload.at(&["info", "total_token_usage", "total_tokens"]).and_then(RawJson::number).unwrap_or_default();
    let answer = Some(Cow::Owned(format!("{}/{}/{sum}", context.session, context.agent)));
    Turn { usage: Some(usage), answer, ..Turn::default() }
}

/// Returns whether a program ended with another code than zero.
fn is_failure(output: RawJson<'_>) -> bool {
    let Some(text) = output.text() else { return output.get("success").is_some_and(|ok| ok.bytes() == b"false") };
    if text.starts_with('{') {
        let code = RawJson::new(text.as_bytes()).at(&["metadata", "exit_code"]).map(RawJson::bytes);
        return code.is_some_and(|code| code != b"0");
    }
    let start = text.split("Output:").next().unwrap_or_default();
    ["Process exited with code ", "Exit code: "].into_iter().any(|before| {
        let code = start.split_once(before).map(|(_, code)| code.split_whitespace().next().unwrap_or_default());
        code.is_some_and(|code| code != "0")
    })
}

/// Returns the id of the agent that a call started.
fn started_agent<'b>(output: RawJson<'b>) -> Option<Cow<'b, str>> {
    let text = output.text().filter(|text| text.starts_with('{') && text.contains("\"agent_id\""))?;
    let id = text_of(RawJson::new(text.as_bytes()), "agent_id")?.into_owned();
    Some(Cow::Owned(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_known_by_their_exit_codes() {
        let check = |output: &str, wanted: bool| {
            let json = serde_json::Value::from(output).to_string();
            assert_eq!(is_failure(RawJson::new(json.as_bytes())), wanted, "{output}");
        };
        check("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok", false);
        check("Wall time: 0.1 seconds\nProcess exited with code 101\nOutput:\nerror", true);
        check("Exit code: 0\nOutput:\nProcess exited with code 7", false);
        check(r#"{"output":"x","metadata":{"exit_code":1}}"#, true);
        check(r#"{"output":"x","metadata":{"exit_code":0}}"#, false);
        check("Plan updated", false);
    }
}
