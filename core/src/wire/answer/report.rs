//! The three reports of the mailbox protocol.

use super::{texts, time};
use crate::bus::{BlockerReport, BroadcastReport, Standing, Summary};
use crate::model::Json;

/// Writes the summary of a conversation.
pub fn summary(summary: &Summary) -> Json {
    let (status, waits_for) = standing(&summary.status);
    object!({
        "threadId": summary.thread.as_str(),
        "subject": summary.subject,
        "participants": texts(&summary.participants),
        "messageCount": summary.messages,
        "durationSeconds": summary.duration.seconds(),
        "status": status,
        "waitsFor": waits_for,
        "outcome": summary.outcome,
    })
}

/// Writes how a broadcast was taken.
pub fn broadcast_report(report: &BroadcastReport) -> Json {
    let recipients = report.recipients.iter().map(
        |heard| object!({"name": heard.name.as_str(), "seenAt": time(heard.seen_at), "ackedAt": time(heard.acked_at)}),
    );
    object!({
        "id": report.id.as_str(),
        "from": report.from.as_str(),
        "decision": report.decision,
        "subject": report.subject,
        "sentAt": report.sent_at.to_string(),
        "recipients": recipients.collect::<Vec<Json>>(),
        "acknowledged": report.acknowledged(),
        "contexts": report.contexts,
    })
}

/// Writes the story of a blocker.
pub fn blocker_report(report: &BlockerReport) -> Json {
    let (status, waits_for) = standing(&report.status);
    let timeline = report.timeline.iter().map(|moment| object!({"at": moment.at.to_string(), "what": moment.what}));
    object!({
        "id": report.id,
        "event": report.event.as_str(),
        "taskId": report.task,
        "reportedBy": report.reported_by.as_str(),
        "type": report.kind,
        "timeline": timeline.collect::<Vec<Json>>(),
        "blockedSeconds": report.blocked_for.seconds(),
        "partial": report.partial,
        "impact": report.impact(),
        "status": status,
        "waitsFor": waits_for,
    })
}

/// Gives the word for where a matter stands, and who has to act.
fn standing(standing: &Standing) -> (&'static str, Json) {
    match standing {
        Standing::Resolved => ("resolved", Json::Array(Vec::new())),
        Standing::Open { waits_for } => ("open", texts(waits_for)),
    }
}
