//! Pointers, the wheel and keys.
//!
//! A drag moves the window and two fingers stretch it; the wheel zooms about the pointer. Keys that are held move on until
//! they are let go, by an amount that does not depend on how often the system repeats them.

use gloo::utils::{document, window};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};

use super::chart::Chart;
use crate::dom::hear;
use huddle_web_model::timeline::fingers::{Finger, dragged, middle};
use huddle_web_model::timeline::hit::{self, Hit};
use huddle_web_model::timeline::marks::column_length;
use huddle_web_model::timeline::scale::{Frame, Span, distance};

/// A pointer that moved less than this, in pixels, was pressed and not dragged.
const STILL: f64 = 4.0;

/// How much one step of a key or a button zooms.
pub const STEP: f64 = 0.7;

/// How much one step of a key moves, as a part of the window.
const STRIDE: f64 = 0.12;

/// What the reader holds.
#[derive(Default)]
pub struct Hands {
    /// The pointers that are down, and where each is.
    fingers: Vec<Finger>,
    grab: Option<Grab>,
    /// Which way held keys zoom and move.
    zooms: f64,
    moves: f64,
}

/// Where a drag began.
#[derive(Clone, Copy)]
struct Grab {
    x: f64,
    y: f64,
    /// How far fingers are from each other, when there are two.
    apart: f64,
    span: Span,
    scroll: f64,
    moved: bool,
}

impl Chart {
    /// Takes hold of the drawing.
    pub fn pointer_down(self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if let Some(parts) = self.parts() {
            // Without it, the drag ends where the canvas does: no harm.
            let _ = parts.canvas.set_pointer_capture(event.pointer_id());
        }
        self.works().hands.borrow_mut().fingers.push(place(event));
        self.take_hold(false);
    }

    fn take_hold(self, moved: bool) {
        let (span, scroll) = (self.drawn(), self.room.get_untracked().scroll);
        let works = self.works();
        let mut hands = works.hands.borrow_mut();
        let (x, y, apart) = middle(&hands.fingers);
        let (held, moved) = (!hands.fingers.is_empty(), moved || hands.fingers.len() > 1);
        hands.grab = held.then_some(Grab { x, y, apart, span, scroll, moved });
    }

    /// Drags, or points.
    pub fn pointer_move(self, event: &PointerEvent) {
        let (id, x, y) = place(event);
        let works = self.works();
        let Some(grab) = works.hands.borrow().grab else {
            return self.point(Some((x, y)));
        };
        let mut hands = works.hands.borrow_mut();
        hands.fingers.iter_mut().filter(|finger| finger.0 == id).for_each(|finger| *finger = (id, x, y));
        let now = middle(&hands.fingers);
        if !grab.moved && distance(now.0 - grab.x, now.1 - grab.y) < STILL {
            return;
        }
        hands.grab = Some(Grab { moved: true, ..grab });
        drop(hands);
        self.point(None);
        let frame = Frame { span: grab.span, ..self.frame() };
        self.change(true, dragged(&frame, (grab.x, grab.apart), (now.0, now.2)));
        // A finger that moves up or down scrolls by itself.
        if let Some(parts) = self.parts().filter(|_| event.pointer_type() != "touch") {
            parts.scroller.set_scroll_top((grab.scroll + grab.y - now.1) as i32);
        }
    }

    /// Lets go; a pointer that was not dragged selects.
    pub fn pointer_up(self, event: &PointerEvent) {
        let (id, x, y) = place(event);
        let pressed = self.works().hands.borrow().grab.is_some_and(|grab| !grab.moved);
        self.pointer_gone(id);
        if pressed {
            self.press(x, y);
        }
    }

    /// Forgets a pointer.
    pub fn pointer_gone(self, id: i32) {
        self.works().hands.borrow_mut().fingers.retain(|finger| finger.0 != id);
        self.take_hold(true);
    }

    /// Points at something, or at nothing.
    pub fn point(self, at: Option<(f64, f64)>) {
        self.pointer.set(at.map(|(x, y)| (x, y, self.hit(x, y))));
    }

    fn hit(self, x: f64, y: f64) -> Option<Hit> {
        hit::at(&*self.view()?, &self.frame(), x, y)
    }

    fn press(self, x: f64, y: f64) {
        let entry = match (self.view(), self.hit(x, y)) {
            (Some(view), Some(Hit::Cell(place))) => view.cells.get(place).map(|cell| cell.first),
            (Some(view), Some(Hit::Arrow(place))) => view.arrows.get(place).map(|arrow| arrow.entry),
            _ => None,
        };
        if let Some(entry) = entry {
            self.select(entry);
        } else if let Some((position, _)) = self.selected().filter(|_| self.is_at_pointer(x, y)) {
            self.centre(position as f64);
        }
    }

    /// Says whether the sign that points to a selected message outside of the window is somewhere.
    fn is_at_pointer(self, x: f64, y: f64) -> bool {
        let frame = self.frame();
        self.selected().is_some_and(|(position, lane)| {
            let at = frame.x(position as f64);
            let near = (at < 0.0 && x < 16.0) || (at > frame.width && x > frame.width - 16.0);
            near && (frame.middle(lane) - y).abs() < 12.0
        })
    }

