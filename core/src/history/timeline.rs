//! The timeline: who did what when, a lane for each agent.
//!
//! A [`Timeline`] is built once from the entries and then answers for any window, at any zoom, without going over the
//! entries again: how many of what are in each lane and column ([`Timeline::window`]), and who spoke to whom
//! ([`Timeline::arrows`]). Windows are in *positions* on the line that is drawn, which passes over long idle times; the
//! [`TimeScale`] translates. (An entry's position among the entries is called `entry` here.) What has no time is not on the
//! timeline, and is counted.

mod arrows;
mod class;
mod counts;
mod draw;
mod lanes;
#[cfg(test)]
mod tests;
mod time_scale;
mod window;

pub use arrows::{Arrow, Arrows, Pair};
pub use class::{Class, ClassCounts, Severity};
pub use draw::{Options, draw};
pub use time_scale::{Fold, TimeScale};
pub use window::{Cell, Window, edges};

use huddle_scan::{NO_TIME, Symbol, Table};

use arrows::Routes;
use class::EntryClass;
use counts::{Counts, PositionedEntry};
use lanes::Lanes;

/// An interval during which an agent worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkInterval {
    /// Who was.
    pub agent: Symbol,
    /// From when; [`NO_TIME`] when it has not begun, which gives the agent a lane and nothing on it.
    pub start: i64,
    /// Until when; [`NO_TIME`] when it still goes on.
    pub end: i64,
    /// Its status, in the protocol's word.
    pub state: Symbol,
}

/// A [`WorkInterval`] on its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneInterval {
    /// The lane's number.
    pub lane: u32,
    /// The position at which it begins.
    pub start: i64,
    /// The position at which it ends: the timeline's last when it still goes on.
    pub end: i64,
    /// Its status, in the protocol's word.
    pub state: Symbol,
}

/// Entries and work on lanes.
#[derive(Debug, Clone)]
pub struct Timeline {
    time_scale: TimeScale,
    lanes: Lanes,
    counts: Counts,
    routes: Routes,
    lane_intervals: Vec<LaneInterval>,
    untimed: u32,
}

impl Timeline {
    /// Builds the timeline of some rows of a table, which are sorted by time; those without a time may stand anywhere.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn build(table: &Table, entries: &[u32], work_intervals: &[WorkInterval]) -> Self {
        let times = times(table, entries);
        let untimed = (entries.len() - times.len()) as u32;
        let time_scale = TimeScale::new(&with_edges(&times, work_intervals));
        let timed = || timed(table, entries).zip(&times).map(|((entry, row), time)| (entry, row, *time));
        let authors = timed().map(|(_, row, time)| (time, table.from()[row]));
        let lanes = Lanes::new(authors.chain(work_intervals.iter().map(|work| (work.start, work.agent))));

        let lane_of = |row: usize| lanes.number(table.from()[row]).unwrap_or_default();
        let mut sizes = vec![0; lanes.names().len()];
        let mut routes = Routes::default();
        for (entry, row, _) in timed() {
            let lane = lane_of(row);
            sizes[lane as usize] += 1;
            routes.add(table, &lanes, entry, row as u32, lane);
        }
        let mut marks = ClassCache::default();
        let placed = timed().map(|(entry, row, time)| {
            let mark = marks.of(table, row);
            PositionedEntry { lane: lane_of(row), position: time_scale.to_position(time), entry, mark }
        });
        let counts = Counts::new(placed, &sizes, time_scale.length());
        let lane_intervals = lane_intervals(&time_scale, &lanes, work_intervals);
        Self { time_scale, lanes, counts, routes: routes.done(), lane_intervals, untimed }
    }

    /// Returns what translates between times and positions.
    pub const fn time_scale(&self) -> &TimeScale {
        &self.time_scale
    }

    /// Returns the lanes: the name of each, in order of first appearance. Entries whose author is not known share one, whose
    /// name is empty.
    pub fn lanes(&self) -> &[Symbol] {
        self.lanes.names()
    }

    /// Returns the number of an agent's lane.
    pub fn lane(&self, agent: Symbol) -> Option<u32> {
        self.lanes.number(agent)
    }

    /// Returns the times at work, by lane and start.
    pub fn lane_intervals(&self) -> &[LaneInterval] {
        &self.lane_intervals
    }

    /// Returns whether there is nothing on it; there may still be lanes of agents that have not begun.
    pub fn is_empty(&self) -> bool {
        self.counts.entries().is_empty() && self.lane_intervals.is_empty()
    }

    /// Counts the entries that are not on the timeline because they have no time.
    pub const fn untimed(&self) -> u32 {
        self.untimed
    }

    /// Returns how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.counts.bytes() + self.routes.bytes() + self.lanes.bytes() + size_of_val(self.time_scale.folds())
    }
}

