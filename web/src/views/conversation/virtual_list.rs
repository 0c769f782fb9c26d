//! The list in the browser: draws what the state says, measures it, and fetches rows.

use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::protocol::{Key, Overview, Request, Response};
use crate::state::{DatasetState, Feedback, RouteState, SelectionState, Version, use_store};
use huddle_web_model::list::heights::Anchor;
use huddle_web_model::list::pages::Slot;
use huddle_web_model::list::scroll::Window;
use huddle_web_model::list::virtual_list::{Viewport, VirtualListState};

/// How long nothing moves before the scroll bar is put in its place, in milliseconds.
const REST_MS: u32 = 150;

type State = VirtualListState<Version>;

/// What is kept of the list while another view is shown.
#[derive(Clone, Copy)]
pub(super) struct ListMemory {
    state: StoredValue<State, LocalStorage>,
    /// Which of the sources that were opened it is of.
    source: StoredValue<u32>,
    /// The query whose first hit was brought into sight.
    pub(super) landed: StoredValue<String>,
}

/// Provides what is kept of the list for as long as the caller lives.
pub fn provide_list_state() {
    let state = StoredValue::new_local(State::default());
    provide_context(ListMemory { state, source: StoredValue::default(), landed: StoredValue::default() });
}

/// The list as the reader moves through it.
#[derive(Clone, Copy)]
pub struct VirtualList {
    pub(super) dataset: DatasetState,
    pub(super) selection: SelectionState,
    pub(super) feedback: Feedback,
    /// The rows that are drawn.
    pub(super) drawn: RwSignal<Vec<Slot>>,
    /// How many rows there are, once that is known.
    pub(super) total: RwSignal<Option<u32>>,
    /// How many messages are new and were not in sight yet.
    pub(super) fresh: RwSignal<u32>,
    /// Messages whose bodies are opened in place.
    pub(super) open: RwSignal<Vec<Key>>,
    pub(super) scroller: NodeRef<Div>,
    pub(super) block: NodeRef<Div>,
    pub(super) sizer: NodeRef<Div>,
    pub(super) memory: ListMemory,
    frame: StoredValue<Option<AnimationFrame>, LocalStorage>,
    resting: StoredValue<Option<Timeout>, LocalStorage>,
}

impl VirtualList {
    /// Goes on where the reader left.
    pub(super) fn new() -> Self {
        let (memory, route): (ListMemory, RouteState) = (use_store(), use_store());
        let source = route.source_number.get_untracked();
        if memory.source.get_value() != source {
            memory.source.set_value(source);
            memory.landed.set_value(String::new());
            memory.state.set_value(State::default());
        }
        memory.state.update_value(State::come_back);
        let open = memory.state.with_value(|state| state.open.iter().map(|(key, _)| key.clone()).collect());
        Self {
            dataset: use_store(),
            selection: use_store(),
            feedback: use_store(),
            drawn: RwSignal::new(Vec::new()),
            total: RwSignal::new(memory.state.with_value(State::total)),
            fresh: RwSignal::new(0),
            open: RwSignal::new(open),
            scroller: NodeRef::new(),
            block: NodeRef::new(),
            sizer: NodeRef::new(),
            memory,
            frame: StoredValue::new_local(None),
            resting: StoredValue::new_local(None),
        }
    }

    /// Reads or changes the state; nothing happens when the page shows nothing any more.
    pub(super) fn update<T: Default>(self, change: impl FnOnce(&mut State) -> T) -> T {
        self.memory.state.try_update_value(change).unwrap_or_default()
    }

    /// Draws the rows around the anchor, fetches those that are not at hand, and sees to it that they are measured.
    pub(super) fn draw(self) {
        let slots = self.update(|state| state.rows_to_draw(js_sys::Date::now()));
        if let Some(slots) = slots {
            if self.drawn.try_with_untracked(|drawn| *drawn != slots).unwrap_or_default() {
                self.keep_focus(&slots);
                self.drawn.try_set(slots);
            }
            self.put();
            self.frame.try_set_value(Some(request_animation_frame(move |_| self.settle())));
        }
        self.fetch();
    }

    /// Measures the rows that are drawn, and puts them in their place.
    fn settle(self) {
        let news = self.measure();
        let settled = self.update(|state| state.settle(news));
        if settled.moved || self.update(State::reach_out) {
            self.draw();
        }
        if let Some(row) = settled.revealed {
            self.focus_row(row);
        }
        // A bar that has no way yet gets one at once; one that has may be in the reader's hand.
        if self.update(|state| state.needs_bar()) {
            self.rest();
        } else if settled.moved && self.resting.try_with_value(Option::is_none).unwrap_or_default() {
            self.rest_soon();
        }
    }

