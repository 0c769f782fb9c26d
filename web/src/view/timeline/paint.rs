//! Draws the timeline: what is behind the marks, the marks, what is pointed at, and the axis, in this order.

use web_sys::CanvasRenderingContext2d as Canvas;

use super::palette::Palette;
use super::shapes;
use crate::format;
use crate::protocol::TimelineView;
use crate::protocol::timeline::{Arrow, Work};
use huddle_web_model::timeline::hit::Hit;
use huddle_web_model::timeline::marks::{self, Curve, Groups, RADIUS, Tone};
use huddle_web_model::timeline::scale::{Frame, idle, tick_labels, time_at};

/// Characters of labels are about this wide, in pixels. Asking the browser for each would cost more than it gives.
const CHARACTER: f64 = 6.2;

/// A break is hatched from this width on, in pixels.
const HATCHED: f64 = 8.0;

/// So many narrow breaks are labelled; more would leave no room for the time.
const FEW: usize = 2;

/// All that is drawn.
pub struct Scene<'a> {
    /// What the worker told last; it may be of another window than the one that is drawn.
    pub view: &'a TimelineView,
    /// Where it is drawn.
    pub frame: Frame,
    /// The tones of the lanes.
    pub tones: &'a [Tone],
    /// Whether what a query does not find stands back.
    pub searching: bool,
    /// The position and the lane of the selected message.
    pub selected: Option<(i64, u32)>,
    /// What is pointed at.
    pub pointed: Option<Hit>,
    /// Where the pointer is.
    pub pointer: Option<f64>,
}

impl Scene<'_> {
    /// Gives the tone of a lane.
    pub fn tone(&self, lane: u32) -> Tone {
        self.tones.get(lane as usize).copied().unwrap_or(Tone::Quiet)
    }

    /// Gives how high something on a lane can be.
    pub fn room(&self) -> f64 {
        self.frame.lane - self.frame.inset - 16.0
    }

    /// Gives where the last lane ends that is to be seen.
    fn bottom(&self) -> f64 {
        self.frame.top(self.frame.lanes(self.view.lanes.len()).end).min(self.frame.height)
    }

    /// Says whether a cell stands back.
    pub fn is_faint(&self, cell: usize) -> bool {
        self.searching && self.view.cells.get(cell).is_some_and(|cell| cell.hits == 0)
    }
}

/// Draws all of it.
pub fn paint(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let frame = &scene.frame;
    canvas.set_fill_style_str(&palette.paper);
    canvas.fill_rect(0.0, 0.0, frame.width, frame.height);
    canvas.set_font(&palette.font);
    canvas.set_text_baseline("middle");
    lines(canvas, palette, scene);
    folds(canvas, palette, scene);
    works(canvas, palette, scene);
    arrows(canvas, palette, scene);
    shapes::cells(canvas, palette, scene);
    selected(canvas, palette, scene);
    pointed(canvas, palette, scene);
    axis(canvas, palette, scene);
}

/// Draws the lines between lanes, and those below ticks.
fn lines(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let (frame, view) = (&scene.frame, scene.view);
    let (lanes, bottom) = (frame.lanes(view.lanes.len()), scene.bottom());
    canvas.set_stroke_style_str(&palette.line);
    canvas.set_line_width(1.0);
    canvas.begin_path();
    for lane in lanes {
        let y = (frame.top(lane) + frame.lane).round() - 0.5;
        canvas.move_to(0.0, y);
        canvas.line_to(frame.width, y);
    }
    canvas.stroke();
    canvas.set_global_alpha(0.6);
    canvas.begin_path();
    for (position, _) in &view.ticks {
        let x = frame.x(*position as f64).round() + 0.5;
        canvas.move_to(x, frame.axis);
        canvas.line_to(x, bottom);
    }
    canvas.stroke();
    canvas.set_global_alpha(1.0);
}

