//! Checking an inbox.

use huddle_core::bus::{InboxCursor, InboxFilter};
use huddle_core::model::{AgentName, Delivery, MessageType, Priority, Span, ThreadId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::response::text;
use crate::when::{optional_priority, optional_seconds};
use crate::{Context, Error, Operation};

/// How many characters of a message an inbox shows.
const PREVIEW: usize = 80;

/// How long a watch relies on the engine's report that nothing came.
const MAX_PAUSE: Span = Span::from_seconds(30);

/// Lists unread messages of the acting agent, most urgent first.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CheckInbox {
    /// Whether to list read messages, too.
    pub all: bool,
    /// Only of this type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Only from this agent.
    pub from: Option<String>,
    /// Only at least this urgent.
    #[serde(deserialize_with = "optional_priority")]
    pub min_priority: Option<Priority>,
    /// Only of this thread.
    pub thread_id: Option<String>,
    /// The maximum number of messages to list.
    pub limit: Option<usize>,
    /// How long to wait when there are none.
    #[serde(deserialize_with = "optional_seconds")]
    pub wait: Option<Span>,
    /// Whether to list without marking messages as offered.
    pub peek: bool,
}

impl CheckInbox {
    fn into_filter(self) -> Result<InboxFilter, Error> {
        Ok(InboxFilter {
            all: self.all,
            kind: self.kind.map(MessageType::new),
            from: self.from.map(AgentName::new).transpose()?,
            min_priority: self.min_priority,
            thread: self.thread_id.map(ThreadId::new).transpose()?,
            limit: self.limit,
            peek: self.peek,
        })
    }
}

/// A listing of an inbox.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InboxListing {
    /// How many messages match, listed or not.
    pub count: usize,
    /// Those that are listed.
    pub notifications: Vec<Notification>,
}

impl Operation for CheckInbox {
    type Response = InboxListing;

    fn run(self, context: &mut Context<'_>) -> Result<InboxListing, Error> {
        let (agent, wait) = (context.actor()?, self.wait);
        let filter = self.into_filter()?;
        let inbox = match wait {
            Some(wait) => context.bus().wait_inbox(&agent, &filter, wait)?,
            None => context.bus().inbox(&agent, &filter)?,
        };
        context.note(inbox.findings);
        Ok(InboxListing { count: inbox.total, notifications: inbox.shown.iter().map(Notification::from).collect() })
    }
}

/// A message in an inbox, without its content.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Its id.
    pub id: String,
    /// Its sender.
    pub from: String,
    /// Its type, or an event's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says, in short.
    pub preview: String,
    /// When it was sent.
    pub timestamp: String,
    /// What it is about.
    pub subject: String,
    /// How urgent it is.
    pub priority: &'static str,
    /// The thread it belongs to.
    pub thread_id: Option<String>,
    /// Whether the sender waits for an answer.
    pub requires_response: bool,
    /// Whether it was read.
    pub read: bool,
    // An inbox of thousands should not repeat what is nearly always absent.
    /// Until when the answer is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_deadline: Option<String>,
    /// The message it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_reply_to: Option<String>,
    /// How often it was redelivered.
    #[serde(skip_serializing_if = "is_zero")]
    pub redelivered: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl From<&Delivery> for Notification {
    fn from(delivery: &Delivery) -> Self {
        let message = &delivery.message;
        Self {
            id: message.id.to_string(),
            from: message.from.to_string(),
            kind: message.kind.as_str().to_owned(),
            preview: message.preview(PREVIEW),
            timestamp: message.sent_at.to_string(),
            subject: message.subject.clone(),
            priority: message.priority.as_str(),
            thread_id: text(message.thread.as_ref()),
            requires_response: message.requires_response,
            read: !delivery.is_unread(),
            response_deadline: text(message.deadline.as_ref()),
            in_reply_to: text(message.in_reply_to.as_ref()),
            redelivered: delivery.receipt.redelivered,
        }
    }
}

/// Counts unread messages of the acting agent, and leaves no trace.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountUnread {}

/// A number of unread messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnreadCount {
    /// The agent.
    #[serde(skip)]
    pub name: String,
    /// How many there are.
    pub count: usize,
}

impl Operation for CountUnread {
    type Response = UnreadCount;

    fn run(self, context: &mut Context<'_>) -> Result<UnreadCount, Error> {
        let agent = context.actor()?;
        let count = context.bus().unread(&agent)?.count;
        Ok(UnreadCount { name: agent.to_string(), count })
    }
}

/// A watch of an inbox, which returns each message as it arrives.
#[derive(Debug)]
pub struct InboxWatch {
    agent: AgentName,
    filter: InboxFilter,
    cursor: InboxCursor,
    /// How many messages it may still return.
    left: usize,
    end: Option<Timestamp>,
    has_polled: bool,
}

impl InboxWatch {
    /// Starts a watch: the request's limit counts all messages, and `duration` ends it.
    pub fn start(request: CheckInbox, duration: Option<Span>, context: &mut Context<'_>) -> Result<Self, Error> {
        context.check_directory();
        let agent = context.actor()?;
        let mut filter = request.into_filter()?;
        let left = filter.limit.take().unwrap_or(usize::MAX);
        let end = duration.map(|span| context.now().plus(span));
        Ok(Self { agent, filter, cursor: InboxCursor::default(), left, end, has_polled: false })
    }

    /// Waits for a while, and returns the messages that arrived meanwhile, if any; `None` at the end of the watch.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Result<Option<Vec<Notification>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.has_polled {
            let rest = self.end.map_or(MAX_PAUSE, |end| end.since(context.now()).min(MAX_PAUSE));
            if rest == Span::default() {
                return Ok(None);
            }
            context.bus().wait_for_mail(&self.agent, rest)?;
        }
        self.has_polled = true;
        let news = context.bus().poll_new(&self.agent, &self.filter, &mut self.cursor)?;
        context.note(news.findings);
        let shown: Vec<_> = news.shown.iter().take(self.left).map(Notification::from).collect();
        self.left -= shown.len();
        Ok(Some(shown))
    }
}
