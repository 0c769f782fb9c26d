//! A whole message, with the field names of the documents protocol.

use super::{shown, time};
use crate::model::{AgentName, Json, Message, Recipient};

/// Writes a message: the documents protocol's eight fields, then what the mailbox protocol adds.
pub fn message(message: &Message) -> Json {
    let mut fields = object!({
        "id": message.id.as_str(),
        "from": message.from.as_str(),
        "to": address(&message.to),
        "content": message.content(),
        "type": message.kind.as_str(),
        "threadId": shown(message.thread.as_ref()),
        "priority": message.priority.as_str(),
        "createdAt": message.sent_at.to_string(),
        "subject": message.subject,
        "inReplyTo": shown(message.in_reply_to.as_ref()),
        "requiresResponse": message.requires_response,
        "responseDeadline": time(message.deadline),
        "metadata": message.metadata,
    });
    if let Some(event) = message.event() {
        fields["event"] = event.as_str().into();
    }
    if !message.extra.is_empty() {
        fields["extra"] = Json::Object(message.extra.clone());
    }
    fields
}

/// Writes who a message is for, as `send` takes it: several names are separated by commas, which no name contains.
fn address(to: &Recipient) -> String {
    match to {
        Recipient::Agents(names) => names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(","),
        Recipient::All | Recipient::Subscribers(_) => to.to_string(),
    }
}
