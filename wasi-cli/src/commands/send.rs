//! `huddle send`

mod batch;

use clap::Args;
use huddle_core::bus::Draft;
use huddle_core::model::AgentName;
use huddle_core::wire::answer;

use super::message_options::{MessageOptions, sent_text};
use crate::failure::Failure;
use crate::session::Session;

/// Send a message to one agent or to several
///
/// Prints the message's id once it is stored for good. When a recipient is not registered, nothing is sent to anyone.
#[derive(Debug, Args)]
pub(crate) struct Send {
    /// Who it is for; several names are separated by commas
    #[arg(required_unless_present = "batch")]
    to: Option<String>,
    /// One line that says what it is about
    #[arg(required_unless_present = "batch")]
    subject: Option<String>,
    #[command(flatten)]
    options: MessageOptions,
    /// Send a message for each line of JSON on standard input: {"to": "a" or ["a", "b"], "subject", "body", "type",
    /// "priority", "thread", "needs_reply", "deadline", "key", "task", "files"}. Each gets a line of JSON as answer
    #[arg(long, conflicts_with_all = ["to", "subject", "MessageOptions", "BodyOptions"])]
    batch: bool,
}

impl Send {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        if self.batch {
            return batch::run(&me, session);
        }
        let subject = self.subject.as_deref().unwrap_or_default();
        let to = self.to.as_deref().unwrap_or_default().split(',');
        let to = to.map(AgentName::new).collect::<Result<_, _>>()?;
        let draft = Draft { to, ..self.options.draft(subject, session)? };
        let sent = session.bus.send(&me, &draft)?;
        session.output.answer(|| answer::sent(&sent), || sent_text("Message", &sent, Some(subject)))
    }
}
