//! The state of the timeline: the window that is to be seen, what the worker last answered, and where things are drawn.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo::timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::frame::FrameState;
use crate::protocol::{Request, Response, TimelineView};
use crate::state::{DatasetState, Feedback, RouteState, Search, SearchState, SelectionState, SettingsState, use_store};
use huddle_web_model::timeline::hit::Hit;
use huddle_web_model::timeline::scale::{Frame, Span, lane_height};

/// How high the axis is, in pixels.
pub(super) const AXIS: f64 = 26.0;

/// How high a lane's name is where it stands above its marks, in pixels.
const NAME: f64 = 18.0;

/// Where the view is not wider than this, in pixels, names stand above marks: the styles say the same.
pub(super) const NARROW: i32 = 480;

/// How long after the last change the address is written, in milliseconds.
const SETTLED: u32 = 150;

/// How much room there is, in pixels.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Layout {
    /// For the drawing.
    pub(super) width: f64,
    /// For the drawing, with the axis.
    pub(super) height: f64,
    /// For the minimap: how wide and how high.
    pub(super) map: (f64, f64),
    /// Whether names stand above marks.
    pub(super) narrow: bool,
    /// How far the lanes are scrolled.
    pub(super) scroll: f64,
}

/// The elements of the drawing.
pub(super) struct Elements {
    /// What scrolls the lanes.
    pub(super) scroller: HtmlElement,
    /// Where lanes are drawn.
    pub(super) canvas: HtmlCanvasElement,
    /// Where the minimap is drawn.
    pub(super) map: HtmlCanvasElement,
}

/// The state of the timeline.
#[derive(Clone, Copy)]
pub(super) struct TimelineController {
    pub(super) dataset: DatasetState,
    pub(super) route: RouteState,
    pub(super) selection: SelectionState,
    pub(super) settings: SettingsState,
    pub(super) feedback: Feedback,
    pub(super) search: RwSignal<Search>,
    /// What the worker last answered.
    pub(super) shown: RwSignal<Option<Arc<TimelineView>>>,
    /// The window that is to be seen; none for all.
    pub(super) span: RwSignal<Option<Span>>,
    pub(super) layout: RwSignal<Layout>,
    /// Where the pointer is, and what is there.
    pub(super) pointer: RwSignal<Option<(f64, f64, Option<Hit>)>>,
    pub(super) scroller: NodeRef<html::Div>,
    pub(super) canvas: NodeRef<html::Canvas>,
    pub(super) map: NodeRef<html::Canvas>,
    frame_state: StoredValue<Rc<FrameState>, LocalStorage>,
}

impl TimelineController {
    /// Begins with the window that the address names.
    pub(super) fn new() -> Self {
        let route: RouteState = use_store();
        let zoom = route.route.with_untracked(|route| route.zoom);
        let state = FrameState::default();
        state.written.set(zoom);
        let timeline = Self {
            dataset: use_store(),
            route,
            selection: use_store(),
            settings: use_store(),
            feedback: use_store(),
            search: use_store::<SearchState>().result,
            shown: RwSignal::new(None),
            span: RwSignal::new(zoom.map(Span::of_zoom)),
            layout: RwSignal::new(Layout::default()),
            pointer: RwSignal::new(None),
            scroller: NodeRef::new(),
            canvas: NodeRef::new(),
            map: NodeRef::new(),
            frame_state: StoredValue::new_local(Rc::new(state)),
        };
        timeline.follow();
        // Whoever leaves soon after a change finds it again.
        on_cleanup(move || timeline.settle());
        timeline
    }

    /// Draws anew whenever something changes, and goes where the address says.
    fn follow(self) {
        Effect::new(move || {
            self.shown.track();
            self.span.track();
            self.layout.track();
            self.pointer.track();
            self.dataset.version.track();
            self.search.track();
            self.selection.details.track();
            self.repaint();
        });
        let zoom = Memo::new(move |_| self.route.route.with(|route| route.zoom));
        Effect::new(move || {
            let zoom = zoom.get();
            if self.frame_state().written.replace(zoom) != zoom {
                self.span.set(zoom.map(Span::of_zoom));
            }
        });
        // What is selected is brought into view; only what a link selects, and is not known yet, is left where the link's
        // window has it.
        let linked = self.selection.details.with_untracked(Option::is_none);
        let begun = self.selection.key.get_untracked().filter(|_| linked);
        let before = RefCell::new(None);
        Effect::new(move || {
            let (ready, details) = (self.shown.with(Option::is_some), self.selection.details.get());
            let Some(details) = details.filter(|_| ready) else { return };
            let key = Some(details.line.key.clone());
            if before.replace(key.clone()) != key && key != begun {
                details.on_timeline.into_iter().for_each(|place| self.reveal(place));
            }
        });
    }

    /// Returns what frames need.
    pub(super) fn frame_state(self) -> Rc<FrameState> {
        self.frame_state.get_value()
    }

