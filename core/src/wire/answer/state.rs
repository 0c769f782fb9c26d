//! The orchestrator's files.

use crate::model::Json;
use crate::state::{Choice, Protocol, Settings};
use crate::wire::object;
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
    object(vec![
        ("protocols", protocols.into()),
        ("sharedStateEnabled", settings.shared_state.into()),
        ("contextCompression", settings.compression.into()),
        ("maxContextTokens", settings.max_context_tokens.into()),
        ("timeoutMs", settings.timeout.millis().into()),
    ])
}

/// Writes which protocols a situation calls for; when no row matched, all rows are there to choose from.
pub fn choices(situation: &str, matched: bool, choices: &[Choice]) -> Json {
    let rows = choices.iter().map(|choice| {
        object(vec![
            ("scenario", choice.scenario.into()),
            ("protocol", choice.protocol.as_str().into()),
            ("reason", choice.reason.into()),
            ("command", choice.protocol.command().into()),
        ])
    });
    object(vec![("situation", situation.into()), ("matched", matched.into()), ("choices", rows.collect())])
}
