//! Changes: what is committed as a whole or not at all.

use crate::model::{AgentName, Context, Handoff, HandoffStatus, Message, MessageId, Timestamp};

/// A change to a bus.
#[derive(Debug, Clone)]
pub struct Change {
    /// Who makes it.
    pub by: AgentName,
    /// When.
    pub at: Timestamp,
    /// Makes a repetition of the same change harmless.
    pub key: Option<SendKey>,
    /// The messages to deliver.
    pub posts: Vec<Post>,
    /// The message that the one who makes the change has read.
    pub seen: Option<MessageId>,
    /// The shared context to write.
    pub context: Option<ContextChange>,
    /// The handoff to write.
    pub handoff: Option<HandoffChange>,
}

impl Change {
    /// Makes a change that delivers one message.
    pub fn post(post: Post) -> Self {
        let (by, at) = (post.message.from.clone(), post.message.sent_at);
        Self { by, at, key: None, posts: vec![post], seen: None, context: None, handoff: None }
    }
}

/// A message and who gets it: for a broadcast or an event, those who were there to hear it.
#[derive(Debug, Clone)]
pub struct Post {
    /// The message.
    pub message: Message,
    /// Who gets a copy.
    pub recipients: Vec<AgentName>,
}

/// A name that a sender gives to one send, so that trying again cannot deliver twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendKey {
    /// The sender's own word; another sender may use the same.
    pub key: String,
    /// What the change says, hashed: the same key with another content is a mistake.
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
    /// Says whether the receiver has yet to decide.
    pub fn is_pending(&self) -> bool {
        self.handoff.status == HandoffStatus::Pending
    }
}

/// How a commit ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Committed {
    /// The change was made.
    Done,
    /// The key was used before: this message came of it then.
    Duplicate(MessageId),
}
