//! Transactions: what is committed atomically.

use crate::model::{AgentName, Context, Handoff, HandoffStatus, Message, MessageId, Timestamp};

/// A set of changes to a bus that are committed together.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The agent that commits it.
    pub by: AgentName,
    /// The time of the commit.
    pub at: Timestamp,
    /// Makes a repeated commit of the same transaction a no-op.
    pub key: Option<SendKey>,
    /// The messages to deliver.
    pub envelopes: Vec<Envelope>,
    /// A message that the committing agent has read.
    pub seen: Option<MessageId>,
    /// The shared context to write.
    pub context: Option<ContextChange>,
    /// The handoff to write.
    pub handoff: Option<HandoffChange>,
}

impl Transaction {
    /// Creates a transaction that delivers one message.
    pub fn deliver(envelope: Envelope) -> Self {
        let (by, at) = (envelope.message.from.clone(), envelope.message.sent_at);
        Self { by, at, key: None, envelopes: vec![envelope], seen: None, context: None, handoff: None }
    }
}

/// A message and its recipients; for a broadcast or an event, the agents registered at the time.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The message.
    pub message: Message,
    /// The agents that get a copy.
    pub recipients: Vec<AgentName>,
}

/// A name that a sender gives to one send, so that trying again cannot deliver twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendKey {
    /// The sender's own word; another sender may use the same.
    pub key: String,
    /// A hash of the content: the same key with another content is an error.
    pub fingerprint: String,
}

/// A shared context at its new version.
#[derive(Debug, Clone)]
pub struct ContextChange {
    /// The version that must be there now; none for a new document.
    pub expected: Option<u64>,
    /// The document to leave.
    pub context: Context,
}

/// What is done to a handoff.
#[derive(Debug, Clone)]
pub enum HandoffChange {
    /// A new package; its id must be free.
    Create(HandoffPackage),
    /// The receiver's decision; the handoff must be pending.
    Decide {
        /// The handoff's new metadata: the same id, another status.
        handoff: Handoff,
        /// The whole handoff document, the decision appended.
        document: String,
    },
}

/// A handoff with its documents and files.
#[derive(Debug, Clone, PartialEq)]
pub struct HandoffPackage {
    /// The structured part.
    pub handoff: Handoff,
    /// HANDOFF.md.
    pub document: String,
    /// context-links.md.
    pub context_links: String,
    /// acceptance-checklist.md.
    pub checklist: String,
    /// The content of each artifact, by stored name. When a package is read back, only the names are.
    pub files: Vec<(String, Vec<u8>)>,
}

impl HandoffPackage {
    /// Returns whether the receiver has yet to decide.
    pub fn is_pending(&self) -> bool {
        self.handoff.status == HandoffStatus::Pending
    }
}

/// The outcome of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome {
    /// The transaction was committed.
    Done,
    /// The key was used before, for this message.
    Duplicate(MessageId),
}
