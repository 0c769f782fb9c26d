//! What stands on the lanes: which cells are drawn as marks and which as blocks, in what shape and tone, and how arrows
//! bend. Only plans; [`super::paint`] draws them and [`super::hit`] finds them.

use super::scale::{Frame, distance};
use crate::protocol::TimelineView;
use crate::protocol::timeline::{Arrow, Cell};

/// How far a mark reaches from its middle, in pixels.
pub const RADIUS: f64 = 4.5;

/// Marks that are nearer to each other than this would hide each other.
const APART: f64 = 6.0;

/// A mark that stands for several has its count beside it, which needs this much room.
const ALONE: f64 = 24.0;

/// The names of classes, in the order of [`Cell::classes`].
pub const CLASSES: [&str; 7] = ["message", "status", "finding", "error", "data", "completed", "other"];

/// The same, when there are several.
pub const CLASSES_MANY: [&str; 7] =
    ["messages", "status updates", "findings", "errors", "data", "completions", "others"];

/// The number of the class of errors.
pub const ERROR: usize = 3;

/// Classes from the one that matters most to the one that matters least.
const BY_WEIGHT: [usize; 7] = [ERROR, 2, 5, 4, 0, 1, 6];

/// What a colour stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// An agent: the number of its colour.
    Agent(usize),
    /// Something bad.
    Bad,
    /// Something to look at.
    Warn,
    /// Something achieved.
    Good,
    /// Anything else.
    Quiet,
}

/// Things that are drawn in the same tone, and those before others that are told to be behind: in the order they are drawn.
/// There are few tones, so this is quicker than to sort, and much less code.
pub struct Groups<T>(pub Vec<((bool, Tone), Vec<T>)>);

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Groups<T> {
    /// Adds a thing.
    pub fn add(&mut self, key: (bool, Tone), thing: T) {
        let place = self.0.iter().position(|(other, _)| *other >= key).unwrap_or(self.0.len());
        match self.0.get_mut(place).filter(|(other, _)| *other == key) {
            Some((_, things)) => things.push(thing),
            None => self.0.insert(place, (key, vec![thing])),
        }
    }
}

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// As the shape of a class, with a count when it is more than one message.
    Mark,
    /// As a block, whose height tells the count.
    Block,
}

/// A cell that is to be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// The place of the cell among the cells.
    pub cell: usize,
    /// Where it begins, in pixels.
    pub x: f64,
    /// How wide it is, in pixels.
    pub width: f64,
    /// How it is drawn.
    pub look: Look,
}

impl Item {
    /// Gives where its middle is.
    pub fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }
}

/// Gives the class that a cell is drawn as: that of its messages which matters most.
pub fn class(cell: &Cell) -> usize {
    BY_WEIGHT.into_iter().find(|class| cell.classes[*class] > 0).unwrap_or(6)
}

/// Gives the tone of a cell on a lane of some tone.
pub fn tone(cell: &Cell, lane: Tone) -> Tone {
    match (cell.severity, class(cell)) {
        (3, _) | (_, ERROR) => Tone::Bad,
        (2, _) => Tone::Warn,
        (_, 5) if cell.count == 1 => Tone::Good,
        _ => lane,
    }
}

/// Gives how long a column is, in positions.
pub fn column_length(view: &TimelineView) -> f64 {
    (view.end as f64 - view.start as f64) / f64::from(view.columns.max(1))
}

/// Plans the cells that are to be seen.
pub fn items(view: &TimelineView, frame: &Frame) -> Vec<Item> {
    let column = column_length(view);
    let (width, lanes) = (frame.pixels(column), frame.lanes(view.lanes.len()));
    let x = |cell: &Cell| frame.x(view.start as f64 + f64::from(cell.column) * column);
    let first = view.cells.partition_point(|cell| cell.lane < lanes.start);
    let after = view.cells.partition_point(|cell| cell.lane < lanes.end);
    let cells = view.cells.get(first..after).unwrap_or_default();
    let near = |one: &Cell, other: Option<&Cell>| match other {
        Some(other) if other.lane == one.lane => f64::from(other.column.abs_diff(one.column)) * width,
        _ => f64::MAX,
    };
    let mut items = Vec::new();
    for (place, cell) in cells.iter().enumerate() {
        let x = x(cell);
        if x + width < -ALONE || x > frame.width + ALONE {
            continue;
        }
        let before = near(cell, place.checked_sub(1).and_then(|before| cells.get(before)));
        let next = near(cell, cells.get(place + 1));
        let fits = match cell.count {
            1 => before.min(next) >= APART,
            count => count < 100 && before >= APART && next >= ALONE,
        };
        let look = if fits { Look::Mark } else { Look::Block };
        items.push(Item { cell: first + place, x, width, look });
    }
    items
}

