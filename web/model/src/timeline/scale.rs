//! Arithmetic of the timeline: windows, positions and pixels, times and their labels. A position is a place on the drawn
//! line, as in [`crate::protocol::time`].

use crate::format;
use crate::protocol::TimelineView;

/// The shortest window, in positions: a tenth of a millisecond.
const SHORTEST: f64 = 100.0;

/// This part of the window is left free before the first and after the last message, so that their marks are whole.
const MARGIN: f64 = 0.02;

/// A column is at least this many pixels wide, and less than twice as many.
const COLUMN: f64 = 2.0;

/// About as many cells as can be handed over and drawn within a frame.
const CELLS: f64 = 60_000.0;

/// What a break passes over is at least this long, in microseconds: half of the shortest idle time that is folded.
const PASSED: u64 = 150_000_000;

/// A window on the line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    /// Where it begins.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
}

impl Span {
    /// Gives the window that shows all of a line.
    pub fn all(length: i64) -> Self {
        let width = (length as f64).max(SHORTEST);
        let margin = width * MARGIN;
        let middle = length as f64 / 2.0;
        Self { start: middle - width / 2.0 - margin, end: middle + width / 2.0 + margin }
    }

    /// Reads the window of an address.
    pub fn of_zoom((start, end): (i64, i64)) -> Self {
        Self { start: start as f64, end: end as f64 }
    }

    /// Gives the window as it stands in an address.
    pub fn to_zoom(self) -> (i64, i64) {
        let start = self.start.floor() as i64;
        (start, (self.end.ceil() as i64).max(start.saturating_add(1)))
    }

    /// Tells how long it is.
    pub fn width(self) -> f64 {
        self.end - self.start
    }

    /// Gives its middle.
    pub fn middle(self) -> f64 {
        (self.start + self.end) / 2.0
    }

    /// Makes it so many times as long; what is at a position stays where it is.
    pub fn zoomed(self, at: f64, factor: f64) -> Self {
        Self { start: at - (at - self.start) * factor, end: at + (self.end - at) * factor }
    }

    /// Moves it.
    pub fn panned(self, by: f64) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Moves it so that a position is in its middle.
    pub fn around(self, position: f64) -> Self {
        self.panned(position - self.middle())
    }

    /// Keeps it on the line, and neither too short nor too long.
    pub fn kept_on(self, length: i64) -> Self {
        let all = Self::all(length);
        let middle = self.middle();
        let width = self.width().clamp(SHORTEST, all.width());
        // A window that has a margin of its own can show the ends as the whole does.
        let (first, last) = (-width * MARGIN, length as f64 + width * MARGIN);
        let (first, last) = (first.max(all.start), last.min(all.end).max(first.max(all.start) + width));
        let start = (middle - width / 2.0).min(last - width).max(first);
        Self { start, end: start + width }
    }

    /// Goes a part of the way to another window.
    pub fn towards(self, other: Self, part: f64) -> Self {
        Self { start: self.start + (other.start - self.start) * part, end: self.end + (other.end - self.end) * part }
    }

    /// Says whether it looks the same as another at so many pixels.
    pub fn looks_like(self, other: Self, pixels: f64) -> bool {
        let pixel = other.width() / pixels.max(1.0) / 4.0;
        (self.start - other.start).abs() < pixel && (self.end - other.end).abs() < pixel
    }

    /// Says whether a position is in it.
    pub fn has(self, position: f64) -> bool {
        self.start <= position && position < self.end
    }

    /// Gives what to ask for, to draw it so many pixels wide: the first position, the one after the last, and the columns.
    ///
    /// Columns are powers of two long and begin at multiples of that. So, when the window is moved, or stretched a little,
    /// messages stay in the columns that they are in, and nothing flickers.
    pub fn grid(self, pixels: f64, lanes: usize) -> (i64, i64, u32) {
        let pixels = pixels.max(1.0);
        let least = COLUMN.max(pixels * lanes as f64 / CELLS).min(pixels / 16.0);
        let column = ((self.width() / pixels * least).max(1.0).ceil() as u64).next_power_of_two() as f64;
        let (first, last) = ((self.start / column).floor(), (self.end / column).ceil());
        let columns = (last - first).clamp(1.0, pixels * 2.0);
        ((first * column) as i64, ((first + columns) * column) as i64, columns as u32)
    }
}

/// Where things are drawn: what part of the line is to be seen, and how lanes are laid out. All sizes are in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    /// The window.
    pub span: Span,
    /// How wide it is drawn.
    pub width: f64,
    /// How high the drawing is, with the axis.
    pub height: f64,
    /// How high the axis is.
    pub axis: f64,
    /// How high a lane is.
    pub lane: f64,
    /// How much of each lane is left free at its top, for its name.
    pub inset: f64,
    /// How far the lanes are scrolled.
    pub scroll: f64,
}

