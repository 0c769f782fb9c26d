//! `huddle handoff create`

use clap::Args;
use huddle_core::bus::{HandoffDraft, HandoffFile};
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::input;
use crate::session::Session;

/// Put a package together and tell its receiver
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// Who takes over
    to: AgentName,
    /// What is handed over, in a line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    task: String,
    /// A file to copy into the package; may be given again
    #[arg(long = "artifact", value_name = "FILE")]
    artifacts: Vec<String>,
    /// What the receiver should know; @FILE reads a file, - reads standard input
    #[arg(
        long,
        value_name = "TEXT|@FILE|-",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    context: String,
    /// What is done; @FILE reads a file, - reads standard input
    #[arg(
        long,
        value_name = "TEXT|@FILE|-",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    done: String,
    /// A step to take next; may be given again
    #[arg(long = "next", value_name = "TEXT", allow_hyphen_values = true)]
    next: Vec<String>,
    /// A known issue or blocker; may be given again
    #[arg(long = "issue", value_name = "TEXT", allow_hyphen_values = true)]
    issues: Vec<String>,
    /// An open question; may be given again
    #[arg(long = "question", value_name = "TEXT", allow_hyphen_values = true)]
    questions: Vec<String>,
    /// What must hold before it is accepted; may be given again
    #[arg(long = "criterion", value_name = "TEXT", allow_hyphen_values = true)]
    criteria: Vec<String>,
}

impl Create {
    pub(super) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let draft = self.draft(session)?;
        let created = session.bus.create_handoff(&me, draft)?;
        let handoff = &created.handoff;
        session.output.answer(
            || answer::handoff_created(&created),
            || {
                let (id, from, to, files) = (&handoff.id, &handoff.from, &handoff.to, handoff.artifacts.len());
                format!("✅ Handoff package created: {id}\n   From: {from} → {to}\n   Artifacts: {files}")
            },
        )
    }

    fn draft(&self, session: &mut Session<'_>) -> Result<HandoffDraft, Failure> {
        let file = |path: &String| Ok(HandoffFile { source: path.clone(), bytes: input::file(path)? });
        Ok(HandoffDraft {
            to: self.to.clone(),
            task: self.task.clone(),
            files: self.artifacts.iter().map(file).collect::<Result<_, Failure>>()?,
            context: session.input.text(&self.context)?,
            done: session.input.text(&self.done)?,
            next: self.next.clone(),
            issues: self.issues.clone(),
            questions: self.questions.clone(),
            criteria: self.criteria.clone(),
        })
    }
}
