//! `huddle reply`

use clap::Args;
use huddle_core::bus::ReplyDraft;
use huddle_core::model::{MessageId, MessageType, Priority};
use huddle_core::wire::answer;

use super::message_options::{BodyOptions, priority, sent_text};
use crate::failure::Failure;
use crate::session::Session;

/// Answer a message: to its sender, in its conversation
#[derive(Debug, Args)]
pub(crate) struct Reply {
    /// The message to answer
    id: MessageId,
    #[command(flatten)]
    body: BodyOptions,
    /// What kind of message the answer is; by default a response
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// How urgent it is: critical, high, normal or low
    #[arg(long, default_value = "normal", value_parser = priority)]
    priority: Priority,
    /// Another subject than "Re: …"
    #[arg(long)]
    subject: Option<String>,
    /// A name for this answer, so that trying again cannot send it twice
    #[arg(long)]
    key: Option<String>,
}

impl Reply {
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let me = session.me()?;
        let draft = ReplyDraft {
            body: self.body.read(session)?,
            kind: self.kind.as_deref().map(MessageType::new),
            priority: self.priority,
            subject: self.subject.clone(),
            key: self.key.clone(),
            large: self.body.large,
        };
        let sent = session.bus.reply(&me, &self.id, &draft)?;
        session.output.answer(|| answer::sent(&sent), || sent_text("Response", &sent, None))
    }
}
