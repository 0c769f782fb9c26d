//! The state of a list of which only the rows around the reader exist: a machine without a browser.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Anchor`] | the row at the upper edge, and how much of it is hidden; everything else follows from it |
//! | [`Viewport`] | the size of what is to be seen |
//! | [`Heights`] | rows that were drawn have their measured height, all others the average |
//! | [`Mode`] | what holds when heights change: the anchor, the end of the list, or a row that is to be in sight |
//! | [`Motion`] | whether the reader rests, scrolls, or jumps past rows that need not be fetched |
//! | [`Pages`] | the rows that are at hand |
//!
//! Every event goes the same way. Something moves the anchor ([`VirtualListState::go`], [`reveal`](VirtualListState::reveal),
//! [`scrolled`](VirtualListState::scrolled), or another list: [`change`](VirtualListState::change) and
//! [`take_list`](VirtualListState::take_list)). The page draws [`rows_to_draw`](VirtualListState::rows_to_draw), requests
//! [`rows_to_fetch`](VirtualListState::rows_to_fetch), measures what it drew ([`measure`](VirtualListState::measure)) and calls
//! [`settle`](VirtualListState::settle) until that says that nothing moved. Once the reader rests, [`rest`](VirtualListState::rest)
//! says where the scroll bar belongs.

mod change;

pub use change::{Change, Stay, Taken};

use std::sync::Arc;

use super::heights::{Anchor, Heights};
use super::pages::{Pages, Slot};
use super::scroll::{Bar, Window, scrolled};
use super::unread::News;
use crate::protocol::{Body, Key, List, Row, Rows};

/// What is expected of a row before any was measured, in pixels.
const EXPECTED: f64 = 36.0;
/// How many windows of rows are drawn beyond those to be seen: at first, how many more with each frame, and in the end.
const FIRST_REACH: f64 = -0.5;
const REACH_STEP: f64 = 0.55;
const REACH: f64 = 0.6;
/// How many there are for a reader who only passes through.
const PASSING_REACH: f64 = 0.1;
/// How long rows of elsewhere are shown to a reader who jumps, in milliseconds.
const PATIENCE: f64 = 120.0;
/// How many rows beyond those that are drawn are fetched.
const AHEAD: u32 = 48;

/// The size of what is to be seen, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Viewport {
    /// The height.
    pub height: f64,
    /// The width: rows have other heights in another.
    pub width: f64,
}

/// What holds when heights change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The anchor stays.
    #[default]
    Anchored,
    /// The last row stays in sight, also when there are more rows.
    Following,
    /// A row is to be in sight.
    Revealing {
        /// The row.
        row: u32,
        /// Whether the last row is followed as soon as it is.
        then_follow: bool,
    },
}

/// How the reader moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Motion {
    /// They rest, or scroll row by row.
    #[default]
    Steady,
    /// They jump. Since when rows are waited for while others are still shown, in milliseconds.
    Jumping(Option<f64>),
}

/// Rows to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetch {
    /// Which list.
    pub list: List,
    /// The first row.
    pub start: u32,
    /// How many.
    pub count: u32,
    ticket: u32,
}

/// What became of drawn rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settled {
    /// Whether anything moved, so that it is to be drawn again.
    pub moved: bool,
    /// The row that was to be brought into sight, and is.
    pub revealed: Option<u32>,
}

/// The state of the list; `V` tells versions of what it lists apart.
#[derive(Debug)]
pub struct VirtualListState<V> {
    /// Which list the rows are of.
    pub list: List,
    /// Which version of it; none before the first rows came.
    pub version: Option<V>,
    /// Messages that are opened in place, and what they say.
    pub open: Vec<(Key, Arc<Body>)>,
    /// Which messages are new.
    pub news: News,
    /// The selected message that was last brought into sight.
    pub revealed: Option<Key>,
    pages: Pages,
    heights: Heights,
    anchor: Anchor,
    viewport: Viewport,
    mode: Mode,
    motion: Motion,
    /// How many windows of rows are drawn beyond those to be seen. For a reader who has just come it begins below zero, and
    /// grows from frame to frame: then no frame takes long.
    reach: f64,
    /// Tells requests from those that are out of date.
    ticket: u32,
    is_fetching: bool,
    /// Where the scroll bar is, and how far it can go.
    bar: f64,
    way: f64,
    by_hand: bool,
}

