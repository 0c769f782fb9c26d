//! `huddle session wait`, `ready` and `recover`

use huddle_core::model::Span;
use huddle_core::session::{AgentIssue, WaitTarget};
use huddle_core::wire::answer::session as answer;

use super::{ID, names, session};
use crate::args::{Args, Spec, flag, option, repeated};
use crate::call::Call;
use crate::failure::Failure;
use crate::{text, when};

pub(super) const WAIT: Spec = Spec::command(
    "huddle session wait",
    "Wait until agents have finished",
    &[
        repeated("AGENT", "AGENT", "an agent to wait for"),
        flag("all", "wait for every agent of the session"),
        option("agents", "GLOB", "wait for those whose names fit, as in '*-analyzer'"),
        option("needs-of", "AGENT", "wait for those whom this agent waits for"),
        option("timeout", "SECONDS", "give up after this long, with exit code 4; by default never"),
        flag("keep-going", "when one fails, go on waiting for the others, and end well"),
        ID,
    ],
    wait,
)
.more("Ends with exit code 1 at once when one of them fails, or cannot start because one before it failed.");

pub(super) const READY: Spec =
    Spec::command("huddle session ready", "Say who can start now, and whom the others wait for", &[ID], ready);

pub(super) const RECOVER: Spec = Spec::command(
    "huddle session recover",
    "Find agents that failed, fell silent or left a partial report, and what can be done",
    &[option("silent", "SECONDS", "how long an agent at work may say nothing").default("10m"), ID],
    recover,
);

fn wait(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let mut whom = Vec::new();
    let agents = names(&args.all("AGENT"))?;
    whom.extend((!agents.is_empty()).then_some(WaitTarget::Agents(agents)));
    whom.extend(args.has("all").then_some(WaitTarget::All));
    whom.extend(args.text("agents").map(|pattern| WaitTarget::Matching(pattern.to_owned())));
    if args.has("needs-of") {
        whom.push(WaitTarget::DependenciesOf(args.name("needs-of")?));
    }
    let [whom] = whom.as_slice() else {
        return Err(args.wrong("say whom to wait for, one way: AGENT…, --all, --agents or --needs-of"));
    };
    let timeout = args.read("timeout", when::span)?;
    let waited = call.project.sessions.wait(&id, whom, timeout, args.has("keep-going"))?;
    call.output.answer(
        || answer::waited(&waited),
        || {
            let failed = waited.failed.iter().map(|(name, error)| format!("\n❌ {name} failed: {error}"));
            format!("✅ Completed: {}{}", text::list(&waited.completed), failed.collect::<String>())
        },
    )
}

fn ready(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let found = call.project.sessions.status(&id)?;
    call.output.found(found.findings);
    let session = found.value.session;
    call.output.answer(
        || answer::ready(&session),
        || {
            let ready: Vec<_> = session.ready().into_iter().map(|member| member.name.clone()).collect();
            let mut lines = vec![format!("Ready: {}", text::list(&ready))];
            for member in &session.members {
                let open = session.open_needs(member);
                if member.status == huddle_core::model::Status::Waiting && !open.is_empty() {
                    lines.push(format!("   {} waits for {}", member.name, open.join(", ")));
                }
            }
            lines.join("\n")
        },
    )
}

fn recover(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let silent = args.read("silent", when::span)?.unwrap_or(Span::from_seconds(600));
    let found = call.project.sessions.recover(&id, silent)?;
    call.output.found(found.findings);
    let shown = || match found.value.as_slice() {
        [] => "✅ Nobody has failed or is silent".to_owned(),
        all => all.iter().map(show).collect::<Vec<_>>().join("\n"),
    };
    call.output.answer(|| answer::agent_issues(&found.value), shown)
}

fn show(trouble: &AgentIssue) -> String {
    let error = trouble.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    let heard = trouble.silent_for.map(|span| format!(" · last heard of {span} ago")).unwrap_or_default();
    let problem = trouble.problem.as_str().replace('_', " ");
    let mut lines = vec![format!("⚠️ {} ({}) {problem}{error}{heard}", trouble.agent, trouble.status)];
    if !trouble.blocks.is_empty() {
        lines.push(format!("   blocks {}", text::list(&trouble.blocks)));
    }
    for strategy in &trouble.strategies {
        lines.push(format!("   {}: {}", strategy.name.replace('_', " "), strategy.effect));
        lines.extend(strategy.commands.iter().map(|command| format!("      {command}")));
    }
    lines.join("\n")
}
