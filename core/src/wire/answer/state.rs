//! The orchestrator's files.

use serde_json::json;

use crate::model::Json;
use crate::state::{Choice, Protocol, Settings};
use crate::wire::orchestrator::shared_context::SharedContext;

/// Writes the shared state: the document itself, and its version even when it has none yet.
pub fn shared_state(state: &SharedContext) -> Json {
    let mut fields = state.document();
    fields["version"] = state.version().into();
    fields
}

/// Writes the settings that hold, with the names that they have in their file.
pub fn settings(settings: &Settings) -> Json {
    let protocols: Vec<&str> = settings.protocols.iter().copied().map(Protocol::as_str).collect();
    json!({
        "protocols": protocols,
        "sharedStateEnabled": settings.shared_state,
        "contextCompression": settings.compression,
        "maxContextTokens": settings.max_context_tokens,
        "timeoutMs": settings.timeout.millis(),
    })
}

/// Writes the log of communications, each as it stands in its line.
pub fn communications(lines: &[Json]) -> Json {
    json!({"count": lines.len(), "communications": lines})
}

/// Writes which protocols a situation calls for; when no row matched, all rows are there to choose from.
pub fn choices(situation: &str, matched: bool, choices: &[Choice]) -> Json {
    let rows = choices.iter().map(|choice| {
        json!({
            "scenario": choice.scenario,
            "protocol": choice.protocol.as_str(),
            "reason": choice.reason,
            "command": choice.protocol.command(),
        })
    });
    json!({"situation": situation, "matched": matched, "choices": rows.collect::<Vec<Json>>()})
}
