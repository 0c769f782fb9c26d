//! Lists: what the conversation view scrolls through.

use serde::{Deserialize, Serialize};

use super::Key;

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct List {
    /// Whether messages stand in their conversations; otherwise by time.
    pub threads: bool,
    /// Whether only what the query finds is listed; in conversations, whole conversations are.
    pub found: bool,
}

/// What can be gone to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// A message.
    Message,
    /// The first message of a conversation.
    Thread,
    /// A message that the query finds.
    Hit,
    /// A message that tells of an error.
    Error,
    /// A message that stands at a place among all by time, or after it.
    Since(u32),
}

/// Some rows of a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Rows {
    /// The number of the first.
    pub start: u32,
    /// How many rows the list has.
    pub total: u32,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Row {
    /// A conversation begins.
    Head(Head),
    /// A message.
    Said(Line),
}

/// What stands above a conversation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Head {
    /// What the conversation is called.
    pub name: String,
    /// What it is about.
    pub subject: String,
    /// How many messages it has.
    pub count: u32,
    /// Who takes part.
    pub participants: Vec<String>,
    /// The first time, in microseconds since 1970.
    pub start: Option<i64>,
    /// The last time.
    pub end: Option<i64>,
    /// How many of its messages need an answer that has not come.
    pub unanswered: u32,
    /// How many of its messages the query finds.
    pub hits: u32,
    /// Its first message.
    pub first: Key,
}

/// A message in a line.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Line {
    /// What it goes by.
    pub key: Key,
    /// Its place among all by time.
    pub place: u32,
    /// When it was said, in microseconds since 1970.
    pub at: Option<i64>,
    /// How long after the message above it, in microseconds.
    pub gap: Option<i64>,
    /// Who said it.
    pub from: String,
    /// Who it is for; several names are joined by a comma and a space.
    pub to: String,
    /// What kind it is, in its own word.
    pub kind: String,
    /// What kind of thing it is to the timeline: `message`, `status`, `finding`, `error`, `data`, `completed`, `other`.
    pub class: String,
    /// How much it matters: `high`, `medium`, `low` or nothing.
    pub severity: String,
    /// How urgent it is: `high`, `normal`, `low`… or nothing.
    pub priority: String,
    /// What it is about; for what has no subject, what it says in a line.
    pub subject: String,
    /// The beginning of what it says, where that is more than the subject.
    pub preview: String,
    /// How many answers lie between it and one that answers nothing.
    pub depth: u32,
    /// How far it has come: `sent`, `seen`, `acked`, `answered`, `dead`, `mixed`; empty for what is for nobody.
    pub reach: String,
    /// Whether somebody has it to read.
    pub unread: bool,
    /// Whether somebody owes an answer.
    pub unanswered: bool,
    /// Whether somebody has owed it for too long.
    pub overdue: bool,
    /// Whether it crossed another.
    pub crossed: bool,
    /// Whether it was damaged and could be read all the same.
    pub recovered: bool,
    /// Whether the query finds it.
    pub hit: bool,
}
