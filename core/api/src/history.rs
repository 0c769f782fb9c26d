//! What agents have said: threads, reports and histories.

mod reports;
mod threads;

pub use reports::{
    BlockerReport, BroadcastRecipient, BroadcastReport, ReportBlocker, ReportBroadcast, SummarizeThread, ThreadSummary,
    TimelineEntry,
};
pub use threads::{ListThreads, PendingReply, ShowThread, Thread, ThreadEntry, ThreadList};
