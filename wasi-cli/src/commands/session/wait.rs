//! `huddle session wait`, `ready` and `recover`

use huddle_api::{AgentIssueEntry, AgentSelection, AwaitAgents, FindAgentIssues, ListReadyAgents, span};
use huddle_core::model::Span;

use super::SessionOption;
use crate::call::Call;
use crate::failure::Failure;
use crate::remedy::recovery_command;
use crate::text;

/// Wait until agents have finished
///
/// Ends with exit code 1 at once when one of them fails, or cannot start because one before it failed.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct WaitArgs {
    /// an agent to wait for
    #[arg(value_name = "AGENT")]
    names: Vec<String>,
    /// wait for every agent of the session
    #[arg(long)]
    all: bool,
    /// wait for those whose names fit, as in '*-analyzer'
    #[arg(long, value_name = "GLOB")]
    agents: Option<String>,
    /// wait for those whom this agent waits for
    #[arg(long, value_name = "AGENT")]
    needs_of: Option<String>,
    /// give up after this long, with exit code 4; by default never
    #[arg(long, value_name = "SECONDS", value_parser = span)]
    timeout: Option<Span>,
    /// when one fails, go on waiting for the others, and end well
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    session: SessionOption,
}

impl WaitArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { names, all, agents, needs_of, timeout, keep_going, session } = self;
        let mut targets = Vec::new();
        targets.extend((!names.is_empty()).then_some(AgentSelection::Agents(names)));
        targets.extend(all.then_some(AgentSelection::All));
        targets.extend(agents.map(AgentSelection::Matching));
        targets.extend(needs_of.map(AgentSelection::DependenciesOf));
        let (Some(target), true) = (targets.pop(), targets.is_empty()) else {
            return Err(call.wrong("say whom to wait for, one way: AGENT…, --all, --agents or --needs-of"));
        };
        let finished = call.execute(AwaitAgents { session: session.id, target, timeout, keep_going })?;
        call.answer(&finished, |finished| {
            let failed = finished.failed.iter().map(|agent| format!("\n❌ {} failed: {}", agent.name, agent.error));
            let blocked =
                finished.blocked.iter().map(|agent| format!("\n⛔ {} cannot start: {}", agent.name, agent.reason));
            let ends = failed.chain(blocked).collect::<String>();
            format!("✅ Completed: {}{ends}", text::list(&finished.completed))
        })
    }
}

/// Say who can start now, and whom the others wait for
#[derive(Debug, clap::Args)]
pub(super) struct ReadyArgs {
    #[command(flatten)]
    session: SessionOption,
}

impl ReadyArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let ready = call.execute(ListReadyAgents { session: self.session.id })?;
        call.answer(&ready, |ready| {
            let blocked = ready.blocked.iter();
            let blocked = blocked.map(|agent| format!("\n   {} waits for {}", agent.name, agent.waits_for.join(", ")));
            format!("Ready: {}{}", text::list(&ready.ready), blocked.collect::<String>())
        })
    }
}

/// Find agents that failed, fell silent or left a partial report, and what can be done
#[derive(Debug, clap::Args)]
pub(super) struct RecoverArgs {
    /// how long an agent at work may say nothing
    #[arg(long, value_name = "SECONDS", default_value = "10m", value_parser = span)]
    silent: Span,
    #[command(flatten)]
    session: SessionOption,
}

impl RecoverArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let mut issues = call.execute(FindAgentIssues { session: self.session.id, silent: Some(self.silent) })?;
        for strategy in issues.agents.iter_mut().flat_map(|agent| &mut agent.strategies) {
            let steps = strategy.steps.iter();
            strategy.commands = steps.map(|step| recovery_command(&issues.session_id, step)).collect();
        }
        call.answer(&issues, |issues| match issues.agents.as_slice() {
            [] => "✅ Nobody has failed or is silent".to_owned(),
            agents => agents.iter().map(show).collect::<Vec<_>>().join("\n"),
        })
    }
}

fn show(issue: &AgentIssueEntry) -> String {
    let error = issue.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    let heard = issue.silent_for.map(|span| format!(" · last heard of {span} ago")).unwrap_or_default();
    let problem = issue.problem.replace('_', " ");
    let mut lines = vec![format!("⚠️ {} ({}) {problem}{error}{heard}", issue.name, issue.status)];
    if !issue.blocks.is_empty() {
        lines.push(format!("   blocks {}", text::list(&issue.blocks)));
    }
    for strategy in &issue.strategies {
        lines.push(format!("   {}: {}", strategy.name.replace('_', " "), strategy.effect));
        lines.extend(strategy.commands.iter().map(|command| format!("      {command}")));
    }
    lines.join("\n")
}
