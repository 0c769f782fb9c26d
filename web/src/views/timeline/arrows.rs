//! Draws the messages from lane to lane. The arrow of an unread message is dashed, and ends in a ring before the lane.

use web_sys::CanvasRenderingContext2d as Canvas;

use super::paint::{Scene, dashes};
use super::palette::Palette;
use super::shapes::circle;
use crate::protocol::timeline::Arrow;
use huddle_web_model::timeline::marks::{Curve, Groups};

/// The dashes of unread messages, in pixels.
const UNREAD: [f64; 2] = [4.0, 3.0];

/// How large the ring is that an unread message ends in.
const RING: f64 = 2.5;

/// Draws the arrows of all messages, those of one lane in its color.
pub(super) fn arrows(canvas: &Canvas, palette: &Palette, scene: &Scene<'_>) {
    let mut seen = Groups::default();
    for arrow in &scene.view.arrows {
        let curve = Curve::of(arrow, &scene.frame);
        if curve.is_in(&scene.frame) {
            seen.add((arrow.unread, scene.color(arrow.from)), curve);
        }
    }
    let few = seen.0.iter().map(|(_, curves)| curves.len()).sum::<usize>() < 60;
    canvas.set_global_alpha(match (scene.searching, few) {
        (true, _) => 0.2,
        (_, true) => 0.6,
        (_, false) => 0.4,
    });
    for ((unread, color), curves) in &seen.0 {
        stroke(canvas, palette.of(*color), 1.2, curves, *unread);
    }
    canvas.set_global_alpha(1.0);
}

/// Draws some of the arrows in one color.
pub(super) fn stroke_own(canvas: &Canvas, color: &str, width: f64, scene: &Scene<'_>, own: &dyn Fn(&Arrow) -> bool) {
    for unread in [false, true] {
        let arrows = scene.view.arrows.iter().filter(|arrow| arrow.unread == unread && own(arrow));
        let curves: Vec<Curve> = arrows.map(|arrow| Curve::of(arrow, &scene.frame)).collect();
        stroke(canvas, color, width, &curves, unread);
    }
}

/// Draws curves of one color, with their heads.
fn stroke(canvas: &Canvas, color: &str, width: f64, curves: &[Curve], unread: bool) {
    if curves.is_empty() {
        return;
    }
    canvas.set_stroke_style_str(color);
    canvas.set_fill_style_str(color);
    canvas.set_line_width(width);
    dashes(canvas, if unread { &UNREAD } else { &[] });
    canvas.begin_path();
    for curve in curves {
        let [from, first, second, to] = curve.points;
        canvas.move_to(from.0, from.1);
        canvas.bezier_curve_to(first.0, first.1, second.0, second.1, to.0, to.1);
    }
    canvas.stroke();
    dashes(canvas, &[]);
    canvas.begin_path();
    if unread {
        for curve in curves {
            let ((x, y), (dx, dy)) = (curve.points[3], curve.direction());
            circle(canvas, x + dx * RING, y + dy * RING, RING);
        }
        canvas.stroke();
        return;
    }
    let (length, half) = (5.0 + width, 2.0 + width);
    for curve in curves {
        let ((x, y), (dx, dy)) = (curve.points[3], curve.direction());
        canvas.move_to(x + dx * 2.0, y + dy * 2.0);
        canvas.line_to(x - dx * length - dy * half, y - dy * length + dx * half);
        canvas.line_to(x - dx * length + dy * half, y - dy * length - dx * half);
    }
    canvas.fill();
}
