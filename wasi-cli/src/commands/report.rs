//! `huddle report`

use clap::Subcommand;
use huddle_api::{ReportBlocker, ReportBroadcast};

use crate::call::Call;
use crate::failure::Failure;

/// Report on a broadcast or on a blocker
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    #[command(subcommand)]
    command: ReportCommand,
}

#[derive(Debug, Subcommand)]
enum ReportCommand {
    /// Say who has received and acknowledged a broadcast
    Broadcast {
        /// the broadcast's id
        id: String,
    },
    /// Tell the story of a blocker, from when it was met to when it was resolved
    Blocker {
        /// the id of the event, of the task, or of the blocker
        id: String,
    },
}

impl ReportArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        match self.command {
            ReportCommand::Broadcast { id } => {
                let report = call.execute(ReportBroadcast { message_id: id })?;
                call.answer(&report, |report| report.text.clone())
            }
            ReportCommand::Blocker { id } => {
                let report = call.execute(ReportBlocker { id })?;
                call.answer(&report, |report| report.text.clone())
            }
        }
    }
}
