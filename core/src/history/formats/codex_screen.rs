//! Logs of Codex's screen: events of the agent among keys and redraws.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::text_of;
use super::{Author, Context, Format, Part, Turn, TurnFlags, TurnRole};

/// The reader.
#[derive(Debug)]
pub(super) struct CodexScreen;

impl Format for CodexScreen {
    fn name(&self) -> &'static str {
        "Codex screen log"
    }

    fn agent(&self) -> &'static str {
        "codex"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let direction = text_of(record, "dir").unwrap_or_default();
        let is_known = matches!(&*direction, "meta" | "to_tui" | "from_tui");
        if is_known && record.get("kind").is_some() && record.get("ts").is_some() { 95 } else { 0 }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        let kind = text_of(record, "kind").unwrap_or_default();
        let mut turn = match &*kind {
            "session_start" | "session_end" => {
                if let Some(model) = text_of(record, "model") {
                    context.model = model.into_owned();
                }
                Turn { kind: Some(kind), directory: text_of(record, "cwd"), ..Turn::of(TurnRole::Lifecycle) }
            }
            "codex_event" => match record.at(&["payload", "msg"]) {
                Some(message) => event(message, context),
                None => Turn::noise(Some(kind)),
            },
            "op" => operation(record),
            _ => Turn::noise(Some(kind)),
        };
        if !context.session.is_empty() {
            turn.session = Some(Cow::Owned(context.session.clone()));
        }
        if turn.author == Author::Agent && !context.model.is_empty() {
            turn.model = Some(Cow::Owned(context.model.clone()));
        }
        turn
    }
}

/// Reads what the person asks of the agent.
fn operation<'b>(record: RawJson<'b>) -> Turn<'b> {
    let operation = record.get("payload").unwrap_or(record);
    let items = operation.get("items").or_else(|| operation.at(&["UserInput", "items"]));
    match items {
        Some(items) => Turn { parts: super::turn::texts(items), author: Author::Human, ..Turn::of(TurnRole::Prompt) },
        None => Turn::noise(Some(Cow::Borrowed("op"))),
    }
}

fn event<'b>(message: RawJson<'b>, context: &mut Context) -> Turn<'b> {
    let kind = text_of(message, "type").unwrap_or_default();
    let text = |key: &str| message.get(key).filter(|text| text.has_text());
    let call = || text_of(message, "call_id").unwrap_or_default();
    let none = RawJson::new(b"");
    match &*kind {
        "session_configured" => {
            context.session = text_of(message, "session_id").unwrap_or_default().into_owned();
            Turn { kind: Some(kind), ..Turn::of(TurnRole::Lifecycle) }
        }
        "agent_message" => {
            Turn { parts: text("message").map(Part::Text).into_iter().collect(), ..Turn::of(TurnRole::Answer) }
        }
        "agent_reasoning" | "agent_reasoning_raw_content" => {
            Turn { parts: text("text").map(Part::Thinking).into_iter().collect(), ..Turn::of(TurnRole::Thinking) }
        }
        "user_message" => Turn {
            parts: text("message").map(Part::Text).into_iter().collect(),
            author: Author::Human,
            ..Turn::of(TurnRole::Prompt)
        },
        "exec_command_begin" => {
            let input = message.get("command").unwrap_or(none);
            let part = Part::Call { id: call(), name: Cow::Borrowed("exec_command"), input };
            Turn { id: Some(call()), parts: vec![part], ..Turn::of(TurnRole::ToolCall) }
        }
        "exec_command_end" => {
            let content = message.get("stdout").unwrap_or(none);
            let is_error = message.get("exit_code").is_some_and(|code| code.bytes() != b"0");
            Turn { parts: vec![Part::Result { id: call(), content, is_error }], ..Turn::default() }.with_role_of_parts()
        }
        "task_started" | "task_complete" | "turn_aborted" | "shutdown_complete" => {
            Turn { kind: Some(kind), ..Turn::of(TurnRole::Lifecycle) }
        }
        "error" => Turn { kind: Some(kind), flags: TurnFlags::ERROR, ..Turn::of(TurnRole::Lifecycle) },
        _ => Turn::noise(Some(kind)),
    }
}
