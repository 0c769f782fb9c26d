//! The context of a handoff.

use huddle_core::bus;
use huddle_core::model::{HandoffId, Span};
use huddle_core::wire::orchestrator::package::{self, ContextPackage};
use serde::{Deserialize, Serialize};

use crate::response::text;
use crate::when::optional_seconds;
use crate::{Context, Error, Operation};

/// Returns the context of a handoff to its receiver; when it is missing, its giver is asked for it, twice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestContext {
    /// The handoff.
    #[serde(alias = "handoffId")]
    pub id: String,
    /// How long to wait for the giver each time; by default as the settings say.
    #[serde(default, deserialize_with = "optional_seconds")]
    pub timeout: Option<Span>,
}

/// The context of a handoff, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandoffContext {
    /// Always `sequential`.
    pub handoff_type: &'static str,
    /// What the receiver needs to know.
    pub context: GiverContext,
    /// A reference to a snapshot of the shared state.
    pub state_snapshot: Option<String>,
    /// Whether it was put together from the shared state, because nobody gave it.
    pub reconstructed: bool,
    /// `package`, `answer` or `state`.
    pub source: &'static str,
    /// The answer that brought it, when the giver was asked.
    #[serde(rename = "answerId")]
    pub answer_id: Option<String>,
    /// The context in Markdown, for people; not a part of the document.
    #[serde(skip)]
    pub markdown: String,
}

/// What the giver of a handoff says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GiverContext {
    /// A summary of the work.
    pub summary: String,
    /// A reference to the whole output.
    pub output_ref: Option<String>,
    /// How many tokens the work took.
    pub tokens_used: Option<u64>,
    /// What was found.
    pub key_findings: Vec<String>,
    /// What has to be there before the receiver can go on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// The next action.
    pub next_action: Option<String>,
}

impl From<bus::HandoffContext> for HandoffContext {
    fn from(bus::HandoffContext { package, answered_by }: bus::HandoffContext) -> Self {
        let markdown = package::markdown(&package);
        let ContextPackage {
            summary,
            output_ref,
            tokens_used,
            key_findings,
            requires,
            next_action,
            state_snapshot,
            reconstructed,
        } = package;
        Self {
            handoff_type: "sequential",
            context: GiverContext { summary, output_ref, tokens_used, key_findings, requires, next_action },
            state_snapshot,
            reconstructed,
            source: match (&answered_by, reconstructed) {
                (Some(_), _) => "answer",
                (None, true) => "state",
                (None, false) => "package",
            },
            answer_id: text(answered_by.as_ref()),
            markdown,
        }
    }
}

impl Operation for RequestContext {
    type Response = HandoffContext;

    fn run(self, context: &mut Context<'_>) -> Result<HandoffContext, Error> {
        let agent = context.actor()?;
        Ok(context.bus().handoff_context(&agent, &HandoffId::new(self.id)?, self.timeout)?.into())
    }
}
