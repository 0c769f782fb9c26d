//! Sessions of pi: a header, then entries that name the one before them.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::{says, text_of, texts};
use super::{Author, Context, Format, Part, Turn, TurnFlags, TurnRole, Usage};

/// The reader.
#[derive(Debug)]
pub(super) struct Pi;

impl Format for Pi {
    fn name(&self) -> &'static str {
        "pi session"
    }

    fn agent(&self) -> &'static str {
        "pi"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        let kind = text_of(record, "type").unwrap_or_default();
        match &*kind {
            "session" if has("id") && has("cwd") && has("timestamp") => 85,
            "message" if record.at(&["message", "role"]).is_some() && has("timestamp") => 85,
            "message" | "custom" | "label" | "session_info" | "custom_message" if has("parentId") => 40,
            "model_change" | "thinking_level_change" | "compaction" | "branch_summary" if has("parentId") => 80,
            _ => 0,
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        let kind = text_of(record, "type").unwrap_or_default();
        let mut turn = match &*kind {
            "session" => {
                context.session = text_of(record, "id").unwrap_or_default().into_owned();
                let kind = Some(Cow::Borrowed("session-start"));
                Turn { kind, directory: text_of(record, "cwd"), ..Turn::of(TurnRole::Lifecycle) }
            }
            "message" => record.get("message").map(message).unwrap_or_default(),
            "compaction" => Turn { kind: Some(kind), flags: TurnFlags::COMPACTION, ..Turn::of(TurnRole::Lifecycle) },
            "session_info" => Turn { title: text_of(record, "name"), ..Turn::noise(Some(kind)) },
            _ => Turn::noise(Some(kind)),
        };
        turn.id = text_of(record, "id");
        if !context.session.is_empty() {
            turn.session = Some(Cow::Owned(context.session.clone()));
        }
        turn
    }
}

fn message<'b>(message: RawJson<'b>) -> Turn<'b> {
    let content = message.get("content").unwrap_or(RawJson::new(b""));
    let role = text_of(message, "role").unwrap_or_default();
    match &*role {
        "user" => Turn { parts: texts(content), author: Author::Human, ..Turn::of(TurnRole::Prompt) },
        "assistant" => {
            let mut turn = Turn { parts: answer(content), ..Turn::default() }.with_role_of_parts();
            if turn.role == TurnRole::Noise {
                turn.role = TurnRole::Answer;
            }
            turn.model = text_of(message, "model");
            turn.usage = message.get("usage").map(usage);
            turn.flags.set(TurnFlags::ERROR, says(message, "stopReason", "error"));
            turn.flags.set(TurnFlags::TRUNCATED, says(message, "stopReason", "length"));
            turn
        }
        "toolResult" => {
            let id = text_of(message, "toolCallId").unwrap_or_default();
            let is_error = message.get("isError").is_some_and(RawJson::is_true);
            Turn { parts: vec![Part::Result { id, content, is_error }], ..Turn::default() }.with_role_of_parts()
        }
        _ => Turn { parts: texts(content), kind: Some(role), ..Turn::default() },
    }
}

fn answer<'b>(content: RawJson<'b>) -> Vec<Part<'b>> {
    let part = |element: RawJson<'b>| match &*text_of(element, "type").unwrap_or_default() {
        "thinking" => element.get("thinking").map(Part::Thinking),
        "toolCall" => Some(Part::Call {
            id: text_of(element, "id").unwrap_or_default(),
            name: text_of(element, "name").unwrap_or_default(),
            input: element.get("arguments").unwrap_or(RawJson::new(b"")),
        }),
        _ => element.get("text").filter(|text| text.has_text()).map(Part::Text),
    };
    if content.is_string() { texts(content) } else { content.elements().filter_map(part).collect() }
}

fn usage(usage: RawJson<'_>) -> Usage {
    let number = |key: &str| usage.get(key).and_then(RawJson::number).unwrap_or_default();
    Usage {
        input: number("input"),
        output: number("output"),
        cache_read: number("cacheRead"),
        cache_write: number("cacheWrite"),
    }
}
