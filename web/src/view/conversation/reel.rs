//! The list as the reader moves through it: what is at hand, where the reader is, and what is drawn of it.
//!
//! A change goes one way: the anchor moves, the rows around it are drawn ([`Reel::draw`]), and in the next frame they are
//! measured, once, and put in their place ([`Reel::settle`]). When the reader rests, the scroll bar is put where it
//! belongs ([`Reel::rest`]).

use std::cell::RefCell;
use std::rc::Rc;

use gloo::render::request_animation_frame;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use web_sys::HtmlElement;

use super::kept::{KEPT, Kept};
use crate::dom::memo;
use crate::protocol::{Key, Request, Response};
use crate::store::Store;
use huddle_web_model::list::heights::Anchor;
use huddle_web_model::list::pages::Slot;
use huddle_web_model::list::scroll::{Bar, scrolled};

/// How long nothing moves before the scroll bar is put in its place, in milliseconds.
const REST: u32 = 150;

/// How many rows beyond those that are drawn are asked for.
const AHEAD: u32 = 48;

/// An element of the list, once it is drawn.
type Drawn = RwSignal<Option<HtmlElement>, LocalStorage>;

/// The list as the reader moves through it.
#[derive(Clone, Copy)]
pub(super) struct Reel {
    pub(super) store: Store,
    /// The rows that are drawn.
    pub(super) drawn: RwSignal<Vec<Slot>>,
    /// How many rows there are, once that is known.
    pub(super) total: RwSignal<Option<u32>>,
    /// How many messages are new and were not in sight yet.
    pub(super) fresh: RwSignal<u32>,
    /// Messages whose bodies are opened in place.
    pub(super) open: RwSignal<Vec<Key>>,
    /// The message that is selected.
    pub(super) selected: Memo<Option<Key>>,
    pub(super) scroller: Drawn,
    pub(super) block: Drawn,
    pub(super) sizer: Drawn,
    kept: StoredValue<Rc<RefCell<Kept>>, LocalStorage>,
}

impl Reel {
    /// Goes on where the reader left.
    pub(super) fn new(store: Store) -> Self {
        let kept = KEPT.with(Rc::clone);
        let (open, total) = kept.borrow_mut().back(store.opened.get_untracked());
        Self {
            store,
            drawn: RwSignal::new(Vec::new()),
            total: RwSignal::new(total),
            fresh: RwSignal::new(0),
            open: RwSignal::new(open),
            selected: memo(move || store.place.with(|place| place.selected.clone())),
            scroller: RwSignal::new_local(None),
            block: RwSignal::new_local(None),
            sizer: RwSignal::new_local(None),
            kept: StoredValue::new_local(kept),
        }
    }

    /// Reads or changes what is kept; nothing happens when the view is gone.
    pub(super) fn kept<T: Default>(self, take: impl FnOnce(&mut Kept) -> T) -> T {
        self.kept.try_get_value().map(|kept| take(&mut kept.borrow_mut())).unwrap_or_default()
    }

    /// Draws the rows around the anchor, asks for those that are not at hand, and sees to it that they are measured.
    pub(super) fn draw(self) {
        if self.kept(|kept| kept.waits(js_sys::Date::now())) {
            self.fetch();
            return;
        }
        let (slots, same) = self.kept(|kept| {
            let (first, end) = kept.drawn();
            let slots = kept.pages.slots(first, end);
            let same = self.drawn.try_with_untracked(|drawn| *drawn == slots).unwrap_or(true);
            (slots, same)
        });
        if !same {
            self.keep_focus(&slots);
            self.drawn.try_set(slots);
        }
        self.put();
        self.fetch();
        let frame = request_animation_frame(move |_| self.settle());
        self.kept(|kept| kept.frame = Some(frame));
    }