    /// Takes the heights of the rows that are drawn; returns whether any is news.
    fn measure(self) -> bool {
        let (Some(scroller), Some(block)) = (self.scroller.get_untracked(), self.block.get_untracked()) else {
            return false;
        };
        let viewport =
            Viewport { height: f64::from(scroller.client_height()), width: f64::from(scroller.client_width()) };
        let rows = block.children();
        self.drawn.with_untracked(|drawn| {
            if rows.length() as usize != drawn.len() {
                _ = self.update(|state| state.measure(viewport, []));
                return true;
            }
            let known = drawn.iter().zip(0..).filter(|(slot, _)| slot.stamp > 0);
            let heights =
                known.filter_map(|(slot, at)| Some((slot.index, rows.item(at)?.get_bounding_client_rect().height())));
            self.update(|state| state.measure(viewport, heights))
        })
    }

    /// Moves the rows so that the anchor is at the upper edge.
    fn put(self) {
        let Some(block) = self.block.get_untracked() else { return };
        let first = self.drawn.try_with_untracked(|drawn| drawn.first().map(|slot| slot.index)).flatten();
        let up = self.update(|state| state.offset_of(first.unwrap_or(0)));
        set(&block, "transform", &format!("translateY({}px)", -up.round() as i64));
    }

    /// Fetches rows that are not at hand.
    fn fetch(self) {
        let Some(fetch) = self.update(State::rows_to_fetch) else { return };
        let request = Request::Rows { list: fetch.list, start: fetch.start, count: fetch.count };
        let response = self.dataset.request(request);
        spawn_local(async move {
            let rows = if let Ok(Response::Rows(rows)) = response.await { Some(rows) } else { None };
            if self.update(|state| state.take_rows(fetch, rows)) {
                self.draw();
            }
        });
    }

    /// Goes to an anchor.
    pub(super) fn go(self, to: impl FnOnce(Window<'_>, Anchor) -> Anchor) {
        self.update(|state| state.go(to));
        self.draw();
        self.rest_soon();
    }

    /// Brings a row into sight.
    pub(super) fn reveal(self, row: u32) {
        self.update(|state| state.reveal(row));
        self.draw();
        self.rest_soon();
    }

    /// Follows the scroll bar.
    pub(super) fn scrolled(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        match self.update(|state| state.scrolled(f64::from(scroller.scroll_top()))) {
            None => return,
            Some(true) => self.rest(),
            Some(false) => self.rest_soon(),
        }
        self.draw();
    }

    pub(super) fn rest_soon(self) {
        self.resting.try_set_value(Some(Timeout::new(REST_MS, move || self.rest())));
    }

    /// Puts the scroll bar where it belongs.
    fn rest(self) {
        self.resting.try_set_value(None);
        let (Some(scroller), Some(sizer)) = (self.scroller.get_untracked(), self.sizer.get_untracked()) else { return };
        let (way, bar, jumped) = self.update(State::rest);
        set(&sizer, "height", &format!("{way:.2}px"));
        if (f64::from(scroller.scroll_top()) - bar).abs() > 1.5 {
            scroller.set_scroll_top(bar.round() as i32);
        }
        // What the browser made of it, so that its event is known to be nobody's.
        self.update(|state| state.put_bar(f64::from(scroller.scroll_top())));
        if jumped {
            self.draw();
        }
        self.look();
    }

    /// Measures anew. What follows from that is drawn in the next frame, since the browser is about to paint this one.
    pub(super) fn resized(self) {
        if self.measure() {
            self.put();
            self.frame.try_set_value(Some(request_animation_frame(move |_| self.draw())));
        }
    }

    /// Counts what is new.
    pub(super) fn count_news(self, overview: &Overview) {
        let follows = self.update(|state| {
            state.news.count(overview.entries, overview.live && !overview.partial);
            state.is_following()
        });
        // Whoever is at the end may have it in sight in a moment.
        if !follows {
            self.look();
        }
    }

    /// Takes notice of what is in sight.
    pub(super) fn look(self) {
        let messages = self.dataset.overview.with_untracked(|it| it.as_ref().map_or(0, |it| it.entries));
        let left = self.update(|state| state.look(messages));
        if self.fresh.try_get_untracked().is_some_and(|fresh| fresh != left) {
            self.fresh.set(left);
        }
    }
}

/// Sets a style through CSSOM; only an element of a kind that has none refuses.
fn set(element: &web_sys::HtmlElement, name: &str, value: &str) {
    let _ = element.style().set_property(name, value);
}
