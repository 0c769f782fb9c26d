//! Handoffs.

use super::time;
use crate::bus::HandoffCreated;
use crate::engine::HandoffPackage;
use crate::model::{Artifact, Handoff, HandoffStatus, Json};
use crate::wire::orchestrator::package::FIELD;

/// Writes the structured part of a handoff.
pub fn handoff(handoff: &Handoff) -> Json {
    let mut fields = object!({
        "id": handoff.id.as_str(),
        "from": handoff.from.as_str(),
        "to": handoff.to.as_str(),
        "task": handoff.task,
        "status": handoff.status.as_str(),
        "createdAt": time(handoff.created_at),
        "artifacts": handoff.artifacts.iter().map(carried).collect::<Vec<Json>>(),
    });
    if let HandoffStatus::Accepted(decision) | HandoffStatus::Declined(decision) = &handoff.status {
        fields["decidedBy"] = decision.by.as_str().into();
        fields["decidedAt"] = time(decision.at);
        fields["notes"] = decision.notes.as_str().into();
    }
    fields
}

fn carried(artifact: &Artifact) -> Json {
    object!({"source": artifact.source, "stored": artifact.stored})
}

/// Writes a list of handoffs.
pub fn handoffs(handoffs: &[Handoff]) -> Json {
    let all: Vec<Json> = handoffs.iter().map(handoff).collect();
    object!({"count": handoffs.len(), "handoffs": all})
}

/// Writes a new handoff and the notice that went to its receiver.
pub fn handoff_created(created: &HandoffCreated) -> Json {
    let mut fields = handoff(&created.handoff);
    fields["notice"] = created.notice.as_str().into();
    fields
}

/// Writes a whole package: the structured part and the three documents.
pub fn handoff_package(package: &HandoffPackage) -> Json {
    let mut fields = handoff(&package.handoff);
    fields["document"] = package.document.as_str().into();
    fields["contextLinks"] = package.context_links.as_str().into();
    fields["checklist"] = package.checklist.as_str().into();
    fields["contextPackage"] = package.handoff.extra.get(FIELD).cloned().unwrap_or_default();
    fields["files"] = package.files.iter().map(|(name, _)| Json::String(name.clone())).collect();
    fields
}

/// Writes where a file of a handoff was written to.
pub fn artifact(name: &str, size: usize, out: &str) -> Json {
    object!({"name": name, "size": size, "out": out})
}