    /// Returns what frames need, unless the view is gone.
    pub(super) fn try_frame_state(self) -> Option<Rc<FrameState>> {
        self.frame_state.try_get_value()
    }

    /// Returns the elements of the drawing, if there is one.
    pub(super) fn elements(self) -> Option<Elements> {
        // A reference outlives its element.
        let element = |canvas: NodeRef<html::Canvas>| canvas.get_untracked().filter(|canvas| canvas.is_connected());
        let scroller = self.scroller.get_untracked()?.into();
        Some(Elements { scroller, canvas: element(self.canvas)?, map: element(self.map)? })
    }

    /// Returns what the worker last answered.
    pub(super) fn view(self) -> Option<Arc<TimelineView>> {
        self.shown.get_untracked()
    }

    /// Returns how long the whole line is.
    pub(super) fn length(self) -> i64 {
        self.view().map_or(0, |view| view.length)
    }

    /// Returns the window that is to be seen.
    pub(super) fn target(self) -> Span {
        match (self.span.get_untracked(), self.view()) {
            (Some(span), Some(view)) => span.kept_on(view.length),
            (Some(span), None) => span,
            (None, view) => Span::all(view.map_or(0, |view| view.length)),
        }
    }

    /// Returns the window that was drawn last.
    pub(super) fn drawn(self) -> Span {
        self.frame_state().drawn.get().unwrap_or_else(|| self.target())
    }

    /// Changes the window: at once when the reader holds it, and otherwise in a moment that shows where it goes.
    pub(super) fn change(self, at_once: bool, span: Span) {
        let Some(view) = self.view() else { return };
        let span = span.kept_on(view.length);
        let all = span.looks_like(Span::all(view.length), self.layout.get_untracked().width);
        let state = self.frame_state();
        if at_once {
            state.drawn.set(Some(span));
        }
        self.span.set(Some(span).filter(|_| !all));
        *state.write_timer.borrow_mut() = Some(Timeout::new(SETTLED, move || self.write(false)));
    }

    /// Shows everything; the way back leads to what was to be seen before.
    pub(super) fn show_all(self) {
        self.settle();
        self.span.set(None);
        self.write(true);
    }

    /// Zooms about the middle.
    pub(super) fn zoom(self, factor: f64) {
        let span = self.target();
        self.change(false, span.zoomed(span.middle(), factor));
    }

    /// Moves by a part of the window.
    pub(super) fn pan(self, part: f64) {
        let span = self.target();
        self.change(false, span.panned(span.width() * part));
    }

    /// Moves so that a position is in the middle.
    pub(super) fn center(self, position: f64) {
        self.change(false, self.target().around(position));
    }

    /// Brings a place on a lane into view.
    pub(super) fn reveal(self, (position, lane): (i64, u32)) {
        if !self.target().has(position as f64) {
            self.center(position as f64);
        }
        let frame = self.frame();
        let (top, bottom) = (frame.top(lane), frame.top(lane) + frame.lane);
        if let Some(elements) = self.elements().filter(|_| top < frame.axis || bottom > frame.height) {
            let by = if top < frame.axis { top - frame.axis } else { bottom - frame.height };
            elements.scroller.set_scroll_top((frame.scroll + by) as i32);
        }
    }

    /// Selects a message by its place among all.
    pub(super) fn select(self, entry: u32) {
        self.settle();
        let response = self.dataset.request(Request::Entry(entry));
        spawn_local(async move {
            if let Ok(Response::Line(line)) = response.await {
                self.selection.select(line.key);
            }
        });
    }

    /// Writes the address now, if it is to be written.
    fn settle(self) {
        let waiting = self.try_frame_state().and_then(|state| state.write_timer.take());
        if waiting.is_some() {
            self.write(false);
        }
    }

    fn write(self, push: bool) {
        let zoom = self.span.get_untracked().map(Span::to_zoom);
        let state = self.frame_state();
        state.write_timer.take();
        state.written.set(zoom);
        if push {
            self.route.push(|route| route.zoom = zoom);
        } else {
            self.route.replace(|route| route.zoom = zoom);
        }
    }

    /// Returns where things are drawn.
    pub(super) fn frame(self) -> Frame {
        let Layout { width, height, narrow, scroll, .. } = self.layout.get_untracked();
        let lanes = self.view().map_or(0, |view| view.lanes.len());
        let inset = if narrow { NAME } else { 0.0 };
        let lane = lane_height(height - AXIS, lanes, inset);
        Frame { span: self.drawn(), width, height, axis: AXIS, lane, inset, scroll }
    }

    /// Returns the position and the lane of the selected message.
    pub(super) fn selected(self) -> Option<(i64, u32)> {
        self.selection.details.get_untracked()?.on_timeline
    }

    /// Reads the colors again.
    pub(super) fn recolor(self) {
        self.frame_state().palette.take();
        self.repaint();
    }
}
