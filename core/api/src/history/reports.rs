//! The three reports of the mailbox protocol.

use huddle_core::bus::{self, LastWord, ReportStatus};
use huddle_core::model::MessageId;
use serde::{Deserialize, Serialize};

use crate::response::{text, texts};
use crate::{Context, Error, Operation};

/// Summarizes a thread: who took part, how long it took, how it ended.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SummarizeThread {
    /// The thread, or a message in it.
    pub thread_id: String,
}

/// The summary of a thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadSummary {
    /// The thread.
    pub thread_id: String,
    /// What it is about.
    pub subject: String,
    /// The agents that take part.
    pub participants: Vec<String>,
    /// How many messages it has.
    pub message_count: usize,
    /// The time between its first message and its last.
    pub duration_seconds: i64,
    /// `open` or `resolved`.
    pub status: &'static str,
    /// Those who have to act.
    pub waits_for: Vec<String>,
    /// What came of it.
    pub outcome: Vec<String>,
    /// The last message of each participant.
    pub last_messages: Vec<LastMessage>,
    /// The report in the protocol's form; not a part of the document.
    #[serde(skip)]
    pub text: String,
}

/// The last message by which a participant said something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastMessage {
    /// The participant.
    pub from: String,
    /// The message.
    pub id: String,
    /// What it says, in one line.
    pub quote: String,
}

impl Operation for SummarizeThread {
    type Response = ThreadSummary;

    fn run(self, context: &mut Context<'_>) -> Result<ThreadSummary, Error> {
        let summary = context.bus().summary(&self.thread_id)?;
        Ok(context.collect(summary).into())
    }
}

impl From<bus::ThreadSummary> for ThreadSummary {
    fn from(summary: bus::ThreadSummary) -> Self {
        let (status, waits_for) = report_status(&summary.status);
        Self {
            text: summary.to_string(),
            thread_id: summary.thread.to_string(),
            subject: summary.subject,
            participants: texts(&summary.participants),
            message_count: summary.messages,
            duration_seconds: summary.duration.seconds(),
            status,
            waits_for,
            outcome: summary.outcome,
            last_messages: summary.last_words.into_iter().map(LastMessage::from).collect(),
        }
    }
}

impl From<LastWord> for LastMessage {
    fn from(LastWord { by, id, quote }: LastWord) -> Self {
        Self { from: by.to_string(), id: id.to_string(), quote }
    }
}

/// Reports who has received and acknowledged a broadcast.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportBroadcast {
    /// The broadcast.
    pub message_id: String,
}

/// The report on a broadcast.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BroadcastReport {
    /// The broadcast.
    pub id: String,
    /// Its sender.
    pub from: String,
    /// The decision that it announces.
    pub decision: Option<String>,
    /// What it is about.
    pub subject: String,
    /// When it was sent.
    pub sent_at: String,
    /// Everybody that it went to.
    pub recipients: Vec<BroadcastRecipient>,
    /// How many have acknowledged it.
    pub acknowledged: usize,
    /// The shared contexts that the recipients have updated since.
    pub contexts: Vec<String>,
    /// The report in the protocol's form; not a part of the document.
    #[serde(skip)]
    pub text: String,
}

/// One recipient of a broadcast.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BroadcastRecipient {
    /// The agent.
    pub name: String,
    /// When it read the broadcast.
    pub seen_at: Option<String>,
    /// When it acknowledged the broadcast.
    pub acked_at: Option<String>,
}

impl Operation for ReportBroadcast {
    type Response = BroadcastReport;

    fn run(self, context: &mut Context<'_>) -> Result<BroadcastReport, Error> {
        let report = context.bus().broadcast_report(&MessageId::new(self.message_id)?)?;
        Ok(context.collect(report).into())
    }
}

impl From<bus::BroadcastReport> for BroadcastReport {
    fn from(report: bus::BroadcastReport) -> Self {
        let recipients = report.recipients.iter().map(|recipient| BroadcastRecipient {
            name: recipient.name.to_string(),
            seen_at: text(recipient.seen_at.as_ref()),
            acked_at: text(recipient.acked_at.as_ref()),
        });
        Self {
            text: report.to_string(),
            acknowledged: report.acknowledged(),
            recipients: recipients.collect(),
            id: report.id.to_string(),
            from: report.from.to_string(),
            decision: report.decision,
            subject: report.subject,
            sent_at: report.sent_at.to_string(),
            contexts: report.contexts,
        }
    }
}

/// Reports on a blocker, from when it was met to when it was resolved.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportBlocker {
    /// The event, the task or the blocker.
    pub id: String,
}

/// The report on a blocker.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockerReport {
    /// Its id.
    pub id: String,
    /// The event that reported it.
    pub event: String,
    /// The task that it blocked.
    pub task_id: Option<String>,
    /// The agent that met it.
    pub reported_by: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The events, oldest first.
    pub timeline: Vec<TimelineEntry>,
    /// How long it blocked.
    pub blocked_seconds: i64,
    /// Whether work could go on in part.
    pub partial: bool,
    /// What it did to the work.
    pub impact: String,
    /// `open` or `resolved`.
    pub status: &'static str,
    /// Those who have to act.
    pub waits_for: Vec<String>,
    /// The report in the protocol's form; not a part of the document.
    #[serde(skip)]
    pub text: String,
}

/// One event in the time of a blocker.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineEntry {
    /// When it was.
    pub at: String,
    /// What happened.
    pub what: String,
}

impl Operation for ReportBlocker {
    type Response = BlockerReport;

    fn run(self, context: &mut Context<'_>) -> Result<BlockerReport, Error> {
        let report = context.bus().blocker_report(&self.id)?;
        Ok(context.collect(report).into())
    }
}

impl From<bus::BlockerReport> for BlockerReport {
    fn from(report: bus::BlockerReport) -> Self {
        let (status, waits_for) = report_status(&report.status);
        let timeline = report.timeline.iter();
        Self {
            text: report.to_string(),
            impact: report.impact(),
            timeline: timeline
                .map(|entry| TimelineEntry { at: entry.at.to_string(), what: entry.what.clone() })
                .collect(),
            id: report.id,
            event: report.event.to_string(),
            task_id: report.task,
            reported_by: report.reported_by.to_string(),
            kind: report.kind,
            blocked_seconds: report.blocked_for.seconds(),
            partial: report.partial,
            status,
            waits_for,
        }
    }
}

/// Returns the word for a status, and who has to act.
fn report_status(status: &ReportStatus) -> (&'static str, Vec<String>) {
    match status {
        ReportStatus::Resolved => ("resolved", Vec::new()),
        ReportStatus::Rejected { .. } => ("rejected", Vec::new()),
        ReportStatus::Modified { waits_for, .. } => ("modified", texts(waits_for)),
        ReportStatus::Open { waits_for } => ("open", texts(waits_for)),
    }
}