impl<V> Default for VirtualListState<V> {
    fn default() -> Self {
        Self {
            list: List::default(),
            version: None,
            open: Vec::new(),
            news: News::default(),
            revealed: None,
            pages: Pages::default(),
            heights: Heights::new(0, EXPECTED),
            anchor: Anchor::default(),
            viewport: Viewport::default(),
            mode: Mode::default(),
            motion: Motion::default(),
            reach: FIRST_REACH,
            ticket: 0,
            is_fetching: false,
            bar: 0.0,
            way: 0.0,
            by_hand: false,
        }
    }
}

impl<V: Clone + PartialEq> VirtualListState<V> {
    /// The reader is back: the scroll bar is a new one, and what was requested is not waited for any more.
    pub fn come_back(&mut self) {
        (self.bar, self.way, self.is_fetching) = (0.0, 0.0, false);
        self.motion = Motion::Steady;
        self.ticket += 1;
    }

    /// Returns how many rows there are, once that is known.
    pub fn total(&self) -> Option<u32> {
        self.version.as_ref().map(|_| self.heights.rows())
    }

    /// Returns how high a row is expected to be that was not drawn yet.
    pub fn expected_height(&self) -> f64 {
        self.heights.expected()
    }

    /// Returns a row, if it is at hand.
    pub fn row(&self, index: u32) -> Option<&Row> {
        self.pages.get(index)
    }

    /// Returns the message in a row, if it is at hand.
    pub fn key(&self, index: u32) -> Option<&Key> {
        if let Row::Said(line) = self.row(index)? { Some(&line.key) } else { None }
    }

    /// Returns whether the reader is at the end and stays there.
    pub fn is_following(&self) -> bool {
        matches!(self.mode, Mode::Following | Mode::Revealing { then_follow: true, .. })
    }

    /// Returns the height of what is to be seen.
    pub fn height(&self) -> f64 {
        self.viewport.height
    }

