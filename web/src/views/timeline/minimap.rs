//! The minimap: the whole line, with the window as a frame that can be moved and resized. While all is shown, a drag makes a
//! new frame.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use web_sys::{CanvasRenderingContext2d as Canvas, PointerEvent};

use super::controller::TimelineController;
use super::paint::Scene;
use super::palette::Palette;
use huddle_web_model::timeline::minimap::{Grip, edges, grip, moved};
use huddle_web_model::timeline::scale::Span;

/// Shows the minimap.
#[component]
pub(super) fn Minimap(timeline: TimelineController) -> impl IntoView {
    // What the pointer holds, and where it was last.
    let held: Rc<Cell<Option<(Grip, f64)>>> = Rc::default();
    let (down, drag, up, gone) = (held.clone(), held.clone(), held.clone(), held);
    let pull = move |event: PointerEvent| {
        if let Some((grip, from)) = drag.get() {
            let at = position(timeline, &event);
            drag.set(Some((grip, at)));
            timeline.change(true, moved(timeline.target(), grip, at, at - from));
        }
    };
    view! {
        <canvas
            node_ref=timeline.map
            class="tl-map"
            aria-hidden="true"
            on:pointerdown=move |event| down.set(Some(take_hold(timeline, &event)))
            on:pointermove=pull
            on:pointerup=move |_| up.set(None)
            on:pointercancel=move |_| gone.set(None)
        ></canvas>
    }
}

/// Returns the position that the pointer is at.
fn position(timeline: TimelineController, event: &PointerEvent) -> f64 {
    let all = Span::all(timeline.length());
    all.start + f64::from(event.offset_x()) / width(timeline) * all.width()
}

fn width(timeline: TimelineController) -> f64 {
    timeline.layout.get_untracked().map.0.max(1.0)
}

/// Takes hold of the frame, which comes to the pointer where that is not on it.
fn take_hold(timeline: TimelineController, event: &PointerEvent) -> (Grip, f64) {
    let (at, target) = (position(timeline, event), timeline.target());
    let frame = edges(target, Span::all(timeline.length()), width(timeline));
    let mut grip = grip(f64::from(event.offset_x()), frame);
    if grip == Grip::Whole && timeline.span.get_untracked().is_none() {
        grip = Grip::New(at);
    } else if grip == Grip::Whole && !target.has(at) {
        timeline.change(true, target.around(at));
    }
    if let Some(elements) = timeline.elements() {
        // Without it, the pointer has to stay over the minimap: no harm.
        let _ = elements.map.set_pointer_capture(event.pointer_id());
    }
    (grip, at)
}

/// Draws the counts, those of hits over them, and the frame.
pub(super) fn paint(
    canvas: &Canvas,
    palette: &Palette,
    scene: &Scene<'_>,
    (whole, hits): (&[u32], &[u32]),
    (width, height): (f64, f64),
) {
    let view = scene.view;
    let all = Span::all(view.length);
    let x = |position: f64| (position - all.start) / all.width() * width;
    canvas.clear_rect(0.0, 0.0, width, height);
    let most = f64::from(whole.iter().copied().max().unwrap_or(1).max(1));
    let (first, part) = (x(0.0), (x(view.length as f64) - x(0.0)) / whole.len().max(1) as f64);
    let base = height - 3.0;
    for (counts, color, alpha) in [(whole, &palette.quiet, 0.55), (hits, &palette.accent, 1.0)] {
        canvas.begin_path();
        for (place, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let high = (f64::from(*count) / most).sqrt() * (base - 5.0);
            canvas.rect(first + place as f64 * part, base - high.max(2.0), part.max(1.0), high.max(2.0));
        }
        canvas.set_fill_style_str(color);
        canvas.set_global_alpha(alpha);
        canvas.fill();
    }
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
