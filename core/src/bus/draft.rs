//! Drafts: what a sender says, before it is a message.

use super::limits::one_line;
use super::{Bus, Error, Result, body, ids, limits};
use crate::engine::SendKey;
use crate::engine::fs::MAX_DOCUMENT;
use crate::model::{
    AgentName, Json, JsonMap, Message, MessageId, MessageType, Priority, Recipient, ThreadId, Timestamp, preview,
};
use crate::wire::mailbox::pretty;

/// How many characters of a body stand for a subject that was not given.
const SUBJECT_WIDTH: usize = 80;

/// A message that has not been sent. Start with [`Draft::to`] or [`Draft::new`] and set what differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The recipients; empty for a broadcast.
    pub to: Vec<AgentName>,
    /// One line that says what it is about; when it is empty, the body's first line is.
    pub subject: String,
    /// Its type; by default a question when an answer is needed, and a progress update otherwise.
    pub kind: Option<MessageType>,
    /// Its contents.
    pub body: Json,
    /// Its priority.
    pub priority: Priority,
    /// The conversation to go on with; by default a new one begins.
    pub thread: Option<ThreadId>,
    /// Whether an answer is needed; a deadline implies it.
    pub needs_reply: bool,
    /// The deadline of the answer.
    pub deadline: Option<Timestamp>,
    /// An idempotency key: the same key sends once.
    pub key: Option<String>,
    /// The task it belongs to.
    pub task: Option<String>,
    /// Related files.
    pub files: Vec<String>,
    /// Whether a body over the size limit may pass, up to 4 MiB.
    pub allow_large: bool,
}

impl Draft {
    /// Starts a draft for nobody in particular.
    pub fn new(subject: impl Into<String>) -> Self {
        Self {
            to: Vec::new(),
            subject: subject.into(),
            kind: None,
            body: Json::Null,
            priority: Priority::Normal,
            thread: None,
            needs_reply: false,
            deadline: None,
            key: None,
            task: None,
            files: Vec::new(),
            allow_large: false,
        }
    }

    /// Starts a draft for one agent.
    pub fn to(agent: &AgentName, subject: impl Into<String>) -> Self {
        Self { to: vec![agent.clone()], ..Self::new(subject) }
    }

    /// Returns what the message is about: what the sender says it is, or else the body's first line, or what it says in short.
    fn subject_line(&self) -> String {
        match &self.body {
            _ if !self.subject.is_empty() => self.subject.clone(),
            Json::String(text) => preview(&text.trim().lines().next().into(), "", SUBJECT_WIDTH),
            body => preview(body, "", SUBJECT_WIDTH),
        }
    }

    fn metadata(&self) -> JsonMap {
        let mut metadata = JsonMap::new();
        if let Some(task) = &self.task {
            metadata.insert("task_id".into(), task.clone().into());
        }
        if !self.files.is_empty() {
            metadata.insert("related_files".into(), self.files.clone().into());
        }
        metadata
    }

    /// Returns the key under which engines remember this send.
    pub(crate) fn send_key(&self) -> Option<SendKey> {
        let key = self.key.clone()?;
        let to: Vec<&str> = self.to.iter().map(AgentName::as_str).collect();
        let kind = self.kind.as_ref().map_or("", MessageType::as_str);
        let body = self.body.to_string();
        let fingerprint = ids::fingerprint(&[&to.join(","), &self.subject, kind, &body, self.priority.as_str()]);
        Some(SendKey { key, fingerprint })
    }
}

/// Largest body in bytes of JSON that may be insisted on: every reader of the bus loads it whole.
const MAX_LARGE_BODY: usize = 4 << 20;

/// A body of fewer bytes takes no more than readers accept, however it is indented in its file.
const MAX_COMPACT_BODY: usize = 10_000;

/// What a body may take in its file: the rest of what readers accept is for the other fields.
const MAX_WRITTEN_BODY: u64 = MAX_DOCUMENT / 4 * 3;

/// JSON readers give up near 128 levels; a body must leave room for what it is wrapped in.
pub(crate) const MAX_DEPTH: usize = 100;

/// Counts how many lists and objects lie within each other.
pub(crate) fn depth(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// An answer that has not been sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReplyDraft {
    /// Its contents.
    pub body: Json,
    /// Its type; by default a response.
    pub kind: Option<MessageType>,
    /// Its priority.
    pub priority: Priority,
    /// Its subject; by default the original's after `Re: `.
    pub subject: Option<String>,
    /// An idempotency key.
    pub key: Option<String>,
    /// Whether a body over the size limit may pass, up to 4 MiB.
    pub allow_large: bool,
}

