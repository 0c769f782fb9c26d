//! What an entry is, in few words, and how many there are of each.

use huddle_scan::{Flags, Table};

/// The class of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Something said to somebody.
    Message,
    /// How far somebody is.
    Status,
    /// Something that was found out.
    Finding,
    /// Something that went wrong.
    Error,
    /// Something that was made and can be picked up.
    Data,
    /// The end of somebody's work.
    Completed,
    /// Anything else.
    Other,
}

impl Class {
    /// All classes, in order of their numbers.
    pub const ALL: [Self; 7] =
        [Self::Message, Self::Status, Self::Finding, Self::Error, Self::Data, Self::Completed, Self::Other];

    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Status => "status",
            Self::Finding => "finding",
            Self::Error => "error",
            Self::Data => "data",
            Self::Completed => "completed",
            Self::Other => "other",
        }
    }

    /// Returns the class that a kind names. The rest are messages when they are for somebody, and [`Class::Other`] when not.
    pub fn of_kind(kind: &str) -> Option<Self> {
        Some(match kind {
            "status" | "progress" | "progress_update" | "heartbeat" | "started" | "waiting" => Self::Status,
            "finding" | "issue" | "recommendation" => Self::Finding,
            "error" | "failed" | "failure" => Self::Error,
            "data" | "artifact" => Self::Data,
            "completed" | "complete" | "done" => Self::Completed,
            "message" | "request" | "response" | "question" | "answer" | "task" | "result" | "user" | "assistant" => {
                Self::Message
            }
            _ => return None,
        })
    }

    /// Returns the class of a row whose kind names none.
    pub fn of_nameless(table: &Table, row: usize) -> Self {
        let flags = table.flags()[row];
        let addressed =
            !flags.contains(Flags::EVENT) && (flags.contains(Flags::BROADCAST) || !table.to()[row].is_none());
        if addressed { Self::Message } else { Self::Other }
    }
}

/// The severity of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Severity {
    /// It does not say.
    #[default]
    None,
    /// Little.
    Low,
    /// Somewhat.
    Medium,
    /// Much.
    High,
}

impl Severity {
    /// Returns the severity that a word names.
    pub fn of_word(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "high" | "critical" | "severe" => Self::High,
            "medium" | "moderate" | "warning" => Self::Medium,
            "low" | "minor" | "info" => Self::Low,
            _ => Self::None,
        }
    }
}

/// Class and severity of an entry in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EntryClass(u8);

impl EntryClass {
    pub(super) const fn new(class: Class, severity: Severity) -> Self {
        Self(class as u8 | (severity as u8) << 4)
    }
}

/// How many entries there are of each class and each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassCounts {
    classes: [u32; 7],
    severities: [u32; 4],
}

impl ClassCounts {
    /// Counts all.
    pub fn total(&self) -> u32 {
        self.classes.iter().sum()
    }

    /// Counts those of a class.
    pub const fn of(&self, class: Class) -> u32 {
        self.classes[class as usize]
    }

    /// Counts those of a severity.
    pub const fn at(&self, severity: Severity) -> u32 {
        self.severities[severity as usize]
    }

    /// Returns the highest severity of any.
    pub fn worst(&self) -> Severity {
        let all = [Severity::High, Severity::Medium, Severity::Low];
        all.into_iter().find(|severity| self.at(*severity) > 0).unwrap_or_default()
    }

    pub(super) fn add(&mut self, mark: EntryClass) {
        self.classes[usize::from(mark.0 & 15)] += 1;
        self.severities[usize::from(mark.0 >> 4)] += 1;
    }

    /// Adds those of another tally.
    pub fn join(&mut self, other: &Self) {
        self.classes.iter_mut().zip(other.classes).for_each(|(count, more)| *count += more);
        self.severities.iter_mut().zip(other.severities).for_each(|(count, more)| *count += more);
    }

    /// Returns what came after an earlier state of a growing tally.
    pub(super) fn since(&self, earlier: &Self) -> Self {
        let mut rest = *self;
        rest.classes.iter_mut().zip(earlier.classes).for_each(|(count, less)| *count -= less);
        rest.severities.iter_mut().zip(earlier.severities).for_each(|(count, less)| *count -= less);
        rest
    }
}
