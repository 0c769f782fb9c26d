//! Questions that were asked, and contexts that were missing.

use serde_json::json;

use super::shown;
use crate::bus::{AskOutcome, Asked, HandoffContext};
use crate::model::Json;
use crate::wire::orchestrator::package;

/// Writes what came of a question. `partial` marks an answer that does not fit, `fallback` what takes the place of one.
pub fn asked(asked: &Asked) -> Json {
    json!({
        "outcome": asked.outcome.as_str(),
        "answer": asked.answer,
        "questionId": asked.question.as_str(),
        "answerId": shown(asked.answered_by.as_ref()),
        "threadId": shown(asked.thread.as_ref()),
        "partial": asked.outcome == AskOutcome::Partial,
        "fallback": asked.outcome == AskOutcome::FellBack,
        "retried": asked.retried,
        "clarified": asked.clarified,
        "misfit": asked.misfit,
    })
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
