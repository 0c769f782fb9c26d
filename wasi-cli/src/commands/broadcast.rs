//! `huddle broadcast`

use clap::Args;
use huddle_core::wire::answer;

use super::message_options::{MessageOptions, sent_text};
use crate::failure::Failure;
use crate::session::Session;

/// Send a message to every registered agent but yourself
///
/// For decisions that concern everybody. What concerns some is an event: see publish and subscribe.
#[derive(Debug, Args)]
pub(crate) struct Broadcast {
    /// One line that says what it is about
    subject: String,
    #[command(flatten)]
    options: MessageOptions,
}

impl Broadcast {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let draft = self.options.draft(&self.subject, session)?;
        let sent = session.bus.broadcast(&me, &draft)?;
        session.output.answer(|| answer::sent(&sent), || sent_text("Broadcast", &sent, Some(&self.subject)))
    }
}
