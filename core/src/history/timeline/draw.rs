//! The timeline as text, for a terminal.

mod axis;
mod glyphs;
mod legend;

use huddle_scan::{NO_TIME, Symbol, Table};

use super::window::{Window, edges};
use super::{Cell, Class, ClassCounts, Fold, LaneInterval, Severity, Timeline};
use glyphs::Glyphs;

const NARROWEST: usize = 20;

/// Options of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// At most so many lanes; the others are summed up.
    pub lanes: usize,
    /// From when; [`NO_TIME`] for the beginning.
    pub start: i64,
    /// Until when, that time not included; [`NO_TIME`] for the end.
    pub end: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self { lanes: 40, start: NO_TIME, end: NO_TIME }
    }
}

/// Draws a line for each lane, an axis above and a legend below, in lines of at most `width` characters.
///
/// A column shows the most important thing in it; when there is too much in all of them, it shows how much there is.
pub fn draw(timeline: &Timeline, table: &Table, width: usize, options: &Options) -> String {
    let width = width.max(NARROWEST);
    let mut page = String::new();
    if timeline.is_empty() {
        page.push_str("nothing has a time, so there is no timeline\n");
    } else {
        let plot = Plot::new(timeline, table, width, options);
        axis::write(&mut page, &plot);
        let mut glyphs = Glyphs::new(&plot.window);
        plot.write_lanes(&mut page, &mut glyphs);
        legend::write(&mut page, &plot, &glyphs, width);
    }
    match timeline.untimed() {
        0 => {}
        1 => page.push_str("1 entry without a time is left out\n"),
        more => page.push_str(&format!("{more} entries without a time are left out\n")),
    }
    page
}

/// All that the parts of a drawing have in common.
struct Plot<'t> {
    timeline: &'t Timeline,
    /// The shown lanes' names, cut to one width.
    names: Vec<String>,
    name_width: usize,
    /// The counts at the end of each line.
    sums: Vec<String>,
    /// All of those counts together.
    total: ClassCounts,
    /// The position at which each column begins, and the end of the last.
    edges: Vec<i64>,
    /// Which columns stand for idle time.
    folded: Vec<bool>,
    window: Window,
}

impl<'t> Plot<'t> {
    fn new(timeline: &'t Timeline, table: &Table, width: usize, options: &Options) -> Self {
        let shown = timeline.lanes().len().min(options.lanes);
        let (start, end) = range(timeline, options);
        let lane_counts = lane_counts(timeline, shown, start, end);
        let sums = sums(&lane_counts);
        let most = (width / 4).max(6);
        let names: Vec<String> = timeline.lanes()[..shown].iter().map(|name| cut(table, *name, most)).collect();
        let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let sum_width = sums.iter().map(|sum| sum.chars().count()).max().unwrap_or_default();
        let columns = width.saturating_sub(name_width + sum_width + 2).max(4);
        let edges = edges(start, widened(start, end, columns as i64), columns as u32);
        let folded = edges.windows(2).map(|edge| is_folded(timeline, edge[0], edge[1])).collect();
        let window = timeline.window(0..shown as u32, edges[0], edges[columns], columns as u32);
        let mut total = ClassCounts::default();
        lane_counts.iter().for_each(|class_counts| total.join(class_counts));
        Self { timeline, names, name_width, sums, total, edges, folded, window }
    }

    fn columns(&self) -> usize {
        self.folded.len()
    }

    fn write_lanes(&self, page: &mut String, glyphs: &mut Glyphs) {
        let mut cells = self.window.cells.as_slice();
        let mut lane_intervals = self.timeline.lane_intervals();
        for (lane, (name, sum)) in self.names.iter().zip(&self.sums).enumerate() {
            let of_lane = cells.partition_point(|cell| cell.lane as usize <= lane);
            let at_work = lane_intervals.partition_point(|interval| interval.lane as usize <= lane);
            let line = self.lane(&cells[..of_lane], &lane_intervals[..at_work], glyphs);
            (cells, lane_intervals) = (&cells[of_lane..], &lane_intervals[at_work..]);
            self.write_line(page, name, &line, sum);
        }
        let more = self.timeline.lanes().len() - self.names.len();
        if let (1.., Some(sum)) = (more, self.sums.get(self.names.len())) {
            let text = format!("… {more} more lane{}", if more == 1 { "" } else { "s" });
            let width = self.name_width + 1 + self.columns();
            page.push_str(format!("{text:width$} {sum}").trim_end());
            page.push('\n');
        }
    }

