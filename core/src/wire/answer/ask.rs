//! Questions that were asked, and contexts that were missing.

use super::shown;
use crate::bus::{AskOutcome, AskResult, HandoffContext};
use crate::model::Json;
use crate::wire::object;
use crate::wire::orchestrator::package;

/// Writes what came of a question. `partial` marks an answer that does not fit, `fallback` what takes the place of one.
pub fn asked(asked: &AskResult) -> Json {
    object(vec![
        ("outcome", asked.outcome.as_str().into()),
        ("answer", asked.answer.clone()),
        ("questionId", asked.question.as_str().into()),
        ("answerId", shown(asked.answered_by.as_ref())),
        ("threadId", shown(asked.thread.as_ref())),
        ("partial", (asked.outcome == AskOutcome::Partial).into()),
        ("fallback", (asked.outcome == AskOutcome::FellBack).into()),
        ("retried", asked.retried.into()),
        ("clarified", asked.clarified.into()),
        ("misfit", asked.misfit.as_deref().into()),
    ])
}

/// Writes the context of a handoff, and where it comes from: the package, the giver's answer, or the shared state.
pub fn handoff_context(context: &HandoffContext) -> Json {
    let source = match (&context.answered_by, context.package.reconstructed) {
        (Some(_), _) => "answer",
        (None, true) => "state",
        (None, false) => "package",
    };
    let mut fields = package::encode(&context.package);
    fields["reconstructed"] = context.package.reconstructed.into();
    fields["source"] = source.into();
    fields["answerId"] = shown(context.answered_by.as_ref());
    fields
}
