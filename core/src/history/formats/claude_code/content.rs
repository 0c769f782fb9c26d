//! What a message of a transcript consists of.

use std::borrow::Cow;

use huddle_scan::RawJson;

use crate::history::formats::turn::text_of;
use crate::history::formats::{Author, Part, Turn, TurnFlags, TurnRole, Usage};

/// Begins of texts that a program puts in a person's place.
const PUT_IN: [&str; 5] =
    ["<local-command-", "<bash-stdout", "<bash-stderr", "<system-reminder>", "Caveat: The messages below"];
/// The model of answers that no model gave.
const SYNTHETIC: &str = "<synthetic>";

/// Reads a message of an agent.
pub(super) fn answer<'b>(message: RawJson<'b>, is_error: bool) -> Turn<'b> {
    let mut turn = Turn::default();
    for (key, value) in message.members() {
        match key {
            b"content" => turn.parts = parts(value),
            b"model" => turn.model = value.text().filter(|model| model != SYNTHETIC),
            b"id" => turn.answer = value.text(),
            b"usage" => turn.usage = Some(usage(value)),
            b"stop_reason" => {
                turn.flags.set(TurnFlags::TRUNCATED, value.text().is_some_and(|reason| reason == "max_tokens"));
            }
            _ => {}
        }
    }
    if turn.model.is_none() {
        turn.usage = None;
    }
    let mut turn = turn.with_role_of_parts();
    if is_error {
        turn.role = TurnRole::Lifecycle;
        turn.kind = Some(Cow::Borrowed("api-error"));
        turn.flags |= TurnFlags::ERROR;
    } else if turn.role == TurnRole::Noise {
        turn.role = TurnRole::Answer;
    }
    with_message(turn)
}

/// Makes a call that sends a message to another agent that message.
fn with_message(mut turn: Turn<'_>) -> Turn<'_> {
    if let [Part::Call { name, input, .. }] = turn.parts.as_slice()
        && name == "SendMessage"
        && let Some(recipient) = text_of(*input, "recipient").or_else(|| text_of(*input, "to"))
    {
        turn.peer = Some(recipient);
        turn.role = TurnRole::Message;
    }
    turn
}

/// Reads a message to an agent.
pub(super) fn input(message: RawJson<'_>) -> Turn<'_> {
    prompt(message.get("content").unwrap_or(RawJson::new(b"")))
}

/// Reads the contents of a message to an agent.
pub(super) fn prompt(content: RawJson<'_>) -> Turn<'_> {
    let parts = if content.is_string() { vec![Part::Text(content)] } else { parts(content) };
    let turn = Turn { parts, ..Turn::default() }.with_role_of_parts();
    if turn.role == TurnRole::ToolResult {
        return turn;
    }
    let first = turn.parts.iter().find_map(|part| match part {
        Part::Text(text) => text.text(),
        _ => None,
    });
    let first = first.unwrap_or_default().into_owned();
    let start = first.trim_start();
    let mut turn = Turn { role: TurnRole::Prompt, author: Author::Human, ..turn };
    if PUT_IN.iter().any(|prefix| start.starts_with(prefix)) {
        turn.role = TurnRole::Noise;
        turn.kind = Some(Cow::Borrowed("command-output"));
    } else if start.starts_with("[Request interrupted") {
        turn.role = TurnRole::Lifecycle;
        turn.kind = Some(Cow::Borrowed("interrupted"));
    } else if start.starts_with("<task-notification>") {
        turn.role = TurnRole::Lifecycle;
        turn.author = Author::Agent;
        turn.kind = Some(Cow::Borrowed("task-notification"));
    } else if let Some(name) = teammate(start) {
        turn.role = TurnRole::Message;
        turn.author = Author::Peer;
        turn.peer = Some(Cow::Owned(name.to_owned()));
    }
    turn
}

/// Returns who sent a message that was put into the conversation.
fn teammate(text: &str) -> Option<&str> {
    let attributes = text.strip_prefix("<teammate-message ")?.split('>').next()?;
    attributes.split_once("teammate_id=\"")?.1.split('"').next().filter(|name| !name.is_empty())
}

fn parts<'b>(content: RawJson<'b>) -> Vec<Part<'b>> {
    if content.is_string() {
        return if content.has_text() { vec![Part::Text(content)] } else { Vec::new() };
    }
    content.elements().filter_map(part).collect()
}

fn part<'b>(element: RawJson<'b>) -> Option<Part<'b>> {
    let none = RawJson::new(b"");
    let (mut kind, mut text, mut id, mut name, mut inner) = (None, none, None, None, none);
    let mut is_error = false;
    for (key, value) in element.members() {
        match key {
            b"type" => kind = value.text(),
            b"text" | b"thinking" => text = value,
            b"id" | b"tool_use_id" => id = value.text(),
            b"name" => name = value.text(),
            b"input" | b"content" => inner = value,
            b"is_error" => is_error = value.is_true(),
            _ => {}
        }
    }
    let id = id.unwrap_or_default();
    Some(match &*kind? {
        "text" => Part::Text(text),
        "thinking" | "redacted_thinking" => Part::Thinking(text),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            Part::Call { id, name: name.unwrap_or_default(), input: inner }
        }
        kind if kind.ends_with("tool_result") => Part::Result { id, content: inner, is_error },
        kind => {
            let media = element.at(&["source", "media_type"]).and_then(RawJson::text);
            Part::Media(media.unwrap_or_else(|| Cow::Owned(kind.to_owned())))
        }
    })
}

fn usage(value: RawJson<'_>) -> Usage {
    let mut usage = Usage::default();
    for (key, value) in value.members() {
        let number = || value.number().unwrap_or_default();
        match key {
            b"input_tokens" => usage.input = number(),
            b"output_tokens" => usage.output = number(),
            b"cache_read_input_tokens" => usage.cache_read = number(),
            b"cache_creation_input_tokens" => usage.cache_write = number(),
            _ => {}
        }
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_to_an_agent_are_told_apart() {
        let check = |content: &str, role: TurnRole, author: Author| {
            let turn = prompt(RawJson::new(content.as_bytes()));
            assert_eq!((turn.role, turn.author), (role, author), "{content}");
        };
        check(r#""Fix it""#, TurnRole::Prompt, Author::Human);
        check(r#"[{"type":"text","text":"Fix it"},{"type":"image","source":{}}]"#, TurnRole::Prompt, Author::Human);
        check(r#"[{"type":"tool_result","tool_use_id":"t","content":"x"}]"#, TurnRole::ToolResult, Author::Agent);
        check(r#""<local-command-stdout>x</local-command-stdout>""#, TurnRole::Noise, Author::Human);
        check(r#""<command-name>/clear</command-name>""#, TurnRole::Prompt, Author::Human);
        check(r#""[Request interrupted by user]""#, TurnRole::Lifecycle, Author::Human);
        check(r#""<teammate-message teammate_id=\"bea\">hi</teammate-message>""#, TurnRole::Message, Author::Peer);
    }

    #[test]
    fn a_message_to_another_agent_names_it() {
        let json = r#"{"content":[{"type":"tool_use","id":"t","name":"SendMessage","input":{"recipient":"bea","content":"hi"}}]}"#;
        let turn = answer(RawJson::new(json.as_bytes()), false);
        assert_eq!((turn.role, turn.peer.as_deref()), (TurnRole::Message, Some("bea")));
    }
}
