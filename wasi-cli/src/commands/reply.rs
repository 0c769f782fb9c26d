//! `huddle reply`

use huddle_api::{Reply, priority};
use huddle_core::model::Priority;

use super::message_options::sent_text;
use crate::call::Call;
use crate::failure::Failure;

/// Answer a message: to its sender, in its conversation
#[derive(Debug, clap::Args)]
pub(crate) struct ReplyArgs {
    /// the message to answer
    id: String,
    /// what it says: JSON or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    body: Option<String>,
    /// what kind of message the answer is; by default a response
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// how urgent it is: critical, high, normal or low
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority)]
    priority: Priority,
    /// another subject than "Re: …"
    #[arg(long, value_name = "TEXT")]
    subject: Option<String>,
    /// a name for this message, so that trying again cannot send it twice
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// let a body of more than 10 KB pass
    #[arg(long)]
    large: bool,
}

impl ReplyArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { id, body, kind, priority, subject, key, large } = self;
        let content = call.body(body.as_deref())?;
        let reply = Reply { message_id: id, content, kind, priority: Some(priority), subject, key, large };
        let sent = call.execute(reply)?;
        call.answer(&sent, |sent| sent_text("Response", sent, None))
    }
}
