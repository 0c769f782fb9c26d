//! The options that messages have, whoever they are for.

use huddle_api::{MessageSent, When};

use crate::text;

/// Options that a message to named agents and one to all have in common.
#[derive(Debug, clap::Args)]
pub(super) struct MessageOptions {
    /// the conversation to go on with; by default a new one begins
    #[arg(long, value_name = "ID")]
    pub(super) thread: Option<String>,
    /// ask for an answer
    #[arg(long)]
    pub(super) needs_reply: bool,
    /// until when the answer is needed, as in 2h; implies --needs-reply
    #[arg(long, value_name = "SPAN|TIME", value_parser = When::parse)]
    pub(super) deadline: Option<When>,
    /// a name for this message, so that trying again cannot send it twice
    #[arg(long, value_name = "KEY")]
    pub(super) key: Option<String>,
    /// the task it belongs to
    #[arg(long, value_name = "ID")]
    pub(super) task: Option<String>,
    /// a file it is about
    #[arg(long = "file", value_name = "PATH")]
    pub(super) files: Vec<String>,
    /// let a body of more than 10 KB pass
    #[arg(long)]
    pub(super) large: bool,
}

impl MessageOptions {
    /// Returns whether none was given.
    pub(super) fn is_empty(&self) -> bool {
        let Self { thread, needs_reply, deadline, key, task, files, large } = self;
        let texts = [thread, key, task];
        texts.iter().all(|text| text.is_none()) && deadline.is_none() && files.is_empty() && !needs_reply && !large
    }
}

/// Tells people what was sent.
pub(super) fn sent_text(what: &str, sent: &MessageSent, subject: Option<&str>) -> String {
    let mut lines = vec![match sent.duplicate {
        true => format!("{what} was sent before under this key; nothing was sent now"),
        false if sent.recipients.is_empty() => format!("✅ {what} kept; nobody was there to get it"),
        false => format!("✅ {what} sent to {}", text::list(&sent.recipients)),
    }];
    lines.push(format!("   ID: {}", sent.id));
    lines.extend(subject.map(|subject| format!("   Subject: {subject}")));
    lines.extend(sent.thread_id.as_ref().map(|thread| format!("   Thread: {thread}")));
    lines.join("\n")
}