/// Hatches the breaks. A break that is too narrow for that is a broken line.
fn folds(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let frame = &scene.frame;
    let bottom = scene.bottom();
    canvas.set_stroke_style_str(&palette.line);
    canvas.set_line_width(1.0);
    let mut last = f64::MIN;
    for fold in &scene.view.folds {
        let x = frame.x(fold.position as f64);
        let width = frame.pixels(fold.length as f64);
        if x + width < 0.0 || x > frame.width || x < last + 2.0 {
            continue;
        }
        last = x;
        if width < HATCHED {
            dashes(canvas, &[2.0, 4.0]);
            canvas.begin_path();
            canvas.move_to((x + width / 2.0).round() + 0.5, frame.axis);
            canvas.line_to((x + width / 2.0).round() + 0.5, bottom);
            canvas.stroke();
            dashes(canvas, &[]);
            continue;
        }
        canvas.save();
        canvas.begin_path();
        canvas.rect(x, frame.axis, width, bottom - frame.axis);
        canvas.clip();
        canvas.set_fill_style_str(&palette.paper);
        canvas.fill_rect(x, frame.axis, width, bottom - frame.axis);
        canvas.begin_path();
        let (from, to) = (x.max(0.0), (x + width).min(frame.width));
        let mut at = frame.axis - (to - from);
        while at < bottom {
            canvas.move_to(from, at + (to - from));
            canvas.line_to(to, at);
            at += 7.0;
        }
        canvas.stroke();
        canvas.restore();
    }
}

/// Draws times at work as bands, whose upper edge tells the state: broken while it goes on.
fn works(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let (frame, lanes) = (&scene.frame, scene.frame.lanes(scene.view.lanes.len()));
    let seen = scene.view.works.iter().filter(|work| lanes.contains(&work.lane));
    canvas.set_text_align("left");
    for work in seen {
        let (from, to) = (frame.x(work.start as f64), frame.x(work.end as f64).max(frame.x(work.start as f64) + 2.0));
        if to < 0.0 || from > frame.width {
            continue;
        }
        let (from, to) = (from.max(-2.0), to.min(frame.width + 2.0));
        let (top, height) = (frame.top(work.lane) + frame.inset + 4.0, frame.lane - frame.inset - 9.0);
        let colour = palette.of(work_tone(work, scene.tone(work.lane)));
        canvas.set_fill_style_str(colour);
        canvas.set_global_alpha(0.09);
        canvas.fill_rect(from, top, to - from, height);
        canvas.set_global_alpha(0.75);
        edge(canvas, colour, from, to, top, !is_over(&work.state));
        if frame.inset == 0.0 && to - from > 90.0 {
            canvas.set_global_alpha(1.0);
            canvas.set_fill_style_str(&palette.quiet);
            let _ = canvas.fill_text(&work.state.replace('_', " "), from.max(0.0) + 5.0, top + 8.0);
        }
    }
    canvas.set_global_alpha(1.0);
}

/// Draws the upper edge of a band.
fn edge(canvas: &Canvas, colour: &str, from: f64, to: f64, top: f64, broken: bool) {
    canvas.set_stroke_style_str(colour);
    canvas.set_line_width(2.0);
    dashes(canvas, if broken { &[5.0, 4.0] } else { &[] });
    canvas.begin_path();
    canvas.move_to(from, top);
    canvas.line_to(to, top);
    canvas.stroke();
    dashes(canvas, &[]);
}

fn dashes(canvas: &Canvas, lengths: &[f64]) {
    let list: js_sys::Array = lengths.iter().map(|length| wasm_bindgen::JsValue::from_f64(*length)).collect();
    // Lengths that are finite are always taken.
    let _ = canvas.set_line_dash(&list);
}

fn work_tone(work: &Work, lane: Tone) -> Tone {
    match work.state.as_str() {
        "failed" | "error" => Tone::Bad,
        "waiting" | "blocked" => Tone::Warn,
        _ => lane,
    }
}

