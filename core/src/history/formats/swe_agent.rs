//! Trajectories of SWE-agent: a document with a list of steps, each a thought, an action and what was observed.

use std::borrow::Cow;

use huddle_scan::RawJson;

use super::turn::text_of;
use super::{Context, Format, NestedRecord, Part, Turn, TurnRole};

/// The reader.
#[derive(Debug)]
pub(super) struct SweAgent;

impl Format for SweAgent {
    fn name(&self) -> &'static str {
        "SWE-agent trajectory"
    }

    fn agent(&self) -> &'static str {
        "swe-agent"
    }

    fn confidence(&self, record: RawJson<'_>) -> u8 {
        let has = |key: &str| record.get(key).is_some();
        if has("action") && has("observation") && (has("thought") || has("response")) {
            85
        } else {
            u8::from(has("action"))
        }
    }

    fn read<'b>(&self, record: RawJson<'b>, context: &mut Context) -> Turn<'b> {
        let text = |key: &str| record.get(key).filter(|text| text.has_text());
        let id = context.records.to_string();
        let mut parts = Vec::new();
        parts.extend(text("thought").map(Part::Text));
        if let Some(action) = text("action") {
            parts.push(Part::Call { id: Cow::Owned(id.clone()), name: Cow::Borrowed("bash"), input: action });
        }
        if let Some(content) = record.get("observation").filter(|content| content.is_string()) {
            parts.push(Part::Result { id: Cow::Owned(id), content, is_error: false });
        }
        let turn = Turn { parts, ..Turn::default() }.with_role_of_parts();
        if turn.role == TurnRole::ToolResult { Turn { role: TurnRole::Noise, ..turn } } else { turn }
    }

    fn records<'b>(&self, document: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        let Some(steps) = document.get("trajectory").filter(|_| document.get("info").is_some()) else {
            return Vec::new();
        };
        let session = text_of(document, "instance_id").or_else(|| text_of(document, "environment"));
        steps.elements().map(|record| NestedRecord { record, session: session.clone() }).collect()
    }
}
