//! The state of the timeline: what is to be seen, what the worker told last, and when it is drawn.
//!
//! Whatever changes asks for a frame; a frame draws the newest answer at the newest window, at once, and asks the worker
//! when that answer was for another window. There is one question on its way at a time, so that a slow answer never lets
//! questions pile up.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use gloo::utils::window;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};

use super::input::Hands;
use super::minimap;
use super::paint::{Scene, paint};
use super::palette::{Palette, matches};
use crate::dom::effect;
use crate::protocol::{Request, Response, TimelineView};
use crate::store::{Search, Store};
use huddle_web_model::timeline::hit::Hit;
use huddle_web_model::timeline::marks::Tone;
use huddle_web_model::timeline::scale;
use huddle_web_model::timeline::scale::{Frame, Span, lane_height};

/// How high the axis is, in pixels.
pub const AXIS: f64 = 26.0;

/// How high a lane's name is where it stands above its marks, in pixels.
const NAME: f64 = 18.0;

/// Where the view is not wider than this, in pixels, names stand above marks: the styles say the same.
pub const NARROW: i32 = 480;

/// How long after the last change the address is written, in milliseconds.
const SETTLED: u32 = 150;

/// A window that moves by itself has gone most of its way after so many milliseconds.
const EASE: f64 = 55.0;

/// What was asked: the window, the columns, and the version of what is open.
type Asked = (Option<(i64, i64)>, u32, u32);

/// How much room there is, in pixels.
#[derive(Clone, Copy, PartialEq, Default)]
pub struct Room {
    /// For the drawing.
    pub width: f64,
    /// For the drawing, with the axis.
    pub height: f64,
    /// For the minimap: how wide and how high.
    pub map: (f64, f64),
    /// Whether names stand above marks.
    pub narrow: bool,
    /// How far the lanes are scrolled.
    pub scroll: f64,
}

/// The elements that are drawn on.
#[derive(Clone)]
pub(super) struct Parts {
    /// What scrolls the lanes.
    pub(super) scroller: HtmlElement,
    /// Where lanes are drawn.
    pub(super) canvas: HtmlCanvasElement,
    /// Where the minimap is drawn.
    pub(super) map: HtmlCanvasElement,
}

/// The timeline's state.
#[derive(Clone, Copy)]
pub struct Chart {
    /// What the page knows.
    pub store: Store,
    /// What the worker told last.
    pub shown: RwSignal<Option<Arc<TimelineView>>>,
    /// The window that is to be seen; none for all.
    pub span: RwSignal<Option<Span>>,
    /// How much room there is.
    pub room: RwSignal<Room>,
    /// Where the pointer is, and what is there.
    pub pointer: RwSignal<Option<(f64, f64, Option<Hit>)>>,
    works: StoredValue<Rc<Works>, LocalStorage>,
}

/// What frames need, and nothing is told of when it changes.
#[derive(Default)]
pub(super) struct Works {
    /// What is drawn on, while there is a drawing.
    pub(super) parts: RefCell<Option<Parts>>,
    /// What the reader holds.
    pub(super) hands: RefCell<Hands>,
    frame: RefCell<Option<AnimationFrame>>,
    write: RefCell<Option<Timeout>>,
    asked: Cell<Option<Asked>>,
    flying: Cell<bool>,
    /// The window of the last frame, which may be on its way to the one that is to be seen.
    drawn: Cell<Option<Span>>,
    /// When the last frame was.
    last: Cell<f64>,
    /// The window that was last written into the address.
    written: Cell<Option<(i64, i64)>>,
    palette: RefCell<Option<Palette>>,
    /// The counts of the minimap, and what they were told for. Each answer has them in other parts; these stay.
    whole: RefCell<(Vec<u32>, (u32, f64))>,
    /// Whether what was told last was all that there was of something followed.
    followed: Cell<bool>,
    tones: RefCell<Vec<Tone>>,
}

impl Chart {
    /// Begins with the window that the address tells.
    pub fn new(store: Store) -> Self {
        let zoom = store.place.with_untracked(|place| place.zoom);
        let works = Works { written: Cell::new(zoom), ..Works::default() };
        let chart = Self {
            store,
            shown: RwSignal::new(None),
            span: RwSignal::new(zoom.map(Span::of_zoom)),
            room: RwSignal::new(Room::default()),
            pointer: RwSignal::new(None),
            works: StoredValue::new_local(Rc::new(works)),
        };
        chart.follow();
        // Whoever leaves soon after a change finds it again.
        on_cleanup(move || chart.settle());
        chart
    }

