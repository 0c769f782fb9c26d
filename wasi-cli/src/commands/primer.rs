//! `huddle primer`

use huddle_core::model::Json;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;

const PRIMER: &str = include_str!("../primer.md");

pub(super) const SPEC: Spec =
    Spec::command("huddle primer", "Print what to tell an agent about this command", &[], run);

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    call.output.answer(|| Json::from_iter([("primer", PRIMER)]), || PRIMER.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_primer_is_short() {
        assert!(huddle_core::compress::estimate(super::PRIMER) < 500);
    }
}
