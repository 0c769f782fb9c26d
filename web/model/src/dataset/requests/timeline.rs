//! Windows of the timeline.

use std::io;
use std::rc::Rc;

use huddle_core::history::timeline::{Arrows, Class, TimeScale, Timeline, edges};
use huddle_scan::NO_TIME;

use crate::dataset::Dataset;
use crate::protocol::timeline::{Arrow, Cell, Fold, Lane, TimelineView, Work};

/// How many arrows are drawn one by one.
const MOST_ARROWS: usize = 400;
/// How many columns a window has at most.
const MOST_COLUMNS: u32 = 4_000;
/// How many ticks there are about.
const TICKS: i64 = 9;

impl Dataset {
    /// Gives what is to be seen of a window, or of everything.
    pub(super) fn window(&mut self, window: Option<(i64, i64)>, columns: u32) -> TimelineView {
        let timeline = self.timeline();
        let clock = timeline.time_scale();
        let columns = columns.clamp(1, MOST_COLUMNS);
        let length = if timeline.is_empty() { 0 } else { clock.length() };
        let (start, end) = window.filter(|(start, end)| start < end).unwrap_or((0, length.max(1)));
        let hits = self.hits_on(&timeline);
        let lanes = timeline.lanes();
        let edges = edges(start, end, columns);
        let seen = timeline.window(0..lanes.len() as u32, start, end, columns);
        let mut counts = vec![0; lanes.len()];
        let cells = seen.cells.iter().map(|cell| {
            counts[cell.lane as usize] += cell.class_counts.total();
            let column = cell.column as usize;
            Cell {
                lane: cell.lane,
                column: cell.column,
                first: cell.first,
                count: cell.class_counts.total(),
                hits: hits.get(cell.lane as usize).map_or(0, |hits| between(hits, edges[column], edges[column + 1])),
                classes: Class::ALL.map(|class| cell.class_counts.of(class)),
                severity: cell.class_counts.worst() as u8,
            }
        });
        let cells = cells.collect();
        let whole = self.whole(&timeline, length, columns);
        let (arrows, pairs) = self.arrows(&timeline, start, end);
        let text = |symbol| self.history.table.text(symbol).to_owned();
        TimelineView {
            start,
            end,
            length,
            columns,
            lanes: lanes.iter().map(|lane| text(*lane)).collect(),
            counts,
            cells,
            works: timeline
                .lane_intervals()
                .iter()
                .filter(|work| work.end >= start && work.start < end)
                .map(|work| Work { lane: work.lane, start: work.start, end: work.end, state: text(work.state) })
                .collect(),
            folds: folds(clock, start, end),
            ticks: ticks(clock, start, end),
            times: (clock.to_time(start), clock.to_time(end)),
            arrows,
            pairs,
            whole,
            untimed: timeline.untimed(),
        }
    }

    /// Counts everything in equal parts of the whole line, which is the same for every window.
    fn whole(&mut self, timeline: &Timeline, length: i64, columns: u32) -> Vec<u32> {
        if self.minimap.len() != columns as usize {
            self.minimap = vec![0; columns as usize];
            for cell in timeline.window(0..timeline.lanes().len() as u32, 0, length, columns).cells {
                self.minimap[cell.column as usize] += cell.class_counts.total();
            }
        }
        self.minimap.clone()
    }

    /// Gives messages of a lane in a window.
    pub(super) fn lane(&mut self, lane: u32, (start, end): (i64, i64), limit: u32) -> io::Result<Lane> {
        let timeline = self.timeline();
        if lane as usize >= timeline.lanes().len() {
            return Ok(Lane::default());
        }
        let entries = timeline.entries(lane, start, end);
        let shown = &entries[..entries.len().min(limit as usize)];
        Ok(Lane { total: entries.len() as u32, lines: self.lines(shown)? })
    }

