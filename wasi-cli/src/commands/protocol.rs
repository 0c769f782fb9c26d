//! `huddle protocol`

use huddle_core::state::protocol::{Choice, TABLE, choose};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, maybe};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle protocol",
    "Say which protocol a situation calls for: handoff, broadcast or query",
    &[maybe("SITUATION", "what the situation is, in a few words; without, all rows are listed")],
    run,
)
.more("When no word of the situation tells, `matched` is false and all rows are there to choose from.");

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let situation = args.need("SITUATION");
    let chosen = choose(situation);
    let (matched, rows) = if chosen.is_empty() { (false, TABLE.to_vec()) } else { (true, chosen) };
    call.output.answer(|| answer::choices(situation, matched, &rows), || table(&rows))
}

fn table(choices: &[Choice]) -> String {
    let mut rows = vec![text::row([&"PROTOCOL", &"WHEN", &"WHY", &"COMMAND"])];
    rows.extend(choices.iter().map(|choice| {
        text::row([&choice.protocol.as_str(), &choice.scenario, &choice.reason, &choice.protocol.command()])
    }));
    text::table(&rows)
}
