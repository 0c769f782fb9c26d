//! The operations of Huddle, for every face: a request in, a response or an error out.
//!
//! A request is plain data as a caller gives it; [`Operation::run`] validates names, so that every face reports the same errors.
//! A response serializes to the document that `--json` prints and MCP returns. [`Context::execute`] runs an operation that the
//! caller knows by its type, [`execute`] any [`Request`]. Nothing here words a remedy for a face, or knows an exit code.
//!
//! ```
//! use huddle_api::{Context, InitBus, Project};
//! use huddle_core::engine::fs::memory::MemoryFs;
//! use huddle_core::engine::memory::MemoryEngine;
//! use huddle_core::host::FixedHost;
//!
//! let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
//! let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
//! let made = Context::new(&project, None).execute(InitBus {}).unwrap();
//! assert_eq!(serde_json::to_string(&made).unwrap(), r#"{"path":"memory","created":true}"#);
//! ```

mod agents;
mod body;
mod compression;
mod context;
mod contexts;
mod diagnostic;
mod error;
mod files;
mod handoffs;
mod history;
mod maintenance;
mod messages;
mod project;
mod questions;
mod response;
mod sessions;
mod state;
mod when;

pub use agents::{
    AgentEntry, AgentList, AgentListEntry, BusInitialized, Deregister, Deregistered, Heartbeat, InitBus, ListAgents,
    Register, Registered,
};
pub use body::Body;
pub use compression::{Compress, CompressedText, Expand, Expansion, TokenCounts};
pub use context::{Context, Operation};
pub use contexts::{
    ContextDocument, ContextEntry, ContextList, CreateContext, ListContexts, ReadContext, UpdateContext, UpdatedContext,
};
pub use diagnostic::DiagnosticEntry;
pub use error::{Error, ErrorDetails, Scope};
pub use files::FileReader;
pub use handoffs::{
    AcceptHandoff, Artifact, CreateHandoff, DeclineHandoff, GiverContext, Handoff, HandoffArtifact, HandoffContext,
    HandoffCreated, HandoffDecision, HandoffList, HandoffPackage, ListHandoffs, ReadArtifact, ReadHandoff,
    RequestContext,
};
pub use history::{
    BlockerReport, BroadcastRecipient, BroadcastReport, ByteCounts, CheckHistory, EntryDelivery, ExportFormat,
    FormatCount, HistoryAgent, HistoryCheck, HistoryEntry, HistoryFiles, HistoryOverview, HistoryRoot, HistorySession,
    HistorySessionMember, HistorySource, HistoryThread, IgnoredFiles, ListHistoryThreads, ListThreads, LoadedHistory,
    MessageCount, PendingReply, ProblemCounts, ReportBlocker, ReportBroadcast, SearchHistory, SearchHit, SearchResult,
    ShowHistory, ShowHistoryThread, ShowThread, ShowTimeline, SummarizeThread, Thread, ThreadEntry, ThreadList,
    ThreadSummary, TimeRange, TimelineCell, TimelineEntry, TimelineView, TimelineWindow, TypeCount, parse_query,
};
pub use huddle_core::model::{ErrorKind, Remedy};
pub use maintenance::{
    AgentCopy, Archive, Archived, BusCheck, BusMigrated, CheckBus, DeadLetter, DeadLetterList, DeadLetterRetried,
    DocumentsImported, ListDeadLetters, MigratedKind, MovedFile, RetryDeadLetter, Sweep, Swept, import_documents,
    migrate_bus,
};
pub use messages::{
    Acknowledge, Broadcast, CheckInbox, CountUnread, InboxListing, InboxWatch, Message, MessageRead, MessageSent,
    MessageTrace, Notification, OwnCopy, Publish, ReadMessage, Reply, SendMessage, Subscribe, Subscriptions, Trace,
    TracedDelivery, UnreadCount, Unsubscribe,
};
pub use project::{Project, Storage};
pub use questions::{Answer, Ask, AskResult};
pub use response::document;
pub use sessions::{
    AgentIssueEntry, AgentIssueList, AgentSelection, AgentStatus, AwaitAgents, BlockedAgent, CloseSession,
    CompleteAgent, CountEvents, DataEntry, DataList, DeadlockedAgent, EventCount, EventCounts, EventField, EventList,
    EventWatch, FailAgent, FailedAgent, FindAgentIssues, FinishedAgents, JoinSession, JoinedAgent, ListEvents,
    ListReadyAgents, ListReports, ListSessions, ListSharedData, LogEvent, MergeReports, MergedReport,
    PartialReportEntry, PlannedAgent, PutReport, PutSharedData, ReadyAgents, Recommendation, ReportContent,
    ReportEntry, ReportList, ReportSummary, RetryAgent, SessionEntry, SessionEvent, SessionList, SessionMember,
    SessionReport, SessionStatus, SharedData, ShowReport, ShowSession, ShowSessionAgent, ShowSharedData, StartSession,
    StrategyEntry, UpdateProgress, WaitingAgent,
};
pub use state::{
    ChangeState, ChooseProtocol, CommunicationSettings, ProtocolChoice, ProtocolChoices, ReadSettings, ReadState,
    SharedState, StateChange,
};
pub use when::{When, priority, span, urgency};

