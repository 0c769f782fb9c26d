//! Scrolling through rows whose heights are mostly unknown: the arithmetic, without a browser.
//!
//! What is true is the [`Anchor`]: the row at the upper edge, and how much of it is hidden. Rows that were drawn have the
//! height that was measured, all others the one that is expected. The browser's scroll bar only follows: no element can be
//! as high as a million rows, so that the bar's way is shorter than theirs, except near both ends, where it is as long.

use std::collections::BTreeMap;

/// The longest way that is given to the scroll bar, in pixels: browsers cap an element near 17 million.
pub const LONGEST: f64 = 8_000_000.0;

/// How many viewports from each end the scroll bar goes pixel by pixel with the rows.
const EDGE: f64 = 8.0;

/// How many rows share a sum of heights.
const CHUNK: u32 = 1_024;

/// The row at the upper edge, and how many pixels of it are above the edge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Anchor {
    /// The row.
    pub index: u32,
    /// How much of it is hidden.
    pub into: f64,
}

/// The heights of all rows: those that were measured, and for the others what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Heights {
    rows: u32,
    expected: f64,
    chunks: BTreeMap<u32, Chunk>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Chunk {
    sum: f64,
    known: BTreeMap<u32, f64>,
}

impl Heights {
    /// Knows nothing yet but how many rows there are, and what height to expect.
    pub const fn new(rows: u32, expected: f64) -> Self {
        Self { rows, expected, chunks: BTreeMap::new() }
    }

    /// How many rows there are.
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// How high a row is expected to be.
    pub const fn expected(&self) -> f64 {
        self.expected
    }

    /// Takes another number of rows; what is known of those that remain stays known.
    pub fn resize(&mut self, rows: u32) {
        if rows < self.rows {
            self.chunks.retain(|chunk, _| chunk * CHUNK < rows);
            if let Some(chunk) = self.chunks.get_mut(&(rows / CHUNK)) {
                chunk.known.retain(|row, _| *row < rows);
                chunk.sum = chunk.known.values().sum();
            }
        }
        self.rows = rows;
    }

    /// Forgets all heights: the rows are others now, or as wide as never before.
    pub fn forget(&mut self) {
        self.chunks.clear();
    }

    /// Takes a measured height; tells whether it is news.
    pub fn measure(&mut self, row: u32, height: f64) -> bool {
        if row >= self.rows || height <= 0.0 {
            return false;
        }
        let chunk = self.chunks.entry(row / CHUNK).or_default();
        let before = chunk.known.insert(row, height);
        chunk.sum += height - before.unwrap_or(0.0);
        before.is_none_or(|before| (before - height).abs() > 0.01)
    }

    /// Expects of unknown rows what known ones have on average; tells whether that is another height than before.
    pub fn expect_average(&mut self) -> bool {
        let known: usize = self.chunks.values().map(|chunk| chunk.known.len()).sum();
        if known < 16 {
            return false;
        }
        let average = self.chunks.values().map(|chunk| chunk.sum).sum::<f64>() / known as f64;
        let changed = (average - self.expected).abs() > self.expected / 20.0;
        if changed {
            self.expected = average;
        }
        changed
    }

    /// How high a row is.
    pub fn of(&self, row: u32) -> f64 {
        self.chunks.get(&(row / CHUNK)).and_then(|chunk| chunk.known.get(&row)).copied().unwrap_or(self.expected)
    }

    /// How many pixels lie above a row.
    pub fn above(&self, row: u32) -> f64 {
        let row = row.min(self.rows);
        let own = row / CHUNK;
        let (mut sum, mut known) = (0.0, 0);
        for chunk in self.chunks.range(..own).map(|(_, chunk)| chunk) {
            sum += chunk.sum;
            known += chunk.known.len();
        }
        for height in self.chunks.get(&own).into_iter().flat_map(|chunk| chunk.known.range(..row).map(|it| it.1)) {
            sum += height;
            known += 1;
        }
        sum + (f64::from(row) - known as f64) * self.expected
    }

    /// How high all rows are together.
    pub fn total(&self) -> f64 {
        self.above(self.rows)
    }

