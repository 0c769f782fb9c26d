//! `huddle primer`

use serde::Serialize;

use crate::call::Call;
use crate::failure::Failure;

const PRIMER: &str = include_str!("../primer.md");

/// Print what to tell an agent about this command
#[derive(Debug, clap::Args)]
pub(crate) struct PrimerArgs;

#[derive(Serialize)]
struct Primer {
    primer: &'static str,
}

impl PrimerArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.answer(&Primer { primer: PRIMER }, |primer| primer.primer.to_owned())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn primer_is_short() {
        assert!(huddle_core::compress::estimate(super::PRIMER) < 500);
    }
}