fn is_over(state: &str) -> bool {
    matches!(state, "completed" | "complete" | "done" | "failed" | "error" | "cancelled")
}

/// Draws the messages from lane to lane, those of one lane in its colour.
fn arrows(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let mut seen = Groups::default();
    for arrow in &scene.view.arrows {
        let curve = Curve::of(arrow, &scene.frame);
        if curve.is_in(&scene.frame) {
            seen.add((false, scene.tone(arrow.from)), curve);
        }
    }
    let few = seen.0.iter().map(|(_, curves)| curves.len()).sum::<usize>() < 60;
    canvas.set_global_alpha(if scene.searching {
        0.2
    } else if few {
        0.6
    } else {
        0.4
    });
    for ((_, tone), curves) in &seen.0 {
        stroke(canvas, palette.of(*tone), 1.2, curves);
    }
    canvas.set_global_alpha(1.0);
}

/// Gives the curves of some arrows.
fn curves(scene: &Scene<'_>, own: &dyn Fn(&Arrow) -> bool) -> Vec<Curve> {
    let mut curves = Vec::new();
    for arrow in scene.view.arrows.iter().filter(|arrow| own(arrow)) {
        curves.push(Curve::of(arrow, &scene.frame));
    }
    curves
}

/// Draws curves of one colour, with their heads.
fn stroke(canvas: &Canvas, colour: &str, width: f64, curves: &[Curve]) {
    canvas.set_stroke_style_str(colour);
    canvas.set_fill_style_str(colour);
    canvas.set_line_width(width);
    canvas.begin_path();
    for curve in curves {
        let [from, first, second, to] = curve.points;
        canvas.move_to(from.0, from.1);
        canvas.bezier_curve_to(first.0, first.1, second.0, second.1, to.0, to.1);
    }
    canvas.stroke();
    canvas.begin_path();
    let (length, half) = (5.0 + width, 2.0 + width);
    for curve in curves {
        let ((x, y), (dx, dy)) = (curve.points[3], curve.direction());
        canvas.move_to(x + dx * 2.0, y + dy * 2.0);
        canvas.line_to(x - dx * length - dy * half, y - dy * length + dx * half);
        canvas.line_to(x - dx * length + dy * half, y - dy * length - dx * half);
    }
    canvas.fill();
}

/// Marks the selected message: a line at its time, its arrows, and a ring. What is not in the window is pointed to.
fn selected(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let Some((position, lane)) = scene.selected else { return };
    let frame = &scene.frame;
    let (x, y) = (frame.x(position as f64), frame.middle(lane));
    let own = |arrow: &Arrow| arrow.from == lane && arrow.position == position;
    stroke(canvas, &palette.accent, 2.2, &curves(scene, &own));
    canvas.set_line_width(1.0);
    upright(canvas, scene, x);
    canvas.begin_path();
    if x < 0.0 || x > frame.width {
        let (edge, out) = if x < 0.0 { (4.0, 1.0) } else { (frame.width - 4.0, -1.0) };
        canvas.move_to(edge, y);
        canvas.line_to(edge + 8.0 * out, y - 6.0);
        canvas.line_to(edge + 8.0 * out, y + 6.0);
        canvas.fill();
    } else {
        canvas.set_line_width(2.0);
        shapes::circle(canvas, x, y, RADIUS + 5.0);
        canvas.stroke();
    }
}

/// Marks what is pointed at.
fn pointed(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let (frame, view) = (&scene.frame, scene.view);
    match scene.pointed {
        Some(Hit::Cell(place)) if place < view.cells.len() => {
            let cell = &view.cells[place];
            let column = marks::column_length(view);
            let from = view.start as f64 + f64::from(cell.column) * column;
            let own =
                |arrow: &Arrow| arrow.from == cell.lane && (from..from + column).contains(&(arrow.position as f64));
            stroke(canvas, palette.of(scene.tone(cell.lane)), 2.0, &curves(scene, &own));
            canvas.set_stroke_style_str(&palette.ink);
            canvas.set_line_width(1.5);
            canvas.begin_path();
            shapes::circle(canvas, frame.x(from + column / 2.0), frame.middle(cell.lane), RADIUS + 3.0);
            canvas.stroke();
        }
        Some(Hit::Arrow(place)) if place < view.arrows.len() => {
            let arrow = &view.arrows[place];
            stroke(canvas, palette.of(scene.tone(arrow.from)), 2.4, &[Curve::of(arrow, frame)]);
        }
        _ => {}
    }
}