    /// Measures the rows that are drawn, and puts them in their place.
    fn settle(self) {
        self.kept(|kept| kept.frame = None);
        let news = self.measure();
        let (moved, reached) = self.kept(|kept| {
            let before = kept.anchor;
            if kept.end {
                kept.anchor = kept.window().end();
            } else if let Some(row) = kept.reveal {
                kept.anchor = kept.window().reveal(kept.anchor, row);
            } else {
                // What was measured may leave less below than was thought.
                let position = kept.window().position(kept.anchor);
                if position > kept.window().farthest() {
                    kept.anchor = kept.window().end();
                }
            }
            let settled = !news && kept.anchor == before;
            // A row that is on its way may be higher than it seems.
            let reached = kept.reveal.filter(|row| settled && kept.fills_window() && kept.pages.get(*row).is_some());
            if reached.is_some() {
                kept.reveal = None;
            }
            (!settled, reached)
        });
        if !moved && self.kept(|kept| kept.is_whole()) {
            self.store.drawn();
        }
        if moved || self.kept(Kept::reach_out) {
            self.draw();
        }
        if let Some(row) = reached {
            self.focus_row(row);
        }
        // A bar that has no way yet gets one at once; one that has may be in the reader's hand.
        if self.kept(|kept| kept.way <= 0.0 && kept.window().way() > 0.0) {
            self.rest();
        } else if self.kept(|kept| kept.resting.is_none() && moved) {
            self.rest_soon();
        }
    }

    /// Takes the heights of the rows that are drawn; tells whether any is news.
    fn measure(self) -> bool {
        let (Some(scroller), Some(block)) = (self.scroller.get_untracked(), self.block.get_untracked()) else {
            return false;
        };
        let (height, width) = (f64::from(scroller.client_height()), f64::from(scroller.client_width()));
        let rows = block.children();
        self.drawn.with_untracked(|drawn| {
            self.kept(|kept| {
                let mut news = (kept.height - height).abs() > 0.5;
                if (kept.width - width).abs() > 0.5 {
                    kept.heights.forget();
                    news = true;
                }
                (kept.height, kept.width) = (height, width);
                if rows.length() as usize != drawn.len() {
                    return true;
                }
                for (at, slot) in drawn.iter().enumerate().filter(|(_, slot)| slot.stamp > 0) {
                    if let Some(row) = rows.item(at as u32) {
                        news |= kept.heights.measure(slot.index, row.get_bounding_client_rect().height());
                    }
                }
                news
            })
        })
    }

    /// Moves the rows so that the anchor is at the upper edge.
    fn put(self) {
        let Some(block) = self.block.get_untracked().filter(|_| !self.kept(|kept| kept.waiting.is_some())) else {
            return;
        };
        let first = self.drawn.try_with_untracked(|drawn| drawn.first().map(|slot| slot.index)).flatten();
        let up = self.kept(|kept| kept.window().position(kept.anchor) - kept.heights.above(first.unwrap_or(0)));
        set(&block, "transform", &format!("translateY({}px)", -up.round() as i64));
    }

    /// Asks for rows that are not at hand: one question at a time, so that a reader who rushes through waits for nothing
    /// that has already gone by.
    pub(super) fn fetch(self) {
        let wanted = self.kept(|kept| {
            let (first, end) = kept.drawn();
            let (early, late) = (first.saturating_sub(AHEAD), (end + AHEAD).min(kept.heights.rows()));
            let ahead = || kept.pages.missing(early, late).filter(|_| !kept.jumping);
            let missing = kept.pages.missing(first, end).or_else(ahead);
            let wanted = missing.filter(|_| !kept.asking && kept.version.is_some())?;
            kept.asking = true;
            Some((kept.list, wanted, kept.ticket))
        });
        let Some((list, (start, count), ticket)) = wanted else { return };
        let response = self.store.request(Request::Rows { list, start, count });
        spawn_local(async move {
            let reply = response.await;
            let taken = self.kept(|kept| {
                let current = kept.ticket == ticket;
                kept.asking &= !current;
                match reply {
                    Ok(Response::Rows(rows)) if current && !rows.rows.is_empty() => {
                        kept.pages.take(rows);
                        kept.pages.trim(kept.anchor.index);
                        true
                    }
                    _ => false,
                }
            });
            if taken {
                self.draw();
            }
        });
    }

