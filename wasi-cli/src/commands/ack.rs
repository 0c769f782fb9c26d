//! `huddle ack`

use huddle_api::Acknowledge;

use super::message_options::sent_text;
use crate::call::Call;
use crate::failure::Failure;

/// Tell the sender that you have a message, without answering it
#[derive(Debug, clap::Args)]
pub(crate) struct AckArgs {
    /// the message to acknowledge
    id: String,
    /// a word to go with it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl AckArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let sent = call.execute(Acknowledge { message_id: self.id, note: self.note })?;
        call.answer(&sent, |sent| sent_text("Acknowledgment", sent, None))
    }
}
