//! The threads of a bus.

use huddle_core::bus;
use serde::{Deserialize, Serialize};

use crate::response::{text, texts};
use crate::{Context, Error, Message, Operation};

/// Lists the threads, the one with the newest message first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListThreads {}

/// The threads of a bus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThreadList {
    /// How many there are.
    pub count: usize,
    /// All of them, without their messages.
    pub threads: Vec<ThreadEntry>,
}

impl Operation for ListThreads {
    type Response = ThreadList;

    fn run(self, context: &mut Context<'_>) -> Result<ThreadList, Error> {
        let threads = context.bus().threads()?;
        let threads: Vec<_> = context.collect(threads).iter().map(ThreadEntry::from).collect();
        Ok(ThreadList { count: threads.len(), threads })
    }
}

/// Returns a thread with all its messages.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowThread {
    /// The thread, or a message in it.
    pub thread_id: String,
}

/// A thread with all its messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Thread {
    /// The thread.
    #[serde(flatten)]
    pub entry: ThreadEntry,
    /// Its messages, oldest first.
    pub messages: Vec<Message>,
}

impl Operation for ShowThread {
    type Response = Thread;

    fn run(self, context: &mut Context<'_>) -> Result<Thread, Error> {
        let thread = context.bus().thread(&self.thread_id)?;
        Ok(Thread::from(&context.collect(thread)))
    }
}

/// A thread without its messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadEntry {
    /// Its id.
    pub thread_id: String,
    /// What it is about.
    pub subject: String,
    /// The agents that take part.
    pub participants: Vec<String>,
    /// How many messages it has.
    pub message_count: usize,
    /// When its first message was sent; messages of a bus always have a time.
    pub started_at: Option<String>,
    /// When its last message was sent.
    pub last_at: Option<String>,
    /// The messages that wait for an answer.
    pub waiting: Vec<PendingReply>,
}

/// A message that waits for an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingReply {
    /// The message.
    pub id: String,
    /// What it is about; a history leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Its sender.
    pub asked_by: String,
    /// Those who have not answered.
    pub waits_for: Vec<String>,
    /// Until when the answer is needed.
    pub deadline: Option<String>,
}

impl From<&bus::Thread> for Thread {
    fn from(thread: &bus::Thread) -> Self {
        Self { entry: thread.into(), messages: thread.messages.iter().cloned().map(Message::from).collect() }
    }
}

impl From<&bus::Thread> for ThreadEntry {
    fn from(thread: &bus::Thread) -> Self {
        Self {
            thread_id: thread.id.to_string(),
            subject: thread.subject.clone(),
            participants: texts(&thread.participants),
            message_count: thread.messages.len(),
            started_at: Some(thread.started_at.to_string()),
            last_at: Some(thread.last_at.to_string()),
            waiting: thread.waiting.iter().map(PendingReply::from).collect(),
        }
    }
}

impl From<&bus::PendingReply> for PendingReply {
    fn from(pending: &bus::PendingReply) -> Self {
        Self {
            id: pending.id.to_string(),
            subject: Some(pending.subject.clone()),
            asked_by: pending.asked_by.to_string(),
            waits_for: texts(&pending.waits_for),
            deadline: text(pending.deadline.as_ref()),
        }
    }
}
