//! The timeline in numbers.

use super::marks::{ERROR, column_length};
use super::scale::{Span, ends, exact, time_at};
use crate::format::{count, span};
use crate::protocol::TimelineView;

/// So many lanes are listed; more of them nobody reads, and each would cost.
pub const LANES: usize = 500;

/// What is said of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The lane's number.
    pub lane: u32,
    /// Its name; empty for what has no author.
    pub name: String,
    /// How many messages it has.
    pub messages: u32,
    /// How many of them are errors.
    pub errors: u32,
    /// How many of them are findings.
    pub findings: u32,
    /// How much the worst of them matters, in a word.
    pub worst: &'static str,
    /// How many of them the query finds.
    pub hits: u32,
    /// When the first was sent.
    pub first: String,
    /// When the last was sent.
    pub last: String,
}

/// Returns the name of a lane.
pub fn named(name: &str) -> &str {
    if name.is_empty() { "no author" } else { name }
}

/// Says how many messages of a lane are listed.
pub fn said_of_list(name: &str, listed: usize, total: u32) -> String {
    if listed as u32 == total {
        return format!("{} of {name} in this window", count(total.into(), "message"));
    }
    format!("The first {listed} of {} of {name} in this window", count(total.into(), "message"))
}

/// Says what the table is of, and how exact its times are.
pub fn caption(view: &TimelineView) -> String {
    let seen = Span { start: view.start as f64, end: view.end as f64 };
    let column = column_length(view) as i64;
    let exact =
        if column > 1_000_000 { format!(" First and last are exact to {}.", span(column)) } else { String::new() };
    let more = match view.lanes.len().saturating_sub(LANES) {
        0 => String::new(),
        more => format!(" {} more are not listed.", count(more as u64, "lane")),
    };
    format!("Who sent how much from {}.{exact}{more}", ends(view, seen).replace(" – ", " to "))
}

/// Sums up each lane.
pub fn summaries(view: &TimelineView) -> Vec<Summary> {
    let column = column_length(view);
    let at = |place: u32| {
        let position = view.start as f64 + f64::from(place) * column;
        exact(time_at(view, position), view.end as f64 - view.start as f64)
    };
    let lanes = view.lanes.iter().zip(&view.counts).enumerate().take(LANES);
    let sum = |(lane, (name, messages)): (usize, (&String, &u32))| {
        let first = view.cells.partition_point(|cell| (cell.lane as usize) < lane);
        let after = view.cells.partition_point(|cell| (cell.lane as usize) <= lane);
        let cells = view.cells.get(first..after).unwrap_or_default();
        let severity = cells.iter().map(|cell| cell.severity).max().unwrap_or(0);
        Summary {
            lane: lane as u32,
            name: name.clone(),
            messages: *messages,
            errors: cells.iter().map(|cell| cell.classes[ERROR]).sum(),
            findings: cells.iter().map(|cell| cell.classes[2]).sum(),
            worst: ["", "low", "medium", "high"].get(usize::from(severity)).copied().unwrap_or_default(),
            hits: cells.iter().map(|cell| cell.hits).sum(),
            first: cells.first().map(|cell| at(cell.column)).unwrap_or_default(),
            last: cells.last().map(|cell| at(cell.column)).unwrap_or_default(),
        }
    };
    lanes.map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::timeline::Cell;

    #[test]
    fn lanes_are_summed_up() {
        let cell = |lane, column, count, severity| Cell {
            lane,
            column,
            count,
            severity,
            hits: 1,
            classes: [0, 0, 1, count - 1, 0, 0, 0],
            ..Cell::default()
        };
        let view = TimelineView {
            end: 10_000_000,
            length: 10_000_000,
            columns: 10,
            lanes: vec!["ann".into(), "bob".into(), String::new()],
            counts: vec![3, 1, 0],
            cells: vec![cell(0, 1, 2, 1), cell(0, 4, 1, 3), cell(1, 9, 1, 0)],
            ..TimelineView::default()
        };
        let rows = summaries(&view);
        let ann = &rows[0];
        assert_eq!((ann.messages, ann.errors, ann.findings, ann.hits, ann.worst), (3, 1, 2, 2, "high"));
        assert_eq!((ann.first.as_str(), ann.last.as_str()), ("00:00:01.000", "00:00:04.000"));
        assert_eq!((rows[1].worst, rows[1].first.as_str()), ("", "00:00:09.000"));
        assert_eq!((rows[2].name.as_str(), rows[2].first.as_str()), ("", ""));
        assert_eq!(caption(&view), "Who sent how much from 1970-01-01 00:00:00.000 to 00:00:09.999.");
    }

    #[test]
    fn a_list_that_is_cut_says_so() {
        assert_eq!(said_of_list("ann", 3, 3), "3 messages of ann in this window");
        assert_eq!(said_of_list("ann", 200, 1204), "The first 200 of 1,204 messages of ann in this window");
    }
}
