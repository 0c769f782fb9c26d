//! The rows that are at hand: pages of a list, of which only those around the reader are kept.

use std::collections::HashMap;
use std::sync::Arc;

use crate::protocol::{Row, Rows};

/// How many rows are asked for together.
pub const PAGE: u32 = 64;

/// How many pages are kept.
const KEPT: usize = 48;

/// A row as it is drawn: a place in the list, and what stands there once that is known.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The place in the list.
    pub index: u32,
    /// Tells what stands there from what stood there before: equal rows keep it. Zero while nothing is known.
    pub stamp: u32,
    /// What stands there.
    pub row: Option<Arc<Row>>,
    /// Whether the day is another than that of the message above.
    pub new_day: bool,
}

impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.stamp) == (other.index, other.stamp)
    }
}

/// The rows that are at hand.
#[derive(Debug, Default)]
pub struct Pages {
    pages: HashMap<u32, Vec<Slot>>,
    last_stamp: u32,
}

impl Pages {
    /// Gives a row, if it is at hand.
    pub fn get(&self, index: u32) -> Option<&Row> {
        self.slot(index)?.row.as_deref()
    }

    fn slot(&self, index: u32) -> Option<&Slot> {
        self.pages.get(&(index / PAGE))?.get((index % PAGE) as usize)
    }

    /// Gives rows to be drawn, those that are not at hand empty.
    pub fn slots(&self, first: u32, end: u32) -> Vec<Slot> {
        let empty = |index| Slot { index, stamp: 0, row: None, new_day: false };
        (first..end).map(|index| self.slot(index).cloned().unwrap_or_else(|| empty(index))).collect()
    }

    /// Gives the first run of rows in a range that are not at hand, in whole pages: the first row, and how many.
    pub fn missing(&self, first: u32, end: u32) -> Option<(u32, u32)> {
        let pages = first / PAGE..end.div_ceil(PAGE);
        let start = pages.clone().find(|page| !self.pages.contains_key(page))?;
        let many = (start..pages.end).take_while(|page| !self.pages.contains_key(page)).count() as u32;
        Some((start * PAGE, many * PAGE))
    }

    /// Takes rows that were asked for in whole pages. Where the same rows stood before, they are the same to the page.
    pub fn take(&mut self, rows: Rows) {
        let mut start = rows.start;
        let mut rows = rows.rows.into_iter().peekable();
        while rows.peek().is_some() {
            let page = rows.by_ref().take(PAGE as usize).collect();
            self.put(start / PAGE, page);
            start += PAGE;
        }
    }

    fn put(&mut self, page: u32, rows: Vec<Row>) {
        let old = self.pages.remove(&page).unwrap_or_default();
        let mut slots: Vec<Slot> = Vec::with_capacity(rows.len());
        for (at, row) in rows.into_iter().enumerate() {
            let before = old.get(at).filter(|slot| slot.row.as_deref() == Some(&row));
            slots.push(before.cloned().unwrap_or_else(|| {
                self.last_stamp += 1;
                Slot {
                    index: page * PAGE + at as u32,
                    stamp: self.last_stamp,
                    row: Some(Arc::new(row)),
                    new_day: false,
                }
            }));
        }
        self.pages.insert(page, slots);
        // The first row of the next page now knows what stands above it.
        (page * PAGE..=(page + 1) * PAGE).for_each(|index| self.compare_days(index));
    }

    fn compare_days(&mut self, index: u32) {
        let above = index.checked_sub(1).and_then(|above| self.slot(above)).and_then(day);
        let stamp = self.last_stamp + 1;
        let slot = self.pages.get_mut(&(index / PAGE)).and_then(|page| page.get_mut((index % PAGE) as usize));
        if let Some(slot) = slot {
            let new_day = above.is_some_and(|above| day(slot).is_some_and(|own| own != above));
            if new_day != slot.new_day {
                (slot.new_day, slot.stamp) = (new_day, stamp);
                self.last_stamp = stamp;
            }
        }
    }

    /// Takes rows of a list that has changed: all others are out of date. Rows in the same places that are equal stay the
    /// same to the page.
    pub fn renew(&mut self, rows: Rows) {
        let (first, end) = (rows.start / PAGE, (rows.start + rows.rows.len() as u32).div_ceil(PAGE));
        self.pages.retain(|page, _| (first..end).contains(page));
        self.take(rows);
    }

    /// Lets go of the pages that are farthest from a row, when there are many.
    pub fn trim(&mut self, around: u32) {
        if self.pages.len() > KEPT {
            let mut numbers: Vec<u32> = self.pages.keys().copied().collect();
            numbers.sort_unstable_by_key(|page| page.abs_diff(around / PAGE));
            numbers.drain(..KEPT / 2);
            numbers.iter().for_each(|page| _ = self.pages.remove(page));
        }
    }
}

/// The day of a row, counted from 1970.
fn day(slot: &Slot) -> Option<i64> {
    let at = match slot.row.as_deref()? {
        Row::Head(head) => head.start,
        Row::Said(line) => line.at,
    };
    at.map(|at| at.div_euclid(86_400_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Line;

    fn said(key: u32, hit: bool) -> Row {
        Row::Said(Line { key: key.to_string(), at: Some(i64::from(key) * 3_600_000_000), hit, ..Line::default() })
    }

    fn rows(start: u32, count: u32, hit: u32) -> Rows {
        Rows { start, total: 1_000, rows: (start..start + count).map(|row| said(row, row == hit)).collect() }
    }

    #[test]
    fn whole_pages_are_missing() {
        let mut pages = Pages::default();
        assert_eq!(pages.missing(70, 80), Some((64, 64)));
        assert_eq!(pages.missing(63, 129), Some((0, 192)));
        pages.take(rows(64, 64, 0));
        assert_eq!(pages.missing(63, 129), Some((0, 64)));
        assert_eq!(pages.missing(64, 128), None);
        assert_eq!(pages.missing(64, 129), Some((128, 64)));
        assert_eq!(pages.missing(64, 64), None);
    }

    #[test]
    fn equal_rows_stay_the_same() {
        let mut pages = Pages::default();
        pages.take(rows(0, 128, 5));
        pages.take(rows(512, 64, 5));
        let before = pages.slots(0, 128);
        pages.renew(rows(0, 128, 7));
        let changed: Vec<u32> = (0..128).filter(|row| pages.slots(*row, row + 1)[0] != before[*row as usize]).collect();
        assert_eq!(changed, [5, 7]);
        assert!(pages.get(512).is_none());
    }

    #[test]
    fn a_day_is_said_where_it_changes() {
        let mut pages = Pages::default();
        pages.take(rows(64, 64, 0));
        pages.take(rows(0, 64, 0));
        let days: Vec<u32> = pages.slots(0, 128).iter().filter(|slot| slot.new_day).map(|slot| slot.index).collect();
        assert_eq!(days, [24, 48, 72, 96, 120]);
    }

    #[test]
    fn only_pages_nearby_are_kept() {
        let mut pages = Pages::default();
        for page in 0..60 {
            pages.take(rows(page * PAGE, PAGE, 0));
        }
        pages.trim(30 * PAGE);
        assert!(pages.get(30 * PAGE).is_some() && pages.get(0).is_none() && pages.get(59 * PAGE).is_none());
        let slots = pages.slots(0, 1);
        assert!(slots[0].row.is_none() && slots[0].stamp == 0);
    }
}
