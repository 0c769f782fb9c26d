//! The timeline of a history.

use huddle_core::history::History;
use huddle_core::history::timeline::{Class, Options, Timeline};
use huddle_core::model::{JsonMap, Timestamp};
use huddle_scan::NO_TIME;
use serde::{Deserialize, Serialize};

use super::entries::moment;
use crate::when::optional_time;
use crate::{Context, Error, Operation};

/// How many columns a timeline has by default.
const COLUMNS: usize = 100;
/// The most columns that a timeline has.
const MAX_COLUMNS: usize = 10_000;

/// Returns the timeline of a history, divided into columns.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShowTimeline {
    /// Where the history is; the project, if there is no path.
    pub paths: Vec<String>,
    /// How many columns the timeline has; by default 100.
    pub columns: Option<usize>,
    /// How many lanes it has at most; by default 40.
    pub lanes: Option<usize>,
    /// Where it begins.
    #[serde(deserialize_with = "optional_time")]
    pub after: Option<Timestamp>,
    /// Where it ends.
    #[serde(deserialize_with = "optional_time")]
    pub before: Option<Timestamp>,
}

impl Operation for ShowTimeline {
    type Response = TimelineView;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<TimelineView, Error> {
        let Self { paths, columns, lanes, after, before } = self;
        let mut history = context.load_history(&paths)?;
        context.note(history.diagnostics().iter().cloned());
        Ok(history.timeline(&TimelineWindow { columns, lanes, after, before }))
    }
}

/// The part of a timeline that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimelineWindow {
    /// How many columns it has; by default 100.
    pub columns: Option<usize>,
    /// How many lanes it has at most; by default 40.
    pub lanes: Option<usize>,
    /// Where it begins.
    pub after: Option<Timestamp>,
    /// Where it ends.
    pub before: Option<Timestamp>,
}

impl TimelineWindow {
    pub(super) fn columns(&self) -> usize {
        self.columns.unwrap_or(COLUMNS).clamp(1, MAX_COLUMNS)
    }

    pub(super) fn options(&self) -> Options {
        let default = Options::default();
        Options {
            lanes: self.lanes.unwrap_or(default.lanes),
            start: self.after.map_or(default.start, Timestamp::micros),
            end: self.before.map_or(default.end, Timestamp::micros),
        }
    }
}

/// A timeline: lanes, and for each what is in every column that is not empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineView {
    /// Where it begins.
    pub from: Option<String>,
    /// Where it ends.
    pub to: Option<String>,
    /// How many columns it has.
    pub columns: usize,
    /// The agent of each lane.
    pub lanes: Vec<String>,
    /// What is in the columns.
    pub cells: Vec<TimelineCell>,
    /// The idle times that are folded.
    pub folds: Vec<TimeRange>,
    /// How many messages went from lane to lane.
    pub messages: u64,
    /// How many entries have no time.
    pub untimed: u32,
}

/// A lane's column that is not empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineCell {
    /// The number of the lane.
    pub lane: u32,
    /// The number of the column.
    pub column: u32,
    /// How many entries are in it.
    pub count: u32,
    /// How many of each class.
    pub classes: JsonMap,
}

/// A range of time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeRange {
    /// Where it begins.
    pub from: Option<String>,
    /// Where it ends.
    pub to: Option<String>,
}

impl TimelineView {
    pub(super) fn new(history: &History, timeline: &Timeline, columns: usize, options: &Options) -> Self {
        let time_scale = timeline.time_scale();
        let edge = |time: i64, otherwise: i64| if time == NO_TIME { otherwise } else { time_scale.to_position(time) };
        let (start, end) = (edge(options.start, 0), edge(options.end, time_scale.length()));
        let lanes = 0..timeline.lanes().len().min(options.lanes) as u32;
        let window = timeline.window(lanes.clone(), start, end, columns as u32);
        let cells = window.cells.iter().map(|cell| {
            let counts = Class::ALL.iter().map(|class| (class.as_str(), cell.class_counts.of(*class)));
            let classes = counts.filter(|(_, count)| *count > 0).map(|(class, count)| (class.to_owned(), count.into()));
            let (count, classes) = (cell.class_counts.total(), classes.collect());
            TimelineCell { lane: cell.lane, column: cell.column, count, classes }
        });
        let folds = time_scale.folds().iter();
        Self {
            from: moment(time_scale.to_time(start)),
            to: moment(time_scale.to_time(end)),
            columns,
            lanes: lanes.map(|lane| history.table.text(timeline.lanes()[lane as usize]).to_owned()).collect(),
            cells: cells.collect(),
            folds: folds.map(|fold| TimeRange { from: moment(fold.start), to: moment(fold.end) }).collect(),
            messages: timeline.arrows(start, end, 0).total(),
            untimed: timeline.untimed(),
        }
    }
}
