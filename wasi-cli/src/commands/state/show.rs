//! Looking at what agents share: `huddle state show`, `settings` and `log`.

use huddle_core::bus::Kind;
use huddle_core::model::Json;
use huddle_core::wire::answer;
use huddle_core::wire::orchestrator::shared_context::SharedContext;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command("huddle state show", "Print what agents share", &[], show);

pub(super) const SETTINGS: Spec = Spec::command(
    "huddle state settings",
    "Print the settings that hold, the protocol's defaults included",
    &[],
    settings,
)
.more("Read from .claude/config/orchestrator-settings.json, which is yours to write.");

pub(super) const LOG: Spec = Spec::command(
    "huddle state log",
    "List what agents said to each other, and how it went",
    &[option("limit", "N", "list at most so many, the last ones; the count still tells all")],
    log,
)
.more(
    "\
Read from .claude/state/decisions.jsonl. Questions, answers, typed broadcasts and sequential handoffs are always logged there;
plain broadcasts and handoffs are when there is a .claude/state or there are settings. Nothing is when the settings have
sharedStateEnabled at false.",
);

fn show(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let Some(state) = call.state.shared()? else {
        let hint = "start it: huddle state objective TEXT";
        return Err(Failure::new(Kind::NotFound, "there is no shared state", hint));
    };
    call.output.answer(|| answer::shared_state(&state), || page(&state))
}

fn settings(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let found = call.state.settings();
    call.output.found(found.findings);
    let document = answer::settings(&found.value);
    call.output.answer(|| document.clone(), || format!("{document:#}"))
}

fn log(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let limit = args.number("limit")?.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let found = call.state.communications()?;
    call.output.found(found.findings);
    let lines = &found.value[found.value.len().saturating_sub(limit)..];
    let document = || {
        let mut document = answer::communications(lines);
        document["count"] = found.value.len().into();
        document
    };
    call.output.answer(document, || table(lines))
}

fn table(lines: &[Json]) -> String {
    if lines.is_empty() {
        return "Nothing was said yet.".to_owned();
    }
    let mut rows = vec![text::row([&"TIME", &"PROTOCOL", &"FROM", &"TO", &"TOKENS", &"OUTCOME"])];
    rows.extend(lines.iter().map(|line| {
        let word = |field: &str| word(&line[field]);
        let good = if line["success"] == Json::Bool(true) { "✅" } else { "❌" };
        let outcome = format!("{good} {}", line["outcome"].as_str().unwrap_or_default());
        let [time, protocol, from, to] = ["timestamp", "protocol", "from", "to"].map(word);
        text::row([&time, &protocol, &from, &to, &word("tokensTransferred"), &outcome])
    }));
    text::table(&rows)
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
