//! Scrolling through rows whose heights are mostly unknown: the arithmetic, without a browser.
//!
//! What is true is the [`Anchor`]: the row at the upper edge, and how much of it is hidden. Rows that were drawn have the
//! height that was measured, all others the one that is expected. The browser's scroll bar only follows: no element can be
//! as high as a million rows, so that the bar's way is shorter than theirs, except near both ends, where it is as long.

use super::heights::{Anchor, Heights};

/// The longest way that is given to the scroll bar, in pixels: browsers cap an element near 17 million.
pub const LONGEST: f64 = 8_000_000.0;

/// How many viewports from each end the scroll bar goes pixel by pixel with the rows.
const EDGE: f64 = 8.0;

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

    /// The rows to be drawn: those to be seen, and as many windows of them above and below as are to `spare`, so that their
    /// heights are known before they come into sight. Below zero, as much of what is to be seen is left out at its lower
    /// edge. The end is not included.
    pub fn drawn(self, anchor: Anchor, spare: f64) -> (u32, u32) {
        let (position, spare) = (self.position(anchor), self.height * spare);
        let first = self.heights.at(position - spare.max(0.0)).index;
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
    /// Whether that is a jump.
    pub jumped: bool,
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
        return Scrolled { anchor, jumped: false, cramped: at_bar_end && !there };
    }
    let anchor = match at_bar_end {
        true if now <= 0.0 => Anchor::default(),
        true => window.end(),
        // The bar's way may be that of a moment ago, when heights were thought to be others.
        false => window.of_bar(now / way * window.way()),
    };
    Scrolled { anchor, jumped: true, cramped: false }
}

#[cfg(test)]
mod tests {
    use super::super::heights::tests::{MILLION, truth};
    use super::*;

    /// Draws and measures until nothing changes, as the page does.
    fn settle(heights: &mut Heights, height: f64, mut anchor: Anchor, end: bool) -> Anchor {
        for _ in 0..10 {
            let (first, last) = Window { heights, height }.drawn(anchor, 0.6);
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
    fn nothing_has_no_rows() {
        let heights = Heights::new(0, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        assert_eq!(window.end(), Anchor::default());
        assert_eq!(window.drawn(Anchor::default(), 0.6), (0, 0));
        assert_eq!((window.way(), window.bar(Anchor::default())), (0.0, 0.0));
    }

    #[test]
    fn the_rows_to_be_drawn_are_those_to_be_seen_and_some_to_spare() {
        let heights = Heights::new(1_000, 40.0);
        let window = Window { heights: &heights, height: 800.0 };
        let anchor = Anchor { index: 100, into: 0.0 };
        assert_eq!(window.drawn(anchor, 0.5), (90, 131));
        assert_eq!(window.drawn(anchor, 0.0), (100, 121));
        assert_eq!(window.drawn(anchor, -0.5), (100, 111));
    }

    #[test]
    fn a_short_list_does_not_move() {
        let heights = Heights::new(3, 34.0);
        let window = Window { heights: &heights, height: 800.0 };
        assert_eq!(window.walk(Anchor::default(), 500.0), Anchor::default());
        assert!(window.at_end(Anchor::default()));
        assert_eq!(window.drawn(Anchor::default(), 0.6), (0, 3));
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
}