    fn window(&self) -> Window<'_> {
        Window { heights: &self.heights, height: self.viewport.height }
    }

    fn drawn_range(&self) -> (u32, u32) {
        let most = if self.motion == Motion::Steady { REACH } else { PASSING_REACH };
        self.window().drawn(self.anchor, self.reach.min(most))
    }

    /// Returns the rows to be drawn; nothing for a moment in which what was drawn before is to stay, since the rows that belong
    /// here are on their way to a reader who jumps.
    pub fn rows_to_draw(&mut self, now: f64) -> Option<Vec<Slot>> {
        let (first, end) = self.drawn_range();
        if let Motion::Jumping(since) = &mut self.motion {
            let is_whole = self.version.is_none() || self.pages.missing(first, end).is_none();
            if !is_whole && now - *since.get_or_insert(now) < PATIENCE {
                return None;
            }
            *since = None;
        }
        Some(self.pages.slots(first, end))
    }

    /// Returns how many pixels the row at the upper edge is above what is to be seen, for rows that begin with this one.
    pub fn offset_of(&self, first: u32) -> f64 {
        self.window().position(self.anchor) - self.heights.above(first)
    }

    /// Returns rows to fetch: one request at a time, so that a reader who rushes through waits for nothing that has already
    /// gone by.
    pub fn rows_to_fetch(&mut self) -> Option<Fetch> {
        let (first, end) = self.drawn_range();
        let (early, late) = (first.saturating_sub(AHEAD), (end + AHEAD).min(self.heights.rows()));
        let ahead = || self.pages.missing(early, late).filter(|_| self.motion == Motion::Steady);
        let missing = self.pages.missing(first, end).or_else(ahead);
        let (start, count) = missing.filter(|_| !self.is_fetching && self.version.is_some())?;
        self.is_fetching = true;
        Some(Fetch { list: self.list, start, count, ticket: self.ticket })
    }

    /// Takes rows that were fetched, none if that failed; returns whether they are to be drawn.
    pub fn take_rows(&mut self, fetch: Fetch, rows: Option<Rows>) -> bool {
        if self.ticket != fetch.ticket {
            return false;
        }
        self.is_fetching = false;
        let Some(rows) = rows.filter(|rows| !rows.rows.is_empty()) else { return false };
        self.pages.take(rows);
        self.pages.trim(self.anchor.index);
        true
    }

    /// Takes the size of what is to be seen, and the heights of drawn rows; returns whether any is news.
    pub fn measure(&mut self, viewport: Viewport, rows: impl IntoIterator<Item = (u32, f64)>) -> bool {
        let mut news = (self.viewport.height - viewport.height).abs() > 0.5;
        if (self.viewport.width - viewport.width).abs() > 0.5 {
            self.heights.forget();
            news = true;
        }
        self.viewport = viewport;
        rows.into_iter().for_each(|(row, height)| news |= self.heights.measure(row, height));
        news
    }

    /// Puts the anchor where the mode wants it, after drawn rows were measured.
    pub fn settle(&mut self, news: bool) -> Settled {
        let before = self.anchor;
        match self.mode {
            Mode::Following => self.anchor = self.window().end(),
            Mode::Revealing { row, .. } => self.anchor = self.window().reveal(self.anchor, row),
            // What was measured may leave less below than was thought.
            Mode::Anchored if self.window().position(self.anchor) > self.window().farthest() => {
                self.anchor = self.window().end();
            }
            Mode::Anchored => {}
        }
        let mut settled = Settled { moved: news || self.anchor != before, revealed: None };
        if let Mode::Revealing { row, then_follow } = self.mode
            // A row that is on its way may be higher than it seems.
            && !settled.moved && self.version.is_some() && self.reach > 0.0 && self.pages.get(row).is_some()
        {
            self.mode = if then_follow { Mode::Following } else { Mode::Anchored };
            settled.revealed = Some(row);
        }
        settled
    }

    /// Has some more rows drawn, unless there are enough; returns whether there will be more.
    pub fn reach_out(&mut self) -> bool {
        let grows = self.version.is_some() && self.reach < REACH;
        if grows {
            self.reach = (self.reach + REACH_STEP).min(REACH);
        }
        grows
    }

    /// Returns whether the scroll bar has no way yet and is to get one at once.
    pub fn needs_bar(&self) -> bool {
        self.way <= 0.0 && self.window().way() > 0.0
    }

    /// Goes to an anchor.
    pub fn go(&mut self, to: impl FnOnce(Window<'_>, Anchor) -> Anchor) {
        self.anchor = to(self.window(), self.anchor);
        self.mode = if self.window().at_end(self.anchor) { Mode::Following } else { Mode::Anchored };
        self.motion = Motion::Jumping(None);
    }

    /// Goes to a row, with the one above it in sight.
    pub fn go_to_row(&mut self, row: u32) {
        let top = self.heights.above(row.saturating_sub(1));
        self.go(|window, _| window.at(top));
    }

    /// Brings a row into sight.
    pub fn reveal(&mut self, row: u32) {
        let anchor = self.window().reveal(self.anchor, row);
        let far = self.window().position(anchor) - self.window().position(self.anchor);
        self.motion = if far.abs() > self.viewport.height { Motion::Jumping(None) } else { Motion::Steady };
        // Whoever is at the end stays there if the row is there, too.
        let then_follow = self.is_following() && anchor == self.anchor;
        (self.anchor, self.mode) = (anchor, Mode::Revealing { row, then_follow });
    }

    /// Lets the anchor be what holds: rows are opened or closed in place.
    pub fn hold(&mut self) {
        self.mode = Mode::Anchored;
    }

    /// Takes note of who moves the scroll bar: a wheel or a finger on the rows, or something else.
    pub fn moved_by_hand(&mut self, by_hand: bool) {
        self.by_hand = by_hand;
    }

    /// Follows the scroll bar. Returns whether it has to be put in its place at once, for want of room; nothing if it did not
    /// move.
    pub fn scrolled(&mut self, now: f64) -> Option<bool> {
        if (now - self.bar).abs() < 1.5 {
            return None;
        }
        let bar = Bar { before: self.bar, now, way: self.way };
        let went = scrolled(self.window(), self.anchor, bar, self.by_hand);
        (self.bar, self.anchor) = (now, went.anchor);
        self.motion = if went.jumped { Motion::Jumping(None) } else { Motion::Steady };
        self.mode = if self.window().at_end(self.anchor) { Mode::Following } else { Mode::Anchored };
        Some(went.cramped)
    }

    /// Takes note that nothing moves any more; returns how far the scroll bar can go, where it belongs, and whether the reader
    /// jumped, so that more is to be drawn.
    pub fn rest(&mut self) -> (f64, f64, bool) {
        let jumped = std::mem::take(&mut self.motion) != Motion::Steady;
        if self.heights.expect_average() && self.is_following() {
            self.anchor = self.window().end();
        }
        self.way = self.window().way();
        (self.way, self.window().bar(self.anchor), jumped)
    }

    /// Takes note of where the scroll bar was put.
    pub fn put_bar(&mut self, bar: f64) {
        self.bar = bar;
    }

    /// Returns the row of a message, if it is drawn.
    pub fn drawn_row(&self, key: &str) -> Option<u32> {
        let (first, end) = self.drawn_range();
        (first..end).find(|row| self.key(*row).is_some_and(|known| known == key))
    }
}

#[cfg(test)]
mod tests;
