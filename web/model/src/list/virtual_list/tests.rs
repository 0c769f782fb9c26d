//! The list as the page drives it: draw, fetch, measure, settle.

use super::*;
use crate::protocol::Line;

const FLAT: List = List { threads: false, found: false };

/// A worker and a browser: rows by number, every tenth 60 pixels high, all others 20.
struct Page {
    state: VirtualListState<u32>,
    rows: u32,
}

impl Page {
    fn new(rows: u32) -> Self {
        let mut page = Self { state: VirtualListState::default(), rows };
        page.state.measure(Viewport { height: 400.0, width: 800.0 }, []);
        page.renew(1, rows);
        page
    }

    fn rows(&self, start: u32, count: u32) -> Rows {
        let said = |row: u32| Row::Said(Line { key: format!("k{row}"), place: row, ..Line::default() });
        Rows { start, total: self.rows, rows: (start..(start + count).min(self.rows)).map(said).collect() }
    }

    fn renew(&mut self, version: u32, rows: u32) {
        self.rows = rows;
        let Some(change) = self.state.change(FLAT, &version, None) else { return self.settle() };
        let mut near = match &change.stay {
            Stay::With { key, .. } => key[1..].parse().unwrap(),
            stay => self.state.near(stay),
        };
        loop {
            let (start, count) = self.state.rows_around(near);
            match self.state.take_list(&change, near, self.rows(start, count)) {
                Taken::Elsewhere(other) => near = other,
                taken => break assert_eq!(taken, Taken::Done),
            }
        }
        self.settle();
    }

    fn settle(&mut self) {
        for _ in 0..50 {
            let drawn = self.state.rows_to_draw(1e9).unwrap_or_default();
            if let Some(fetch) = self.state.rows_to_fetch() {
                let rows = self.rows(fetch.start, fetch.count);
                assert!(self.state.take_rows(fetch, Some(rows)));
                continue;
            }
            let height = |row: u32| if row.is_multiple_of(10) { 60.0 } else { 20.0 };
            let measured = drawn.iter().filter(|slot| slot.stamp > 0).map(|slot| (slot.index, height(slot.index)));
            let news = self.state.measure(Viewport { height: 400.0, width: 800.0 }, measured);
            let settled = self.state.settle(news);
            if !settled.moved && !self.state.reach_out() {
                return;
            }
        }
        panic!("it does not settle");
    }
}

#[test]
fn the_first_rows_are_shown_from_the_top() {
    let page = Page::new(1_000);
    assert_eq!(page.state.in_sight(), (0, 16));
    assert_eq!(page.state.total(), Some(1_000));
    assert!(!page.state.is_following());
}

#[test]
fn whoever_is_at_the_end_stays_there_and_whoever_is_not_stays_with_a_message() {
    let mut page = Page::new(1_000);
    page.state.go(|window, _| window.end());
    page.settle();
    page.renew(2, 1_100);
    assert_eq!(page.state.in_sight().1, 1_100);
    // Selecting what is there changes nothing.
    page.state.reveal(1_095);
    page.settle();
    page.renew(3, 1_110);
    assert_eq!(page.state.in_sight().1, 1_110);
    page.state.go(|window, anchor| window.walk(anchor, -3_000.0));
    page.settle();
    let before = (page.state.in_sight(), page.state.offset_of(page.state.in_sight().0));
    page.renew(4, 1_200);
    assert_eq!((page.state.in_sight(), page.state.offset_of(page.state.in_sight().0)), before);
}

#[test]
fn a_row_is_revealed_with_rows_around_it_and_then_stays() {
    let mut page = Page::new(1_000);
    for row in [500, 10, 17, 999, 0] {
        page.state.reveal(row);
        page.settle();
        let (first, end) = page.state.in_sight();
        assert!((first..end).contains(&row), "{row} is not in {first}..{end}");
        let spare = (row - first).min(end - 1 - row);
        assert!(spare >= 2 || first == 0 || end == 1_000, "{row} is at the edge of {first}..{end}");
    }
    assert_eq!(page.state.mode, Mode::Anchored);
}

#[test]
fn what_is_out_of_date_is_not_taken() {
    let mut page = Page::new(1_000);
    page.state.go(|window, _| window.at(9_000.0));
    let fetch = page.state.rows_to_fetch().unwrap();
    assert_eq!(page.state.rows_to_fetch(), None, "one request at a time");
    page.renew(2, 1_000);
    assert!(!page.state.take_rows(fetch, Some(page.rows(fetch.start, fetch.count))));
    let earlier = page.state.change(FLAT, &3, None).unwrap();
    page.state.change(FLAT, &4, None).unwrap();
    assert_eq!(page.state.take_list(&earlier, 0, page.rows(0, 64)), Taken::OutOfDate);
    assert_eq!(page.state.version, Some(2));
}

#[test]
fn whoever_jumps_sees_for_a_moment_what_was_there() {
    let mut page = Page::new(100_000);
    page.state.go(|window, _| window.at(1_000_000.0));
    assert!(page.state.rows_to_draw(1_000.0).is_none());
    assert!(page.state.rows_to_draw(1_000.0 + PATIENCE - 1.0).is_none());
    let drawn = page.state.rows_to_draw(1_000.0 + PATIENCE).unwrap();
    assert!(drawn.iter().all(|slot| slot.row.is_none()));
    page.settle();
    let (_, _, jumped) = page.state.rest();
    assert!(jumped && !page.state.rest().2);
}

#[test]
fn only_messages_that_were_in_sight_are_no_news() {
    let mut page = Page::new(100);
    page.state.news.count(100, true);
    page.renew(2, 120);
    assert_eq!(page.state.look(120), 20);
    page.state.go(|window, _| window.end());
    page.settle();
    assert_eq!(page.state.look(120), 0);
}