    /// Draws anew whenever something changes, and goes where the address says.
    fn follow(self) {
        effect(move || {
            self.shown.track();
            self.span.track();
            self.room.track();
            self.pointer.track();
            self.store.version.track();
            self.store.search.track();
            self.store.details.track();
            self.repaint();
        });
        effect(move || {
            let zoom = self.store.place.with(|place| place.zoom);
            if self.works().written.replace(zoom) != zoom {
                self.span.set(zoom.map(Span::of_zoom));
            }
        });
        // What is selected is brought into view; only what a link selects, and is not known yet, is left where the link's
        // window has it.
        let linked = self.store.details.with_untracked(Option::is_none);
        let begun = self.store.place.with_untracked(|place| place.selected.clone().filter(|_| linked));
        let before = RefCell::new(None);
        effect(move || {
            let (ready, details) = (self.shown.get().is_some(), self.store.details.get());
            let Some(details) = details.filter(|_| ready) else { return };
            let key = Some(details.line.key.clone());
            if before.replace(key.clone()) != key && key != begun {
                details.on_timeline.into_iter().for_each(|place| self.reveal(place));
            }
        });
    }

    /// Gives what frames need.
    pub(super) fn works(self) -> Rc<Works> {
        self.works.get_value()
    }

    /// Gives what is drawn on, if there is a drawing.
    pub(super) fn parts(self) -> Option<Parts> {
        self.works.try_get_value()?.parts.borrow().clone()
    }

    /// Gives what the worker told last.
    pub fn view(self) -> Option<Arc<TimelineView>> {
        self.shown.get_untracked()
    }

    /// Tells how long the whole line is.
    pub fn length(self) -> i64 {
        self.view().map_or(0, |view| view.length)
    }

    /// Gives the window that is to be seen.
    pub fn target(self) -> Span {
        match (self.span.get_untracked(), self.view()) {
            (Some(span), Some(view)) => span.kept_on(view.length),
            (Some(span), None) => span,
            (None, view) => Span::all(view.map_or(0, |view| view.length)),
        }
    }

    /// Gives the window that was drawn last.
    pub fn drawn(self) -> Span {
        self.works().drawn.get().unwrap_or_else(|| self.target())
    }

    /// Changes the window: at once when the reader holds it, and otherwise in a moment that shows where it goes.
    pub fn change(self, at_once: bool, span: Span) {
        let Some(view) = self.view() else { return };
        let span = span.kept_on(view.length);
        let all = span.looks_like(Span::all(view.length), self.room.get_untracked().width);
        let works = self.works();
        if at_once {
            works.drawn.set(Some(span));
        }
        self.span.set(Some(span).filter(|_| !all));
        *works.write.borrow_mut() = Some(Timeout::new(SETTLED, move || self.write(false)));
    }

    /// Shows everything; the way back leads to what was to be seen before.
    pub fn show_all(self) {
        self.settle();
        self.span.set(None);
        self.write(true);
    }

    /// Zooms about the middle.
    pub fn zoom(self, factor: f64) {
        let span = self.target();
        self.change(false, span.zoomed(span.middle(), factor));
    }

    /// Moves by a part of the window.
    pub fn pan(self, part: f64) {
        let span = self.target();
        self.change(false, span.panned(span.width() * part));
    }

    /// Moves so that a position is in the middle.
    pub fn centre(self, position: f64) {
        self.change(false, self.target().around(position));
    }

    /// Brings a place on a lane into view.
    pub fn reveal(self, (position, lane): (i64, u32)) {
        if !self.target().has(position as f64) {
            self.centre(position as f64);
        }
        let frame = self.frame();
        let (top, bottom) = (frame.top(lane), frame.top(lane) + frame.lane);
        if let Some(parts) = self.parts().filter(|_| top < frame.axis || bottom > frame.height) {
            let by = if top < frame.axis { top - frame.axis } else { bottom - frame.height };
            parts.scroller.set_scroll_top((frame.scroll + by) as i32);
        }
    }

    /// Selects a message by its place among all.
    pub fn select(self, entry: u32) {
        self.settle();
        let response = self.store.request(Request::Entry(entry));
        spawn_local(async move {
            if let Ok(Response::Line(line)) = response.await {
                self.store.select(line.key);
            }
        });
    }

    /// Writes the address now, if it is to be written.
    fn settle(self) {
        let waiting = self.works().write.take();
        if waiting.is_some() {
            self.write(false);
        }
    }

    fn write(self, push: bool) {
        let zoom = self.span.get_untracked().map(Span::to_zoom);
        let works = self.works();
        works.write.take();
        works.written.set(zoom);
        if push {
            self.store.go(|place| place.zoom = zoom);
        } else {
            self.store.shift(|place| place.zoom = zoom);
        }
    }

    /// Gives where things are drawn.
    pub fn frame(self) -> Frame {
        let Room { width, height, narrow, scroll, .. } = self.room.get_untracked();
        let lanes = self.view().map_or(0, |view| view.lanes.len());
        let inset = if narrow { NAME } else { 0.0 };
        let lane = lane_height(height - AXIS, lanes, inset);
        Frame { span: self.drawn(), width, height, axis: AXIS, lane, inset, scroll }
    }

    /// Reads the colours again.
    pub fn recolour(self) {
        self.works().palette.take();
        self.repaint();
    }

