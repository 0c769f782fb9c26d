//! `huddle timeline`

use huddle_core::history::timeline::{Options, Timeline, draw};
use huddle_core::model::Timestamp;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::sources::{PATHS, Sources};

pub(super) const SPEC: Spec = Spec::command(
    "huddle timeline",
    "Draw who did what when: a lane an agent, idle times folded",
    &[
        PATHS,
        option("width", "N", "how many characters a line has").default("100"),
        option("lanes", "N", "at most so many lanes are drawn").default("40"),
        option("after", "TIME", "from then on"),
        option("before", "TIME", "until then"),
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let width = size(args, "width")?;
    let history = Sources::given(args, call)?.load()?;
    call.output.found(history.findings.iter().cloned());
    let time = |name: &str| args.read(name, |text| Timestamp::parse(text).ok_or_else(|| TIMES.to_owned()));
    let none = Options::default();
    let options = Options {
        lanes: size(args, "lanes")?,
        start: time("after")?.map_or(none.start, Timestamp::micros),
        end: time("before")?.map_or(none.end, Timestamp::micros),
    };
    let timeline = Timeline::build(&history.table, &history.entries, &history.work_intervals);
    call.output.answer(
        || answer::timeline(&history, &timeline, width, &options),
        || draw(&timeline, &history.table, width, &options),
    )
}

const TIMES: &str = "give a time as 2025-01-23T10:00:00Z";

fn size(args: &Args, name: &str) -> Result<usize, Failure> {
    // A line longer than this is no line.
    Ok(args.number(name)?.map_or(100, |size| usize::try_from(size).unwrap_or(10_000).clamp(1, 10_000)))
}
