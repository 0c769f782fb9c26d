//! What is under the pointer.

use super::marks::{Curve, Item, Look, RADIUS, items};
use super::scale::{Frame, distance};
use crate::protocol::TimelineView;

/// How far off the pointer may be, in pixels.
const SLACK: f64 = 4.0;

/// A time at work is pointed at by its upper edge, which is so high: what is said of it is not in the way elsewhere.
const EDGE: f64 = 18.0;

/// How many pieces a curve is taken to be of.
const PIECES: u32 = 16;

/// A thing on the timeline: its place in the list of its kind in [`TimelineView`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A mark or a block.
    Cell(usize),
    /// An arrow.
    Arrow(usize),
    /// A break.
    Fold(usize),
    /// A time at work.
    Work(usize),
}

/// Finds what is at a place of the drawing: marks first, as they are drawn over all else.
pub fn at(view: &TimelineView, frame: &Frame, x: f64, y: f64) -> Option<Hit> {
    if y < frame.axis {
        return fold(view, frame, x);
    }
    cell(view, frame, x, y)
        .or_else(|| arrow(view, frame, x, y))
        .or_else(|| fold(view, frame, x))
        .or_else(|| work(view, frame, x, y))
}

fn cell(view: &TimelineView, frame: &Frame, x: f64, y: f64) -> Option<Hit> {
    let lane = frame.lane_at(y)?;
    let off = |item: &Item| match item.look {
        Look::Mark => distance(item.middle() - x, frame.middle(lane) - y) - RADIUS,
        Look::Block => (item.x - x).max(x - item.x - item.width).max(0.0),
    };
    let near = items(view, frame).into_iter().filter(|item| view.cells[item.cell].lane == lane);
    let (item, off) = near.map(|item| (item, off(&item))).min_by(|one, other| one.1.total_cmp(&other.1))?;
    let slack = if item.look == Look::Mark { SLACK } else { SLACK / 2.0 };
    (off <= slack).then_some(Hit::Cell(item.cell))
}

fn arrow(view: &TimelineView, frame: &Frame, x: f64, y: f64) -> Option<Hit> {
    let off = |curve: &Curve| {
        let points = (0..=PIECES).map(|piece| curve.at(f64::from(piece) / f64::from(PIECES)));
        let pieces = points.clone().zip(points.skip(1));
        pieces.map(|(from, to)| from_line((x, y), from, to)).fold(f64::MAX, f64::min)
    };
    let curves = view.arrows.iter().map(|arrow| Curve::of(arrow, frame)).enumerate();
    let seen = curves.filter(|(_, curve)| curve.is_in(frame)).map(|(place, curve)| (place, off(&curve)));
    let (place, off) = seen.min_by(|one, other| one.1.total_cmp(&other.1))?;
    (off <= SLACK).then_some(Hit::Arrow(place))
}

fn fold(view: &TimelineView, frame: &Frame, x: f64) -> Option<Hit> {
    let has = |start: i64, length: i64| {
        let from = frame.x(start as f64);
        from - SLACK <= x && x <= from + frame.pixels(length as f64) + SLACK
    };
    view.folds.iter().position(|fold| has(fold.position, fold.length)).map(Hit::Fold)
}

fn work(view: &TimelineView, frame: &Frame, x: f64, y: f64) -> Option<Hit> {
    let (lane, position) = (frame.lane_at(y)?, frame.position(x));
    if y - frame.top(lane) > frame.inset + EDGE {
        return None;
    }
    let has = |start: i64, end: i64| start as f64 <= position && position <= end as f64;
    view.works.iter().position(|work| work.lane == lane && has(work.start, work.end)).map(Hit::Work)
}

/// Gives how far a point is from a piece of a line.
fn from_line(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let along = ((point.0 - from.0) * dx + (point.1 - from.1) * dy) / (dx * dx + dy * dy).max(f64::EPSILON);
    let along = along.clamp(0.0, 1.0);
    distance(point.0 - from.0 - along * dx, point.1 - from.1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::super::scale::Span;
    use super::*;
    use crate::protocol::timeline::{Arrow, Cell, Fold, Work};

    fn frame() -> Frame {
        let span = Span { start: 0.0, end: 1000.0 };
        Frame { span, width: 1000.0, height: 170.0, axis: 20.0, lane: 50.0, ..Frame::default() }
    }

    fn view() -> TimelineView {
        let cell = |lane, column, count| Cell { lane, column, count, ..Cell::default() };
        TimelineView {
            start: 0,
            end: 1000,
            length: 1000,
            columns: 200,
            lanes: vec!["a".into(), "b".into(), "c".into()],
            cells: vec![cell(0, 20, 1), cell(1, 60, 500), cell(1, 61, 500)],
            works: vec![Work { lane: 2, start: 300, end: 600, state: "completed".into() }],
            folds: vec![Fold { position: 700, length: 50, from: 0, to: 1 }],
            arrows: vec![Arrow { entry: 9, position: 102, arrived: 302, from: 0, to: 2 }],
            ..TimelineView::default()
        }
    }

    #[track_caller]
    fn check(x: f64, y: f64, wanted: Option<Hit>) {
        assert_eq!(at(&view(), &frame(), x, y), wanted);
    }

    #[test]
    fn a_mark_is_hit_near_its_middle() {
        check(102.5, 45.0, Some(Hit::Cell(0)));
        check(109.0, 47.0, Some(Hit::Cell(0)));
        check(120.0, 45.0, None);
        check(102.5, 25.0, None);
    }

    #[test]
    fn a_block_is_hit_anywhere_in_its_lane() {
        check(301.0, 75.0, Some(Hit::Cell(1)));
        check(308.0, 115.0, Some(Hit::Cell(2)));
        check(330.0, 95.0, None);
    }

    #[test]
    fn arrows_folds_and_work_are_hit() {
        check(202.0, 96.0, Some(Hit::Arrow(0)));
        check(720.0, 60.0, Some(Hit::Fold(0)));
        check(720.0, 5.0, Some(Hit::Fold(0)));
        check(500.0, 125.0, Some(Hit::Work(0)));
        check(500.0, 150.0, None);
        check(500.0, 60.0, None);
        check(102.5, 5.0, None);
    }

    #[test]
    fn nothing_is_hit_where_there_is_nothing() {
        assert_eq!(at(&TimelineView::default(), &frame(), 5.0, 50.0), None);
    }
}
