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
    ],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let before = args.read("before", When::parse)?.map(|before| before.before(call.now()));
    let moved = call.bus.archive(before, args.has("unread"))?;
    call.output.answer(|| answer::archived(moved), || format!("✅ Archived {}", text::count(moved, "message")))
}
