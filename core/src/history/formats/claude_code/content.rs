//! What a message of a transcript consists of.

use std::borrow::Cow;

use huddle_scan::{Cursor, RawJson};

use crate::history::formats::turn::text_of;
use crate::history::formats::{Author, Part, Turn, TurnFlags, TurnRole, Usage};

/// Begins of texts that a program puts in a person's place.
const PUT_IN: [&str; 5] =
    ["<local-command-", "<bash-stdout", "<bash-stderr", "<system-reminder>", "Caveat: The messages below"];
/// How much of a text is looked at to tell what put it there.
const BEGIN: usize = 512;
/// The model of answers that no model gave.
const SYNTHETIC: &str = "<synthetic>";

/// Reads a message of an agent.
pub(super) fn answer<'b>(message: RawJson<'b>, is_error: bool) -> Turn<'b> {
    let mut turn = Turn::default();
    Cursor::new(message).members(|cursor, key| match key {
        b"content" => turn.parts = parts(cursor),
        b"model" => turn.model = cursor.value().text().filter(|model| model != SYNTHETIC),
        b"id" => turn.answer = cursor.value().text(),
        b"usage" => turn.usage = Some(usage(cursor)),
        b"stop_reason" => {
            turn.flags.set(TurnFlags::TRUNCATED, cursor.value().bytes() == br#""max_tokens""#);
        }
        _ => {}
    });
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
    let mut turn = None;
    Cursor::new(message).members(|cursor, key| {
        if key == b"content" {
            turn = Some(prompt_at(cursor));
        }
    });
    turn.unwrap_or_else(|| prompt(RawJson::new(b"")))
}

/// Reads the contents of a message to an agent.
pub(super) fn prompt(content: RawJson<'_>) -> Turn<'_> {
    prompt_at(&mut Cursor::new(content))
}

fn prompt_at<'b>(content: &mut Cursor<'b>) -> Turn<'b> {
    let is_string = content.first_byte() == Some(b'"');
    let parts = if is_string { vec![Part::Text(content.value())] } else { parts(content) };
    let turn = Turn { parts, ..Turn::default() }.with_role_of_parts();
    if turn.role == TurnRole::ToolResult {
        return turn;
    }
    let first = turn.parts.iter().find_map(|part| match part {
        Part::Text(text) => text.text_start(BEGIN),
        _ => None,
    });
    let first = first.unwrap_or_default();
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

fn parts<'b>(content: &mut Cursor<'b>) -> Vec<Part<'b>> {
    let mut parts = Vec::new();
    if content.first_byte() == Some(b'"') {
        let text = content.value();
        parts.extend(text.has_text().then_some(Part::Text(text)));
    } else {
        content.elements(|element| parts.extend(part(element)));
    }
    parts
}

fn part<'b>(element: &mut Cursor<'b>) -> Option<Part<'b>> {
    let none = RawJson::new(b"");
    let (mut kind, mut text, mut id, mut name, mut inner, mut source) = (none, none, none, none, none, none);
    let mut is_error = false;
    element.members(|cursor, key| match key {
        b"type" => kind = cursor.value(),
        b"text" | b"thinking" => text = cursor.value(),
        b"id" | b"tool_use_id" => id = cursor.value(),
        b"name" => name = cursor.value(),
        b"input" | b"content" => inner = cursor.value(),
        b"source" => source = cursor.value(),
        b"is_error" => is_error = cursor.value().is_true(),
        _ => {}
    });
    let said = |value: RawJson<'b>| value.text().unwrap_or_default();
    Some(match &*kind.text()? {
        "text" => Part::Text(text),
        "thinking" | "redacted_thinking" => Part::Thinking(text),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Part::Call { id: said(id), name: said(name), input: inner },
        kind if kind.ends_with("tool_result") => Part::Result { id: said(id), content: inner, is_error },
        kind => {
            let media = source.get("media_type").and_then(RawJson::text);
            Part::Media(media.unwrap_or_else(|| Cow::Owned(kind.to_owned())))
        }
    })
}

fn usage(object: &mut Cursor<'_>) -> Usage {
    let mut usage = Usage::default();
    object.members(|cursor, key| {
        let number = match key {
            b"input_tokens" => &mut usage.input,
            b"output_tokens" => &mut usage.output,
            b"cache_read_input_tokens" => &mut usage.cache_read,
            b"cache_creation_input_tokens" => &mut usage.cache_write,
            _ => return,
        };
        *number = cursor.value().number().unwrap_or_default();
    });
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
