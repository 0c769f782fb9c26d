//! Remedies: what to do about an error or a diagnostic, as data.
//!
//! No text here names a command, an option or a tool: a face words a remedy for whom it speaks to. `Display` is the wording
//! of a face that has no words of its own.

#[cfg(any(test, feature = "suite"))]
mod examples;

#[cfg(any(test, feature = "suite"))]
pub use examples::examples;

use std::borrow::Cow;
use std::fmt;

use super::{AgentName, ContextName, EventName, HandoffId, MessageId, Recipient, SessionId};

/// Advice about an error or a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// Advice that is the same in every face; empty when there is none.
    Advice(Cow<'static, str>),

    // Agents.
    /// Register the agent that was named.
    RegisterFirst,
    /// Register an agent.
    Register(AgentName),
    /// Register a subscriber, or end its subscription.
    RegisterOrUnsubscribe(AgentName, EventName),
    /// Register a recipient, or archive its messages.
    RegisterOrArchive(AgentName),
    /// Use the name that was probably meant.
    UseAgent(AgentName),
    /// Choose another agent.
    ChooseAgent,
    /// Give the agent's role.
    GiveRole,
    /// Name the acting agent.
    NameActor,

    // Messages.
    /// Put the body into a file and refer to it.
    SendAsFile,
    /// Put the body into a file, or hand it over.
    SendAsFileOrHandOff,
    /// Put the body into a file, hand it over, or allow a large body.
    SendAsFileOrAllowLarge,
    /// List an agent's messages, read ones too.
    ListInbox(AgentName),
    /// Check the message's id.
    CheckMessageId,
    /// List the threads.
    ListThreads,
    /// List the threads of the history.
    ListHistoryThreads,
    /// Ask again with a deadline to come.
    AskAgain {
        /// The sender.
        from: AgentName,
        /// The recipients.
        to: Recipient,
    },
    /// Read the thread of an answer whose question is gone.
    ReadThread(MessageId),
    /// Restore a lost copy from what the bus recorded.
    RestoreCopy,
    /// Give every recipient again what the sender sent.
    RestoreSentCopies,
    /// Answer an overdue message, or remind its recipient.
    AnswerOrRemind {
        /// Who has to answer.
        agent: AgentName,
        /// What.
        id: MessageId,
    },
    /// Answer an overdue message that was read.
    Answer {
        /// Who has to answer.
        agent: AgentName,
        /// What.
        id: MessageId,
    },
    /// Reply to a message.
    Reply(MessageId),
    /// Put the dead-lettered copies of a message back into their inboxes.
    Requeue(MessageId),
    /// Acknowledge a message.
    Acknowledge(MessageId),
    /// Trace a message.
    Trace(MessageId),
    /// Read an agent's messages, or deregister it.
    ReadOrDeregister(AgentName),

    // Shared contexts and handoffs.
    /// List the shared contexts, or create one.
    ListOrCreateContext,
    /// Update a shared context.
    UpdateContext(ContextName),
    /// List the handoffs.
    ListHandoffs,
    /// Accept or decline a handoff.
    DecideHandoff {
        /// The handoff.
        id: HandoffId,
        /// Its recipient.
        to: AgentName,
    },
    /// Give the task that is handed over.
    GiveTask,
    /// Give a summary of what was done.
    GiveSummary,

    // The bus as a whole.
    /// Create a bus, or name the one that is meant.
    CreateBus,
    /// Name the project that has the saved originals.
    ChooseProject,
    /// Archive read messages, or raise the quota.
    ArchiveOrRaiseQuota,
    /// Archive read messages, or sweep.
    ArchiveOrSweep,
    /// Limit the age of archived messages, or prune the archive once.
    LimitArchive,
    /// Check the bus to see how it can be repaired.
    CheckBus,
    /// Repair the bus, which moves the file away.
    RepairBus,
    /// Show the shared state.
    ShowState,
    /// Start the shared state.
    StartState,

    // Sessions.
    /// Start a session, or list those that there are.
    StartOrListSessions,
    /// Start a session.
    StartSession,
    /// Name the session, as the newest that is open; start one if there is none.
    NameSession(Option<SessionId>),
    /// Join the session, or have a new id chosen.
    JoinOrOmitId,
    /// Wait for the agents at work, or close in spite of them.
    WaitOrForceClose,
    /// Have the agent join a session.
    JoinSession,
    /// Have agents join a session that has none.
    JoinEmptySession,
    /// Have an agent join the session in whose log it writes.
    JoinSessionAs(SessionId, String),
    /// Start the agent by joining.
    StartByJoining,
    /// Let a failed agent start over.
    RetryAgent,
    /// Put an agent back to waiting.
    ResetAgent,
    /// See the form of a report.
    ShowReportForm,
    /// List the reports and data of a session.
    ListReportsAndData,
    /// Choose another name for the data, or replace them.
    RenameOrReplaceData,
    /// See how to recover from a failure, or go on without the agent.
    RecoverOrKeepGoing,
    /// Have one agent of a circle fail, and another go on without it.
    BreakDeadlock,
    /// Wait longer, or see who is silent.
    WaitOrRecover,
    /// See who waits for whom.
    ShowSessionStatus,
    /// Put the data that a report names.
    PutData,

    // Histories.
    /// Export the log as a session, to take a file out of it.
    ExportSession,
    /// Export to lines of JSON, which keep the records.
    ExportRecords,
    /// Export to lines of JSON, which keep the file as it is.
    ExportUnchanged,

    // Database servers.
    /// Check that the server runs and its address is right.
    CheckServer,
    /// Check user, password and authentication database.
    CheckCredentials,
    /// Check that the address is that of a MongoDB.
    CheckServerKind,
    /// Check the address, and what the host permits.
    CheckNetworkAccess,
    /// Check the certificate.
    CheckCertificate,
    /// Check the name of the replica set.
    CheckReplicaSet,
    /// Wait for a majority, and repeat a send under its key.
    RetryWithSameKey,
    /// See what the server says; creating the bus creates what is missing.
    CheckServerOrCreateBus,
}

