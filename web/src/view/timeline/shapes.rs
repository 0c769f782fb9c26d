//! Draws marks and blocks. Calls into the browser cost most here, so what has one colour is drawn as one path.

use std::f64::consts::TAU;

use web_sys::CanvasRenderingContext2d as Canvas;

use super::marks::{self, ERROR, Item, Look, RADIUS, Tone};
use super::paint::Scene;
use super::palette::Palette;

/// What does not match the query is this faint.
const FAINT: f64 = 0.25;

/// Draws all cells that are to be seen.
pub(super) fn cells(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let items = marks::items(scene.view, &scene.frame);
    let tone = |item: &Item| {
        let cell = &scene.view.cells[item.cell];
        let lane = scene.tone(cell.lane);
        if item.look == Look::Mark { marks::tone(cell, lane) } else { lane }
    };
    let mut all: Vec<(bool, Tone, Item)> =
        items.iter().map(|item| (scene.is_faint(item.cell), tone(item), *item)).collect();
    all.sort_unstable_by_key(|(faint, tone, _)| (!faint, *tone));
    found(canvas, palette, scene, &items);
    let mut blocks = Blocks::new(scene);
    for group in all.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        canvas.set_global_alpha(if group[0].0 { FAINT } else { 1.0 });
        let colour = palette.of(group[0].1);
        canvas.set_fill_style_str(colour);
        canvas.set_stroke_style_str(colour);
        let of = |look: Look| group.iter().map(|(.., item)| item).filter(move |item| item.look == look);
        blocks.draw(canvas, of(Look::Block));
        shapes(canvas, scene, &of(Look::Mark));
    }
    blocks.draw_cores(canvas, palette);
    canvas.set_global_alpha(1.0);
    counts(canvas, palette, scene, &items);
}

/// Draws what surrounds the things that the query finds.
fn found(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>, items: &[Item]) {
    if !scene.searching {
        return;
    }
    canvas.begin_path();
    let room = scene.room() + 6.0;
    for item in items.iter().filter(|item| scene.view.cells[item.cell].hits > 0) {
        let half = if item.look == Look::Mark { RADIUS + 3.0 } else { item.width / 2.0 + 1.0 };
        let y = scene.frame.middle(scene.view.cells[item.cell].lane);
        canvas.rect(item.middle() - half, y - room / 2.0, half * 2.0, room);
    }
    canvas.set_fill_style_str(&palette.mark);
    canvas.fill();
    // A line below all of them is to be seen even where columns are narrow, and with any colours.
    canvas.begin_path();
    for item in items.iter().filter(|item| scene.view.cells[item.cell].hits > 0) {
        let half = if item.look == Look::Mark { RADIUS + 3.0 } else { item.width / 2.0 };
        let y = scene.frame.middle(scene.view.cells[item.cell].lane);
        canvas.rect(item.middle() - half, y + room / 2.0, half * 2.0, 2.0);
    }
    canvas.set_fill_style_str(&palette.accent);
    canvas.fill();
}

/// Blocks, and the cores of those in which something matters.
struct Blocks<'s, 'a> {
    scene: &'s Scene<'a>,
    full: u32,
    cores: Vec<(Tone, bool, [f64; 4])>,
}

impl<'s, 'a> Blocks<'s, 'a> {
    fn new(scene: &'s Scene<'a>) -> Self {
        Self { scene, full: marks::full_height(scene.view), cores: Vec::new() }
    }

