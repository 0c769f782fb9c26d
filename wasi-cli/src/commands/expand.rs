//! `huddle expand`

use crate::args::{Args, Spec, must};
use crate::call::Call;
use crate::failure::Failure;

pub(super) const SPEC: Spec = Spec::command(
    "huddle expand",
    "Print what a reference of a compressed text stands for, byte for byte",
    &[must("REF", "the reference: its digits, or all of [expand:DIGITS]")],
    run,
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let bytes = call.project.expansions.expand(args.need("REF"))?;
    call.output.bytes(&bytes)
}