    fn lane(&self, cells: &[Cell], lane_intervals: &[LaneInterval], glyphs: &mut Glyphs) -> String {
        let mut line = vec![' '; self.columns()];
        for interval in lane_intervals.iter().filter(|interval| self.shows(interval)) {
            let (first, last) = (self.column(interval.start), self.column(interval.end));
            line[first..=last].fill(glyphs.work());
        }
        for (place, _) in line.iter_mut().zip(&self.folded).filter(|(_, folded)| **folded) {
            *place = glyphs.fold();
        }
        for cell in cells {
            line[cell.column as usize] = glyphs.cell(&cell.class_counts);
        }
        line.into_iter().collect()
    }

    fn shows(&self, interval: &LaneInterval) -> bool {
        interval.start < self.edges[self.columns()] && interval.end >= self.edges[0]
    }

    /// Returns the column of a position, or the nearest one.
    fn column(&self, position: i64) -> usize {
        self.edges.partition_point(|edge| *edge <= position).saturating_sub(1).min(self.columns() - 1)
    }

    fn write_line(&self, page: &mut String, name: &str, line: &str, sum: &str) {
        let width = self.name_width;
        page.push_str(format!("{name:width$} {line} {sum}").trim_end());
        page.push('\n');
    }
}

/// Returns the window of positions to draw.
fn range(timeline: &Timeline, options: &Options) -> (i64, i64) {
    let time_scale = timeline.time_scale();
    let start = if options.start == NO_TIME { 0 } else { time_scale.to_position(options.start) };
    let end = if options.end == NO_TIME { time_scale.length() } else { time_scale.to_position(options.end) };
    (start, end.max(start))
}

/// Returns whether a column shows that time was folded: its middle is in a fold, or the middle of a fold is in it, and the fold
/// leaves out more than the column stands for. (What leaves out less could not be seen if it were there.)
fn is_folded(timeline: &Timeline, start: i64, end: i64) -> bool {
    let time_scale = timeline.time_scale();
    let matters = |fold: &Fold| fold.end - fold.start > end - start;
    let middle = |fold: &Fold| fold.position + time_scale.gap() / 2;
    let next = time_scale.folds().partition_point(|fold| middle(fold) < start);
    let mut inside = time_scale.folds()[next..].iter().take_while(|fold| middle(fold) < end);
    time_scale.fold_at(start.midpoint(end)).is_some_and(matters) || inside.any(matters)
}

/// Returns a name that fits and can do a terminal no harm.
fn cut(table: &Table, name: Symbol, most: usize) -> String {
    if name.is_none() {
        return "(nobody)".chars().take(most).collect();
    }
    let plain = table.text(name).chars().map(|c| if c.is_control() { '?' } else { c });
    let mut text: String = plain.take(most + 1).collect();
    if text.chars().count() > most {
        text = text.chars().take(most - 1).chain(['…']).collect();
    }
    text
}

/// Moves the end of a window away that would be shorter than a microsecond a column: it would be drawn from its end. A
/// single moment is the beginning of some seconds.
fn widened(start: i64, end: i64, columns: i64) -> i64 {
    let least = if end.saturating_sub(start) <= 1 { columns * 1_000_000 } else { columns };
    end.max(start.saturating_add(least))
}

/// Counts the entries of each shown lane, and of the others together.
fn lane_counts(timeline: &Timeline, shown: usize, start: i64, end: i64) -> Vec<ClassCounts> {
    let mut lane_counts: Vec<ClassCounts> = Vec::new();
    let mut others = ClassCounts::default();
    for lane in 0..timeline.lanes().len() {
        let class_counts = timeline.class_counts(lane as u32, start, end);
        if lane < shown { lane_counts.push(class_counts) } else { others.join(&class_counts) }
    }
    if shown < timeline.lanes().len() {
        lane_counts.push(others);
    }
    lane_counts
}

/// Writes counts: all, errors, and what is of high severity.
fn sums(lane_counts: &[ClassCounts]) -> Vec<String> {
    let mut sums = numbers(lane_counts, ClassCounts::total, "");
    let errors = numbers(lane_counts, |class_counts| class_counts.of(Class::Error), "!");
    let high = numbers(lane_counts, |class_counts| class_counts.at(Severity::High), "▲");
    for (sum, (errors, high)) in sums.iter_mut().zip(errors.iter().zip(high)) {
        sum.push_str(errors);
        sum.push_str(&high);
    }
    sums
}

/// Writes a number for each, under each other. Nothing is written for 0, and nothing at all when all are, except where a
/// number stands for itself.
fn numbers(lane_counts: &[ClassCounts], number: impl Fn(&ClassCounts) -> u32, sign: &str) -> Vec<String> {
    let most = lane_counts.iter().map(&number).max().unwrap_or_default();
    let width = most.to_string().len();
    let write = |class_counts: &ClassCounts| match number(class_counts) {
        count if sign.is_empty() => format!("{count:>width$}"),
        _ if most == 0 => String::new(),
        0 => " ".repeat(width + 2),
        count => format!(" {count:>width$}{sign}"),
    };
    lane_counts.iter().map(write).collect()
}
