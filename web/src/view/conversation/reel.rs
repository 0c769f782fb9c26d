//! The list as the reader moves through it: what is at hand, where the reader is, and what is drawn of it.
//!
//! A change goes one way: the anchor moves, the rows around it are drawn ([`Reel::draw`]), and in the next frame they are
//! measured, once, and put in their place ([`Reel::settle`]). When the reader rests, the scroll bar is put where it
//! belongs ([`Reel::rest`]).

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::pages::{Pages, Slot};
use super::scroll::{Anchor, Bar, Heights, Window, scrolled};
use crate::protocol::{Answer, Ask, Details, Key, List, Row};
use crate::store::Store;

/// What is expected of a row before any was measured, in pixels.
const EXPECTED: f64 = 36.0;

/// How long nothing moves before the scroll bar is put in its place, in milliseconds.
const REST: u32 = 150;

/// How many rows beyond those that are drawn are asked for.
const AHEAD: u32 = 48;

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
    /// Messages whose bodies are opened in place.
    pub(super) open: HashSet<Key>,
    /// Those bodies.
    pub(super) bodies: HashMap<Key, Arc<Details>>,
    /// What was open when the reader last saw the newest message: its name, and how many messages it had.
    pub(super) seen: Option<(String, u32)>,
    /// Counts changes of the list, so that late answers are known.
    pub(super) ticket: u32,
    /// Whether rows are on their way.
    pub(super) asking: bool,
    pub(super) height: f64,
    width: f64,
    top: f64,
    way: f64,
    by_hand: bool,
    frame: Option<AnimationFrame>,
    resting: Option<Timeout>,
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
            open: HashSet::new(),
            bodies: HashMap::new(),
            seen: None,
            ticket: 0,
            asking: false,
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

    /// Begins anew with another source.
    pub(super) fn reset(&mut self) {
        let (ticket, height, width) = (self.ticket + 1, self.height, self.width);
        *self = Self { ticket, height, width, ..Self::default() };
    }

    /// The reader is back: the scroll bar is a new one, and what was asked for is not waited for any more. Gives what is
    /// opened in place, and how many rows there are, if that is known.
    fn back(&mut self) -> (HashSet<Key>, Option<u32>) {
        (self.top, self.way, self.asking) = (0.0, 0.0, false);
        (self.frame, self.resting) = (None, None);
        self.ticket += 1;
        (self.open.clone(), self.version.map(|_| self.heights.rows()))
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
    static KEPT: Rc<RefCell<Kept>> = Rc::default();
}

/// The list as the reader moves through it.
#[derive(Clone, Copy)]
pub(super) struct Reel {
    pub(super) store: Store,
    /// The rows that are drawn.
    pub(super) drawn: RwSignal<Vec<Slot>>,
    /// How many rows there are, once that is known.
    pub(super) total: RwSignal<Option<u32>>,
    /// How many messages came since the reader last saw the newest.
    pub(super) fresh: RwSignal<u32>,
    /// Messages whose bodies are opened in place.
    pub(super) open: RwSignal<HashSet<Key>>,
    /// The message that is selected.
    pub(super) selected: Memo<Option<Key>>,
    pub(super) scroller: NodeRef<Div>,
    pub(super) block: NodeRef<Div>,
    pub(super) sizer: NodeRef<Div>,
    kept: StoredValue<Rc<RefCell<Kept>>, LocalStorage>,
}

impl Reel {
    /// Goes on where the reader left.
    pub(super) fn new(store: Store) -> Self {
        let kept = KEPT.with(Rc::clone);
        let (open, total) = kept.borrow_mut().back();
        Self {
            store,
            drawn: RwSignal::new(Vec::new()),
            total: RwSignal::new(total),
            fresh: RwSignal::new(0),
            open: RwSignal::new(open),
            selected: Memo::new(move |_| store.place.with(|place| place.selected.clone())),
            scroller: NodeRef::new(),
            block: NodeRef::new(),
            sizer: NodeRef::new(),
            kept: StoredValue::new_local(kept),
        }
    }

    /// Reads or changes what is kept; nothing happens when the view is gone.
    pub(super) fn kept<T: Default>(self, take: impl FnOnce(&mut Kept) -> T) -> T {
        self.kept.try_get_value().map(|kept| take(&mut kept.borrow_mut())).unwrap_or_default()
    }