    /// Zooms in on what is there; on a block, until its messages can be told apart.
    pub fn double(self, x: f64, y: f64) {
        let span = match (self.view(), self.hit(x, y)) {
            (Some(view), Some(Hit::Cell(place))) if view.cells.get(place).is_some_and(|cell| cell.count > 1) => {
                let column = column_length(&view);
                let start = view.start as f64 + f64::from(view.cells[place].column) * column;
                Span { start: start - column, end: start + column * 2.0 }
            }
            _ => self.target().zoomed(self.frame().position(x), 0.3),
        };
        self.change(false, span);
    }

    /// Turns the wheel: zooms, or moves when it is turned sideways or with Shift.
    pub fn wheel(self, event: &WheelEvent) {
        event.prevent_default();
        let unit = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 18.0 } else { 1.0 };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        let frame = self.frame();
        let sideways = if event.shift_key() && dx == 0.0 { dy } else { dx };
        if event.shift_key() || dx.abs() > dy.abs() {
            self.change(true, frame.span.panned(sideways / frame.width.max(1.0) * frame.span.width()));
        } else {
            // Fingers on a pad are told as a wheel that is turned a little with Ctrl.
            let speed = if event.ctrl_key() { 0.01 } else { 0.002 };
            let at = frame.position(f64::from(event.offset_x()));
            self.change(true, frame.span.zoomed(at, (dy * speed).clamp(-1.0, 1.0).exp()));
        }
        self.point(None);
    }

    /// Presses a key; says whether it was one of the timeline's.
    fn key_down(self, event: &KeyboardEvent) -> bool {
        let (zoom, stride) = match event.key().as_str() {
            "w" => (-1.0, 0.0),
            "s" => (1.0, 0.0),
            "a" => (0.0, -1.0),
            "d" => (0.0, 1.0),
            "ArrowLeft" if self.has_focus() => (0.0, -1.0),
            "ArrowRight" if self.has_focus() => (0.0, 1.0),
            "ArrowUp" if self.has_focus() && !self.scrolls() => (-1.0, 0.0),
            "ArrowDown" if self.has_focus() && !self.scrolls() => (1.0, 0.0),
            "+" | "=" => return self.step(event, STEP),
            "-" => return self.step(event, 1.0 / STEP),
            "0" | "f" => {
                self.show_all();
                return true;
            }
            _ => return false,
        };
        if !event.repeat() && zoom == 0.0 {
            self.pan(stride * STRIDE);
        } else if !event.repeat() {
            self.zoom(if zoom < 0.0 { STEP } else { 1.0 / STEP });
        }
        let works = self.works();
        let mut hands = works.hands.borrow_mut();
        (hands.zooms, hands.moves) = if zoom == 0.0 { (hands.zooms, stride) } else { (zoom, hands.moves) };
        true
    }

    fn step(self, event: &KeyboardEvent, factor: f64) -> bool {
        self.zoom(if event.repeat() { factor.sqrt() } else { factor });
        true
    }

    /// Says whether keys that scroll are meant for the drawing: it has the focus, or nothing has.
    fn has_focus(self) -> bool {
        let Some(active) = document().active_element() else { return true };
        let scroller: Option<Element> = self.parts().map(|parts| parts.scroller.into());
        active.tag_name() == "BODY" && scroller.is_some() || Some(active) == scroller
    }

    /// Says whether there are more lanes than can be seen.
    fn scrolls(self) -> bool {
        self.parts().is_some_and(|parts| parts.scroller.scroll_height() > parts.scroller.client_height() + 1)
    }

    /// Lets all keys go.
    fn keys_up(self) {
        let works = self.works();
        let mut hands = works.hands.borrow_mut();
        (hands.zooms, hands.moves) = (0.0, 0.0);
    }

    /// Moves on by the keys that are held, for so many milliseconds; says whether any are.
    pub(super) fn move_by_keys(self, since: f64) -> bool {
        let works = self.works();
        let Hands { zooms, moves, .. } = *works.hands.borrow();
        if zooms == 0.0 && moves == 0.0 {
            return false;
        }
        let factor = (zooms * since / 450.0).exp();
        let span = self.target();
        self.change(false, span.zoomed(span.middle(), factor).panned(span.width() * moves * since / 900.0));
        true
    }

    /// Hears keys wherever the focus is, for as long as the timeline is shown.
    pub fn listen(self) {
        let window = window();
        hear(&window, "keydown", move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            let free = self.store.dialog.with_untracked(Option::is_none) && !is_written_in(event);
            let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
            if free && plain && !event.default_prevented() && self.key_down(event) {
                event.prevent_default();
            }
        });
        for event in ["keyup", "blur"] {
            hear(&window, event, move |_| self.keys_up());
        }
    }
}

fn place(event: &PointerEvent) -> (i32, f64, f64) {
    (event.pointer_id(), f64::from(event.offset_x()), f64::from(event.offset_y()))
}

/// Says whether a key is typed into something.
fn is_written_in(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        matches!(target.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT") || target.has_attribute("contenteditable")
    })
}

/// Gives the place of an event of the mouse.
pub fn at(event: &MouseEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}
