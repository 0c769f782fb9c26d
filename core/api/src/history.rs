//! What agents have said: threads and reports of a bus, and histories.

mod check;
mod entries;
mod loaded;
mod overview;
mod reports;
mod search;
mod source;
mod threads;
mod timeline;

pub use check::{ByteCounts, CheckHistory, HistoryCheck};
pub use entries::{EntryDelivery, HistoryEntry, HistoryThread, ListHistoryThreads, ShowHistoryThread};
pub use loaded::{ExportFormat, LoadedHistory};
pub use overview::{
    FormatCount, HistoryAgent, HistoryOverview, HistoryRoot, HistorySession, HistorySessionMember, IgnoredFiles,
    MessageCount, ProblemCounts, ShowHistory, TypeCount,
};
pub use reports::{
    BlockerReport, BroadcastRecipient, BroadcastReport, ReportBlocker, ReportBroadcast, SummarizeThread, ThreadSummary,
    TimelineEntry,
};
pub use search::{SearchHistory, SearchHit, SearchResult, parse_query};
pub use source::{HistoryFiles, HistorySource};
pub use threads::{ListThreads, PendingReply, ShowThread, Thread, ThreadEntry, ThreadList};
pub use timeline::{ShowTimeline, TimeRange, TimelineCell, TimelineView, TimelineWindow};

#[cfg(test)]
mod tests;
