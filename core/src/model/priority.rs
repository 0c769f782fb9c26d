//! How urgent a message is.

use std::fmt;

/// The four priorities of the mailbox protocol, most urgent first, so that sorting puts urgent mail on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Priority {
    /// Work stops until this is handled.
    Critical,
    /// Blocking work: handle at once.
    High,
    /// Standard work: handle in the next work cycle.
    #[default]
    Normal,
    /// For information: handle when convenient.
    Low,
}

impl Priority {
    /// Every priority, most urgent first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Normal, Self::Low];

    /// Returns the word the protocols use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }

    /// Reads the word the protocols use.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.as_str() == text)
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
