//! `huddle publish`

use clap::Args;
use huddle_core::model::{EventName, Json};
use huddle_core::wire::answer;

use super::message_options::{body, sent_text};
use crate::failure::Failure;
use crate::session::Session;

/// Publish an event: it is kept, and each of its subscribers gets a copy
#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The event: TaskCompleted, BlockerEncountered, …
    event: EventName,
    /// What happened: JSON, or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    data: Option<String>,
    /// Let data of more than 10 KB pass
    #[arg(long)]
    large: bool,
}

impl Publish {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let data = match &self.data {
            Some(argument) => body(argument, session)?,
            None => Json::Null,
        };
        let sent = session.bus.publish(&me, &self.event, data, self.large)?;
        let what = format!("Event {}", self.event);
        session.output.answer(|| answer::sent(&sent), || sent_text(&what, &sent, None))
    }
}
