//! Shared contexts.

use super::{texts, time};
use crate::bus::ContextUpdated;
use crate::model::{Context, Json};

/// Writes a shared context with its whole text.
pub fn context(context: &Context) -> Json {
    let mut fields = entry(context);
    fields["content"] = context.text.as_str().into();
    fields
}

/// Writes the shared contexts without their texts.
pub fn contexts(contexts: &[Context]) -> Json {
    let all: Vec<Json> = contexts.iter().map(entry).collect();
    object!({"count": contexts.len(), "contexts": all})
}

/// Writes an update: the context as it is now, the notice that went out, and to whom.
pub fn context_updated(updated: &ContextUpdated) -> Json {
    let mut fields = entry(&updated.context);
    fields["notice"] = updated.notice.as_str().into();
    fields["told"] = texts(&updated.told);
    fields
}

fn entry(context: &Context) -> Json {
    object!({
        "name": context.name.as_str(),
        "version": context.version,
        "updatedAt": time(context.updated_at),
        "contributors": texts(&context.contributors),
    })
}
