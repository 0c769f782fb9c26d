//! The interface `handoffs`.

use super::Component;
use super::bindings::exports::huddle::bus::handoffs::{ContextPackage, Guest, Handoff, HandoffContext, HandoffOptions};
use super::bindings::exports::huddle::bus::types::Error;
use super::command::Command;

impl Guest for Component {
    fn create_handoff(
        agent: String,
        to: String,
        task: String,
        options: Option<HandoffOptions>,
    ) -> Result<Handoff, Error> {
        let command = Command::new("handoff create").with("TO", to).with("task", task);
        match options {
            Some(options) => with_options(command, options).run(agent),
            None => command.run(agent),
        }
    }

    fn list_handoffs() -> Result<Vec<Handoff>, Error> {
        Command::new("handoff list").list("handoffs")
    }

    fn show_handoff(handoff_id: String) -> Result<Handoff, Error> {
        Command::new("handoff show").with("ID", handoff_id).run(None)
    }

    fn accept_handoff(agent: String, handoff_id: String, notes: Option<String>) -> Result<Handoff, Error> {
        Command::new("handoff accept").with("ID", handoff_id).with("notes", notes).run(agent)
    }

    fn decline_handoff(agent: String, handoff_id: String, reason: String) -> Result<Handoff, Error> {
        Command::new("handoff decline").with("ID", handoff_id).with("reason", reason).run(agent)
    }

    fn request_context(
        agent: String,
        handoff_id: String,
        timeout_seconds: Option<u32>,
    ) -> Result<HandoffContext, Error> {
        let timeout = timeout_seconds.map(|seconds| seconds.to_string());
        Command::new("handoff request-context").with("ID", handoff_id).with("timeout", timeout).run(agent)
    }
}

fn with_options(command: Command, options: HandoffOptions) -> Command {
    let HandoffOptions { artifacts, context, done, next, issues, questions, criteria, package } = options;
    let command = command
        .all("artifact", artifacts)
        .with("context", context)
        .with("done", done)
        .all("next", next)
        .all("issue", issues)
        .all("question", questions)
        .all("criterion", criteria);
    let Some(package) = package else { return command };
    let ContextPackage { summary, key_findings, next_action, output_ref, tokens_used, state_snapshot } = package;
    command
        .with("summary", summary)
        .all("finding", Some(key_findings))
        .with("next-action", next_action)
        .with("output-ref", output_ref)
        .with("tokens-used", tokens_used.map(|tokens| tokens.to_string()))
        .with("snapshot", state_snapshot)
}
