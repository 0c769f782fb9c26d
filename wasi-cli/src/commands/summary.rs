//! `huddle summary`

use huddle_api::SummarizeThread;

use crate::call::Call;
use crate::failure::Failure;

/// Sum up a conversation: who took part, how long it took, how it ended
#[derive(Debug, clap::Args)]
pub(crate) struct SummaryArgs {
    /// the thread's id, or the id of a message in it
    id: String,
}

impl SummaryArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let summary = call.execute(SummarizeThread { thread_id: self.id })?;
        call.answer(&summary, |summary| summary.text.clone())
    }
}
