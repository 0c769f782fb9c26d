//! Looking at what agents share: `huddle state show` and `settings`.

use huddle_api::{ReadSettings, ReadState, document};
use huddle_core::model::Json;
use huddle_core::wire::orchestrator::shared_context::SharedContext;

use crate::call::Call;
use crate::failure::Failure;

/// Print what agents share
#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {}

/// Print the settings that hold, the protocol's defaults included
///
/// Read from .claude/config/orchestrator-settings.json, which is yours to write.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SettingsArgs {}

pub(super) fn state(call: &mut Call<'_>) -> Result<(), Failure> {
    let shared = call.execute(ReadState {})?;
    call.answer(&shared, |shared| page(&shared.state))
}

pub(super) fn settings(call: &mut Call<'_>) -> Result<(), Failure> {
    let settings = call.execute(ReadSettings {})?;
    call.answer(&settings, |settings| format!("{:#}", document(settings)))
}

fn page(state: &SharedContext) -> String {
    let document = state.document();
    let mut lines = vec![
        format!("Task: {}", word(&document["taskId"])),
        format!("Phase: {}", word(&document["currentPhase"])),
        format!("Objective: {}", state.objective()),
    ];
    for (title, list) in
        [("Decisions", "keyDecisions"), ("Artifacts", "artifacts"), ("Blockers", "blockers"), ("Notes", "notes")]
    {
        if !state.list(list).is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(state.list(list).iter().map(|item| format!("   {}", entry(item))));
        }
    }
    let agents: Vec<String> = state.agents().map(|(name, agent)| format!("   {name}: {}", entry(agent))).collect();
    if !agents.is_empty() {
        lines.push("Agents:".to_owned());
        lines.extend(agents);
    }
    lines.push(format!("Version: {}", state.version()));
    lines.join("\n")
}

/// Shows an item of a list, whoever wrote it: its values in their order.
fn entry(item: &Json) -> String {
    match item {
        Json::Object(fields) => fields.values().map(word).collect::<Vec<_>>().join(" · "),
        other => word(other),
    }
}

fn word(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