use serde::Serialize;

/// Makes [`Request`] and [`Response`] of a list of operations.
macro_rules! operations {
    ($($operation:ident),+ $(,)?) => {
        /// Any request.
        #[derive(Debug)]
        pub enum Request {
            $(#[doc = concat!("See [`", stringify!($operation), "`].")] $operation($operation),)+
        }

        /// The response to any request.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        pub enum Response {
            $(#[doc = concat!("The response to [`", stringify!($operation), "`].")]
              $operation(<$operation as Operation>::Response),)+
        }

        $(impl From<$operation> for Request {
            fn from(operation: $operation) -> Self {
                Self::$operation(operation)
            }
        })+

        /// Executes any request.
        pub fn execute(context: &mut Context<'_>, request: Request) -> Result<Response, Error> {
            match request {
                $(Request::$operation(operation) => context.execute(operation).map(Response::$operation),)+
            }
        }
    };
}

// A line for each group, so that groups grow apart.
operations![
    InitBus,
    Register,
    ListAgents,
    Heartbeat,
    Deregister,
    SendMessage,
    Broadcast,
    Publish,
    Subscribe,
    Unsubscribe,
    CheckInbox,
    CountUnread,
    ReadMessage,
    Reply,
    Acknowledge,
    Trace,
    Ask,
    Answer,
    CreateContext,
    ReadContext,
    ListContexts,
    UpdateContext,
    CreateHandoff,
    ListHandoffs,
    ReadHandoff,
    ReadArtifact,
    AcceptHandoff,
    DeclineHandoff,
    RequestContext,
    ReadState,
    ChangeState,
    ReadSettings,
    ChooseProtocol,
    Compress,
    Expand,
    ListThreads,
    ShowThread,
    SummarizeThread,
    ReportBroadcast,
    ReportBlocker,
    Sweep,
    ListDeadLetters,
    RetryDeadLetter,
    Archive,
    CheckBus,
    StartSession,
    ListSessions,
    ShowSession,
    ShowSessionAgent,
    JoinSession,
    UpdateProgress,
    CompleteAgent,
    FailAgent,
    RetryAgent,
    AwaitAgents,
    ListReadyAgents,
    LogEvent,
    ListEvents,
    CountEvents,
    PutReport,
    ShowReport,
    ListReports,
    MergeReports,
    PutSharedData,
    ShowSharedData,
    ListSharedData,
    FindAgentIssues,
    CloseSession,
    ShowHistory,
    ListHistoryThreads,
    ShowHistoryThread,
    ShowTimeline,
    SearchHistory,
    CheckHistory,
];
