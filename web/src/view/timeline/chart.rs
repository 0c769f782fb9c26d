//! The state of the timeline: what is to be seen, what the worker told last, and when it is drawn.
//!
//! Whatever changes asks for a frame; a frame draws the newest answer at the newest window, at once, and asks the worker
//! when that answer was for another window. There is one question on its way at a time, so that a slow answer never lets
//! questions pile up.

use std::sync::Arc;

use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use gloo::utils::window;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::hit::Hit;
use super::input::Hands;
use super::marks::Tone;
use super::paint::{Scene, paint};
use super::palette::{Palette, matches};
use super::scale::{Frame, Span, lane_height};
use super::{minimap, scale};
use crate::protocol::{Answer, Ask, TimelineView};
use crate::store::{Search, Store};

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

/// The timeline's state.
#[derive(Clone, Copy)]
pub struct Chart {
    /// What the page knows.
    pub store: Store,
    /// What the worker told last.
    pub shown: RwSignal<Option<Arc<TimelineView>>>,
    /// The window that is to be seen; none for all.
    pub span: RwSignal<Option<Span>>,
    /// How much room there is for the drawing, in pixels.
    pub size: RwSignal<(f64, f64)>,
    /// Whether names stand above marks.
    pub narrow: RwSignal<bool>,
    /// How much room there is for the minimap.
    pub map_size: RwSignal<(f64, f64)>,
    /// How far the lanes are scrolled.
    pub scroll: RwSignal<f64>,
    /// Where the pointer is, and what is there.
    pub pointer: RwSignal<Option<(f64, f64, Option<Hit>)>>,
    /// Where lanes are drawn.
    pub canvas: NodeRef<html::Canvas>,
    /// Where the minimap is drawn.
    pub map: NodeRef<html::Canvas>,
    /// What scrolls the lanes.
    pub scroller: NodeRef<html::Div>,
    pub(super) hands: StoredValue<Hands>,
    works: StoredValue<Works, LocalStorage>,
}

/// What frames need.
#[derive(Default)]
struct Works {
    frame: Option<AnimationFrame>,
    write: Option<Timeout>,
    asked: Option<Asked>,
    flying: bool,
    /// The window of the last frame, which may be on its way to the one that is to be seen.
    drawn: Option<Span>,
    /// When the last frame was.
    last: f64,
    /// The window that was last written into the address.
    written: Option<(i64, i64)>,
    palette: Option<Palette>,
    /// The counts of the minimap, and what they were told for. Each answer has them in other parts; these stay.
    whole: (Vec<u32>, (u32, f64)),
    tones: Vec<Tone>,
}

impl Chart {
    /// Begins with the window that the address tells.
    pub fn new(store: Store) -> Self {
        let zoom = store.place.with_untracked(|place| place.zoom);
        let chart = Self {
            store,
            shown: RwSignal::new(None),
            span: RwSignal::new(zoom.map(Span::of_zoom)),
            size: RwSignal::new((0.0, 0.0)),
            narrow: RwSignal::new(false),
            map_size: RwSignal::new((0.0, 0.0)),
            scroll: RwSignal::new(0.0),
            pointer: RwSignal::new(None),
            canvas: NodeRef::new(),
            map: NodeRef::new(),
            scroller: NodeRef::new(),
            hands: StoredValue::default(),
            works: StoredValue::new_local(Works { written: zoom, ..Works::default() }),
        };
        chart.follow();
        chart
    }

    /// Draws anew whenever something changes, and goes where the address says.
    fn follow(self) {
        Effect::new(move || {
            self.shown.track();
            self.span.track();
            self.size.track();
            self.map_size.track();
            self.scroll.track();
            self.pointer.track();
            self.canvas.track();
            self.map.track();
            self.store.version.track();
            self.store.search.track();
            self.store.details.track();
            self.repaint();
        });
        let zoom = Memo::new(move |_| self.store.place.with(|place| place.zoom));
        Effect::new(move || {
            let zoom = zoom.get();
            if self.works.with_value(|works| works.written != zoom) {
                self.works.update_value(|works| works.written = zoom);
                self.span.set(zoom.map(Span::of_zoom));
            }
        });
        // What is selected is brought into view; only what a link selects, and is not known yet, is left where the link's
        // window has it.
        let linked = self.store.details.with_untracked(Option::is_none);
        let begun = self.store.place.with_untracked(|place| place.selected.clone().filter(|_| linked));
        let ready = Memo::new(move |_| self.shown.with(Option::is_some));
        Effect::new(move |before: Option<Option<String>>| {
            if !ready.get() {
                return None;
            }
            let place = self.store.details.with(|it| it.as_ref().map(|it| (it.line.key.clone(), it.on_timeline)));
            let (key, place) = place.unzip();
            if key.is_some() && key != begun && before.as_ref() != Some(&key) {
                place.flatten().into_iter().for_each(|place| self.reveal(place));
            }
            key.or(before.flatten())
        });
    }

