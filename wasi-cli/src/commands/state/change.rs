//! Changing what agents share.

use huddle_api::{ChangeState, SharedState, StateChange};

use crate::call::Call;
use crate::commands::long_number;
use crate::failure::Failure;

/// The version that the state must still have.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Expected {
    /// refuse when the state is not at this version any more
    #[arg(long, value_name = "N", value_parser = long_number)]
    expect_version: Option<u64>,
}

/// Say which phase the work is in
#[derive(Debug, clap::Args)]
pub(super) struct PhaseArgs {
    /// a number, or a word such as 3a
    pub(super) phase: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Say what the agents are after
#[derive(Debug, clap::Args)]
pub(super) struct ObjectiveArgs {
    /// the objective
    pub(super) text: String,
    /// the task's id
    #[arg(long, value_name = "ID")]
    pub(super) task: Option<String>,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Add a decision
#[derive(Debug, clap::Args)]
pub(super) struct DecideArgs {
    /// what was decided
    pub(super) text: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Add something that was made
#[derive(Debug, clap::Args)]
pub(super) struct ArtifactArgs {
    /// where it is
    pub(super) path: String,
    /// what kind of thing it is
    #[arg(long = "type", value_name = "TYPE", default_value = "file")]
    pub(super) kind: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Add something that is in the way
#[derive(Debug, clap::Args)]
pub(super) struct BlockArgs {
    /// what is in the way
    pub(super) text: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Take away what was in the way
#[derive(Debug, clap::Args)]
pub(super) struct UnblockArgs {
    /// the blocker's id, or its text when it has none
    pub(super) id: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Add a note
#[derive(Debug, clap::Args)]
pub(super) struct NoteArgs {
    /// what is worth knowing
    pub(super) text: String,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Say where an agent stands
#[derive(Debug, clap::Args)]
pub(super) struct AgentArgs {
    /// the agent
    pub(super) name: String,
    /// how it is doing: in_progress, completed, … any word will do
    pub(super) status: String,
    /// what it is at; one that is completed is at nothing
    #[arg(long, value_name = "TEXT")]
    pub(super) task: Option<String>,
    /// where its output is
    #[arg(long, value_name = "REF")]
    pub(super) output_ref: Option<String>,
    #[command(flatten)]
    pub(super) expected: Expected,
}

/// Changes the state, and prints what it is now.
pub(super) fn run(change: StateChange, expected: Expected, call: &mut Call<'_>) -> Result<(), Failure> {
    let has_id = matches!(change, StateChange::Blocker(_));
    let state = call.execute(ChangeState { change, expect_version: expected.expect_version })?;
    call.answer(&state, |state| changed_text(state, has_id))
}

fn changed_text(SharedState { state, .. }: &SharedState, has_id: bool) -> String {
    let mut text = format!("✅ Shared state changed (version {})", state.version());
    if let (true, Some(blocker)) = (has_id, state.list("blockers").last()) {
        text += &format!("\n   ID: {}", blocker["id"].as_str().unwrap_or_default());
    }
    text
}
