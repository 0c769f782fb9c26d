//! The three reports of the mailbox protocol.

use super::{texts, time};
use crate::bus::{BlockerReport, BroadcastReport, ReportStatus, ThreadSummary};
use crate::model::Json;

/// Writes the summary of a conversation.
pub fn summary(summary: &ThreadSummary) -> Json {
    let (status, waits_for) = report_status(&summary.status);
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
        |recipient| object!({"name": recipient.name.as_str(), "seenAt": time(recipient.seen_at), "ackedAt": time(recipient.acked_at)}),
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
    let (status, waits_for) = report_status(&report.status);
    let timeline = report.timeline.iter().map(|entry| object!({"at": entry.at.to_string(), "what": entry.what}));
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

/// Returns the word for where a matter stands, and who has to act.
fn report_status(report_status: &ReportStatus) -> (&'static str, Json) {
    match report_status {
        ReportStatus::Resolved => ("resolved", Json::Array(Vec::new())),
        ReportStatus::Open { waits_for } => ("open", texts(waits_for)),
    }
}
