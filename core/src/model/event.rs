//! What agents of a session log.

use super::{Json, JsonMap, Timestamp};

/// One record of a session's log, with every field that it has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Event {
    /// The fields, in the order they were written.
    pub fields: JsonMap,
}

impl Event {
    /// Returns a field that is text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Json::as_str)
    }

    /// Returns when it was logged.
    pub fn at(&self) -> Option<Timestamp> {
        self.text("timestamp").and_then(Timestamp::parse)
    }

    /// Returns what it says in a line: its message, or the title of its data.
    pub fn headline(&self) -> &str {
        let title = || self.fields.get("data").and_then(|data| data.get("title")).and_then(Json::as_str);
        self.text("message").or_else(title).unwrap_or("no message")
    }
}

/// A record to be logged. Time and id are given to it when it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewEvent {
    /// Who logs it.
    pub from: String,
    /// What kind of record it is: `status`, `finding`, `error`, `data`, `completed`, or a word of one's own.
    pub kind: String,
    /// How much a finding matters: `high`, `medium`, `low`, or a word of one's own.
    pub severity: Option<String>,
    /// What happened.
    pub message: Option<String>,
    /// What went wrong, in detail.
    pub error: Option<String>,
    /// Anything else.
    pub data: Option<Json>,
    /// A file that it is about, seen from the session's directory.
    pub artifact: Option<String>,
    /// What that file holds.
    pub description: Option<String>,
}

impl NewEvent {
    /// Starts a record that says something.
    pub fn new(from: impl Into<String>, kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { from: from.into(), kind: kind.into(), message: Some(message.into()), ..Self::default() }
    }
}
