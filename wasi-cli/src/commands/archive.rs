//! `huddle archive`

use huddle_core::wire::answer;

use crate::args::{Args, Spec, flag, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;
use crate::when::When;

pub(super) const SPEC: Spec = Spec::command(
    "huddle archive",
    "Put read messages away under archive/",
    &[
        option(
            "before",
            "SPAN|TIME",
            "what was sent before this time, or longer ago than this; by default the retention",
        ),
        flag("unread", "unread messages, too"),
        option(
            "prune",
            "SPAN|TIME",
            "then remove from the archive, for good, the days that ended before this time, or longer ago than this",
        ),
    ],
    run,
)
.more("Nothing is removed by itself, unless huddle_limits.maxAgeHours is set in registry.json: then huddle sweep removes from the archive what was sent longer ago.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let before = args.read("before", When::parse)?.map(|before| before.before(call.now()));
    let prune = args.read("prune", When::parse)?.map(|before| before.before(call.now()));
    let moved = call.bus.archive(before, args.has("unread"))?;
    let pruned = prune.map(|before| call.bus.prune(before)).transpose()?;
    call.output.answer(|| answer::archived(moved, pruned), || show(moved, pruned))
}

fn show(moved: usize, pruned: Option<usize>) -> String {
    let pruned = pruned.map(|pruned| format!(", removed {} from the archive", text::count(pruned, "message")));
    format!("✅ Archived {}{}", text::count(moved, "message"), pruned.unwrap_or_default())
}