    /// Tells how long the whole line is.
    pub fn length(self) -> i64 {
        self.shown.with_untracked(|shown| shown.as_ref().map_or(0, |shown| shown.length))
    }

    /// Gives the window that is to be seen.
    pub fn target(self) -> Span {
        let length = self.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.length));
        match (self.span.get_untracked(), length) {
            (Some(span), Some(length)) => span.kept_on(length),
            (Some(span), None) => span,
            (None, length) => Span::all(length.unwrap_or(0)),
        }
    }

    /// Gives the window that was drawn last.
    pub fn drawn(self) -> Span {
        self.works.with_value(|works| works.drawn).unwrap_or_else(|| self.target())
    }

    /// Changes the window: at once when the reader holds it, and otherwise in a moment that shows where it goes.
    pub fn change(self, at_once: bool, change: impl FnOnce(Span) -> Span) {
        let Some(length) = self.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.length)) else { return };
        let span = change(self.target()).kept_on(length);
        let all = span.looks_like(Span::all(length), self.size.get_untracked().0);
        if at_once {
            self.works.update_value(|works| works.drawn = Some(span));
        }
        self.span.set(Some(span).filter(|_| !all));
        self.works.update_value(|works| {
            works.write = Some(Timeout::new(SETTLED, move || self.write(false)));
        });
    }

    /// Shows everything; the way back leads to what was to be seen before.
    pub fn show_all(self) {
        self.settle();
        self.span.set(None);
        self.write(true);
    }

    /// Zooms about the middle.
    pub fn zoom(self, factor: f64) {
        self.change(false, |span| span.zoomed((span.start + span.end) / 2.0, factor));
    }

    /// Moves by a part of the window.
    pub fn pan(self, part: f64) {
        self.change(false, |span| span.panned(span.width() * part));
    }

    /// Brings a place on a lane into view.
    pub fn reveal(self, (position, lane): (i64, u32)) {
        if !self.target().has(position as f64) {
            self.change(false, |span| span.around(position as f64));
        }
        let frame = self.frame();
        let (top, bottom) = (frame.top(lane), frame.top(lane) + frame.lane);
        if let Some(scroller) = self.scroller.get_untracked().filter(|_| top < frame.axis || bottom > frame.height) {
            let by = if top < frame.axis { top - frame.axis } else { bottom - frame.height };
            scroller.set_scroll_top((frame.scroll + by) as i32);
        }
    }

    /// Selects a message by its place among all.
    pub fn select(self, entry: u32) {
        self.settle();
        self.store.ask(&Ask::Entry(entry), move |answer| {
            if let Answer::Line(line) = answer {
                self.store.select(line.key);
            }
        });
    }

    /// Writes the address now, if it is to be written.
    fn settle(self) {
        if self.works.try_update_value(|works| works.write.take()).flatten().is_some() {
            self.write(false);
        }
    }

    fn write(self, push: bool) {
        let Some(span) = self.span.try_get_untracked() else { return };
        let zoom = span.map(Span::to_zoom);
        self.works.update_value(|works| (works.write, works.written) = (None, zoom));
        if push {
            self.store.go(|place| place.zoom = zoom);
        } else {
            self.store.shift(|place| place.zoom = zoom);
        }
    }

    /// Gives where things are drawn.
    pub fn frame(self) -> Frame {
        let (width, height) = self.size.get_untracked();
        let lanes = self.shown.with_untracked(|shown| shown.as_ref().map_or(0, |shown| shown.lanes.len()));
        let inset = self.inset();
        let lane = lane_height(height - AXIS, lanes, inset);
        Frame { span: self.drawn(), width, height, axis: AXIS, lane, inset, scroll: self.scroll.get_untracked() }
    }

    /// Tells how much room names take above marks.
    fn inset(self) -> f64 {
        if self.narrow.get_untracked() { NAME } else { 0.0 }
    }

    /// Reads the colours again.
    pub fn recolour(self) {
        self.works.update_value(|works| works.palette = None);
        self.repaint();
    }

    /// Sees to it that there is a frame.
    pub fn repaint(self) {
        if self.works.with_value(|works| works.frame.is_none()) {
            let frame = request_animation_frame(move |now| {
                if self.works.try_update_value(|works| works.frame = None).is_some() {
                    self.draw(now);
                }
            });
            self.works.update_value(|works| works.frame = Some(frame));
        }
    }

    /// Draws a frame, and sees to what comes next.
    fn draw(self, now: f64) {
        // After a rest the first frame has no time before it that could be told.
        let since =
            Some(now - self.works.with_value(|works| works.last)).filter(|since| *since < 100.0).unwrap_or(16.0);
        let held = self.move_by_keys(since);
        let target = self.target();
        let mut drawn = self.drawn().towards(target, 1.0 - (-since / EASE).exp());
        if drawn.looks_like(target, self.size.get_untracked().0) || matches("(prefers-reduced-motion: reduce)") {
            drawn = target;
        }
        self.works.update_value(|works| (works.drawn, works.last) = (Some(drawn), now));
        self.shown.with_untracked(|shown| {
            if let Some(shown) = shown {
                self.paint(shown);
            }
        });
        self.ask();
        if held || drawn != target {
            self.repaint();
        }
    }

    fn paint(self, view: &TimelineView) {
        self.works.update_value(|works| {
            works.palette.get_or_insert_with(Palette::read);
            works.tones.truncate(view.lanes.len());
            for name in &view.lanes[works.tones.len()..] {
                works.tones.push(if name.is_empty() { Tone::Quiet } else { Tone::Agent(self.store.hue(name)) });
            }
        });
        let frame = self.frame();
        let pointer = self.pointer.get_untracked();
        self.works.with_value(|works| {
            let Some(palette) = &works.palette else { return };
            let scene = Scene {
                view,
                frame,
                tones: &works.tones,
                searching: self.store.search.with_untracked(|search| matches!(search, Search::Found(_))),
                selected: self.selected(),
                pointed: pointer.and_then(|(.., hit)| hit),
                pointer: pointer.map(|(x, ..)| x),
            };
            if let Some(context) =
                self.canvas.get_untracked().and_then(|canvas| context(&canvas, frame.width, frame.height))
            {
                paint(&context, palette, &scene);
            }
            if let Some(map) = self.map.get_untracked() {
                let (width, height) = self.map_size.get_untracked();
                if let Some(context) = context(&map, width, height) {
                    minimap::paint(&context, palette, &scene, &works.whole.0, (width, height));
                }
            }
        });
    }

    /// Gives the position and the lane of the selected message.
    pub fn selected(self) -> Option<(i64, u32)> {
        self.store.details.with_untracked(|details| details.as_ref().and_then(|details| details.on_timeline))
    }

    /// Asks the worker, when what it told last is not what is drawn.
    fn ask(self) {
        let version = self.store.version.get_untracked();
        let (pixels, _) = self.size.get_untracked();
        // A table needs a window, too, when nothing was drawn before it.
        let pixels = if pixels > 0.0 { pixels } else { 800.0 };
        let known = self.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.lanes.len()));
        let wanted: Asked = match (known, self.span.get_untracked()) {
            (None, None) => (None, (pixels / 3.0) as u32, version),
            (lanes, _) => {
                let (start, end, columns) = self.drawn().grid(pixels, lanes.unwrap_or(1));
                (Some((start, end)), columns, version)
            }
        };
        let open = self.store.overview.with_untracked(Option::is_some);
        if !open || self.works.with_value(|works| works.flying || works.asked == Some(wanted)) {
            return;
        }
        self.works.update_value(|works| (works.flying, works.asked) = (true, Some(wanted)));
        let (window, columns, _) = wanted;
        self.store.ask(&Ask::Timeline { window, columns }, move |answer| {
            if self.works.try_update_value(|works| works.flying = false).is_none() {
                return;
            }
            if let Answer::Timeline(shown) = answer {
                self.take(*shown);
            }
        });
    }

    fn take(self, shown: TimelineView) {
        let renamed = self.shown.with_untracked(|before| before.as_ref().is_none_or(|it| it.lanes != shown.lanes));
        if renamed {
            self.works.update_value(|works| works.tones.clear());
        }
        // What shows everything goes on doing so when there is more of it.
        if self.span.get_untracked().is_none() && self.length() != shown.length {
            self.works.update_value(|works| works.drawn = Some(Span::all(shown.length)));
        }
        let told_for = (self.store.version.get_untracked(), self.size.get_untracked().0);
        self.works.update_value(|works| {
            if works.whole.1 != told_for {
                works.whole = (shown.whole.clone(), told_for);
            }
        });
        self.shown.set(Some(Arc::new(shown)));
    }
}

/// Writes a window's ends: `2025-01-23 10:02:03 – 10:05:00`.
pub fn ends(view: &TimelineView, span: Span) -> String {
    let (from, to) = (scale::time_at(view, span.start), scale::time_at(view, span.end));
    let (day, until) = (crate::format::day(from), crate::format::day(to));
    let (start, end) = (scale::exact(from, span.width()), scale::exact(to, span.width()));
    if day == until { format!("{day} {start} – {end}") } else { format!("{day} {start} – {until} {end}") }
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