    fn draw<'i>(&mut self, canvas: &Canvas, items: impl Iterator<Item = &'i Item>) {
        canvas.begin_path();
        for item in items {
            let cell = &self.scene.view.cells[item.cell];
            let height = marks::block_height(cell.count, self.full, self.scene.room());
            let y = self.scene.frame.middle(cell.lane);
            // A hair between columns lets them be told apart where they are wide enough for it.
            let width = if item.width > 3.0 { item.width - 0.5 } else { item.width };
            canvas.rect(item.x, y - height / 2.0, width, height);
            let tone = marks::tone(cell, Tone::Quiet);
            if matches!(tone, Tone::Bad | Tone::Warn) {
                let bad = if cell.classes[ERROR] > 0 { cell.classes[ERROR] } else { cell.classes[2] };
                let part = f64::from(bad.max(1)) / f64::from(cell.count.max(1));
                let core = (height * part).clamp(3.0, height);
                self.cores.push((tone, self.scene.is_faint(item.cell), [item.x, y - core / 2.0, width, core]));
            }
        }
        canvas.fill();
    }

    fn draw_cores(&mut self, canvas: &Canvas, palette: &Palette) {
        self.cores.sort_unstable_by_key(|(tone, faint, _)| (*faint, *tone));
        for group in self.cores.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let rects = || group.iter().map(|(.., rect)| rect);
            canvas.set_global_alpha(if group[0].1 { FAINT } else { 1.0 });
            // A hem of paper keeps the core apart from a lane that has nearly its colour.
            canvas.set_fill_style_str(&palette.paper);
            canvas.begin_path();
            rects().for_each(|[x, y, width, height]| canvas.rect(*x, y - 1.0, *width, height + 2.0));
            canvas.fill();
            canvas.set_fill_style_str(palette.of(group[0].0));
            canvas.begin_path();
            rects().for_each(|[x, y, width, height]| canvas.rect(*x, *y, *width, *height));
            canvas.fill();
        }
    }
}

/// Draws marks of one colour.
fn shapes<'i>(canvas: &Canvas, scene: &Scene<'_>, items: &(impl Iterator<Item = &'i Item> + Clone)) {
    let each = |wanted: bool| {
        for item in items.clone() {
            let cell = &scene.view.cells[item.cell];
            let (class, y) = (marks::class(cell), scene.frame.middle(cell.lane));
            if is_line(class) == wanted {
                shape(canvas, class, item.middle(), y, RADIUS * size(cell.severity));
            }
        }
    };
    canvas.begin_path();
    each(false);
    canvas.fill();
    canvas.begin_path();
    each(true);
    canvas.set_line_width(2.2);
    canvas.stroke();
    canvas.begin_path();
    for item in items.clone() {
        let cell = &scene.view.cells[item.cell];
        if cell.severity == 3 {
            circle(canvas, item.middle(), scene.frame.middle(cell.lane), RADIUS + 3.5);
        }
    }
    canvas.set_line_width(1.2);
    canvas.stroke();
}

fn size(severity: u8) -> f64 {
    if severity >= 2 { 1.15 } else { 1.0 }
}

/// Says whether the shape of a class is made of lines, and not of an area.
pub(super) fn is_line(class: usize) -> bool {
    class == ERROR || class == 5
}

/// Adds the shape of a class to the path.
pub(super) fn shape(canvas: &Canvas, class: usize, x: f64, y: f64, radius: f64) {
    let line = |points: &[(f64, f64)]| {
        for (place, (dx, dy)) in points.iter().enumerate() {
            let (x, y) = (x + dx * radius, y + dy * radius);
            if place == 0 { canvas.move_to(x, y) } else { canvas.line_to(x, y) }
        }
    };
    match class {
        0 => circle(canvas, x, y, radius),
        1 => canvas.rect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6),
        2 => line(&[(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9)]),
        ERROR => {
            line(&[(-0.85, -0.85), (0.85, 0.85)]);
            line(&[(0.85, -0.85), (-0.85, 0.85)]);
        }
        4 => line(&[(0.0, -1.2), (1.1, 0.0), (0.0, 1.2), (-1.1, 0.0)]),
        5 => line(&[(-1.0, 0.05), (-0.3, 0.8), (1.1, -0.85)]),
        _ => circle(canvas, x, y, radius * 0.5),
    }
}

/// Adds a circle to the path.
pub(super) fn circle(canvas: &Canvas, x: f64, y: f64, radius: f64) {
    canvas.move_to(x + radius, y);
    // It fails only for a negative radius.
    let _ = canvas.arc(x, y, radius, 0.0, TAU);
}

/// Writes how many messages a mark stands for, where it is more than one.
fn counts(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>, items: &[Item]) {
    canvas.set_fill_style_str(&palette.quiet);
    canvas.set_text_align("left");
    for item in items.iter().filter(|item| item.look == Look::Mark) {
        let cell = &scene.view.cells[item.cell];
        if cell.count > 1 {
            let y = scene.frame.middle(cell.lane) - 5.0;
            let _ = canvas.fill_text(&cell.count.to_string(), item.middle() + RADIUS + 2.0, y);
        }
    }
}
