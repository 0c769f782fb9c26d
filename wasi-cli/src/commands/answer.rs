//! `huddle answer`

use huddle_api::{Answer, priority};
use huddle_core::model::Priority;

use super::message_options::sent_text;
use crate::call::Call;
use crate::failure::Failure;

/// Answer a question that was asked with huddle ask
///
/// An answer that does not fit the format that was asked for is sent all the same, with a warning.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct AnswerArgs {
    /// the question
    id: String,
    /// the answer: JSON or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    body: String,
    /// how urgent it is: critical, high, normal or low
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority)]
    priority: Priority,
    /// a name for this message, so that trying again cannot send it twice
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// let a body of more than 10 KB pass
    #[arg(long)]
    large: bool,
}

impl AnswerArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.context.actor()?;
        let content = call.body(Some(&self.body))?;
        let Self { id, priority, key, large, .. } = self;
        let sent = call.execute(Answer { message_id: id, content, priority: Some(priority), key, large })?;
        call.answer(&sent, |sent| sent_text("Answer", sent, None))
    }
}
