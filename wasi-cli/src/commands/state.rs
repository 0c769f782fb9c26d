//! `huddle state`

mod change;
mod show;

use clap::{Args, Subcommand};
use huddle_api::StateChange;

use crate::call::Call;
use crate::failure::Failure;

/// Keep what agents share: objective, phase, decisions, artifacts, blockers, notes, and where each agent stands
///
/// Kept in .claude/state/shared-context.json, which the first change makes. Beside it, decisions.jsonl has a line for every
/// question, answer, typed broadcast and sequential handoff; and, when there is a .claude/state or there are settings, for
/// every other broadcast and handoff, too. Nothing is shared or logged when the settings have sharedStateEnabled at false.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct StateArgs {
    #[command(subcommand)]
    command: StateCommand,
}

#[derive(Debug, Subcommand)]
enum StateCommand {
    Show(show::ShowArgs),
    Phase(change::PhaseArgs),
    Objective(change::ObjectiveArgs),
    Decide(change::DecideArgs),
    Artifact(change::ArtifactArgs),
    Block(change::BlockArgs),
    Unblock(change::UnblockArgs),
    Note(change::NoteArgs),
    Agent(change::AgentArgs),
    Settings(show::SettingsArgs),
}

impl StateArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let (change, expected) = match self.command {
            StateCommand::Show(show::ShowArgs {}) => return show::state(call),
            StateCommand::Settings(show::SettingsArgs {}) => return show::settings(call),
            StateCommand::Phase(args) => (StateChange::Phase(args.phase), args.expected),
            StateCommand::Objective(args) => {
                (StateChange::Objective { text: args.text, task: args.task }, args.expected)
            }
            StateCommand::Decide(args) => (StateChange::Decision(args.text), args.expected),
            StateCommand::Artifact(args) => (StateChange::Artifact { path: args.path, kind: args.kind }, args.expected),
            StateCommand::Block(args) => (StateChange::Blocker(args.text), args.expected),
            StateCommand::Unblock(args) => (StateChange::Unblock(args.id), args.expected),
            StateCommand::Note(args) => (StateChange::Note(args.text), args.expected),
            StateCommand::Agent(change::AgentArgs { name, status, task, output_ref, expected }) => {
                (StateChange::Agent { name, status, task, output_ref }, expected)
            }
        };
        change::run(change, expected, call)
    }
}
