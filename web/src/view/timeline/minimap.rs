//! The minimap: the whole line, with the window as a frame that can be moved and resized.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d as Canvas, PointerEvent};

use super::chart::Chart;
use super::paint::Scene;
use super::palette::Palette;
use crate::dom::{El, el};
use huddle_web_model::timeline::minimap::{Grip, edges, grip, moved};
use huddle_web_model::timeline::scale::Span;

/// Draws the minimap.
pub(super) fn minimap(chart: Chart) -> El {
    let held: Rc<Cell<Option<(Grip, f64)>>> = Rc::default();
    let (down, drag, up, gone) = (held.clone(), held.clone(), held.clone(), held);
    el("canvas")
        .class("tl-map")
        .attr("aria-hidden", "true")
        .on("pointerdown", move |event| down.set(Some(take(chart, event.unchecked_ref()))))
        .on("pointermove", move |event| {
            if let Some((grip, from)) = drag.get() {
                let at = position(chart, event.unchecked_ref());
                drag.set(Some((grip, at)));
                chart.change(true, moved(chart.target(), grip, at, at - from));
            }
        })
        .on("pointerup", move |_| up.set(None))
        .on("pointercancel", move |_| gone.set(None))
}

/// Gives the position that the pointer is at.
fn position(chart: Chart, event: &PointerEvent) -> f64 {
    let all = Span::all(chart.length());
    all.start + f64::from(event.offset_x()) / width(chart) * all.width()
}

fn width(chart: Chart) -> f64 {
    chart.room.get_untracked().map.0.max(1.0)
}

/// Takes hold of the frame, which comes to the pointer where that is not on it.
fn take(chart: Chart, event: &PointerEvent) -> (Grip, f64) {
    let (at, target) = (position(chart, event), chart.target());
    let grip = grip(f64::from(event.offset_x()), edges(target, Span::all(chart.length()), width(chart)));
    if !target.has(at) && grip == Grip::Whole {
        chart.change(true, target.around(at));
    }
    if let Some(parts) = chart.parts() {
        // Without it, the pointer has to stay over the minimap: no harm.
        let _ = parts.map.set_pointer_capture(event.pointer_id());
    }
    (grip, at)
}

/// Draws the counts and the frame.
pub(super) fn paint(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>, whole: &[u32], (width, height): (f64, f64)) {
    let view = scene.view;
    let all = Span::all(view.length);
    let x = |position: f64| (position - all.start) / all.width() * width;
    canvas.clear_rect(0.0, 0.0, width, height);
    let most = f64::from(whole.iter().copied().max().unwrap_or(1).max(1));
    let (first, part) = (x(0.0), (x(view.length as f64) - x(0.0)) / whole.len().max(1) as f64);
    let base = height - 3.0;
    canvas.begin_path();
    for (place, count) in whole.iter().enumerate().filter(|(_, count)| **count > 0) {
        let high = (f64::from(*count) / most).sqrt() * (base - 5.0);
        canvas.rect(first + place as f64 * part, base - high.max(2.0), part.max(1.0), high.max(2.0));
    }
    canvas.set_fill_style_str(&palette.quiet);
    canvas.set_global_alpha(0.55);
    canvas.fill();
    canvas.set_global_alpha(1.0);
    if let Some((position, _)) = scene.selected {
        canvas.set_fill_style_str(&palette.accent);
        canvas.fill_rect(x(position as f64) - 1.0, 0.0, 2.0, height);
    }
    let (from, to) = edges(scene.frame.span, all, width);
    let to = to.max(from + 2.0);
    canvas.set_fill_style_str(&palette.paper);
    canvas.set_global_alpha(0.7);
    canvas.fill_rect(0.0, 0.0, from, height);
    canvas.fill_rect(to, 0.0, width - to, height);
    canvas.set_global_alpha(1.0);
    canvas.set_stroke_style_str(&palette.accent);
    canvas.set_line_width(1.5);
    canvas.stroke_rect(from.max(0.75), 0.75, (to.min(width) - from.max(0.75)).max(2.0) - 0.75, height - 1.5);
    canvas.set_fill_style_str(&palette.accent);
    for edge in [from.max(0.0), to.min(width) - 4.0] {
        canvas.fill_rect(edge, height / 2.0 - 8.0, 4.0, 16.0);
    }
}
