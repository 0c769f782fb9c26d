//! Frames: what draws the newest answer at the newest window, and requests another when that was for another window.
//!
//! One request is on its way at a time, so that slow answers never let requests pile up.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use gloo::utils::window;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::controller::{Elements, TimelineController};
use super::input::PointerState;
use super::minimap;
use super::paint::{Scene, paint};
use super::palette::{Palette, matches};
use crate::protocol::{Request, Response, TimelineView};
use crate::state::{Search, Version};
use huddle_web_model::timeline::marks::ColorRole;
use huddle_web_model::timeline::scale::{self, Span};

/// A window that moves by itself has gone most of its way after so many milliseconds.
const EASE: f64 = 55.0;

/// What is requested: the window, the columns, and what is open.
type Wanted = (Option<(i64, i64)>, u32, Version);

/// All counts and those of hits, and the version and width that they were answered for.
type MinimapCounts = (Vec<u32>, Vec<u32>, (Version, f64));

/// What frames need; nothing is notified when it changes.
#[derive(Default)]
pub(super) struct FrameState {
    /// What the reader holds.
    pub(super) pointer: RefCell<PointerState>,
    /// The window of the last frame, which may be on its way to the one that is to be seen.
    pub(super) drawn: Cell<Option<Span>>,
    /// The window that was last written into the address.
    pub(super) written: Cell<Option<(i64, i64)>>,
    /// Writes the address when it runs out.
    pub(super) write_timer: RefCell<Option<Timeout>>,
    pub(super) palette: RefCell<Option<Palette>>,
    frame: RefCell<Option<AnimationFrame>>,
    requested: RefCell<Option<Wanted>>,
    is_waiting: Cell<bool>,
    /// When the last frame was.
    last: Cell<f64>,
    /// The counts of the minimap and the hits in it, and what they were for. Each answer has them in other parts; these stay.
    whole: RefCell<MinimapCounts>,
    /// Whether the last answer was all that there was of something followed.
    was_followed: Cell<bool>,
    colors: RefCell<Vec<ColorRole>>,
}

impl TimelineController {
    /// Ensures that there is a frame.
    pub(super) fn repaint(self) {
        let state = self.frame_state();
        if state.frame.borrow().is_none() {
            let frame = request_animation_frame(move |now| {
                if let Some(state) = self.try_frame_state() {
                    state.frame.take();
                    self.draw(&state, now);
                }
            });
            state.frame.replace(Some(frame));
        }
    }

    /// Draws a frame, and sees to what comes next.
    fn draw(self, state: &FrameState, now: f64) {
        // After a rest the first frame has no time before it.
        let since = Some(now - state.last.get()).filter(|since| *since < 100.0).unwrap_or(16.0);
        let held = self.move_by_keys(since);
        let target = self.target();
        let mut drawn = self.drawn().towards(target, 1.0 - (-since / EASE).exp());
        let width = self.layout.get_untracked().width;
        if drawn.looks_like(target, width) || matches("(prefers-reduced-motion: reduce)") {
            drawn = target;
        }
        state.drawn.set(Some(drawn));
        state.last.set(now);
        if let Some(view) = self.view() {
            self.paint(state, &view);
        }
        self.request(state);
        if held || drawn != target {
            self.repaint();
        }
    }

