//! Creating a handoff.

use huddle_core::bus::{HandoffDraft, HandoffFile};
use huddle_core::model::AgentName;
use huddle_core::wire::orchestrator::package::ContextPackage;
use serde::{Deserialize, Serialize};

use super::Handoff;
use crate::{Context, Error, Operation};

/// Creates a handoff package and tells its receiver. With a context package, it is one of the orchestrator's sequential
/// handoffs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateHandoff {
    /// The agent that takes over.
    pub to: String,
    /// What is handed over, in a line.
    pub task: String,
    /// The paths of files to copy into the package.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// What the receiver should know.
    #[serde(default)]
    pub context: String,
    /// What is done.
    #[serde(default)]
    pub done: String,
    /// The next steps, in order.
    #[serde(default)]
    pub next: Vec<String>,
    /// Known issues.
    #[serde(default)]
    pub issues: Vec<String>,
    /// Open questions.
    #[serde(default)]
    pub questions: Vec<String>,
    /// What must hold before it is accepted.
    #[serde(default)]
    pub criteria: Vec<String>,
    /// Whether it has a context package; each of the fields below implies it.
    #[serde(default)]
    pub sequential: bool,
    /// What was done, in short.
    #[serde(default)]
    pub summary: Option<String>,
    /// What was found.
    #[serde(default)]
    pub key_findings: Vec<String>,
    /// What has to be there before the receiver can go on.
    #[serde(default)]
    pub requires: Vec<String>,
    /// The next action.
    #[serde(default)]
    pub next_action: Option<String>,
    /// A reference to the whole output.
    #[serde(default)]
    pub output_ref: Option<String>,
    /// How many tokens the work took.
    #[serde(default)]
    pub tokens_used: Option<u64>,
    /// The path of a snapshot of the work, to copy into the package; by default the shared state.
    #[serde(default)]
    pub state_snapshot: Option<String>,
}

/// A handoff that was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandoffCreated {
    /// The handoff.
    #[serde(flatten)]
    pub handoff: Handoff,
    /// The message that tells the receiver.
    pub notice: String,
}

impl CreateHandoff {
    fn is_sequential(&self) -> bool {
        self.sequential
            || !self.key_findings.is_empty()
            || !self.requires.is_empty()
            || self.tokens_used.is_some()
            || [&self.summary, &self.next_action, &self.output_ref, &self.state_snapshot]
                .iter()
                .any(|one| one.is_some())
    }

    fn into_draft(self, context: &Context<'_>) -> Result<HandoffDraft, Error> {
        let is_sequential = self.is_sequential();
        let paths = self.artifacts.into_iter().chain(self.state_snapshot.clone());
        let file = |source: String| Ok(HandoffFile { bytes: context.files().read_file(&source)?, source });
        Ok(HandoffDraft {
            files: paths.map(file).collect::<Result<_, Error>>()?,
            to: AgentName::new(self.to)?,
            task: self.task,
            context: self.context,
            done: self.done,
            next: self.next,
            issues: self.issues,
            questions: self.questions,
            criteria: self.criteria,
            package: is_sequential.then(|| ContextPackage {
                summary: self.summary.unwrap_or_default(),
                output_ref: self.output_ref,
                tokens_used: self.tokens_used,
                key_findings: self.key_findings,
                requires: self.requires,
                next_action: self.next_action,
                state_snapshot: self.state_snapshot,
                reconstructed: false,
            }),
        })
    }
}

impl Operation for CreateHandoff {
    type Response = HandoffCreated;

    fn run(self, context: &mut Context<'_>) -> Result<HandoffCreated, Error> {
        let agent = context.actor()?;
        let draft = self.into_draft(context)?;
        let created = context.bus().create_handoff(&agent, draft)?;
        Ok(HandoffCreated { handoff: created.handoff.into(), notice: created.notice.to_string() })
    }
}
