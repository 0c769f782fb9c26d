//! `huddle expand`

use huddle_api::Expand;

use crate::call::Call;
use crate::failure::Failure;

/// Print what a reference of a compressed text stands for, byte for byte
#[derive(Debug, clap::Args)]
pub(crate) struct ExpandArgs {
    /// the reference: its digits, or all of [expand:DIGITS]
    #[arg(value_name = "REF")]
    reference: String,
}

impl ExpandArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let expansion = call.execute(Expand { reference: self.reference })?;
        call.output.bytes(&expansion.content)
    }
}
