//! Kinds of errors, which programs tell apart.

/// The few kinds of failure that a program needs to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Storage or the environment failed.
    Failed,
    /// The request makes no sense.
    Usage,
    /// Something that was named does not exist.
    NotFound,
    /// Something timed out.
    TimedOut,
    /// Another process or agent was first.
    Conflict,
    /// Data is malformed.
    Invalid,
}

impl ErrorKind {
    /// Returns the word that stands for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::NotFound => "not-found",
            Self::TimedOut => "timed-out",
            Self::Conflict => "conflict",
            Self::Invalid => "invalid",
        }
    }
}
