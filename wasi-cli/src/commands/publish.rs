//! `huddle publish`

use huddle_api::Publish;

use super::message_options::sent_text;
use crate::call::Call;
use crate::failure::Failure;

/// Publish an event: it is kept, and each of its subscribers gets a copy
#[derive(Debug, clap::Args)]
pub(crate) struct PublishArgs {
    /// the event: TaskCompleted, BlockerEncountered, …
    event: String,
    /// what happened: JSON or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    data: Option<String>,
    /// let a body of more than 10 KB pass
    #[arg(long)]
    large: bool,
}

impl PublishArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { event, data, large } = self;
        let data = call.body(data.as_deref())?;
        let sent = call.execute(Publish { event: event.clone(), data, large })?;
        call.answer(&sent, |sent| sent_text(&format!("Event {event}"), sent, None))
    }
}
