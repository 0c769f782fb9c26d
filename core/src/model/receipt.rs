//! What became of a message, for each who should get it. "Sent" is not "seen".

use super::{AgentName, Message, Timestamp};

/// Where a recipient's copy lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the inbox.
    Inbox,
    /// Put away after its retention.
    Archive,
    /// Given up on.
    DeadLetters {
        /// Why.
        reason: String,
        /// When.
        at: Timestamp,
    },
}

/// How far a recipient's copy has come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// When an inbox check first listed it to the recipient.
    pub offered_at: Option<Timestamp>,
    /// When the recipient read it.
    pub seen_at: Option<Timestamp>,
    /// How often it was offered anew because no sign came back.
    pub redelivered: u32,
    /// When it was last offered anew.
    pub redelivered_at: Option<Timestamp>,
}

/// One recipient's copy of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// Whose copy it is.
    pub recipient: AgentName,
    /// The message.
    pub message: Message,
    /// How far it has come.
    pub receipt: Receipt,
    /// Where it lies.
    pub place: Place,
}

impl Delivery {
    /// Returns whether the recipient has yet to read it.
    pub fn is_unread(&self) -> bool {
        self.receipt.seen_at.is_none()
    }
}
