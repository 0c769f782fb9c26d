//! Gemini CLI: saved chats, each a document with a list of messages, and the stream of a run.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::{says, text_of, texts};
use super::{Author, Context, Format, NestedRecord, Part, Turn, TurnFlags, TurnRole, Usage};

/// The reader.
#[derive(Debug)]
pub(super) struct Gemini;

impl Format for Gemini {
    fn name(&self) -> &'static str {
        "Gemini CLI session"
    }

    fn agent(&self) -> &'static str {
        "gemini"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        let kind = text_of(record, "type").unwrap_or_default();
        match &*kind {
            "gemini" if has("content") => 90,
            "init" if has("session_id") && has("model") && has("timestamp") => 85,
            "message" if has("role") && has("content") && has("timestamp") => 60,
            "tool_use" if has("tool_name") && has("tool_id") => 85,
            "tool_result" if has("tool_id") && has("status") => 85,
            "user" | "info" | "error" | "warning" | "result" if has("timestamp") && !has("from") => 40,
            _ => 0,
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        let kind = text_of(record, "type").unwrap_or_default();
        let content = record.get("content").unwrap_or(RawJson::new(b""));
        let mut turn = match &*kind {
            "init" => {
                context.session = text_of(record, "session_id").unwrap_or_default().into_owned();
                context.model = text_of(record, "model").unwrap_or_default().into_owned();
                Turn { kind: Some(Cow::Borrowed("session-start")), ..Turn::of(TurnRole::Lifecycle) }
            }
            "user" => Turn { parts: texts(content), author: Author::Human, ..Turn::of(TurnRole::Prompt) },
            "gemini" => answer(record, content),
            "message" if says(record, "role", "user") => {
                Turn { parts: texts(content), author: Author::Human, ..Turn::of(TurnRole::Prompt) }
            }
            "message" => Turn { parts: texts(content), ..Turn::of(TurnRole::Answer) },
            "tool_use" => call(record, "tool_id", "tool_name", "parameters"),
            "tool_result" => {
                let id = text_of(record, "tool_id").unwrap_or_default();
                let content = record.get("output").or_else(|| record.get("error")).unwrap_or(RawJson::new(b""));
                let is_error = says(record, "status", "error");
                Turn { parts: vec![Part::Result { id, content, is_error }], ..Turn::default() }.with_role_of_parts()
            }
            "error" => Turn { kind: Some(kind), flags: TurnFlags::ERROR, ..Turn::of(TurnRole::Lifecycle) },
            "result" => Turn { kind: Some(kind), ..Turn::of(TurnRole::Lifecycle) },
            _ => Turn { parts: texts(content), ..Turn::noise(Some(kind)) },
        };
        turn.id = text_of(record, "id").or(turn.id);
        if !context.session.is_empty() {
            turn.session = Some(Cow::Owned(context.session.clone()));
        }
        if turn.model.is_none() && turn.author == Author::Agent && !context.model.is_empty() {
            turn.model = Some(Cow::Owned(context.model.clone()));
        }
        turn
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let (Some(messages), Some(session)) = (document.get("messages"), text_of(document, "sessionId")) else {
            return Vec::new();
        };
        if document.get("projectHash").is_none() && document.get("startTime").is_none() {
            return Vec::new();
        }
        messages.elements().map(|record| NestedRecord { record, session: Some(session.clone()) }).collect()
    }
}

fn call<'b>(call: RawJson<'b>, id: &str, name: &str, input: &str) -> Turn<'b> {
    let id = text_of(call, id).unwrap_or_default();
    let name = text_of(call, name).unwrap_or_default();
    let input = call.get(input).unwrap_or(RawJson::new(b""));
    Turn { id: Some(id.clone()), parts: vec![Part::Call { id, name, input }], ..Turn::of(TurnRole::ToolCall) }
}

/// Reads an answer with its thoughts, its calls and what came of them.
fn answer<'b>(record: RawJson<'b>, content: RawJson<'b>) -> Turn<'b> {
    let mut parts = Vec::new();
    for thought in record.get("thoughts").into_iter().flat_map(RawJson::elements) {
        parts.extend(thought.get("description").or_else(|| thought.get("subject")).map(Part::Thinking));
    }
    parts.extend(texts(content));
    for call in record.get("toolCalls").into_iter().flat_map(RawJson::elements) {
        let id = text_of(call, "id").unwrap_or_default();
        let name = text_of(call, "name").unwrap_or_default();
        let input = call.get("args").unwrap_or(RawJson::new(b""));
        parts.push(Part::Call { id: id.clone(), name, input });
        if let Some(content) = call.get("result").or_else(|| call.get("resultDisplay")) {
            let output = content.elements().find_map(|part| part.at(&["functionResponse", "response", "output"]));
            let is_error = says(call, "status", "error");
            parts.push(Part::Result { id, content: output.unwrap_or(content), is_error });
        }
    }
    let number = |key: &str| record.at(&["tokens", key]).and_then(RawJson::number).unwrap_or_default();
    let cache_read = number("cached");
    let usage = Usage {
        input: number("input").saturating_sub(cache_read),
        output: number("output").saturating_add(number("thoughts")),
        cache_read,
        cache_write: 0,
    };
    let mut turn = Turn { parts, ..Turn::default() }.with_role_of_parts();
    if turn.role == TurnRole::Noise {
        turn.role = TurnRole::Answer;
    }
    Turn { model: text_of(record, "model"), usage: record.get("tokens").map(|_| usage), ..turn }
}
