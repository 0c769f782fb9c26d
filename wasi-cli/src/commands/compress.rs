//! `huddle compress`

use huddle_core::compress::{DEFAULT_LIMIT, LEAST_LIMIT};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, maybe, option};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle compress",
    "Make a long text short for the next agent, with references to what was left out",
    &[
        maybe("FILE", "the text: Markdown, JSON or plain; - or nothing reads standard input"),
        option("max-tokens", "N", "how many tokens the result stays under").default("500"),
    ],
    run,
)
.more(
    "Keeps objective, decisions, findings and next actions, turns the rest into points, and drops thinking aloud.\n\
     What is left out is saved under .claude/state/expand; huddle expand REF prints it.",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let limit = args.number("max-tokens")?.map_or(DEFAULT_LIMIT, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    if limit < LEAST_LIMIT {
        return Err(args.wrong(format!("--max-tokens {limit} leaves no room: give {LEAST_LIMIT} or more")));
    }
    let input = call.input.document(args.text("FILE").unwrap_or("-"))?;
    let compressed = call.project.expansions.compress(&input, limit)?;
    call.output.answer(|| answer::compressed(&compressed), || compressed.text.clone())
}
