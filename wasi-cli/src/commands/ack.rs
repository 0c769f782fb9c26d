//! `huddle ack`

use clap::Args;
use huddle_core::model::MessageId;
use huddle_core::wire::answer;

use super::message_options::sent_text;
use crate::failure::Failure;
use crate::session::Session;

/// Tell the sender that you have a message, without answering it
#[derive(Debug, Args)]
pub(crate) struct Ack {
    /// The message to acknowledge
    id: MessageId,
    /// A word to go with it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
}

impl Ack {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let sent = session.bus.ack(&me, &self.id, self.note.as_deref())?;
        session.output.answer(|| answer::sent(&sent), || sent_text("Acknowledgment", &sent, None))
    }
}
