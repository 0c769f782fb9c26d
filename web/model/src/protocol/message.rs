//! One message with all that is known of it.

use serde::{Deserialize, Serialize};

use super::Line;

/// What a message says, as structure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// A text, which may have several lines.
    Text(String),
    /// A number, a truth value, or nothing.
    Word(String),
    /// A list.
    List(Vec<Body>),
    /// Named parts, in the order they were written.
    Fields(Vec<(String, Body)>),
}

/// A message, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// The message in a line.
    pub line: Line,
    /// What it says.
    pub body: Body,
    /// The fields of its record that are shown nowhere else.
    pub others: Vec<(String, Body)>,
    /// Its id.
    pub id: String,
    /// What its conversation is called.
    pub thread: String,
    /// Until when an answer is needed, in microseconds since 1970.
    pub due: Option<i64>,
    /// How far it has come with each recipient.
    pub deliveries: Vec<Delivery>,
    /// Its file.
    pub file: String,
    /// Where in the file it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
    /// Its record as it lies in the file, as JSON with line breaks where it is JSON; no more than a part of a long one.
    pub raw: String,
    /// Whether there is more of the record than that.
    pub cut: bool,
    /// What it answers.
    pub answers: Option<Line>,
    /// What answered it.
    pub answered_by: Vec<Line>,
    /// What crossed it.
    pub crossed: Vec<Line>,
    /// All of its conversation, or the part around it of a long one.
    pub conversation: Vec<Line>,
    /// How many messages the conversation has.
    pub conversation_count: u32,
    /// The file that it names, and whether that is there.
    pub artifact: Option<(String, bool)>,
    /// Where it stands on the timeline: the position and the lane; none without a time.
    pub on_timeline: Option<(i64, u32)>,
}

/// What became of one recipient's copy. Times are in microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Whose copy it is.
    pub recipient: String,
    /// The furthest step it has come to.
    pub step: String,
    /// Each step that it came to, and when, if that is known.
    pub steps: Vec<(String, Option<i64>)>,
    /// How often it was offered anew.
    pub redelivered: u32,
    /// It waits to be read.
    pub unread: bool,
    /// It needs an answer that has not come.
    pub unanswered: bool,
    /// The time for that answer is over.
    pub overdue: bool,
}
