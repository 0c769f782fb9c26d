//! How much a bus may hold, and what it holds.

/// The quotas of a bus; by default there are none, and nothing is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// How many copies of messages may lie in inboxes.
    pub max_messages: Option<u64>,
    /// How many bytes those may have.
    pub max_bytes: Option<u64>,
    /// How long after it was sent a message stays in the archive; for ever when there is no such time.
    pub max_age_hours: Option<u32>,
    /// What happens to new messages beyond that.
    pub when_full: WhenFull,
}

/// What happens when inboxes hold as much as they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenFull {
    /// New messages are refused.
    #[default]
    Refuse,
    /// The next sweep archives the oldest messages, read or not.
    Archive,
}

impl WhenFull {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Archive => "archive",
        }
    }

    /// Reads the word for it.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Refuse, Self::Archive].into_iter().find(|policy| policy.as_str() == text)
    }
}

impl Limits {
    /// Returns whether inboxes have a quota.
    pub fn has_quota(&self) -> bool {
        self.max_messages.is_some() || self.max_bytes.is_some()
    }

    /// Names the quota that is used up, if one is: what is held, and how much may be.
    pub fn reached(&self, usage: &Usage) -> Option<(&'static str, u64, u64)> {
        let used = [("messages", usage.messages, self.max_messages), ("bytes", usage.bytes, self.max_bytes)];
        used.into_iter().find_map(|(what, held, most)| most.filter(|most| held >= *most).map(|most| (what, held, most)))
    }
}

/// What inboxes hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// How many copies of messages.
    pub messages: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How many messages all agents had been delivered when this was counted: what came since is the difference.
    pub delivered: u64,
}

impl Usage {
    /// Adds what came since, each message as large as those that were counted.
    pub fn grown_to(self, delivered: u64) -> Self {
        const TYPICAL_BYTES: u64 = 1024;
        let more = delivered.saturating_sub(self.delivered);
        let each = self.bytes.checked_div(self.messages).unwrap_or(TYPICAL_BYTES);
        Self {
            messages: self.messages.saturating_add(more),
            bytes: self.bytes.saturating_add(more.saturating_mul(each)),
            delivered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_reached_by_what_came_since_the_count() {
        let limits = Limits { max_messages: Some(10), max_bytes: Some(5000), ..Limits::default() };
        let counted = Usage { messages: 8, bytes: 800, delivered: 100 };
        assert_eq!(limits.reached(&counted.grown_to(101)), None);
        assert_eq!(limits.reached(&counted.grown_to(102)), Some(("messages", 10, 10)));
        let large = Usage { messages: 4, bytes: 4000, ..counted };
        assert_eq!(limits.reached(&large.grown_to(101)), Some(("bytes", 5000, 5000)));
        assert_eq!(limits.reached(&counted.grown_to(0)), None, "a registry that was made anew counts from 0");
        assert_eq!(Limits::default().reached(&Usage { messages: u64::MAX, ..counted }), None);
    }
}
