//! The timeline as it is drawn.

use serde::{Deserialize, Serialize};

use super::Line;

/// What is to be seen of a window. Positions are on the drawn line, which passes over long idle times.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TimelineView {
    /// The first position of the window.
    pub start: i64,
    /// The position after its last.
    pub end: i64,
    /// How long the whole line is.
    pub length: i64,
    /// How many columns the window has.
    pub columns: u32,
    /// The lanes' names, in order of first appearance; what has no author shares one, whose name is empty.
    pub lanes: Vec<String>,
    /// How many messages each lane has in the window.
    pub counts: Vec<u32>,
    /// What is in the lanes, by lane and column; there is a cell only where there is something.
    pub cells: Vec<Cell>,
    /// When agents were at work.
    pub works: Vec<Work>,
    /// Idle times that are passed over, as far as the window shows them.
    pub folds: Vec<Fold>,
    /// Moments to be labelled: position and time in microseconds since 1970.
    pub ticks: Vec<(i64, i64)>,
    /// The times of the window's ends.
    pub times: (i64, i64),
    /// Messages from lane to lane, when they are few enough to be drawn one by one.
    pub arrows: Vec<Arrow>,
    /// How many messages there are for each pair of lanes, when they are too many: from, to, count.
    pub pairs: Vec<(u32, u32, u32)>,
    /// How many messages there are in each of as many equal parts of the whole line: the minimap.
    pub whole: Vec<u32>,
    /// How many messages have no time, and are not on it.
    pub untimed: u32,
}

/// What one lane has in one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The lane's number.
    pub lane: u32,
    /// The column's number.
    pub column: u32,
    /// The first of its messages: its place among all.
    pub first: u32,
    /// How many messages there are.
    pub count: u32,
    /// How many of them the query finds.
    pub hits: u32,
    /// The number of each class of messages: message, status, finding, error, data, completed, other.
    pub classes: [u32; 7],
    /// How much the worst of them matters: 0 for nothing, then low, medium, high.
    pub severity: u8,
}

/// A time at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The lane's number.
    pub lane: u32,
    /// The position at which it begins.
    pub start: i64,
    /// The position at which it ends.
    pub end: i64,
    /// How far it is, in the protocol's word: `completed`, `in_progress`, `failed`…
    pub state: String,
}

/// An idle time that is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fold {
    /// Where on the line the break begins.
    pub position: i64,
    /// How long it is drawn.
    pub length: i64,
    /// When it began, in microseconds since 1970.
    pub from: i64,
    /// When it ended.
    pub to: i64,
}

/// A message on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrow {
    /// The message: its place among all.
    pub entry: u32,
    /// The position at which it was sent.
    pub position: i64,
    /// The position at which it was seen, if that is known; otherwise that at which it was sent.
    pub arrived: i64,
    /// The lane that it is from.
    pub from: u32,
    /// A lane that it is for.
    pub to: u32,
}

/// Messages of a lane.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Lane {
    /// How many there are.
    pub total: u32,
    /// The first of them.
    pub lines: Vec<Line>,
}