impl Frame {
    /// Gives where a position is.
    pub fn x(&self, position: f64) -> f64 {
        (position - self.span.start) / self.span.width() * self.width
    }

    /// Gives the position that is somewhere.
    pub fn position(&self, x: f64) -> f64 {
        self.span.start + x / self.width.max(1.0) * self.span.width()
    }

    /// Gives how many pixels so many positions are.
    pub fn pixels(&self, length: f64) -> f64 {
        length / self.span.width() * self.width
    }

    /// Gives where a lane begins.
    pub fn top(&self, lane: u32) -> f64 {
        self.axis + f64::from(lane) * self.lane - self.scroll
    }

    /// Gives the middle of a lane, where its marks are.
    pub fn middle(&self, lane: u32) -> f64 {
        self.top(lane) + self.inset + (self.lane - self.inset) / 2.0
    }

    /// Gives the lanes that are to be seen, of so many.
    pub fn lanes(&self, all: usize) -> std::ops::Range<u32> {
        let first = (self.scroll / self.lane.max(1.0)).floor().max(0.0);
        let after = ((self.scroll + self.height - self.axis) / self.lane.max(1.0)).ceil().max(first);
        (first as u32).min(all as u32)..(after as u32).min(all as u32)
    }

    /// Gives the lane that is somewhere.
    pub fn lane_at(&self, y: f64) -> Option<u32> {
        (y >= self.axis).then(|| ((y - self.axis + self.scroll) / self.lane.max(1.0)) as u32)
    }
}

/// Gives how far two points are from each other, whose coordinates differ by so much.
pub fn distance(dx: f64, dy: f64) -> f64 {
    (dx * dx + dy * dy).sqrt()
}

/// Writes a length for a style. Lengths here are whole: what writes fractions would be much code for nothing.
pub fn px(length: f64) -> String {
    format!("{}px", length.round() as i64)
}

/// Chooses how high lanes are: they share what room there is, and are scrolled when it is too little.
pub fn lane_height(room: f64, lanes: usize, inset: f64) -> f64 {
    (room / lanes.max(1) as f64).floor().clamp(36.0 + inset, 88.0 + inset)
}

/// Gives the time of a position, in microseconds since 1970, as exactly as what is to be seen of a window tells it.
pub fn time_at(view: &TimelineView, position: f64) -> i64 {
    let position = (position as i64).max(0).min(view.length.saturating_sub(1).max(0));
    let mut time = view.times.0.saturating_add(position.saturating_sub(view.start));
    for fold in &view.folds {
        let inside =
            |at: i64| at.saturating_sub(fold.position).clamp(0, fold.length) as f64 / fold.length.max(1) as f64;
        let passed = fold.to.saturating_sub(fold.from).saturating_sub(fold.length);
        // The window may begin within a break.
        time = time.saturating_add((passed as f64 * (inside(position) - inside(view.start))) as i64);
    }
    time
}

/// Gives the position of a time: what [`time_at`] does, the other way round.
fn position_at(view: &TimelineView, time: i64) -> i64 {
    let mut position = view.start.saturating_add(time.saturating_sub(view.times.0));
    for fold in &view.folds {
        let idle = fold.to.saturating_sub(fold.from).max(1);
        let inside = |at: i64| at.saturating_sub(fold.from).clamp(0, idle) as f64 / idle as f64;
        let passed = idle.saturating_sub(fold.length) as f64 * (inside(time) - inside(view.times.0));
        position = position.saturating_sub(passed as i64);
    }
    position
}

/// Gives how far what a window began with has moved on the line: breaks before it become longer as more arrives.
///
/// Windows tell only of the breaks in them. One that lies between the two would make it too far; then it is not known.
pub fn moved(before: &TimelineView, now: &TimelineView) -> f64 {
    let by = position_at(now, before.times.0).saturating_sub(before.start);
    if by.unsigned_abs() < PASSED { by as f64 } else { 0.0 }
}

/// Writes the labels of ticks: no more digits than tell them apart, and the day wherever it is another than before.
pub fn tick_labels(ticks: &[(i64, i64)], before: &str) -> Vec<String> {
    let whole = |unit: i64| ticks.iter().all(|(_, time)| time % unit == 0);
    if whole(86_400_000_000) {
        return ticks.iter().map(|(_, time)| format::day(*time)).collect();
    }
    let digits = if whole(60_000_000) {
        5
    } else if whole(1_000_000) {
        8
    } else if whole(1_000) {
        12
    } else {
        15
    };
    let mut before = before.to_owned();
    let mut labels = Vec::with_capacity(ticks.len());
    for (_, time) in ticks {
        let (day, clock) = (format::day(*time), clock(*time, digits));
        labels.push(if day == before { clock } else { format!("{day} {clock}") });
        before = day;
    }
    labels
}

