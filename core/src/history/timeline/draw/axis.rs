//! The axis above the lanes: dates, times of day, and a ruler with a tick under each.

use super::{Plot, glyphs};
use crate::model::Timestamp;

const MILLI: i64 = 1_000;
const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The distances between ticks that people can read.
const STEPS: [i64; 22] = [
    10,
    100,
    MILLI,
    10 * MILLI,
    100 * MILLI,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
];

/// Between two ticks there is room for a label and then some.
const ROOM: usize = 14;

/// Writes the axis.
pub(super) fn write(page: &mut String, plot: &Plot<'_>) {
    let mut axis = Axis::new(plot);
    if axis.step < DAY {
        axis.place_times(plot);
    }
    axis.place_dates(plot);
    if axis.dates[0] == ' ' {
        page.push_str(&date(times(plot, 0).0));
        page.push('\n');
    }
    for row in [&axis.dates, &axis.times, &axis.ruler] {
        let text: String = row.iter().collect();
        if !text.trim_end().is_empty() {
            plot.write_line(page, "", text.trim_end(), "");
        }
    }
}

struct Axis {
    step: i64,
    dates: Vec<char>,
    times: Vec<char>,
    ruler: Vec<char>,
}

impl Axis {
    fn new(plot: &Plot<'_>) -> Self {
        let columns = plot.columns();
        let least = ((plot.edges[columns] - plot.edges[0]) / columns as i64).saturating_mul(ROOM as i64);
        let mut ruler: Vec<char> = plot.folded.iter().map(|folded| if *folded { glyphs::FOLD } else { '─' }).collect();
        ruler[0] = '├';
        ruler[columns - 1] = '┤';
        Self {
            step: STEPS.into_iter().find(|step| *step >= least).unwrap_or(DAY),
            dates: vec![' '; columns],
            times: vec![' '; columns],
            ruler,
        }
    }

    /// Writes the date at the beginning, and wherever it changes and there is room; when there are only dates, at the end
    /// and then at even distances.
    fn place_dates(&mut self, plot: &Plot<'_>) {
        self.date(0, times(plot, 0).0);
        let columns = plot.columns();
        let awake = (0..columns).filter(|column| !plot.folded[*column]);
        if self.step >= DAY {
            let last = date(plot.timeline.time_scale().to_time(plot.edges[columns] - 1));
            put(&mut self.dates, columns.saturating_sub(last.len()), &last);
            awake.filter(|column| column % ROOM == 0).for_each(|column| self.date(column, times(plot, column).0));
            return;
        }
        let mut today = times(plot, 0).0.div_euclid(DAY);
        for column in awake {
            let (time, _) = times(plot, column);
            if time.div_euclid(DAY) != today {
                today = time.div_euclid(DAY);
                self.date(column, time);
            }
        }
    }

    fn date(&mut self, column: usize, time: i64) {
        if put(&mut self.dates, column, &date(time)) {
            self.tick(column);
        }
    }

    /// Writes the time at both ends, then where time goes on after a fold, then at whole hours or minutes or seconds.
    fn place_times(&mut self, plot: &Plot<'_>) {
        let columns = plot.columns();
        let last = self.label(plot.timeline.time_scale().to_time(plot.edges[columns] - 1));
        self.time(0, times(plot, 0).0);
        put(&mut self.times, columns.saturating_sub(last.len()), &last);
        for column in 1..columns {
            if plot.folded[column - 1] && !plot.folded[column] {
                self.time(column, times(plot, column).0);
            }
        }
        for column in (1..columns).filter(|column| !plot.folded[*column]) {
            let (start, end) = times(plot, column);
            let tick = end.saturating_sub(1).div_euclid(self.step).saturating_mul(self.step);
            if tick >= start {
                self.time(column, tick);
            }
        }
    }

    fn time(&mut self, column: usize, time: i64) {
        let label = self.label(time);
        if put(&mut self.times, column, &label) {
            self.tick(column);
        }
    }

    fn tick(&mut self, column: usize) {
        if self.ruler[column] == '─' {
            self.ruler[column] = '┬';
        }
    }

    /// Writes a time of day as exactly as the ticks need it.
    fn label(&self, time: i64) -> String {
        let clock = Timestamp::from_micros(time).clock();
        let micros = time.rem_euclid(SECOND);
        match self.step {
            MINUTE.. => clock[..5].to_owned(),
            SECOND.. => clock,
            MILLI.. => format!("{clock}.{:03}", micros / MILLI),
            _ => format!("{clock}.{micros:06}"),
        }
    }
}

fn date(time: i64) -> String {
    Timestamp::from_micros(time).date()
}

/// Returns the time at which a column begins and ends; what of it is folded is not counted.
fn times(plot: &Plot<'_>, column: usize) -> (i64, i64) {
    let clock = plot.timeline.time_scale();
    let (start, end) = (plot.edges[column], plot.edges[column + 1]);
    let first = clock.fold_at(start).map_or_else(|| clock.to_time(start), |fold| fold.end);
    let last = clock.fold_at(end).map_or_else(|| clock.to_time(end), |fold| fold.start);
    (first, last.max(first))
}

/// Writes a label where there is room for it, with a blank on both sides.
fn put(row: &mut [char], column: usize, label: &str) -> bool {
    let end = column + label.len();
    let around = column.saturating_sub(1)..(end + 1).min(row.len());
    let fits = end <= row.len() && row[around].iter().all(|place| *place == ' ');
    if fits {
        row[column..end].iter_mut().zip(label.chars()).for_each(|(place, letter)| *place = letter);
    }
    fits
}