    /// Finds where on each lane the hits are; they are sorted, because entries are.
    fn hits_on(&mut self, timeline: &Timeline) -> Rc<Vec<Vec<i64>>> {
        if let Some(found) = &self.found.on_lanes {
            return Rc::clone(found);
        }
        let table = &self.history.table;
        let mut lanes = vec![Vec::new(); timeline.lanes().len()];
        for position in &self.found.positions {
            let row = self.history.entries[*position as usize] as usize;
            if table.time()[row] != NO_TIME
                && let Some(lane) = timeline.lane(table.from()[row])
            {
                lanes[lane as usize].push(timeline.time_scale().to_position(table.time()[row]));
            }
        }
        let lanes = Rc::new(lanes);
        self.found.on_lanes = Some(Rc::clone(&lanes));
        lanes
    }

    fn arrows(&self, timeline: &Timeline, start: i64, end: i64) -> (Vec<Arrow>, Vec<(u32, u32, u32)>) {
        match timeline.arrows(start, end, MOST_ARROWS) {
            Arrows::Each(each) => {
                let arrow = |arrow: &huddle_core::history::timeline::Arrow| Arrow {
                    entry: arrow.entry,
                    position: arrow.position,
                    arrived: self.arrival(timeline, arrow.entry, arrow.to).unwrap_or(arrow.position),
                    from: arrow.from,
                    to: arrow.to,
                };
                (each.iter().map(arrow).collect(), Vec::new())
            }
            Arrows::Pairs(pairs) => (Vec::new(), pairs.iter().map(|pair| (pair.from, pair.to, pair.count)).collect()),
        }
    }

    /// Finds where on the line a message was seen by whose lane it is for.
    fn arrival(&self, timeline: &Timeline, entry: u32, lane: u32) -> Option<i64> {
        let reader = timeline.lanes()[lane as usize];
        let delivery = self.derived.deliveries.of(entry).iter().find(|delivery| delivery.recipient == reader)?;
        let seen = [delivery.seen_at, delivery.acked_at, delivery.answered_at].into_iter().find(|at| *at != NO_TIME)?;
        Some(timeline.time_scale().to_position(seen.max(delivery.stored_at)))
    }
}

/// Counts what lies in a range of sorted positions.
fn between(sorted: &[i64], from: i64, to: i64) -> u32 {
    (sorted.partition_point(|at| *at < to) - sorted.partition_point(|at| *at < from)) as u32
}

fn folds(clock: &TimeScale, start: i64, end: i64) -> Vec<Fold> {
    let shown = clock.folds().iter().filter(|fold| fold.position + clock.gap() >= start && fold.position < end);
    shown.map(|fold| Fold { position: fold.position, length: clock.gap(), from: fold.start, to: fold.end }).collect()
}

/// Distances between ticks that people can count in, in microseconds.
const STEPS: [i64; 26] = [
    1,
    10,
    100,
    1_000,
    5_000,
    10_000,
    50_000,
    100_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    15_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000,
    900_000_000,
    1_800_000_000,
    3_600_000_000,
    7_200_000_000,
    21_600_000_000,
    43_200_000_000,
    86_400_000_000,
];

/// Finds moments to be labelled: round times, none of them in an idle time that is passed over.
fn ticks(clock: &TimeScale, start: i64, end: i64) -> Vec<(i64, i64)> {
    let wanted = (end - start) / TICKS;
    let mut step = STEPS.into_iter().find(|step| *step >= wanted).unwrap_or(86_400_000_000);
    while step < wanted {
        step = step.saturating_mul(2);
    }
    let mut ticks = Vec::new();
    let (first, last) = (clock.to_time(start), clock.to_time(end));
    let mut idle = clock.folds().iter().filter(|fold| fold.end > first).peekable();
    let mut at = first;
    while at < last && ticks.len() < 4 * TICKS as usize {
        let Some(round) = at.div_euclid(step).checked_add(1).and_then(|steps| steps.checked_mul(step)) else { break };
        match idle.next_if(|fold| fold.start <= round) {
            Some(fold) if round < fold.end => at = fold.end - 1,
            Some(_) => {}
            None if round >= last => break,
            None => {
                ticks.push((clock.to_position(round), round));
                at = round;
            }
        }
    }
    ticks
}
