//! `huddle handoff create`

use huddle_api::{CreateHandoff, HandoffCreated};

use crate::call::Call;
use crate::commands::long_number;
use crate::failure::Failure;

/// Put a package together and tell its receiver
///
/// With a context package, the handoff is one of the orchestrator's sequential ones: the package is in metadata.json
/// (context_package), in HANDOFF.md and in the notice.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CreateArgs {
    /// who takes over
    to: String,
    /// what is handed over, in a line
    #[arg(long, value_name = "TEXT")]
    task: String,
    /// a file to copy into the package
    #[arg(long = "artifact", value_name = "FILE")]
    artifacts: Vec<String>,
    /// what the receiver should know
    #[arg(long, value_name = "TEXT|@FILE|-")]
    context: Option<String>,
    /// what is done
    #[arg(long, value_name = "TEXT|@FILE|-")]
    done: Option<String>,
    /// a step to take next
    #[arg(long, value_name = "TEXT")]
    next: Vec<String>,
    /// a known issue or blocker
    #[arg(long = "issue", value_name = "TEXT")]
    issues: Vec<String>,
    /// an open question
    #[arg(long = "question", value_name = "TEXT")]
    questions: Vec<String>,
    /// what must hold before it is accepted
    #[arg(long = "criterion", value_name = "TEXT")]
    criteria: Vec<String>,
    /// give a context package along; each of the options below implies it
    #[arg(long)]
    sequential: bool,
    /// what was done, in short; a context package needs it
    #[arg(long, value_name = "TEXT|@FILE|-")]
    summary: Option<String>,
    /// something that was found
    #[arg(long = "finding", value_name = "TEXT")]
    findings: Vec<String>,
    /// what has to be there before the receiver can go on
    #[arg(long, value_name = "TEXT")]
    requires: Vec<String>,
    /// what is to be done next
    #[arg(long, value_name = "TEXT")]
    next_action: Option<String>,
    /// where the whole output is
    #[arg(long, value_name = "REF")]
    output_ref: Option<String>,
    /// how many tokens the work took
    #[arg(long, value_name = "N", value_parser = long_number)]
    tokens_used: Option<u64>,
    /// the state of the work, to copy into the package; by default the shared state
    #[arg(long, value_name = "FILE")]
    snapshot: Option<String>,
}

impl CreateArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.actor()?;
        let request = CreateHandoff {
            to: self.to,
            task: self.task,
            artifacts: self.artifacts,
            context: call.input.text(self.context.as_deref().unwrap_or_default())?,
            done: call.input.text(self.done.as_deref().unwrap_or_default())?,
            next: self.next,
            issues: self.issues,
            questions: self.questions,
            criteria: self.criteria,
            sequential: self.sequential,
            summary: self.summary.map(|summary| call.input.text(&summary)).transpose()?,
            key_findings: self.findings,
            requires: self.requires,
            next_action: self.next_action,
            output_ref: self.output_ref,
            tokens_used: self.tokens_used,
            state_snapshot: self.snapshot,
        };
        let created = call.execute(request)?;
        call.answer(&created, created_text)
    }
}

fn created_text(HandoffCreated { handoff, .. }: &HandoffCreated) -> String {
    let (id, from, to, files) = (&handoff.id, &handoff.from, &handoff.to, handoff.artifacts.len());
    format!("✅ Handoff package created: {id}\n   From: {from} → {to}\n   Artifacts: {files}")
}