    /// The row at a distance from the top; the last one beyond the end.
    pub fn at(&self, pixels: f64) -> Anchor {
        let Some(last) = self.rows.checked_sub(1) else { return Anchor::default() };
        let pixels = pixels.max(0.0);
        // Up to the chunk that the distance ends in, or to the unknown rows before it.
        let (mut row, mut top) = (0, 0.0);
        for (number, chunk) in &self.chunks {
            let start = number * CHUNK;
            let before = top + f64::from(start - row) * self.expected;
            if before > pixels {
                break;
            }
            (row, top) = (start, before);
            let many = CHUNK.min(self.rows - start);
            let height = chunk.sum + f64::from(many - chunk.known.len() as u32) * self.expected;
            if top + height > pixels {
                return self.within(row, top, pixels);
            }
            (row, top) = (start + many, top + height);
        }
        let skipped = ((pixels - top) / self.expected) as u32;
        if row.saturating_add(skipped) > last {
            return Anchor { index: last, into: (pixels - self.above(last)).clamp(0.0, self.of(last)) };
        }
        Anchor { index: row + skipped, into: pixels - top - f64::from(skipped) * self.expected }
    }

    fn within(&self, mut row: u32, mut top: f64, pixels: f64) -> Anchor {
        while row + 1 < self.rows && top + self.of(row) <= pixels {
            top += self.of(row);
            row += 1;
        }
        Anchor { index: row, into: pixels - top }
    }
}

/// The window through which the rows are seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window<'a> {
    /// The rows.
    pub heights: &'a Heights,
    /// How high the window is.
    pub height: f64,
}

impl Window<'_> {
    /// How far the rows can be moved up.
    pub fn farthest(self) -> f64 {
        (self.heights.total() - self.height).max(0.0)
    }

    /// How far the rows are moved up at an anchor.
    pub fn position(self, anchor: Anchor) -> f64 {
        self.heights.above(anchor.index) + anchor.into
    }

    /// The anchor at a distance from the top, no farther than the end.
    pub fn at(self, position: f64) -> Anchor {
        self.heights.at(position.clamp(0.0, self.farthest()))
    }

    /// The anchor at the end: the last row is shown whole.
    pub fn end(self) -> Anchor {
        self.at(f64::INFINITY)
    }

    /// Whether the last row is shown whole.
    pub fn at_end(self, anchor: Anchor) -> bool {
        self.position(anchor) >= self.farthest() - 1.0
    }

    /// Moves by some pixels, no farther than to either end.
    pub fn walk(self, anchor: Anchor, by: f64) -> Anchor {
        self.at(self.position(anchor) + by)
    }

    /// How far the scroll bar can go.
    pub fn way(self) -> f64 {
        self.farthest().min((LONGEST - self.height).max(0.0))
    }

    /// Where the scroll bar belongs for an anchor.
    pub fn bar(self, anchor: Anchor) -> f64 {
        let (position, farthest, way, edge) = (self.position(anchor), self.farthest(), self.way(), self.edge());
        if farthest <= way || position <= edge {
            position.min(way)
        } else if farthest - position <= edge {
            (way - (farthest - position)).max(0.0)
        } else {
            edge + (position - edge) / (farthest - 2.0 * edge) * (way - 2.0 * edge)
        }
    }

    /// The anchor for where the scroll bar is.
    pub fn of_bar(self, bar: f64) -> Anchor {
        let (farthest, way, edge) = (self.farthest(), self.way(), self.edge());
        self.at(if farthest <= way || bar <= edge {
            bar
        } else if way - bar <= edge {
            farthest - (way - bar)
        } else {
            edge + (bar - edge) / (way - 2.0 * edge) * (farthest - 2.0 * edge)
        })
    }

    fn edge(self) -> f64 {
        (self.height * EDGE).min(self.way() / 4.0)
    }

    /// The anchor that shows a row whole, with no more movement than needed; a row that is far away comes to the middle.
    pub fn reveal(self, anchor: Anchor, row: u32) -> Anchor {
        let (position, top, height) = (self.position(anchor), self.heights.above(row), self.heights.of(row));
        let (above, below) = (position - top, top + height - (position + self.height));
        if above <= 0.0 && below <= 0.0 {
            anchor
        } else if above.max(below) > self.height {
            self.at(top - ((self.height - height) / 3.0).max(0.0))
        } else if above > 0.0 || height >= self.height {
            self.at(top)
        } else {
            self.walk(anchor, below)
        }
    }

    /// The rows to be drawn: those to be seen, and some above and below, so that their heights are known before they come
    /// into sight. The end is not included.
    pub fn drawn(self, anchor: Anchor) -> (u32, u32) {
        let (position, spare) = (self.position(anchor), self.height * 0.6);
        let first = self.heights.at(position - spare).index;
        let last = self.heights.at(position + self.height + spare).index;
        (first, (last + 1).min(self.heights.rows()))
    }
}