/// Writes how long an idle time was; nobody counts its seconds.
pub fn idle(micros: i64) -> String {
    const MINUTE: i64 = 60_000_000;
    format::span(if micros < 10 * MINUTE { micros } else { (micros + MINUTE / 2) / MINUTE * MINUTE })
}

/// Writes a time of day as exactly as it can be told in a window so long.
pub fn exact(time: i64, width: f64) -> String {
    let digits = match width {
        ..5e5 => 15,
        ..1e8 => 12,
        _ => 8,
    };
    clock(time, digits)
}

/// Writes a time of day with so many characters of `10:02:03.123456`.
fn clock(time: i64, characters: usize) -> String {
    let mut clock = format::clock(time);
    if characters > 8 {
        clock.push_str(&format!(".{:06}", time.rem_euclid(1_000_000)));
    }
    clock.truncate(characters);
    clock
}

/// Writes a window's ends: `2025-01-23 10:02:03 – 10:05:00`.
pub fn ends(view: &TimelineView, span: Span) -> String {
    let (from, to) = (time_at(view, span.start), time_at(view, span.end));
    let (day, until) = (format::day(from), format::day(to));
    let (start, end) = (exact(from, span.width()), exact(to, span.width()));
    if day == until { format!("{day} {start} – {end}") } else { format!("{day} {start} – {until} {end}") }
}

