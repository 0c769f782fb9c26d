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
    /// Whether a conversation ends above it, and it is of none.
    pub apart: bool,
    /// How many messages of its conversation are below it; none while what is above is not at hand.
    left: Option<u32>,
    /// Whether it is of no conversation.
    alone: bool,
}

impl Slot {
    const fn new(index: u32, stamp: u32, row: Option<Arc<Row>>) -> Self {
        Self { index, stamp, row, new_day: false, apart: false, left: None, alone: false }
    }
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
        let empty = |index| Slot::new(index, 0, None);
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
                Slot::new(page * PAGE + at as u32, self.last_stamp, Some(Arc::new(row)))
            }));
        }
        self.pages.insert(page, slots);
        (page * PAGE..(page + 1) * PAGE).for_each(|index| _ = self.compare(index));
        // The rows below now know what stands above them, which may say something new of many.
        _ = ((page + 1) * PAGE..).take_while(|index| self.compare(*index)).count();
    }

    /// Compares a row with the one above it; tells whether that says something new of it.
    fn compare(&mut self, index: u32) -> bool {
        // Above the first row, it is as if a conversation were over that is of no interest.
        let mut above = (Some(0), true, None);
        if let Some(index) = index.checked_sub(1) {
            above = self.slot(index).map_or((None, true, None), |slot| (slot.left, slot.alone, day(slot)));
        }
        let stamp = self.last_stamp + 1;
        let slot = self.pages.get_mut(&(index / PAGE)).and_then(|page| page.get_mut((index % PAGE) as usize));
        let Some(slot) = slot else { return false };
        let before = (slot.new_day, slot.apart, slot.left, slot.alone);
        if above.2.is_some() {
            slot.new_day = day(slot).is_some_and(|own| Some(own) != above.2);
        }
        (slot.left, slot.alone) = match (slot.row.as_deref(), above.0) {
            (Some(Row::Head(head)), _) => (Some(head.count), false),
            (_, Some(0)) => (Some(0), true),
            (_, Some(left)) => (Some(left - 1), false),
            // What was known before need not be forgotten.
            (_, None) => (slot.left, slot.alone),
        };
        if above.0.is_some() {
            slot.apart = slot.alone && !above.1;
        }
        if (before.0, before.1) != (slot.new_day, slot.apart) {
            (slot.stamp, self.last_stamp) = (stamp, stamp);
        }
        before != (slot.new_day, slot.apart, slot.left, slot.alone)
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
            numbers.sort_by_key(|page| page.abs_diff(around / PAGE));
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
    use crate::protocol::{Head, Line};

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
    fn what_is_of_no_conversation_stands_apart_from_one() {
        let head = |count| Row::Head(Head { count, ..Head::default() });
        let mut all: Vec<Row> = (0..3 * PAGE).map(|row| said(row, false)).collect();
        (all[2], all[60], all[100]) = (head(2), head(10), head(1));
        let page = |number: u32| Rows {
            start: number * PAGE,
            total: 3 * PAGE,
            rows: all[(number * PAGE) as usize..((number + 1) * PAGE) as usize].to_vec(),
        };
        let mut pages = Pages::default();
        for number in [2, 1, 0] {
            pages.take(page(number));
        }
        let apart: Vec<u32> = pages.slots(0, 3 * PAGE).iter().filter(|it| it.apart).map(|it| it.index).collect();
        assert_eq!(apart, [5, 71, 102]);
        let before = pages.slots(64, 128);
        pages.renew(page(1));
        assert_eq!(pages.slots(64, 128), before);
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