/// The scroll bar's movement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Where it was.
    pub before: f64,
    /// Where it is.
    pub now: f64,
    /// How far it can go.
    pub way: f64,
}

/// What the scroll bar's new place means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scrolled {
    /// Where the rows belong now.
    pub anchor: Anchor,
    /// Whether the bar has to be put where it belongs at once, for want of room to go on in.
    pub cramped: bool,
}

/// Takes a movement of the scroll bar. A small one moves the rows by as many pixels; a large one is a
/// jump to that part of the list. `by_hand` says that the reader turns a wheel or draws a finger over the rows, who wants
/// to go on row by row even when the bar is at its end by then; anyone else at the bar's end wants the list's end.
pub fn scrolled(window: Window<'_>, anchor: Anchor, bar: Bar, by_hand: bool) -> Scrolled {
    let Bar { before, now, way } = bar;
    let by = now - before;
    let small = by.abs() < window.height * 2.0;
    let at_bar_end = now <= 0.0 || now >= way - 1.0;
    if small && (by_hand || !at_bar_end) {
        let anchor = window.walk(anchor, by);
        let there = if now <= 0.0 { window.position(anchor) <= 0.0 } else { window.at_end(anchor) };
        return Scrolled { anchor, cramped: at_bar_end && !there };
    }
    let anchor = match at_bar_end {
        true if now <= 0.0 => Anchor::default(),
        true => window.end(),
        // The bar's way may be that of a moment ago, when heights were thought to be others.
        false => window.of_bar(now / way * window.way()),
    };
    Scrolled { anchor, cramped: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLION: u32 = 1_000_000;

    /// Every tenth row a header, every thousandth opened.
    fn truth(row: u32) -> f64 {
        match row {
            row if row.is_multiple_of(1_000) => 700.0,
            row if row.is_multiple_of(10) => 52.0,
            row if row.is_multiple_of(3) => 37.0,
            _ => 22.0,
        }
    }

    /// Draws and measures until nothing changes, as the page does.
    fn settle(heights: &mut Heights, height: f64, mut anchor: Anchor, end: bool) -> Anchor {
        for _ in 0..10 {
            let (first, last) = Window { heights, height }.drawn(anchor);
            let mut news = false;
            for row in first..last {
                news |= heights.measure(row, truth(row));
            }
            if end {
                anchor = Window { heights, height }.end();
            }
            if !news {
                return anchor;
            }
        }
        panic!("it does not settle");
    }

    #[test]
    fn distances_and_rows_are_inverse() {
        let mut heights = Heights::new(MILLION, 34.0);
        for row in (0..300).chain(2_000..2_100).chain(MILLION - 50..MILLION) {
            heights.measure(row, truth(row));
        }
        for row in [0, 1, 9, 10, 299, 300, 301, 1_999, 2_000, 2_001, 5_000, 999_000, MILLION - 51, MILLION - 1] {
            let found = heights.at(heights.above(row) + 5.0);
            assert_eq!(found.index, row);
            assert!((found.into - 5.0).abs() < 1e-6, "{found:?}");
        }
        let sum: f64 = (0..MILLION).map(|row| heights.of(row)).sum();
        assert!((heights.total() - sum).abs() < 1e-3);
    }

    #[test]
    fn nothing_has_no_rows() {
        let heights = Heights::new(0, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        assert_eq!(window.end(), Anchor::default());
        assert_eq!(window.drawn(Anchor::default()), (0, 0));
        assert_eq!((window.way(), window.bar(Anchor::default())), (0.0, 0.0));
    }

    #[test]
    fn a_short_list_does_not_move() {
        let heights = Heights::new(3, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        assert_eq!(window.walk(Anchor::default(), 500.0), Anchor::default());
        assert!(window.at_end(Anchor::default()));
        assert_eq!(window.drawn(Anchor::default()), (0, 3));
    }

    #[test]
    fn the_last_of_a_million_is_shown_whole() {
        let mut heights = Heights::new(MILLION, 34.0);
        let end = Window { heights: &heights, height: 800.0 }.end();
        let end = settle(&mut heights, 800.0, end, true);
        let mut left = 800.0 + end.into;
        for row in end.index..MILLION {
            left -= truth(row);
        }
        assert!(left.abs() < 1e-3, "{left}");
    }

    #[test]
    fn the_bar_has_room_at_both_ends() {
        let heights = Heights::new(MILLION, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        assert_eq!(window.way(), LONGEST - 800.0);
        for away in [0.0, 10.0, 500.0, 6_000.0] {
            assert!((window.bar(window.at(away)) - away).abs() < 1e-3);
            let near_end = window.at(window.farthest() - away);
            assert!((window.way() - window.bar(near_end) - away).abs() < 1e-3);
        }
        for bar in [0.0, 3.0, 5_000.0, 70_000.0, 4_000_000.0, 7_990_000.0, window.way()] {
            assert!((window.bar(window.of_bar(bar)) - bar).abs() < 1e-3, "{bar}");
        }
    }

    #[test]
    fn a_wheel_reaches_both_ends_row_by_row() {
        let mut heights = Heights::new(MILLION, 34.0);
        let (mut anchor, mut bar) = {
            let window = Window { heights: &heights, height: 800.0 };
            let anchor = window.at(window.farthest() - 20_000.0);
            (anchor, window.bar(anchor))
        };
        for turn in 0..1_000 {
            let window = Window { heights: &heights, height: 800.0 };
            if window.at_end(anchor) {
                assert!(turn > 120, "rows were jumped over");
                return;
            }
            let now = (bar + 120.0).min(window.way());
            let went = scrolled(window, anchor, Bar { before: bar, now, way: window.way() }, true);
            assert!(window.position(went.anchor) - window.position(anchor) <= 120.1);
            bar = if went.cramped { window.bar(went.anchor) } else { now };
            anchor = settle(&mut heights, 800.0, went.anchor, false);
        }
        panic!("it never arrives");
    }

    #[test]
    fn a_drag_to_the_end_is_the_end() {
        let heights = Heights::new(MILLION, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        let go =
            |anchor, before, now, by_hand| scrolled(window, anchor, Bar { before, now, way: window.way() }, by_hand);
        let middle = go(Anchor::default(), 0.0, 4_000_000.0, false).anchor;
        assert!((480_000..520_000).contains(&middle.index), "{middle:?}");
        assert_eq!(go(middle, 4_000_000.0, window.way(), false).anchor, window.end());
        assert_eq!(go(middle, 100.0, 0.0, false).anchor, Anchor::default());
        let by_hand = go(middle, 100.0, 0.0, true);
        assert!(by_hand.cramped && by_hand.anchor.index > 400_000);
    }

    #[test]
    fn what_is_measured_above_does_not_move_what_is_seen() {
        let mut heights = Heights::new(MILLION, 34.0);
        let anchor = Anchor { index: 5_000, into: 12.0 };
        let before = Window { heights: &heights, height: 800.0 }.position(anchor);
        let settled = settle(&mut heights, 800.0, anchor, false);
        assert_eq!(settled, anchor);
        assert!(Window { heights: &heights, height: 800.0 }.position(anchor) != before);
    }

    #[test]
    fn a_row_is_revealed_with_little_movement() {
        let mut heights = Heights::new(1_000, 40.0);
        heights.measure(500, 2_000.0);
        let window = Window { heights: &heights, height: 800.0 };
        let anchor = Anchor { index: 100, into: 10.0 };
        assert_eq!(window.reveal(anchor, 105), anchor);
        assert_eq!(window.reveal(anchor, 100), Anchor { index: 100, into: 0.0 });
        assert_eq!(window.reveal(anchor, 120), Anchor { index: 101, into: 0.0 });
        assert_eq!(window.reveal(anchor, 500).index, 500);
        assert_eq!(window.reveal(anchor, 999), window.end());
        assert!((280..300).contains(&window.reveal(anchor, 300).index));
    }

    #[test]
    fn fewer_rows_forget_what_is_gone() {
        let mut heights = Heights::new(3_000, 34.0);
        (0..3_000).for_each(|row| _ = heights.measure(row, truth(row)));
        heights.resize(1_030);
        let sum: f64 = (0..1_030).map(truth).sum();
        assert!((heights.total() - sum).abs() < 1e-6);
        heights.resize(1_031);
        assert!((heights.total() - sum - 34.0).abs() < 1e-6);
        assert!(heights.expect_average() || (heights.of(1_030) - 34.0).abs() < 1e-6);
    }
}
