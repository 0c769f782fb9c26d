//! `huddle init`

use huddle_api::InitBus;

use crate::call::Call;
use crate::failure::Failure;

/// Make the message bus of a project
///
/// Makes .agent-messages/ with its directories, registry.json and routing.json. A second call changes nothing.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct InitArgs;

impl InitArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let bus = call.execute(InitBus {})?;
        call.answer(&bus, |bus| match bus.created {
            true => format!("✅ Message bus initialized at {}", bus.path),
            false => format!("Message bus at {} is there already; nothing was changed", bus.path),
        })
    }
}
