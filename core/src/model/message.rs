//! Messages: what one agent says to another, to several, to all, or to those who listen for an event.

use std::fmt;

use super::{AgentName, EventName, Json, JsonMap, MessageId, Priority, ThreadId, Timestamp};

/// What kind of message it is. The list is open: any word passes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageType(String);

impl MessageType {
    /// A reply that says "I have it".
    pub const ACKNOWLEDGMENT: &'static str = "acknowledgment";
    /// A reply with an answer.
    pub const RESPONSE: &'static str = "response";
    /// A request for an answer.
    pub const QUESTION: &'static str = "question";
    /// A word on how work is going.
    pub const PROGRESS_UPDATE: &'static str = "progress_update";
    /// A notice that a shared context moved on.
    pub const CONTEXT_UPDATED: &'static str = "context_updated";
    /// A notice that a handoff package is ready.
    pub const HANDOFF_REQUEST: &'static str = "handoff_request";
    /// A notice that a handoff was taken over.
    pub const HANDOFF_ACCEPTED: &'static str = "handoff_accepted";
    /// A notice that a handoff was turned down.
    pub const HANDOFF_DECLINED: &'static str = "handoff_declined";
    /// A notice to the sender that a message was given up on.
    pub const DELIVERY_FAILED: &'static str = "delivery_failed";

    /// Takes any text as a type.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the type as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is an acknowledgment, which is never acknowledged itself.
    pub fn is_acknowledgment(&self) -> bool {
        self.0 == Self::ACKNOWLEDGMENT
    }
}

impl fmt::Display for MessageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Who a message is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// Named agents: at least one.
    Agents(Vec<AgentName>),
    /// Every agent that was registered when it was sent.
    All,
    /// Whoever had subscribed to the event when it was published.
    Subscribers(EventName),
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agents(names) => f.pad(&names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(", ")),
            Self::All => f.pad("ALL"),
            Self::Subscribers(event) => f.pad(&format!("subscribers of {event}")),
        }
    }
}

/// One message, however many recipients it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its id, the same in every recipient's inbox.
    pub id: MessageId,
    /// What kind it is; for an event, the event's name.
    pub kind: MessageType,
    /// Who sent it.
    pub from: AgentName,
    /// Who it is for.
    pub to: Recipient,
    /// One line that says what it is about.
    pub subject: String,
    /// What it says.
    pub body: Json,
    /// How urgent it is.
    pub priority: Priority,
    /// When it was sent, to the second.
    pub sent_at: Timestamp,
    /// The conversation it belongs to.
    pub thread: Option<ThreadId>,
    /// The message it answers.
    pub in_reply_to: Option<MessageId>,
    /// Whether the sender waits for an answer.
    pub requires_response: bool,
    /// Until when.
    pub deadline: Option<Timestamp>,
    /// Task id, related files, and whatever else the sender attached.
    pub metadata: JsonMap,
    /// Fields of the stored message that this version does not know.
    pub extra: JsonMap,
}

impl Message {
    /// Returns whether it is an event rather than a letter.
    pub fn event(&self) -> Option<&EventName> {
        match &self.to {
            Recipient::Subscribers(event) => Some(event),
            Recipient::Agents(_) | Recipient::All => None,
        }
    }

    /// Returns the body as the documents protocol carries it: text as it is, structure as JSON text.
    pub fn content(&self) -> String {
        content(&self.body)
    }

    /// Gives one line of at most `width` characters that tells the reader what to expect.
    pub fn preview(&self, width: usize) -> String {
        preview(&self.body, &self.subject, width)
    }
}

/// Gives one line of at most `width` characters that tells what a body says; what says nothing is told by its subject.
pub fn preview(body: &Json, subject: &str, width: usize) -> String {
    const TELLING: [&str; 9] =
        ["title", "summary", "description", "decision", "question", "note", "notes", "result", "content"];
    // Questions and announcements of the orchestrator protocol wrap what they say.
    let layers = [Some(body), body.get("query"), body.get("message")];
    let telling =
        layers.into_iter().flatten().find_map(|layer| TELLING.iter().find_map(|key| layer.get(key)?.as_str()));
    let content = telling.map(str::to_owned).or_else(|| plain_fields(body)).unwrap_or_else(|| content(body));
    let line = content.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = if line.is_empty() { subject.to_owned() } else { line };
    if line.chars().count() <= width {
        return line;
    }
    let cut: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// Returns a body as the documents protocol carries it: text as it is, structure as JSON text.
fn content(body: &Json) -> String {
    match body {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        body => body.to_string(),
    }
}

/// Writes the fields of an object that are texts, numbers or flags as people would: `context: api, version: 2`.
fn plain_fields(body: &Json) -> Option<String> {
    let fields = body.as_object()?.iter().filter_map(|(key, value)| match value {
        Json::String(text) => Some(format!("{key}: {text}")),
        Json::Number(_) | Json::Bool(_) => Some(format!("{key}: {value}")),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    });
    let fields: Vec<String> = fields.collect();
    (!fields.is_empty()).then(|| fields.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_preview_tells_what_to_expect() {
        let check = |body: Json, expected: &str| {
            let text = json!({"message_id": "m", "timestamp": "2025-11-29T14:30:52Z", "from_agent": "a", "to_agent": "b",
                "subject": "about it", "payload": body});
            let message = crate::wire::mailbox::message::decode(text.to_string().as_bytes()).unwrap();
            assert_eq!(message.preview(20), expected);
        };
        check(json!({"taskId": "t", "title": "Parser"}), "Parser");
        check(json!({"query_type": "request", "query": {"question": "Which port?"}}), "Which port?");
        check(json!({"version": 2, "tags": [], "ok": true}), "version: 2, ok: true");
        check(json!("one\n two"), "one two");
        check(json!("a text of more than twenty characters"), "a text of more than…");
        check(json!({}), "{}");
        check(json!(["x"]), "[\"x\"]");
        check(Json::Null, "about it");
    }
}
