//! The options that messages have, whoever they are for.

use clap::Args;
use huddle_core::bus::{Draft, Sent};
use huddle_core::model::{Json, MessageType, Priority, ThreadId};

use crate::failure::Failure;
use crate::session::Session;
use crate::text;
use crate::when::When;

/// What a message may have besides its recipients and its subject.
#[derive(Debug, Args)]
pub(crate) struct MessageOptions {
    /// What kind of message it is: task, result, status, error, question, interface_contract,
    /// decision_announcement, blocker_notification, … Any word will do
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    #[command(flatten)]
    body: BodyOptions,
    /// How urgent it is: critical, high, normal or low
    #[arg(long, default_value = "normal", value_parser = priority)]
    priority: Priority,
    /// The conversation to go on with; by default a new one begins
    #[arg(long, value_name = "ID")]
    thread: Option<ThreadId>,
    /// Ask for an answer
    #[arg(long)]
    needs_reply: bool,
    /// Until when the answer is needed: a time, or a span such as 2h. Implies --needs-reply
    #[arg(long, value_name = "SPAN|TIME", value_parser = When::parse)]
    deadline: Option<When>,
    /// A name for this message, so that trying again cannot send it twice
    #[arg(long)]
    key: Option<String>,
    /// The task it belongs to
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// A file it is about; may be given again
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
}

impl MessageOptions {
    /// Makes a draft of a message to nobody yet.
    pub(crate) fn draft(&self, subject: &str, session: &mut Session<'_>) -> Result<Draft, Failure> {
        Ok(Draft {
            kind: self.kind.as_deref().map(MessageType::new),
            body: self.body.read(session)?,
            priority: self.priority,
            thread: self.thread.clone(),
            needs_reply: self.needs_reply,
            deadline: self.deadline.map(|deadline| deadline.ahead_of(session.now())),
            key: self.key.clone(),
            task: self.task.clone(),
            files: self.files.clone(),
            large: self.body.large,
            ..Draft::new(subject)
        })
    }
}

/// What a message says.
#[derive(Debug, Args)]
pub(crate) struct BodyOptions {
    /// What it says: JSON, or plain text; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    body: Option<String>,
    /// Let a body of more than 10 KB pass
    #[arg(long)]
    pub(crate) large: bool,
}

impl BodyOptions {
    /// Reads the body; none is null.
    pub(crate) fn read(&self, session: &mut Session<'_>) -> Result<Json, Failure> {
        let Some(argument) = &self.body else { return Ok(Json::Null) };
        body(argument, session)
    }
}

/// Reads the body that an argument stands for.
pub(crate) fn body(argument: &str, session: &mut Session<'_>) -> Result<Json, Failure> {
    let (body, finding) = session.input.body(argument)?;
    session.output.found(finding);
    Ok(body)
}

/// Reads a priority.
pub(crate) fn priority(text: &str) -> Result<Priority, String> {
    Priority::parse(text).ok_or_else(|| "give critical, high, normal or low".to_owned())
}

/// Tells people what was sent.
pub(crate) fn sent_text(what: &str, sent: &Sent, subject: Option<&str>) -> String {
    let mut lines = vec![match sent.duplicate {
        true => format!("{what} was sent before under this key; nothing was sent now"),
        false if sent.recipients.is_empty() => format!("✅ {what} kept; nobody was there to get it"),
        false => format!("✅ {what} sent to {}", text::list(&sent.recipients)),
    }];
    lines.push(format!("   ID: {}", sent.id));
    lines.extend(subject.map(|subject| format!("   Subject: {subject}")));
    lines.extend(sent.thread.as_ref().map(|thread| format!("   Thread: {thread}")));
    lines.join("\n")
}