impl Bus<'_> {
    /// Validates a draft and turns it into a message with the given id prefix.
    pub(super) fn compose(&self, from: &AgentName, draft: &Draft, prefix: &str, to: Recipient) -> Result<Message> {
        let needs_reply = draft.needs_reply || draft.deadline.is_some();
        let default = if needs_reply { MessageType::QUESTION } else { MessageType::PROGRESS_UPDATE };
        let kind = draft.kind.clone().unwrap_or_else(|| MessageType::new(default));
        let subject = draft.subject_line();
        self.check_content(&subject, &kind, &draft.body, draft.allow_large)?;
        Ok(Message {
            id: self.new_message_id(prefix),
            kind,
            from: from.clone(),
            to,
            subject,
            body: draft.body.clone(),
            priority: draft.priority,
            sent_at: self.now(),
            thread: Some(draft.thread.clone().unwrap_or_else(|| self.new_thread_id())),
            in_reply_to: None,
            requires_response: needs_reply,
            deadline: draft.deadline.map(Timestamp::floor),
            metadata: draft.metadata(),
            extra: JsonMap::new(),
        })
    }

    /// Rejects content that exceeds the limits of a message.
    pub(super) fn check_content(
        &self,
        subject: &str,
        kind: &MessageType,
        body: &Json,
        allow_large: bool,
    ) -> Result<()> {
        if subject.trim().is_empty() || subject.chars().any(char::is_control) {
            return Err(Error::Usage {
                message: format!("subject {subject:?} is not one line of text"),
                hint: "say in one line what the message is about; details go into the body".into(),
            }
            .into());
        }
        if kind.as_str().trim().is_empty() || kind.as_str().chars().any(char::is_control) {
            return Err(Error::Usage {
                message: format!("message type {:?} is not a word", kind.as_str()),
                hint: "use a type such as task, question, progress_update".into(),
            }
            .into());
        }
        limits::check("subject", subject, limits::SUBJECT)?;
        limits::check("message type", kind.as_str(), limits::WORD)?;
        let size = body.to_string().len();
        if size > MAX_LARGE_BODY {
            return Err(Error::Invalid {
                message: format!("body has {size} bytes, more than the {MAX_LARGE_BODY} that --large allows"),
                hint: "put it into a file and send its path with --file, or hand it over with huddle handoff create"
                    .into(),
            }
            .into());
        }
        if size > self.settings.max_body && !allow_large {
            return Err(Error::Invalid {
                message: format!("body has {size} bytes, more than {}", self.settings.max_body),
                hint: "put it into a file and send its path with --file, hand it over with huddle handoff create, \
                       or insist with --large"
                    .into(),
            }
            .into());
        }
        let written = if size > MAX_COMPACT_BODY { pretty(body).len() as u64 } else { 0 };
        if written > MAX_WRITTEN_BODY {
            return Err(Error::Invalid {
                message: format!("body takes {written} bytes as a file, more than readers accept"),
                hint: "put it into a file and send its path with --file".into(),
            }
            .into());
        }
        if depth(body) > MAX_DEPTH {
            return Err(Error::Invalid {
                message: format!("body is nested deeper than {MAX_DEPTH} levels"),
                hint: "put it into a file and send its path with --file".into(),
            }
            .into());
        }
        body::check(kind, body)
    }

    /// Composes the message that answers `original`, from `from` back to its sender.
    pub(super) fn compose_answer(&self, from: &AgentName, original: &Message, answer: &ReplyDraft) -> Result<Message> {
        let re = if original.subject.starts_with("Re: ") { "" } else { "Re: " };
        let subject = answer.subject.clone().unwrap_or_else(|| format!("{re}{}", one_line(&original.subject)));
        let kind = answer.kind.clone().unwrap_or_else(|| MessageType::new(MessageType::RESPONSE));
        let draft = Draft {
            kind: Some(kind.clone()),
            body: answer.body.clone(),
            priority: answer.priority,
            thread: original.thread.clone(),
            allow_large: answer.allow_large,
            ..Draft::to(&original.from, subject)
        };
        let prefix = if kind.as_str() == MessageType::RESPONSE { "resp" } else { "msg" };
        let in_reply_to: Option<MessageId> = Some(original.id.clone());
        Ok(Message { in_reply_to, ..self.compose(from, &draft, prefix, Recipient::Agents(draft.to.clone()))? })
    }
}
