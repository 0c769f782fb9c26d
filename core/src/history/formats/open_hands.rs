//! Events of OpenHands: actions and observations, each with a number, alone or in a history.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::{says, text_of};
use super::{Author, Context, Format, NestedRecord, Part, Turn, TurnRole};
use crate::model::Timestamp;

/// The reader.
#[derive(Debug)]
pub(super) struct OpenHands;

impl Format for OpenHands {
    fn name(&self) -> &'static str {
        "OpenHands events"
    }

    fn agent(&self) -> &'static str {
        "openhands"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        let is_event = has("id") && has("source") && has("message");
        if is_event && ((has("action") && has("args")) || (has("observation") && has("content"))) { 90 } else { 0 }
    }

    fn read<'b>(&self, record: RawJson<'b>, _context: &mut Context) -> Turn<'b> {
        let at = text_of(record, "timestamp").and_then(|at| {
            // It writes times without their zone.
            Timestamp::parse(&at).or_else(|| Timestamp::parse(&format!("{at}Z"))).map(Timestamp::micros)
        });
        Turn { at, ..read_event(record) }
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let Some(history) = document.get("history").filter(|history| history.is_list()) else { return Vec::new() };
        if history.elements().next().is_none_or(|first| self.confidence(first) == 0) {
            return Vec::new();
        }
        let session = text_of(document, "instance_id");
        history.elements().map(|record| NestedRecord { record, session: session.clone() }).collect()
    }
}

fn read_event<'b>(record: RawJson<'b>) -> Turn<'b> {
    let id = record.get("id").map(|id| String::from_utf8_lossy(id.bytes()).into_owned()).unwrap_or_default();
    let none = RawJson::new(b"");
    if let Some(kind) = text_of(record, "observation") {
        let content = record.get("content").unwrap_or(none);
        let cause = record.get("cause").map(|cause| String::from_utf8_lossy(cause.bytes()).into_owned());
        let failed = |code: RawJson<'_>| !matches!(code.bytes(), b"0" | b"-1" | b"null");
        let is_error = kind == "error" || record.at(&["extras", "metadata", "exit_code"]).is_some_and(failed);
        return match cause.filter(|cause| cause != "null" && kind != "null" && kind != "agent_state_changed") {
            Some(cause) => {
                let part = Part::Result { id: Cow::Owned(cause), content, is_error };
                Turn { id: Some(Cow::Owned(id)), parts: vec![part], ..Turn::default() }.with_role_of_parts()
            }
            None => Turn { id: Some(Cow::Owned(id)), ..Turn::noise(Some(kind)) },
        };
    }
    let kind = text_of(record, "action").unwrap_or_default();
    let args = record.get("args").unwrap_or(none);
    let said = |key: &str| args.get(key).filter(|text| text.has_text()).map(Part::Text);
    let mut turn = match &*kind {
        "message" | "system" | "recall" | "change_agent_state" | "null" => {
            let role = match (&*kind, says(record, "source", "user")) {
                ("message", true) => TurnRole::Prompt,
                ("message", false) => TurnRole::Answer,
                _ => TurnRole::Noise,
            };
            Turn { role, parts: said("content").into_iter().collect(), ..Turn::default() }
        }
        "finish" | "reject" => {
            let parts = said("final_thought").or_else(|| said("thought")).into_iter().collect();
            Turn { parts, ..Turn::of(TurnRole::Answer) }
        }
        "think" => Turn {
            parts: args.get("thought").map(Part::Thinking).into_iter().collect(),
            ..Turn::of(TurnRole::Thinking)
        },
        _ => {
            let call = Part::Call { id: Cow::Owned(id.clone()), name: kind.clone(), input: args };
            let parts = said("thought").into_iter().chain([call]).collect();
            Turn { parts, ..Turn::of(TurnRole::ToolCall) }
        }
    };
    turn.kind = (turn.role == TurnRole::Noise).then_some(kind);
    turn.id = Some(Cow::Owned(id));
    turn.author = if says(record, "source", "user") { Author::Human } else { Author::Agent };
    turn
}
