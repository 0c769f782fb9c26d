//! The timeline as text, for a terminal.

mod axis;
mod legend;
mod shape;

use huddle_scan::{NO_TIME, Symbol, Table};

use super::window::{Window, edges};
use super::{Cell, Class, Fold, Severity, Stretch, Tally, Timeline};
use shape::Shapes;

const NARROWEST: usize = 20;

/// What to draw of a timeline.
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
        let mut shapes = Shapes::new(&plot.window);
        plot.write_lanes(&mut page, &mut shapes);
        legend::write(&mut page, &plot, &shapes, width);
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
    total: Tally,
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
        let tallies = tallies(timeline, shown, start, end);
        let sums = sums(&tallies);
        let most = (width / 4).max(6);
        let names: Vec<String> = timeline.lanes()[..shown].iter().map(|name| cut(table, *name, most)).collect();
        let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let sum_width = sums.iter().map(|sum| sum.chars().count()).max().unwrap_or_default();
        let columns = width.saturating_sub(name_width + sum_width + 2).max(4);
        let edges = edges(start, widened(start, end, columns as i64), columns as u32);
        let folded = edges.windows(2).map(|edge| is_folded(timeline, edge[0], edge[1])).collect();
        let window = timeline.window(0..shown as u32, edges[0], edges[columns], columns as u32);
        let mut total = Tally::default();
        tallies.iter().for_each(|tally| total.join(tally));
        Self { timeline, names, name_width, sums, total, edges, folded, window }
    }

    fn columns(&self) -> usize {
        self.folded.len()
    }

    fn write_lanes(&self, page: &mut String, shapes: &mut Shapes) {
        let mut cells = self.window.cells.as_slice();
        let mut stretches = self.timeline.stretches();
        for (lane, (name, sum)) in self.names.iter().zip(&self.sums).enumerate() {
            let of_lane = cells.partition_point(|cell| cell.lane as usize <= lane);
            let at_work = stretches.partition_point(|stretch| stretch.lane as usize <= lane);
            let line = self.lane(&cells[..of_lane], &stretches[..at_work], shapes);
            (cells, stretches) = (&cells[of_lane..], &stretches[at_work..]);
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

    fn lane(&self, cells: &[Cell], stretches: &[Stretch], shapes: &mut Shapes) -> String {
        let mut line = vec![' '; self.columns()];
        for stretch in stretches.iter().filter(|stretch| self.shows(stretch)) {
            let (first, last) = (self.column(stretch.start), self.column(stretch.end));
            line[first..=last].fill(shapes.work());
        }
        for (place, _) in line.iter_mut().zip(&self.folded).filter(|(_, folded)| **folded) {
            *place = shapes.fold();
        }
        for cell in cells {
            line[cell.column as usize] = shapes.cell(&cell.tally);
        }
        line.into_iter().collect()
    }

    fn shows(&self, stretch: &Stretch) -> bool {
        stretch.start < self.edges[self.columns()] && stretch.end >= self.edges[0]
    }

    /// Gives the column of a position, or the nearest one.
    fn column(&self, position: i64) -> usize {
        self.edges.partition_point(|edge| *edge <= position).saturating_sub(1).min(self.columns() - 1)
    }

    fn write_line(&self, page: &mut String, name: &str, line: &str, sum: &str) {
        let width = self.name_width;
        page.push_str(format!("{name:width$} {line} {sum}").trim_end());
        page.push('\n');
    }
}

/// Gives the window of positions to draw.
fn range(timeline: &Timeline, options: &Options) -> (i64, i64) {
    let clock = timeline.clock();
    let start = if options.start == NO_TIME { 0 } else { clock.fold(options.start) };
    let end = if options.end == NO_TIME { clock.length() } else { clock.fold(options.end) };
    (start, end.max(start))
}

/// Says whether a column shows that time was folded: its middle is in a fold, or the middle of a fold is in it, and the fold
/// leaves out more than the column stands for. (What leaves out less could not be seen if it were there.)
fn is_folded(timeline: &Timeline, start: i64, end: i64) -> bool {
    let clock = timeline.clock();
    let matters = |fold: &Fold| fold.end - fold.start > end - start;
    let middle = |fold: &Fold| fold.position + clock.gap() / 2;
    let next = clock.folds().partition_point(|fold| middle(fold) < start);
    let mut inside = clock.folds()[next..].iter().take_while(|fold| middle(fold) < end);
    clock.fold_at(start.midpoint(end)).is_some_and(matters) || inside.any(matters)
}

/// Gives a name that fits and can do a terminal no harm.
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
fn tallies(timeline: &Timeline, shown: usize, start: i64, end: i64) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = Vec::new();
    let mut others = Tally::default();
    for lane in 0..timeline.lanes().len() {
        let tally = timeline.tally(lane as u32, start, end);
        if lane < shown { tallies.push(tally) } else { others.join(&tally) }
    }
    if shown < timeline.lanes().len() {
        tallies.push(others);
    }
    tallies
}

/// Writes counts: all, errors, and what is of high severity.
fn sums(tallies: &[Tally]) -> Vec<String> {
    let mut sums = numbers(tallies, Tally::total, "");
    let errors = numbers(tallies, |tally| tally.of(Class::Error), "!");
    let high = numbers(tallies, |tally| tally.at(Severity::High), "▲");
    for (sum, (errors, high)) in sums.iter_mut().zip(errors.iter().zip(high)) {
        sum.push_str(errors);
        sum.push_str(&high);
    }
    sums
}

/// Writes a number for each, under each other. Nothing is written for 0, and nothing at all when all are, except where a
/// number stands for itself.
fn numbers(tallies: &[Tally], number: impl Fn(&Tally) -> u32, sign: &str) -> Vec<String> {
    let most = tallies.iter().map(&number).max().unwrap_or_default();
    let width = most.to_string().len();
    let write = |tally: &Tally| match number(tally) {
        count if sign.is_empty() => format!("{count:>width$}"),
        _ if most == 0 => String::new(),
        0 => " ".repeat(width + 2),
        count => format!(" {count:>width$}{sign}"),
    };
    tallies.iter().map(write).collect()
}