/// A window around a position on the timeline: a twenty-fifth of the whole time, but enough to see something of.
pub fn around(position: i64, span: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (start, end) = span?;
    let half = ((end - start) / 50).max(1_000_000);
    Some((position.saturating_sub(half).max(0), position.saturating_add(half)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::timeline::Fold;

    const SECOND: i64 = 1_000_000;

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-6 * other.abs().max(1.0), "{one} {other}");
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let frame = Frame { span: Span { start: 1000.0, end: 3000.0 }, width: 400.0, ..Frame::default() };
        let at = frame.position(100.0);
        close(at, 1500.0);
        for factor in [0.5, 0.9, 1.3] {
            let zoomed = Frame { span: frame.span.zoomed(at, factor), ..frame };
            close(zoomed.x(at), 100.0);
            close(zoomed.span.width(), frame.span.width() * factor);
        }
    }

    #[test]
    fn a_window_stays_on_the_line() {
        let length = 100 * SECOND;
        let all = Span::all(length);
        assert!(all.start < 0.0 && all.end > length as f64);
        assert_eq!(all.kept_on(length), all);
        assert_eq!(Span { start: -1e15, end: 1e15 }.kept_on(length), all);
        let short = Span { start: 0.0, end: 1e7 };
        let right = short.panned(1e12).kept_on(length);
        close(right.width(), short.width());
        assert!(right.end > length as f64 && right.end < length as f64 * 1.01);
        let left = short.panned(-1e12).kept_on(length);
        assert!(left.start < 0.0 && left.start > -1e6);
        assert!(Span { start: 5.0, end: 5.0 }.kept_on(length).width() >= SHORTEST);
        for length in [0, 1, 2, i64::MAX] {
            let kept = Span { start: 3.0, end: 4.0 }.kept_on(length);
            assert!(kept.width() > 0.0, "{length} {kept:?}");
            assert!(Span::all(length).has(0.0), "{length}");
        }
    }

    #[test]
    fn a_window_survives_its_address() {
        let span = Span { start: -12.0, end: 500.0 };
        assert_eq!(Span::of_zoom(span.to_zoom()), span);
        assert_eq!(Span { start: 0.5, end: 0.6 }.to_zoom(), (0, 1));
    }

    #[test]
    fn columns_stay_where_they_are_when_the_window_moves() {
        let span = Span { start: 1234.0, end: 1_001_234.0 };
        let (start, end, columns) = span.grid(1000.0, 4);
        let column = (end - start) / i64::from(columns);
        assert!(start as f64 <= span.start && end as f64 >= span.end);
        assert_eq!((end - start) % i64::from(columns), 0);
        assert_eq!(start % column, 0);
        assert_eq!(column.count_ones(), 1);
        for by in [1.0, 77.7, 5e6] {
            let (start, end, columns) = span.panned(by).grid(1000.0, 4);
            assert_eq!((end - start) / i64::from(columns), column);
            assert_eq!(start % column, 0);
        }
        let pixels = column as f64 / span.width() * 1000.0;
        assert!((COLUMN..COLUMN * 2.0).contains(&pixels), "{pixels}");
    }

    #[test]
    fn many_lanes_have_fewer_columns() {
        let span = Span { start: 0.0, end: 1e9 };
        let (_, _, few) = span.grid(1000.0, 4);
        let (_, _, many) = span.grid(1000.0, 1000);
        assert!(few > 200 && (8..100).contains(&many), "{few} {many}");
        let (start, end, columns) = Span { start: 0.1, end: 0.2 }.grid(1000.0, 1);
        assert!(start < end && columns > 0);
    }

    #[test]
    fn lanes_that_can_be_seen_are_known() {
        let frame = Frame { height: 220.0, axis: 20.0, lane: 50.0, scroll: 75.0, ..Frame::default() };
        assert_eq!(frame.lanes(100), 1..6);
        assert_eq!(frame.lanes(3), 1..3);
        assert_eq!(frame.lane_at(20.0), Some(1));
        assert_eq!(frame.lane_at(46.0), Some(2));
        assert_eq!(frame.lane_at(3.0), None);
        close(frame.middle(2), 70.0);
    }

    #[test]
    fn times_go_on_after_a_fold() {
        let hour = 3600 * SECOND;
        let view = TimelineView {
            start: 0,
            end: 30 * SECOND,
            length: 30 * SECOND,
            times: (0, hour + 20 * SECOND),
            folds: vec![Fold { position: 10 * SECOND, length: 10 * SECOND, from: 10 * SECOND, to: 10 * SECOND + hour }],
            ..TimelineView::default()
        };
        assert_eq!(time_at(&view, 5e6), 5 * SECOND);
        assert_eq!(time_at(&view, 10e6), 10 * SECOND);
        assert_eq!(time_at(&view, 15e6), 10 * SECOND + hour / 2);
        assert_eq!(time_at(&view, 25e6), hour + 15 * SECOND);
        assert_eq!(time_at(&view, -5.0), 0);
        let within = TimelineView { start: 15 * SECOND, times: (10 * SECOND + hour / 2, 0), ..view };
        assert_eq!(time_at(&within, 25e6), hour + 15 * SECOND);
        assert_eq!(time_at(&within, 5e6), 5 * SECOND);
    }

    #[test]
    fn what_is_after_a_fold_moves_when_the_fold_grows() {
        let hour = 3600 * SECOND;
        let view = |start: i64, time: i64, folds: Vec<Fold>| TimelineView {
            start: start * SECOND,
            times: (time, 0),
            folds,
            ..TimelineView::default()
        };
        // It was ten seconds long, and is twelve now.
        let fold = Fold { position: 10 * SECOND, length: 12 * SECOND, from: 10 * SECOND, to: 10 * SECOND + hour };
        let after = view(25, hour + 15 * SECOND, Vec::new());
        assert_eq!(moved(&after, &view(25, hour + 13 * SECOND, Vec::new())), 2e6);
        assert_eq!(moved(&after, &view(5, 5 * SECOND, vec![fold])), 2e6);
        assert_eq!(moved(&after, &view(5, 5 * SECOND, Vec::new())), 0.0, "nobody tells of the fold between them");
        assert_eq!(moved(&view(5, 5 * SECOND, Vec::new()), &view(5, 5 * SECOND, vec![fold])), 0.0);
        let within = view(15, 10 * SECOND + hour / 2, Vec::new());
        assert_eq!(moved(&within, &view(5, 5 * SECOND, vec![fold])), 1e6);
    }

    #[test]
    fn labels_have_no_more_digits_than_needed() {
        let at = |seconds: i64| (0, seconds * SECOND);
        let check = |ticks: &[(i64, i64)], wanted: &[&str]| assert_eq!(tick_labels(ticks, ""), wanted);
        check(&[at(60), at(120)], &["1970-01-01 00:01", "00:02"]);
        assert_eq!(tick_labels(&[at(60)], "1970-01-01"), ["00:01"]);
        check(&[at(86_400), at(172_800)], &["1970-01-02", "1970-01-03"]);
        check(&[at(60), at(90)], &["1970-01-01 00:01:00", "00:01:30"]);
        check(&[at(86_340), at(86_460)], &["1970-01-01 23:59", "1970-01-02 00:01"]);
        check(&[(0, 0), (0, 500_000)], &["1970-01-01 00:00:00.000", "00:00:00.500"]);
        assert_eq!(idle(7_200 * SECOND - 1), "2 h");
        assert_eq!(idle(61 * SECOND), "1 min 1 s");
        assert_eq!(exact(1_500, 1e6), "00:00:00.001");
        assert_eq!(exact(SECOND, 1e12), "00:00:01");
        check(&[(0, 5)], &["1970-01-01 00:00:00.000005"]);
    }

    #[test]
    fn the_window_is_around_the_message() {
        assert_eq!(around(500, None), None);
        assert_eq!(around(90_000_000, Some((0, 100_000_000))), Some((88_000_000, 92_000_000)));
        assert_eq!(around(500, Some((7, 8))), Some((0, 1_000_500)));
    }
}