    fn paint(self, state: &FrameState, view: &TimelineView) {
        let Some(Elements { canvas, map, .. }) = self.elements() else { return };
        let mut colors = state.colors.borrow_mut();
        colors.truncate(view.lanes.len());
        for name in &view.lanes[colors.len()..] {
            colors.push(match name.as_str() {
                "" => ColorRole::Quiet,
                name => ColorRole::Agent(self.settings.color(name)),
            });
        }
        let mut palette = state.palette.borrow_mut();
        let palette = palette.get_or_insert_with(Palette::read);
        let (frame, pointer) = (self.frame(), self.pointer.get_untracked());
        let scene = Scene {
            view,
            frame,
            colors: &colors,
            searching: matches!(self.search.get_untracked(), Search::Found(_)),
            selected: self.selected(),
            pointed: pointer.and_then(|(.., hit)| hit),
            pointer: pointer.map(|(x, ..)| x),
        };
        if let Some(context) = context(&canvas, frame.width, frame.height) {
            paint(&context, palette, &scene);
        }
        let (width, height) = self.layout.get_untracked().map;
        if let Some(context) = context(&map, width, height) {
            let whole = state.whole.borrow();
            minimap::paint(&context, palette, &scene, (&whole.0, &whole.1), (width, height));
        }
    }

    /// Requests what is drawn, unless the last answer is of that.
    fn request(self, state: &FrameState) {
        let version = self.dataset.version.get_untracked();
        let pixels = self.layout.get_untracked().width;
        // A table needs a window, too, when nothing was drawn before it.
        let pixels = if pixels > 0.0 { pixels } else { 800.0 };
        let is_open = version.generation.is_some();
        let wanted: Wanted = match (self.view(), self.span.get_untracked()) {
            (None, None) => (None, (pixels / 3.0) as u32, version),
            (view, _) => {
                let (start, end, columns) = self.drawn().grid(pixels, view.map_or(1, |view| view.lanes.len()));
                (Some((start, end)), columns, version)
            }
        };
        if !is_open || state.is_waiting.get() || state.requested.borrow().as_ref() == Some(&wanted) {
            return;
        }
        state.is_waiting.set(true);
        let (window, columns, version) = wanted.clone();
        state.requested.replace(Some(wanted));
        let response = self.dataset.request(Request::Timeline { window, columns });
        spawn_local(async move {
            let reply = response.await;
            let Some(state) = self.try_frame_state() else { return };
            state.is_waiting.set(false);
            if let Ok(Response::Timeline(shown)) = reply {
                self.show(&state, version, *shown);
            } else {
                self.repaint();
            }
        });
    }

    fn show(self, state: &FrameState, version: Version, shown: TimelineView) {
        let before = self.view();
        if before.as_ref().is_none_or(|it| it.lanes != shown.lanes) {
            state.colors.take();
        }
        // What shows everything goes on doing so when there is more of it.
        if self.span.get_untracked().is_none() && self.length() != shown.length {
            state.drawn.set(Some(Span::all(shown.length)));
        }
        let of = (version, self.layout.get_untracked().width);
        let mut whole = state.whole.borrow_mut();
        let is_newer = whole.2.0 != of.0;
        if whole.2 != of {
            *whole = (shown.whole.clone(), shown.whole_hits.clone(), of);
        }
        drop(whole);
        // An address has its window on the whole line: while that is still being read, the window stays as it is.
        let is_followed = self.dataset.overview.with_untracked(|it| it.as_ref().is_some_and(|it| it.is_followed()));
        let grown = state.was_followed.replace(is_followed) && is_newer;
        let by = before.filter(|_| grown).map_or(0.0, |before| scale::moved(&before, &shown));
        self.shown.set(Some(Arc::new(shown)));
        if by != 0.0 && self.span.get_untracked().is_some() {
            self.change(true, self.target().panned(by));
        }
    }
}

/// Returns what draws on a canvas, which is made as large as the screen can show it.
fn context(canvas: &HtmlCanvasElement, width: f64, height: f64) -> Option<CanvasRenderingContext2d> {
    if width < 1.0 || height < 1.0 {
        return None;
    }
    let ratio = window().device_pixel_ratio();
    let (wide, high) = ((width * ratio).round() as u32, (height * ratio).round() as u32);
    if (canvas.width(), canvas.height()) != (wide, high) {
        canvas.set_width(wide);
        canvas.set_height(high);
    }
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok().flatten()?.dyn_into().ok()?;
    context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
    Some(context)
}
