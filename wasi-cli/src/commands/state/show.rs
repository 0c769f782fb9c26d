//! Looking at what agents share: `huddle state show` and `settings`.

use huddle_core::bus::ErrorKind;
use huddle_core::model::Json;
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::shared_context::SharedContext;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command("huddle state show", "Print what agents share", &[], show);

pub(super) const SETTINGS: Spec = Spec::command(
    "huddle state settings",
    "Print the settings that hold, the protocol's defaults included",
    &[],
    settings,
)
.more("Read from .claude/config/orchestrator-settings.json, which is yours to write.");

fn show(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let Some(state) = call.project.state.shared()? else {
        let hint = "start it: huddle state objective TEXT";
        return Err(Failure::new(ErrorKind::NotFound, "there is no shared state", hint));
    };
    call.output.answer(|| answer::shared_state(&state), || page(&state))
}

fn settings(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let found = call.project.state.settings();
    call.output.found(found.findings);
    let document = answer::settings(&found.value);
    call.output.answer(|| document.clone(), || format!("{document:#}"))
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
