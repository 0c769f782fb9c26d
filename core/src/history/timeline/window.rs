//! What is to be seen of some lanes in a window that is so many columns wide.

use std::ops::Range;

use super::Timeline;
use super::class::ClassCounts;

/// The entries of one lane in one column. There is a cell only where there are entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The lane's number.
    pub lane: u32,
    /// The column's number.
    pub column: u32,
    /// The first of its entries: its position among those that the timeline was built from.
    pub first: u32,
    /// How many there are of what.
    pub class_counts: ClassCounts,
}

/// What [`Timeline::window`] found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// The cells, by lane and column.
    pub cells: Vec<Cell>,
    /// How many slices and blocks of entries were looked at for it.
    pub visited: u32,
}

impl Timeline {
    /// Counts the entries of some lanes in each of so many equal columns of a window of positions.
    pub fn window(&self, lanes: Range<u32>, start: i64, end: i64, columns: u32) -> Window {
        let mut window = Window::default();
        if start < end && columns > 0 {
            let edges = edges(start, end, columns);
            let lanes = lanes.start..lanes.end.min(self.lanes().len() as u32);
            lanes.for_each(|lane| self.add_lane(&mut window, lane, &edges));
        }
        window
    }

    /// Counts the entries of a lane in a window of positions.
    pub fn class_counts(&self, lane: u32, start: i64, end: i64) -> ClassCounts {
        let places = self.counts.places(lane, start, end, &mut 0);
        self.counts.until(places.end).since(&self.counts.until(places.start))
    }

    /// Returns the entries of a lane in a window of positions, in order: their positions among those that the timeline
    /// was built from.
    pub fn entries(&self, lane: u32, start: i64, end: i64) -> &[u32] {
        &self.counts.entries()[self.counts.places(lane, start, end, &mut 0)]
    }

    fn add_lane(&self, window: &mut Window, lane: u32, edges: &[i64]) {
        let visited = &mut window.visited;
        let all = self.counts.places(lane, edges[0], edges[edges.len() - 1], visited);
        let mut from = all.start;
        let mut before = self.counts.until(from);
        while from < all.end {
            let after = edges.partition_point(|edge| *edge <= self.counts.positions()[from]);
            let to = match edges.get(after) {
                Some(edge) if after + 1 < edges.len() => self.counts.place(lane, *edge, visited).max(from + 1),
                // The last column ends where the window does, and that place is known.
                _ => all.end,
            };
            let class_counts = self.counts.class_counts(from..to, &mut before, visited);
            let first = self.counts.entries()[from];
            window.cells.push(Cell { lane, column: after as u32 - 1, first, class_counts });
            from = to;
        }
    }
}

/// Returns the position at which each column begins, and at last the end of the window.
pub fn edges(start: i64, end: i64, columns: u32) -> Vec<i64> {
    let (width, columns) = (end.saturating_sub(start), i64::from(columns));
    let (whole, rest) = (width / columns, width % columns);
    (0..=columns).map(|column| start + whole * column + rest * column / columns).collect()
}