/// Gives the count that has a block of full height: the largest, rounded up so that it seldom changes.
pub fn full_height(view: &TimelineView) -> u32 {
    view.cells.iter().map(|cell| cell.count).max().unwrap_or(1).max(16).next_power_of_two()
}

/// Gives how high a block is in a lane that has room for so many pixels.
pub fn block_height(count: u32, full: u32, room: f64) -> f64 {
    let part = f64::from(count) / f64::from(full.max(1));
    (part.sqrt() * room).clamp(6.0, room.max(6.0))
}

/// How a message goes from lane to lane: a Bézier curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// Where it begins, its two control points, and where it ends.
    pub points: [(f64, f64); 4],
}

impl Curve {
    /// Plans the curve of an arrow.
    pub fn of(arrow: &Arrow, frame: &Frame) -> Self {
        let (x, y) = (frame.x(arrow.position as f64), frame.middle(arrow.from));
        let (to_x, to_y) = (frame.x(arrow.arrived as f64), frame.middle(arrow.to));
        let (dx, dy) = (to_x - x, to_y - y);
        // What was sent and seen at one moment would be a line through all lanes between: it bows out of their marks' way.
        let bow = (dy.abs() * 0.16).clamp(8.0, 26.0) * (1.0 - (dx.abs() / 60.0).min(1.0));
        // At the right edge there is room on the other side only.
        let bow = if x.max(to_x) + bow > frame.width { -bow } else { bow };
        let (y, to_y) = (y + (RADIUS + 1.0).copysign(dy), to_y - 3.0_f64.copysign(dy));
        let first = (x + dx * 0.2 + bow, y + dy * 0.3);
        Self { points: [(x, y), first, (to_x - dx * 0.2 + bow, to_y - dy * 0.3), (to_x, to_y)] }
    }

    /// Gives a point of it: from 0 at its beginning to 1 at its end.
    pub fn at(&self, part: f64) -> (f64, f64) {
        let rest = 1.0 - part;
        let weights = [rest * rest * rest, 3.0 * rest * rest * part, 3.0 * rest * part * part, part * part * part];
        let sum = |value: fn((f64, f64)) -> f64| {
            weights.iter().zip(self.points).map(|(weight, point)| weight * value(point)).sum()
        };
        (sum(|point| point.0), sum(|point| point.1))
    }

    /// Says whether any of it can be to be seen in a frame.
    pub fn is_in(&self, frame: &Frame) -> bool {
        let outside = |value: fn(&(f64, f64)) -> f64, low: f64, high: f64| {
            self.points.iter().all(|point| value(point) < low) || self.points.iter().all(|point| value(point) > high)
        };
        !outside(|point| point.0, 0.0, frame.width) && !outside(|point| point.1, frame.axis, frame.height)
    }