    /// Draws the rows around the anchor, asks for those that are not at hand, and sees to it that they are measured.
    pub(super) fn draw(self) {
        let (slots, same) = self.kept(|kept| {
            let (first, end) = kept.window().drawn(kept.anchor);
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
            let reached = kept.reveal.filter(|row| settled && kept.pages.get(*row).is_some());
            if reached.is_some() {
                kept.reveal = None;
            }
            (!settled, reached)
        });
        if moved {
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
        let Some(block) = self.block.get_untracked() else { return };
        let first = self.drawn.try_with_untracked(|drawn| drawn.first().map(|slot| slot.index)).flatten();
        let up = self.kept(|kept| kept.window().position(kept.anchor) - kept.heights.above(first.unwrap_or(0)));
        set(&block, "transform", &format!("translateY({}px)", -up.round()));
    }

    /// Asks for rows that are not at hand: one question at a time, so that a reader who rushes through waits for nothing
    /// that has already gone by.
    pub(super) fn fetch(self) {
        let wanted = self.kept(|kept| {
            let (first, end) = kept.window().drawn(kept.anchor);
            let (early, late) = (first.saturating_sub(AHEAD), (end + AHEAD).min(kept.heights.rows()));
            let missing = kept.pages.missing(first, end).or_else(|| kept.pages.missing(early, late));
            let wanted = missing.filter(|_| !kept.asking && kept.version.is_some())?;
            kept.asking = true;
            Some((kept.list, wanted, kept.ticket))
        });
        let Some((list, (start, count), ticket)) = wanted else { return };
        self.store.ask(&Ask::Rows { list, start, count }, move |answer| {
            let taken = self.kept(|kept| {
                let current = kept.ticket == ticket;
                kept.asking &= !current;
                match answer {
                    Answer::Rows(rows) if current && !rows.rows.is_empty() => {
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

    /// Goes to an anchor: `end` says that it is the end whatever the heights come to be.
    pub(super) fn go(self, change: impl FnOnce(&Kept) -> Anchor) {
        self.kept(|kept| {
            kept.anchor = change(kept);
            kept.end = kept.window().at_end(kept.anchor);
            kept.reveal = None;
        });
        self.draw();
        self.rest_soon();
    }

    /// Brings a row into sight.
    pub(super) fn reveal(self, row: u32) {
        self.kept(|kept| {
            let anchor = kept.window().reveal(kept.anchor, row);
            kept.end &= anchor == kept.anchor;
            (kept.anchor, kept.reveal) = (anchor, Some(row));
        });
        self.draw();
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

    fn rest_soon(self) {
        let resting = Timeout::new(REST, move || self.rest());
        self.kept(|kept| kept.resting = Some(resting));
    }

    /// Puts the scroll bar where it belongs.
    fn rest(self) {
        let (Some(scroller), Some(block)) = (self.scroller.get_untracked(), self.block.get_untracked()) else { return };
        let Some(sizer) = self.sizer.get_untracked() else { return };
        let (way, bar, expected) = self.kept(|kept| {
            kept.resting = None;
            if kept.heights.expect_average() && kept.end {
                kept.anchor = kept.window().end();
            }
            (kept.window().way(), kept.window().bar(kept.anchor), kept.heights.expected())
        });
        let before = self.kept(|kept| std::mem::replace(&mut kept.way, way));
        if (before - way).abs() > 0.5 {
            set(&sizer, "height", &format!("{way}px"));
            set(&block, "--expected", &format!("{expected}px"));
        }
        if (f64::from(scroller.scroll_top()) - bar).abs() > 1.5 {
            scroller.set_scroll_top(bar.round() as i32);
        }
        // What the browser made of it, so that its event is known to be nobody's.
        let top = f64::from(scroller.scroll_top());
        self.kept(|kept| kept.top = top);
        self.caught_up();
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

    /// Opens what a message says in place, or closes it.
    pub(super) fn toggle(self, key: &Key) {
        let open = self.open.with_untracked(|open| open.contains(key));
        if open || self.kept(|kept| kept.bodies.contains_key(key)) {
            self.set_open(key, !open);
            return;
        }
        // It is opened when it is there, so that the rows below move once.
        let key = key.clone();
        self.store.ask(&Ask::Details(key.clone()), move |answer| match answer {
            Answer::Details(details) => {
                self.kept(|kept| _ = kept.bodies.insert(key.clone(), Arc::new(*details)));
                self.set_open(&key, true);
            }
            Answer::Failed(why) => self.store.alert.set(why),
            _ => {}
        });
    }

    fn set_open(self, key: &Key, open: bool) {
        let Some(now) = self.open.try_update(|keys| {
            if open {
                keys.insert(key.clone())
            } else {
                keys.remove(key)
            };
            keys.clone()
        }) else {
            return;
        };
        let row = self.kept(|kept| {
            // What was at the end need not be any more: the message stays where it is.
            (kept.open, kept.end) = (now, false);
            let (first, end) = kept.window().drawn(kept.anchor);
            (first..end).find(|row| matches!(kept.pages.get(*row), Some(Row::Said(line)) if line.key == *key))
        });
        if let Some(row) = row.filter(|_| open) {
            self.reveal(row);
        }
    }

    /// Gives the message in a row, if that is at hand.
    pub(super) fn key_at(self, row: u32) -> Option<Key> {
        self.kept(|kept| match kept.pages.get(row)? {
            Row::Head(_) => None,
            Row::Said(line) => Some(line.key.clone()),
        })
    }

    /// Moves the focus from a row that is about to go to the list, where keys still do what they did.
    fn keep_focus(self, slots: &[Slot]) {
        let active = document().active_element();
        let index = active.and_then(|it| it.closest("[data-index]").ok().flatten()).and_then(|it| {
            let inside = self.block.get_untracked().is_some_and(|block| block.contains(Some(&it)));
            it.get_attribute("data-index").filter(|_| inside)?.parse().ok()
        });
        let gone = |index: u32| {
            let slot = slots.iter().find(|slot| slot.index == index);
            self.drawn.with_untracked(|drawn| drawn.iter().find(|it| it.index == index) != slot)
        };
        if index.is_some_and(gone)
            && let Some(scroller) = self.scroller.get_untracked()
        {
            focus(&scroller);
        }
    }

    /// Moves the focus to a row, when it is in the list.
    pub(super) fn focus_row(self, row: u32) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let inside = document().active_element().is_some_and(|active| scroller.contains(Some(&active)));
        let row = scroller.query_selector(&format!("[data-index=\"{row}\"]")).ok().flatten();
        if let Some(row) = row.filter(|_| inside).and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok()) {
            focus(&row);
        }
    }
}

/// Sets a style; only an element of a kind that has none refuses.
fn set(element: &web_sys::HtmlElement, name: &str, value: &str) {
    let _ = element.style().set_property(name, value);
}

/// Focuses without scrolling: the list scrolls in its own way.
fn focus(element: &web_sys::HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}