    /// Goes to an anchor.
    pub(super) fn go(self, change: impl FnOnce(&Kept) -> Anchor) {
        self.kept(|kept| {
            kept.anchor = change(kept);
            kept.end = kept.window().at_end(kept.anchor);
            (kept.reveal, kept.jumping) = (None, true);
        });
        self.draw();
        self.rest_soon();
    }

    /// Brings a row into sight.
    pub(super) fn reveal(self, row: u32) {
        self.kept(|kept| {
            let anchor = kept.window().reveal(kept.anchor, row);
            kept.end &= anchor == kept.anchor;
            let far = kept.window().position(anchor) - kept.window().position(kept.anchor);
            kept.jumping = far.abs() > kept.height;
            (kept.anchor, kept.reveal) = (anchor, Some(row));
        });
        self.draw();
        self.rest_soon();
    }

    /// Stops what goes on: the view goes away.
    pub(super) fn leave(self) {
        self.kept(|kept| (kept.frame, kept.resting) = (None, None));
    }

    /// Follows the scroll bar.
    pub(super) fn scrolled(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let now = f64::from(scroller.scroll_top());
        let cramped = self.kept(|kept| {
            if (now - kept.top).abs() < 1.5 {
                return None;
            }
            let bar = Bar { before: kept.top, now, way: kept.way };
            let went = scrolled(kept.window(), kept.anchor, bar, kept.by_hand);
            (kept.top, kept.anchor, kept.reveal) = (now, went.anchor, None);
            kept.jumping = went.jumped;
            kept.end = kept.window().at_end(kept.anchor);
            Some(went.cramped)
        });
        match cramped {
            None => return,
            Some(true) => self.rest(),
            Some(false) => self.rest_soon(),
        }
        self.draw();
    }

    /// Takes notice of who moves the bar: a wheel or a finger on the rows, or something else.
    pub(super) fn by_hand(self, by_hand: bool) {
        self.kept(|kept| kept.by_hand = by_hand);
    }

    pub(super) fn rest_soon(self) {
        let resting = Timeout::new(REST, move || self.rest());
        self.kept(|kept| kept.resting = Some(resting));
    }

    /// Puts the scroll bar where it belongs.
    fn rest(self) {
        let (Some(scroller), Some(sizer)) = (self.scroller.get_untracked(), self.sizer.get_untracked()) else { return };
        let jumped = self.kept(|kept| std::mem::take(&mut kept.jumping));
        let (way, bar) = self.kept(|kept| {
            kept.resting = None;
            if kept.heights.expect_average() && kept.end {
                kept.anchor = kept.window().end();
            }
            (kept.window().way(), kept.window().bar(kept.anchor))
        });
        let before = self.kept(|kept| std::mem::replace(&mut kept.way, way));
        if (before - way).abs() > 0.5 {
            set(&sizer, "height", &pixels(way));
        }
        if (f64::from(scroller.scroll_top()) - bar).abs() > 1.5 {
            scroller.set_scroll_top(bar.round() as i32);
        }
        // What the browser made of it, so that its event is known to be nobody's.
        let top = f64::from(scroller.scroll_top());
        self.kept(|kept| kept.top = top);
        if jumped {
            self.draw();
        }
        self.look();
    }

    /// Looks at sizes anew: the window's, or those of the rows. What follows from them is drawn in the next frame, since
    /// the browser is about to paint this one.
    pub(super) fn resized(self) {
        if self.measure() {
            self.put();
            let frame = request_animation_frame(move |_| self.draw());
            self.kept(|kept| kept.frame = Some(frame));
        }
    }
}

/// Writes a length to a hundredth of a pixel: no browser keeps more, and to write any number as it is takes much code.
pub(super) fn pixels(length: f64) -> String {
    let hundredths = (length * 100.0).round() as i64;
    format!("{}.{:02}px", hundredths / 100, hundredths % 100)
}

/// Sets a style; only an element of a kind that has none refuses.
fn set(element: &web_sys::HtmlElement, name: &str, value: &str) {
    let _ = element.style().set_property(name, value);
}
