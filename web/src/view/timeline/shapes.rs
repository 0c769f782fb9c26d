//! Draws marks and blocks. Calls into the browser cost most here, so what has one colour is drawn as one path.

use std::f64::consts::TAU;

use web_sys::CanvasRenderingContext2d as Canvas;

use super::paint::Scene;
use super::palette::Palette;
use huddle_web_model::timeline::marks::{self, ERROR, Groups, Item, Look, RADIUS, Tone};

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
    let mut groups = Groups::default();
    for item in &items {
        groups.add((!scene.is_faint(item.cell), tone(item)), *item);
    }
    found(canvas, palette, scene, &items);
    let mut blocks = Blocks::new(scene);
    for ((clear, tone), items) in &groups.0 {
        canvas.set_global_alpha(if *clear { 1.0 } else { FAINT });
        let colour = palette.of(*tone);
        canvas.set_fill_style_str(colour);
        canvas.set_stroke_style_str(colour);
        blocks.draw(canvas, items);
        shapes(canvas, scene, items);
    }
    blocks.draw_strips(canvas, palette);
    canvas.set_global_alpha(1.0);
    counts(canvas, palette, scene, &items);
}

/// Draws what surrounds the things that the query finds: a ground behind them and a line above them, which is to be seen
/// even where columns are narrow, and with any colours.
fn found(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>, items: &[Item]) {
    if !scene.searching {
        return;
    }
    for line in [false, true] {
        canvas.set_fill_style_str(if line { &palette.accent } else { &palette.mark });
        for item in items.iter().filter(|item| scene.view.cells[item.cell].hits > 0) {
            let (wider, half) = match item.look {
                Look::Mark => (RADIUS + 4.0 - item.width / 2.0, RADIUS + 5.0),
                Look::Block => (0.0, scene.room() / 2.0),
            };
            let y = (scene.frame.middle(scene.view.cells[item.cell].lane) - half).round();
            let (y, height) = if line { (y - 2.0, 2.0) } else { (y, half * 2.0) };
            column(canvas, item.x - wider, item.width + wider * 2.0, y, height);
        }
    }
}

/// Blocks of one scale. What matters in them is told by a strip below: a high one where something is bad, a low one where
/// something is to be looked at.
struct Blocks<'s, 'a> {
    scene: &'s Scene<'a>,
    full: u32,
    strips: Groups<Item>,
}

impl<'s, 'a> Blocks<'s, 'a> {
    fn new(scene: &'s Scene<'a>) -> Self {
        Self { scene, full: marks::full_height(scene.view), strips: Groups::default() }
    }

    fn draw(&mut self, canvas: &Canvas, items: &[Item]) {
        for item in items.iter().filter(|item| item.look == Look::Block) {
            let cell = &self.scene.view.cells[item.cell];
            let height = marks::block_height(cell.count, self.full, self.scene.room()).round();
            let y = (self.scene.frame.middle(cell.lane) - height / 2.0).round();
            column(canvas, item.x, item.width, y, height);
            let tone = marks::tone(cell, Tone::Quiet);
            if matches!(tone, Tone::Bad | Tone::Warn) {
                self.strips.add((self.scene.is_faint(item.cell), tone), *item);
            }
        }
    }

    fn draw_strips(&self, canvas: &Canvas, palette: &Palette) {
        for ((faint, tone), items) in &self.strips.0 {
            canvas.set_global_alpha(if *faint { FAINT } else { 1.0 });
            canvas.set_fill_style_str(palette.of(*tone));
            let height = if *tone == Tone::Bad { 4.0 } else { 2.0 };
            for item in items {
                let lane = self.scene.view.cells[item.cell].lane;
                let y = (self.scene.frame.top(lane) + self.scene.frame.lane - 2.0).round() - height;
                column(canvas, item.x, item.width, y, height);
            }
        }
    }
}

/// Fills a column between whole pixels: it is sharp, next to its neighbour, and much quicker to draw than between them.
fn column(canvas: &Canvas, x: f64, width: f64, y: f64, height: f64) {
    let from = x.round();
    canvas.fill_rect(from, y, ((x + width).round() - from).max(1.0), height);
}

/// Draws marks of one colour.
fn shapes(canvas: &Canvas, scene: &Scene<'_>, items: &[Item]) {
    let marks = || items.iter().filter(|item| item.look == Look::Mark);
    let each = |wanted: bool| {
        for item in marks() {
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
    for item in marks() {
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
