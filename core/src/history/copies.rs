//! Copies: what a mailbox says of the way of a message to each recipient.

use huddle_scan::{NO_TIME, Symbol};

/// The folder of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CopyLocation {
    /// In the recipient's inbox.
    Inbox,
    /// In the archive.
    Archive,
    /// Among what was given up on.
    DeadLetters,
    /// Nowhere: only the sender's log, or the message itself, says that there should be one.
    Nowhere,
}

/// One recipient's copy of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailCopy {
    /// The entry that it is a copy of: a row number.
    pub entry: u32,
    /// The recipient.
    pub recipient: Symbol,
    /// Its folder.
    pub place: CopyLocation,
    /// When an inbox check listed it; [`NO_TIME`] when none did, or nobody noted it.
    pub offered_at: i64,
    /// When it was read; [`NO_TIME`] when it was not.
    pub seen_at: i64,
    /// When it was dead-lettered; [`NO_TIME`] when it was not.
    pub dead_at: i64,
    /// Why it was dead-lettered.
    pub reason: Symbol,
    /// How often it was redelivered.
    pub redelivered: u32,
    /// When it was last redelivered; [`NO_TIME`] when it was not.
    pub redelivered_at: i64,
}

impl MailCopy {
    /// Creates a copy of which nothing is known but where it lies.
    pub const fn new(entry: u32, recipient: Symbol, place: CopyLocation) -> Self {
        let (offered_at, seen_at, dead_at, redelivered_at) = (NO_TIME, NO_TIME, NO_TIME, NO_TIME);
        let (reason, redelivered) = (Symbol::NONE, 0);
        Self { entry, recipient, place, offered_at, seen_at, dead_at, reason, redelivered, redelivered_at }
    }
}