/// Iterates over the entries that have a time: the place of each among the entries, and its row.
fn timed(table: &Table, entries: &[u32]) -> impl Iterator<Item = (u32, usize)> {
    let all = entries.iter().enumerate().map(|(entry, row)| (entry as u32, *row as usize));
    all.filter(|(_, row)| table.time()[*row] != NO_TIME)
}

/// Returns the times of the entries that have one. All that follows relies on their order, so it is made sure of.
fn times(table: &Table, entries: &[u32]) -> Vec<i64> {
    let mut last = i64::MIN;
    let mut times = Vec::with_capacity(entries.len());
    for (_, row) in timed(table, entries) {
        last = last.max(table.time()[row]);
        times.push(last);
    }
    times
}

/// Puts the beginnings and ends of work among the times of entries: something happened then, too.
fn with_edges(times: &[i64], work_intervals: &[WorkInterval]) -> Vec<i64> {
    let mut edges: Vec<i64> = work_intervals.iter().flat_map(|work| [work.start, work.end]).collect();
    edges.retain(|time| *time != NO_TIME);
    edges.sort();
    let mut events = Vec::with_capacity(times.len() + edges.len());
    let mut rest = times;
    for edge in edges {
        let (before, after) = rest.split_at(rest.partition_point(|time| *time <= edge));
        events.extend_from_slice(before);
        events.push(edge);
        rest = after;
    }
    events.extend_from_slice(rest);
    events
}

fn lane_intervals(time_scale: &TimeScale, lanes: &Lanes, work_intervals: &[WorkInterval]) -> Vec<LaneInterval> {
    let mut lane_intervals = Vec::new();
    for work in work_intervals.iter().filter(|work| work.start != NO_TIME) {
        let start = time_scale.to_position(work.start);
        let end = if work.end == NO_TIME { time_scale.length() - 1 } else { time_scale.to_position(work.end) };
        let lane = lanes.number(work.agent).unwrap_or_default();
        lane_intervals.push(LaneInterval { lane, start, end: end.max(start), state: work.state });
    }
    lane_intervals.sort_by_key(|interval| (interval.lane, interval.start));
    lane_intervals
}

/// Class and severity of what symbols say, each read once.
#[derive(Default)]
struct ClassCache {
    kinds: Vec<Option<Option<Class>>>,
    severities: Vec<Option<Severity>>,
}

impl ClassCache {
    fn of(&mut self, table: &Table, row: usize) -> EntryClass {
        let (kind, severity) = (table.kind()[row], table.severity()[row]);
        let class = *known(&mut self.kinds, kind).get_or_insert_with(|| Class::of_kind(table.text(kind)));
        let severity =
            known(&mut self.severities, severity).get_or_insert_with(|| Severity::of_word(table.text(severity)));
        EntryClass::new(class.unwrap_or_else(|| Class::of_nameless(table, row)), *severity)
    }
}

fn known<T: Copy>(all: &mut Vec<Option<T>>, symbol: Symbol) -> &mut Option<T> {
    if all.len() <= symbol.index() {
        all.resize(symbol.index() + 1, None);
    }
    &mut all[symbol.index()]
}
