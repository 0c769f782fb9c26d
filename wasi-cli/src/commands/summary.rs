//! `huddle summary`

use clap::Args;
use huddle_core::wire::answer;

use crate::failure::Failure;
use crate::session::Session;

/// Sum up a conversation: who took part, how long it took, how it ended
#[derive(Debug, Args)]
pub(crate) struct Summary {
    /// The thread's id, or the id of a message in it
    id: String,
}

impl Summary {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let summary = session.bus.summary(&self.id)?;
        session.output.answer(|| answer::summary(&summary), || summary.to_string())
    }
}
