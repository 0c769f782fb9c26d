//! The heights of rows, most of which are unknown: the arithmetic of how far down a row is, and which row is how far down.

use std::collections::BTreeMap;

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
        self.chunks = BTreeMap::new();
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
        for chunk in self.chunks.iter().take_while(|(number, _)| **number < own).map(|(_, chunk)| chunk) {
            sum += chunk.sum;
            known += chunk.known.len();
        }
        let known_here = self.chunks.get(&own).into_iter().flat_map(|chunk| &chunk.known);
        for (_, height) in known_here.take_while(|(known, _)| **known < row) {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const MILLION: u32 = 1_000_000;

    /// Every tenth row a header, every thousandth opened.
    pub(in super::super) fn truth(row: u32) -> f64 {
        match row {
            row if row.is_multiple_of(1_000) => 700.0,
            row if row.is_multiple_of(10) => 52.0,
            row if row.is_multiple_of(3) => 37.0,
            _ => 22.0,
        }
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
