//! `huddle timeline`

use huddle_core::history::timeline::{Options, Timeline, draw};
use huddle_core::model::Timestamp;
use huddle_core::wire::answer;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::Sources;

/// Draw who did what when: a lane an agent, idle times folded
#[derive(Debug, clap::Args)]
pub(crate) struct TimelineArgs {
    #[command(flatten)]
    paths: Paths,
    /// how many characters a line has
    #[arg(long, value_name = "N", default_value = "100", value_parser = size)]
    width: usize,
    /// at most so many lanes are drawn
    #[arg(long, value_name = "N", default_value = "40", value_parser = size)]
    lanes: usize,
    /// from then on
    #[arg(long, value_name = "TIME", value_parser = time)]
    after: Option<Timestamp>,
    /// until then
    #[arg(long, value_name = "TIME", value_parser = time)]
    before: Option<Timestamp>,
}

impl TimelineArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { paths: Paths { paths }, width, lanes, after, before } = self;
        let history = Sources::given(&paths, call)?.load()?;
        call.output.found(history.findings.iter().cloned());
        let none = Options::default();
        let options = Options {
            lanes,
            start: after.map_or(none.start, Timestamp::micros),
            end: before.map_or(none.end, Timestamp::micros),
        };
        let timeline = Timeline::of(&history);
        call.output.answer(
            || answer::timeline(&history, &timeline, width, &options),
            || draw(&timeline, &history.table, width, &options),
        )
    }
}

fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "give a time as 2025-01-23T10:00:00Z".to_owned())
}

/// Reads a number of characters or lanes: a line longer than this is no line.
fn size(text: &str) -> Result<usize, String> {
    Ok(super::number(text)?.clamp(1, 10_000))
}
