//! The fields that an engine notes for itself on documents. They are no part of a message: they are of no use on another bus,
//! and must not come into force there.

/// What a sender called a send, on the first document of it.
pub const KEY: &str = "huddleKey";
/// What the send with that key said, hashed.
pub const PRINT: &str = "huddlePrint";
/// Which call has read a copy: one that tries again knows its own.
pub const CLAIM: &str = "huddleClaim";
/// When a copy was put away, which says when it may go for good.
pub const ARCHIVED: &str = "huddleArchivedAt";

/// All of them.
pub const ALL: [&str; 4] = [KEY, PRINT, CLAIM, ARCHIVED];