    /// Sees to it that there is a frame.
    pub fn repaint(self) {
        let works = self.works();
        if works.frame.borrow().is_none() {
            let frame = request_animation_frame(move |now| {
                if let Some(works) = self.works.try_get_value() {
                    works.frame.take();
                    self.draw(&works, now);
                }
            });
            works.frame.replace(Some(frame));
        }
    }

    /// Draws a frame, and sees to what comes next.
    fn draw(self, works: &Works, now: f64) {
        // After a rest the first frame has no time before it that could be told.
        let since = Some(now - works.last.get()).filter(|since| *since < 100.0).unwrap_or(16.0);
        let held = self.move_by_keys(since);
        let target = self.target();
        let mut drawn = self.drawn().towards(target, 1.0 - (-since / EASE).exp());
        if drawn.looks_like(target, self.room.get_untracked().width) || matches("(prefers-reduced-motion: reduce)") {
            drawn = target;
        }
        works.drawn.set(Some(drawn));
        works.last.set(now);
        if let Some(view) = self.view() {
            self.paint(works, &view);
        }
        self.ask(works);
        if held || drawn != target {
            self.repaint();
        }
    }

    fn paint(self, works: &Works, view: &TimelineView) {
        let Some(parts) = self.parts() else { return };
        let mut tones = works.tones.borrow_mut();
        tones.truncate(view.lanes.len());
        for name in &view.lanes[tones.len()..] {
            tones.push(if name.is_empty() { Tone::Quiet } else { Tone::Agent(self.store.hue(name)) });
        }
        let mut palette = works.palette.borrow_mut();
        let palette = palette.get_or_insert_with(Palette::read);
        let (frame, pointer) = (self.frame(), self.pointer.get_untracked());
        let scene = Scene {
            view,
            frame,
            tones: &tones,
            searching: matches!(self.store.search.get_untracked(), Search::Found(_)),
            selected: self.selected(),
            pointed: pointer.and_then(|(.., hit)| hit),
            pointer: pointer.map(|(x, ..)| x),
        };
        if let Some(context) = context(&parts.canvas, frame.width, frame.height) {
            paint(&context, palette, &scene);
        }
        let (width, height) = self.room.get_untracked().map;
        if let Some(context) = context(&parts.map, width, height) {
            minimap::paint(&context, palette, &scene, &works.whole.borrow().0, (width, height));
        }
    }

    /// Gives the position and the lane of the selected message.
    pub fn selected(self) -> Option<(i64, u32)> {
        self.store.details.get_untracked()?.on_timeline
    }

    /// Asks the worker, when what it told last is not what is drawn.
    fn ask(self, works: &Works) {
        let version = self.store.version.get_untracked();
        let pixels = self.room.get_untracked().width;
        // A table needs a window, too, when nothing was drawn before it.
        let pixels = if pixels > 0.0 { pixels } else { 800.0 };
        let wanted: Asked = match (self.view(), self.span.get_untracked()) {
            (None, None) => (None, (pixels / 3.0) as u32, version),
            (view, _) => {
                let (start, end, columns) = self.drawn().grid(pixels, view.map_or(1, |view| view.lanes.len()));
                (Some((start, end)), columns, version)
            }
        };
        let open = self.store.overview.with_untracked(Option::is_some);
        if !open || works.flying.get() || works.asked.get() == Some(wanted) {
            return;
        }
        works.flying.set(true);
        works.asked.set(Some(wanted));
        let (window, columns, _) = wanted;
        let response = self.store.request(Request::Timeline { window, columns });
        spawn_local(async move {
            let reply = response.await;
            let Some(works) = self.works.try_get_value() else { return };
            works.flying.set(false);
            if let Ok(Response::Timeline(shown)) = reply {
                self.take(&works, *shown);
            }
        });
    }

    fn take(self, works: &Works, shown: TimelineView) {
        let before = self.view();
        if before.as_ref().is_none_or(|it| it.lanes != shown.lanes) {
            works.tones.take();
        }
        // What shows everything goes on doing so when there is more of it.
        if self.span.get_untracked().is_none() && self.length() != shown.length {
            works.drawn.set(Some(Span::all(shown.length)));
        }
        let told_for = (self.store.version.get_untracked(), self.room.get_untracked().width);
        let mut whole = works.whole.borrow_mut();
        let is_newer = whole.1.0 != told_for.0;
        if whole.1 != told_for {
            *whole = (shown.whole.clone(), told_for);
        }
        drop(whole);
        // An address tells its window on the whole line: while that is still being read, the window stays as it is.
        let is_followed = self.store.overview.with_untracked(|it| it.as_ref().is_some_and(|it| it.is_followed()));
        let grown = works.followed.replace(is_followed) && is_newer;
        let by = before.filter(|_| grown).map_or(0.0, |before| scale::moved(&before, &shown));
        self.shown.set(Some(Arc::new(shown)));
        if by != 0.0 && self.span.get_untracked().is_some() {
            self.change(true, self.target().panned(by));
        }
    }
}

/// Gives what draws on a canvas, which is made as large as the screen can show it.
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