impl Remedy {
    /// There is nothing to advise.
    pub const NONE: Self = Self::Advice(Cow::Borrowed(""));
}

impl Default for Remedy {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<&'static str> for Remedy {
    fn from(advice: &'static str) -> Self {
        Self::Advice(advice.into())
    }
}

impl From<String> for Remedy {
    fn from(advice: String) -> Self {
        Self::Advice(advice.into())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Advice(advice) => advice,
            Self::RegisterFirst => "register the agent first",
            Self::Register(agent) => return write!(f, "register the agent {agent}"),
            Self::RegisterOrUnsubscribe(agent, event) => {
                return write!(f, "register {agent}, or end its subscription to {event}");
            }
            Self::RegisterOrArchive(agent) => return write!(f, "register {agent}, or archive its messages"),
            Self::UseAgent(agent) => return write!(f, "did you mean {agent}?"),
            Self::ChooseAgent => "name another agent",
            Self::GiveRole => "say what it does: give a role",
            Self::NameActor => "name the agent that acts",
            Self::SendAsFile => "put it into a file and send its path",
            Self::SendAsFileOrHandOff => "put it into a file and send its path, or hand it over",
            Self::SendAsFileOrAllowLarge => "put it into a file and send its path, hand it over, or allow a large body",
            Self::ListInbox(agent) => return write!(f, "list all messages of {agent}, read ones too"),
            Self::CheckMessageId => "check the id",
            Self::ListThreads => "list the conversations",
            Self::ListHistoryThreads => "`threads` lists the conversations",
            Self::AskAgain { from, to } => return write!(f, "have {from} ask {to} again with a deadline to come"),
            Self::ReadThread(id) => return write!(f, "nothing is lost of the answer itself: read the thread of {id}"),
            Self::RestoreCopy => "repair the bus, which restores it from what the bus recorded",
            Self::RestoreSentCopies => "repair the bus, which gives every recipient again what the sender sent",
            Self::AnswerOrRemind { agent, id } => return write!(f, "have {agent} answer {id}, or remind it"),
            Self::Answer { agent, id } => return write!(f, "have {agent} answer {id}"),
            Self::Reply(id) => return write!(f, "reply to {id}"),
            Self::Requeue(id) => return write!(f, "put {id} back into the inbox"),
            Self::Acknowledge(id) => return write!(f, "acknowledge {id}"),
            Self::Trace(id) => return write!(f, "see how far it has come: trace {id}"),
            Self::ReadOrDeregister(agent) => {
                return write!(f, "have {agent} read them, or deregister an agent that is gone");
            }
            Self::ListOrCreateContext => "list the shared contexts, or create this one",
            Self::UpdateContext(name) => return write!(f, "add to the shared context {name}"),
            Self::ListHandoffs => "list the handoffs",
            Self::DecideHandoff { id, to } => return write!(f, "have {to} accept or decline {id}"),
            Self::GiveTask => "say what is handed over: give a task",
            Self::GiveSummary => "say what was done, in short: give a summary",
            Self::CreateBus => "create a bus here, or name the place of the one that is meant",
            Self::ChooseProject => "name the project where the text was compressed",
            Self::ArchiveOrRaiseQuota => {
                "archive what is read, or raise huddle_limits in registry.json; answers are not refused"
            }
            Self::ArchiveOrSweep => "archive what is read, or sweep, which does what the quota's policy says",
            Self::LimitArchive => {
                "have a sweep remove what is older than 90 days: \"huddle_limits\": {\"maxAgeHours\": 2160} in \
                 registry.json; or prune the archive once"
            }
            Self::CheckBus => "check the bus: that says how to repair it",
            Self::RepairBus => "repair the bus, which moves the file away",
            Self::ShowState => "show the shared state, which lists them",
            Self::StartState => "start it: set an objective",
            Self::StartOrListSessions => "start a session, or list those that there are",
            Self::StartSession => "start another session",
            Self::NameSession(Some(newest)) => return write!(f, "name it; the newest open session is {newest}"),
            Self::NameSession(None) => "start a session first",
            Self::JoinOrOmitId => "join it, or leave the id out to get a new one",
            Self::WaitOrForceClose => "wait for them, or close it in spite of them",
            Self::JoinSession => "have the agent join the session",
            Self::JoinEmptySession => "have agents join the session",
            Self::JoinSessionAs(session, agent) => return write!(f, "have {agent} join session {session}"),
            Self::StartByJoining => "it starts when it joins the session",
            Self::RetryAgent => "let it start over: retry it",
            Self::ResetAgent => "put it back to waiting: retry it",
            Self::ShowReportForm => "give the report the form that the session protocol has for it",
            Self::ListReportsAndData => "list the reports and data of the session",
            Self::RenameOrReplaceData => "choose another name, or replace the data",
            Self::RecoverOrKeepGoing => "recover the session, or go on without the agent",
            Self::BreakDeadlock => {
                "have one of them fail, then another join without it: see how to recover the session"
            }
            Self::WaitOrRecover => "wait longer, or recover the session, which shows who is silent",
            Self::ShowSessionStatus => "see in the session's status who waits for whom",
            Self::PutData => "put the data into the session",
            Self::ExportSession => "export the log as a session to take the file out, and look at it",
            Self::ExportRecords => "an export to JSONL keeps them",
            Self::ExportUnchanged => "an export to JSONL keeps it as it is",
            Self::CheckServer => {
                "check that mongod is running, and that host and port of the bus's address are right and can be reached"
            }
            Self::CheckCredentials => "check user, password and authSource in the bus's address",
            Self::CheckServerKind => {
                "check host and port in the bus's address: something else than MongoDB may be listening there"
            }
            Self::CheckNetworkAccess => "check the bus's address, and what the host lets the component do",
            Self::CheckCertificate => {
                "check tlsCAFile in the bus's address, and that the certificate is for the host that it names"
            }
            Self::CheckReplicaSet => {
                "check replicaSet in the bus's address: rs.status() shows what the servers call it"
            }
            Self::RetryWithSameKey => {
                "check with rs.status() that a majority of the replica set is up; then try again, a send with the same \
                 key as before"
            }
            Self::CheckServerOrCreateBus => "see what the server says; creating the bus creates what it needs",
        };
        f.pad(text)
    }
}