    /// Gives the direction in which it ends, as a vector of length one.
    pub fn direction(&self) -> (f64, f64) {
        let [.., before, end] = self.points;
        let (dx, dy) = (end.0 - before.0, end.1 - before.1);
        let length = distance(dx, dy).max(0.001);
        (dx / length, dy / length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::Span;
    use super::*;

    fn cell(lane: u32, column: u32, count: u32) -> Cell {
        let mut classes = [0; 7];
        classes[0] = count;
        Cell { lane, column, count, classes, ..Cell::default() }
    }

    fn frame() -> Frame {
        let span = Span { start: 0.0, end: 100.0 };
        Frame { span, width: 300.0, height: 120.0, axis: 20.0, lane: 50.0, ..Frame::default() }
    }

    fn view(cells: Vec<Cell>) -> TimelineView {
        let lanes = vec![String::new(); 3];
        TimelineView { start: 0, end: 100, length: 100, columns: 100, lanes, cells, ..TimelineView::default() }
    }

    #[track_caller]
    fn check(cells: Vec<Cell>, wanted: &[Look]) {
        let looks: Vec<Look> = items(&view(cells), &frame()).iter().map(|item| item.look).collect();
        assert_eq!(looks, wanted);
    }

    #[test]
    fn what_is_alone_is_a_mark_and_what_is_crowded_a_block() {
        use Look::{Block, Mark};
        check(vec![cell(0, 3, 1), cell(0, 5, 1)], &[Mark, Mark]);
        check(vec![cell(0, 3, 1), cell(0, 4, 1), cell(0, 20, 1)], &[Block, Block, Mark]);
        check(vec![cell(0, 3, 1), cell(1, 4, 1)], &[Mark, Mark]);
        check(vec![cell(0, 3, 7), cell(0, 20, 700), cell(0, 30, 2), cell(0, 34, 2)], &[Mark, Block, Block, Mark]);
    }

    #[test]
    fn only_what_can_be_seen_is_planned() {
        let all = view(vec![cell(0, 0, 1), cell(0, 99, 1), cell(2, 50, 1)]);
        let zoomed = Frame { span: Span { start: 90.0, end: 110.0 }, ..frame() };
        let items = items(&all, &zoomed);
        assert_eq!(items.len(), 1);
        assert_eq!((items[0].cell, items[0].x, items[0].width), (1, 135.0, 15.0));
        assert_eq!(super::items(&all, &Frame { scroll: 100.0, ..frame() }).len(), 1);
    }

    #[test]
    fn what_has_one_tone_is_drawn_together_and_in_order() {
        let mut groups = Groups::default();
        for (thing, key) in
            [(true, Tone::Bad), (false, Tone::Quiet), (true, Tone::Agent(1)), (true, Tone::Bad)].into_iter().enumerate()
        {
            groups.add(key, thing);
        }
        let drawn: Vec<Vec<usize>> = groups.0.into_iter().map(|(_, things)| things).collect();
        assert_eq!(drawn, [vec![1], vec![2], vec![0, 3]]);
    }

    #[test]
    fn the_worst_is_what_shows() {
        let mut some = cell(0, 0, 5);
        assert_eq!((class(&some), tone(&some, Tone::Agent(2))), (0, Tone::Agent(2)));
        some.classes[2] = 1;
        some.severity = 2;
        assert_eq!((class(&some), tone(&some, Tone::Agent(2))), (2, Tone::Warn));
        some.classes[ERROR] = 1;
        assert_eq!((class(&some), tone(&some, Tone::Agent(2))), (ERROR, Tone::Bad));
    }

    #[test]
    fn blocks_grow_with_their_count() {
        let heights: Vec<f64> = [1, 4, 16, 64].iter().map(|count| block_height(*count, 64, 40.0)).collect();
        assert!(heights.is_sorted() && heights[3] == 40.0 && heights[0] == 6.0, "{heights:?}");
        assert_eq!(full_height(&view(vec![cell(0, 0, 33)])), 64);
    }

    #[test]
    fn a_curve_goes_from_lane_to_lane() {
        let arrow = Arrow { entry: 0, position: 10, arrived: 40, from: 0, to: 2 };
        let curve = Curve::of(&arrow, &frame());
        assert_eq!(curve.at(0.0), curve.points[0]);
        assert_eq!(curve.at(1.0).0, 120.0);
        assert!(curve.at(0.0).1 < curve.at(0.5).1 && curve.at(0.5).1 < curve.at(1.0).1);
        assert!(curve.direction().1 > 0.0);
        assert!(curve.is_in(&frame()));
        let zoomed = Frame { span: Span { start: 50.0, end: 60.0 }, ..frame() };
        assert!(!Curve::of(&arrow, &zoomed).is_in(&zoomed));
        let last = Curve::of(&Arrow { position: 99, arrived: 99, ..arrow }, &frame());
        assert!((0..=10).all(|part| last.at(f64::from(part) / 10.0).0 < 300.0));
        let back = Curve::of(&Arrow { arrived: 10, from: 2, to: 0, ..arrow }, &frame());
        assert!(back.direction().1 < 0.0);
    }
}
