//! What is kept of the list, so that the reader comes back to where they left.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::render::AnimationFrame;
use gloo::timers::callback::Timeout;

use crate::protocol::{Body, Key, List};
use huddle_web_model::list::heights::{Anchor, Heights};
use huddle_web_model::list::pages::Pages;
use huddle_web_model::list::scroll::Window;
use huddle_web_model::list::unread::News;

/// What is expected of a row before any was measured, in pixels.
const EXPECTED: f64 = 36.0;

/// How many windows of rows are drawn beyond those to be seen: at first, how many more with each step, and in the end.
const FIRST_REACH: f64 = -0.5;
const STEP: f64 = 0.55;
const REACH: f64 = 0.6;
/// How many there are for a reader who only passes through.
const PASSING: f64 = 0.1;

/// How long rows of elsewhere are shown to a reader who jumps, in milliseconds.
const PATIENCE: f64 = 120.0;

/// What is kept of the list, also while another view is shown.
pub(super) struct Kept {
    /// Which list the pages are of.
    pub(super) list: List,
    /// Which version of it; none before the first rows came.
    pub(super) version: Option<u32>,
    pub(super) pages: Pages,
    pub(super) heights: Heights,
    pub(super) anchor: Anchor,
    /// Whether the reader is at the end, and stays there when rows come to be higher than expected.
    pub(super) end: bool,
    /// The row that is to be in sight.
    pub(super) reveal: Option<u32>,
    /// The selected message that was last brought into sight.
    pub(super) revealed: Option<Key>,
    /// Messages that are opened in place, and what they say.
    pub(super) open: Vec<(Key, Arc<Body>)>,
    /// Which of the sources that were opened all of this is of.
    opened: u32,
    pub(super) news: News,
    /// Counts changes of the list, so that late answers are known.
    pub(super) ticket: u32,
    /// Whether rows are on their way.
    pub(super) asking: bool,
    /// Whether the reader jumps from place to place, and does not rest yet.
    pub(super) jumping: bool,
    /// How many windows of rows are drawn beyond those to be seen, above and below. For a reader who has just come it begins
    /// below zero, and grows from frame to frame: then no frame takes long.
    reach: f64,
    /// Since when rows are waited for while others are still shown, in milliseconds.
    pub(super) waiting: Option<f64>,
    pub(super) height: f64,
    pub(super) width: f64,
    pub(super) top: f64,
    pub(super) way: f64,
    pub(super) by_hand: bool,
    pub(super) frame: Option<AnimationFrame>,
    pub(super) resting: Option<Timeout>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            list: List::default(),
            version: None,
            pages: Pages::default(),
            heights: Heights::new(0, EXPECTED),
            anchor: Anchor::default(),
            end: false,
            reveal: None,
            revealed: None,
            open: Vec::new(),
            opened: 0,
            news: News::default(),
            ticket: 0,
            asking: false,
            jumping: false,
            reach: FIRST_REACH,
            waiting: None,
            height: 0.0,
            width: 0.0,
            top: 0.0,
            way: 0.0,
            by_hand: false,
            frame: None,
            resting: None,
        }
    }
}

impl Kept {
    pub(super) const fn window(&self) -> Window<'_> {
        Window { heights: &self.heights, height: self.height }
    }

    /// The reader is back: the scroll bar is a new one, and what was asked for is not waited for any more. Gives what is
    /// opened in place, and how many rows there are, if that is known. Of another source than before, nothing is known.
    pub(super) fn back(&mut self, opened: u32) -> (Vec<Key>, Option<u32>) {
        if self.opened != opened {
            let (ticket, height, width) = (self.ticket, self.height, self.width);
            *self = Self { opened, ticket, height, width, ..Self::default() };
        }
        (self.top, self.way, self.asking) = (0.0, 0.0, false);
        (self.frame, self.resting, self.waiting) = (None, None, None);
        self.ticket += 1;
        let open = self.open.iter().map(|(key, _)| key.clone()).collect();
        (open, self.version.map(|_| self.heights.rows()))
    }

    /// Gives the rows to be drawn.
    pub(super) fn drawn(&self) -> (u32, u32) {
        self.window().drawn(self.anchor, self.reach.min(if self.jumping { PASSING } else { REACH }))
    }

    /// Has some more rows drawn, unless there are enough; tells whether there will be more.
    pub(super) fn reach_out(&mut self) -> bool {
        let grows = self.version.is_some() && self.reach < REACH;
        if grows {
            self.reach = (self.reach + STEP).min(REACH);
        }
        grows
    }

    /// Whether all rows that are to be seen are drawn, at hand or not.
    pub(super) fn fills_window(&self) -> bool {
        self.version.is_some() && self.reach > 0.0
    }

    /// Whether all rows that are to be drawn are at hand.
    pub(super) fn is_whole(&self) -> bool {
        let (first, end) = self.drawn();
        self.version.is_some() && self.pages.missing(first, end).is_none()
    }

    /// Whether to go on showing what was shown before, for a moment, since what belongs here is on its way.
    pub(super) fn waits(&mut self, now: f64) -> bool {
        let (first, end) = self.drawn();
        if !self.jumping || self.version.is_none() || self.pages.missing(first, end).is_none() {
            self.waiting = None;
            return false;
        }
        now - *self.waiting.get_or_insert(now) < PATIENCE
    }

    /// Gives the rows that are to be seen whole, or if there is no such row, the first one.
    pub(super) fn in_sight(&self) -> (u32, u32) {
        let position = self.window().position(self.anchor);
        let first = self.anchor.index + u32::from(self.anchor.into > 1.0);
        let below = self.heights.at(position + self.height);
        let whole = below.into >= self.heights.of(below.index) - 1.0;
        let end = (below.index + u32::from(whole)).max(first + 1).min(self.heights.rows());
        (first.min(end.saturating_sub(1)), end)
    }
}

thread_local! {
    /// The reader comes back to where they left, so this outlives the view.
    pub(super) static KEPT: Rc<RefCell<Kept>> = Rc::default();
}
