//! `huddle primer`

use clap::Args;
use huddle_core::model::Json;

use crate::failure::Failure;
use crate::session::Session;

const PRIMER: &str = include_str!("../primer.md");

/// Print what to tell an agent about this command
#[derive(Debug, Args)]
pub(crate) struct Primer {}

impl Primer {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        session.output.answer(|| Json::from_iter([("primer", PRIMER)]), || PRIMER.to_owned())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_primer_is_short() {
        assert!(super::PRIMER.split_whitespace().count() < 350);
    }
}
