//! Logs of Inspect: a document with samples, each with the messages of its conversation.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::{text_of, texts};
use super::{Author, Context, Format, NestedRecord, Part, Turn, TurnRole};

/// The reader.
#[derive(Debug)]
pub(super) struct Inspect;

impl Format for Inspect {
    fn name(&self) -> &'static str {
        "Inspect log"
    }

    fn agent(&self) -> &'static str {
        "model"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let role = text_of(record, "role").unwrap_or_default();
        let is_role = matches!(&*role, "system" | "user" | "assistant" | "tool");
        let is_known = record.get("source").is_some() || record.get("tool_calls").is_some();
        match is_role && record.get("content").is_some() {
            true if is_known && record.get("id").is_some() => 60,
            true => 40,
            false => 0,
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, _context: &mut Context) -> Turn<'b> {
        let role = text_of(record, "role").unwrap_or_default();
        let content = record.get("content").unwrap_or(RawJson::new(b""));
        let mut turn = match &*role {
            "user" => Turn { parts: texts(content), author: Author::Human, ..Turn::of(TurnRole::Prompt) },
            "assistant" => answer(record, content),
            "tool" => {
                let id = text_of(record, "tool_call_id").unwrap_or_default();
                let is_error = record.get("error").is_some_and(|error| error.bytes() != b"null");
                Turn { parts: vec![Part::Result { id, content, is_error }], ..Turn::default() }.with_role_of_parts()
            }
            _ => Turn { parts: texts(content), kind: Some(role), ..Turn::default() },
        };
        turn.id = text_of(record, "id");
        turn
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let Some(samples) = document.get("samples").filter(|_| document.get("eval").is_some()) else {
            return Vec::new();
        };
        let task = document.at(&["eval", "task"]).and_then(RawJson::text).unwrap_or_default();
        let mut found = Vec::new();
        for sample in samples.elements() {
            let text = |key: &str| {
                let value = sample.get(key)?;
                value.text().or_else(|| value.number().map(|number| Cow::Owned(number.to_string())))
            };
            let epoch = text("epoch").unwrap_or(Cow::Borrowed("1"));
            let session = format!("{task}/{}/{epoch}", text("id").unwrap_or_default());
            for record in sample.get("messages").into_iter().flat_map(RawJson::elements) {
                found.push(NestedRecord { record, session: Some(Cow::Owned(session.clone())) });
            }
        }
        found
    }
}

fn answer<'b>(record: RawJson<'b>, content: RawJson<'b>) -> Turn<'b> {
    let mut parts = Vec::new();
    for part in content.elements() {
        parts.extend(part.get("reasoning").map(Part::Thinking));
    }
    parts.extend(texts(content).into_iter().filter(|part| !matches!(part, Part::Media(kind) if kind == "reasoning")));
    for call in record.get("tool_calls").into_iter().flat_map(RawJson::elements) {
        parts.push(Part::Call {
            id: text_of(call, "id").unwrap_or_default(),
            name: text_of(call, "function").unwrap_or_default(),
            input: call.get("arguments").unwrap_or(RawJson::new(b"")),
        });
    }
    let mut turn = Turn { parts, ..Turn::default() }.with_role_of_parts();
    if turn.role == TurnRole::Noise {
        turn.role = TurnRole::Answer;
    }
    Turn { model: text_of(record, "model"), ..turn }
}