/// Draws the axis: idle times first, then as many ticks as there is room for, and the time at the pointer over both.
fn axis(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let (frame, view) = (&scene.frame, scene.view);
    canvas.set_fill_style_str(&palette.paper);
    canvas.fill_rect(0.0, 0.0, frame.width, frame.axis);
    canvas.set_stroke_style_str(&palette.line);
    canvas.set_line_width(1.0);
    canvas.begin_path();
    canvas.move_to(0.0, frame.axis - 0.5);
    canvas.line_to(frame.width, frame.axis - 0.5);
    canvas.stroke();
    canvas.set_text_align("center");
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let few = view.folds.len() <= FEW;
    for fold in view.folds.iter().filter(|fold| few || frame.pixels(fold.length as f64) >= HATCHED) {
        let x = frame.x(fold.position as f64 + fold.length as f64 / 2.0);
        let text = format!("{} idle", idle(fold.to.saturating_sub(fold.from)));
        label(canvas, &palette.ink, scene, &mut taken, x, &text);
    }
    // Where names stand beside the drawing, the day stands above them.
    let day = if frame.inset == 0.0 { format::day(time_at(view, frame.span.start)) } else { String::new() };
    let labels = tick_labels(&view.ticks, &day);
    for ((position, _), text) in view.ticks.iter().zip(&labels) {
        label(canvas, &palette.quiet, scene, &mut taken, frame.x(*position as f64), text);
    }
    if let Some(x) = scene.pointer {
        pointer(canvas, palette, scene, x);
    }
}

/// Writes a label unless another is in its way.
fn label(canvas: &Canvas, colour: &str, scene: &Scene<'_>, taken: &mut Vec<(f64, f64)>, x: f64, text: &str) {
    let half = text.chars().count() as f64 * CHARACTER / 2.0 + 5.0;
    if x < 0.0 || x > scene.frame.width {
        return;
    }
    let x = x.min(scene.frame.width - half).max(half);
    if taken.iter().any(|(from, to)| x - half < *to && x + half > *from) {
        return;
    }
    taken.push((x - half, x + half));
    canvas.set_fill_style_str(colour);
    let _ = canvas.fill_text(text, x, scene.frame.axis / 2.0);
}

/// Draws a faint line through all lanes.
fn upright(canvas: &Canvas, scene: &Scene<'_>, x: f64) {
    let x = x.round() + 0.5;
    canvas.set_global_alpha(0.5);
    canvas.begin_path();
    canvas.move_to(x, scene.frame.axis);
    canvas.line_to(x, scene.bottom());
    canvas.stroke();
    canvas.set_global_alpha(1.0);
}

/// Draws a line at the pointer, and its time in the axis.
fn pointer(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>, x: f64) {
    let frame = &scene.frame;
    canvas.set_stroke_style_str(&palette.quiet);
    upright(canvas, scene, x);
    let text = huddle_web_model::timeline::scale::exact(time_at(scene.view, frame.position(x)), frame.span.width());
    let half = text.chars().count() as f64 * CHARACTER / 2.0 + 6.0;
    let x = x.min(frame.width - half).max(half);
    canvas.set_fill_style_str(&palette.ink);
    canvas.fill_rect(x - half, 3.0, half * 2.0, frame.axis - 7.0);
    canvas.set_fill_style_str(&palette.paper);
    let _ = canvas.fill_text(&text, x, frame.axis / 2.0);
}
