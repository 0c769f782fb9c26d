//! `huddle send`

mod batch;

use huddle_api::{SendMessage, priority};
use huddle_core::model::Priority;

use super::message_options::{MessageOptions, sent_text};
use crate::call::Call;
use crate::failure::Failure;

/// Send a message to one agent or to several
///
/// Prints the message's id once it is stored for good. When a recipient is not registered, nothing is sent to anyone.
///
/// With --batch, each line of standard input is a JSON object: "to" (a name or a list of names), "subject", and any of
/// "body", "type", "priority", "thread", "needs_reply", "deadline", "key", "task", "files", "large". Each gets a line
/// of JSON as answer. A line that cannot be sent does not stop the others; the exit code is then 6.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SendArgs {
    /// who it is for; several names are separated by commas
    to: Option<String>,
    /// one line that says what it is about; without one, the body's first line is
    subject: Option<String>,
    /// what kind of message it is: task, result, question, … any word will do
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// what it says: JSON or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    body: Option<String>,
    /// how urgent it is: critical, high, normal or low
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority)]
    priority: Priority,
    #[command(flatten)]
    options: MessageOptions,
    /// send a message for each line of standard input
    #[arg(long)]
    batch: bool,
}

impl SendArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { to, subject, kind, body, priority, options, batch } = self;
        call.context.actor()?;
        if batch {
            return match to.is_some() || kind.is_some() || body.is_some() || !options.is_empty() {
                true => Err(call.wrong("with --batch, all that a message has is in its line")),
                false => batch::run(call),
            };
        }
        let Some(to) = to else { return Err(call.wrong("TO is missing")) };
        if subject.is_none() && body.is_none() {
            return Err(call.wrong("SUBJECT is missing"));
        }
        let request = SendMessage {
            to: to.split(',').map(str::to_owned).collect(),
            content: call.body(body.as_deref())?,
            subject: subject.clone(),
            kind,
            priority: Some(priority),
            thread_id: options.thread,
            needs_reply: options.needs_reply,
            deadline: options.deadline,
            key: options.key,
            task_id: options.task,
            related_files: options.files,
            large: options.large,
        };
        let sent = call.execute(request)?;
        call.answer(&sent, |sent| sent_text("Message", sent, subject.as_deref()))
    }
}
