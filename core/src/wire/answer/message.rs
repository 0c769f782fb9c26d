//! A whole message, with the field names of the documents protocol.

use super::{shown, time};
use crate::bus::ReadMessage;
use crate::model::{AgentName, Delivery, Json, Message, Place, Recipient};

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

/// Writes a message as its recipient reads it, with how far it has come.
pub fn read_message(read: &ReadMessage) -> Json {
    let mut fields = message(&read.delivery.message);
    fields["firstRead"] = read.first.into();
    fields["acknowledgment"] = shown(read.acknowledgment.as_ref());
    fields["delivery"] = delivery(&read.delivery);
    fields
}

/// Writes how far one recipient's copy has come, and where it lies.
pub(super) fn delivery(delivery: &Delivery) -> Json {
    let receipt = &delivery.receipt;
    let mut fields = object!({
        "recipient": delivery.recipient.as_str(),
        "place": place(&delivery.place),
        "offeredAt": time(receipt.offered_at),
        "seenAt": time(receipt.seen_at),
        "redelivered": receipt.redelivered,
    });
    if let Place::DeadLetters { reason, at } = &delivery.place {
        fields["reason"] = reason.as_str().into();
        fields["deadAt"] = at.to_string().into();
    }
    fields
}

/// Returns the word for a place.
pub(super) fn place(place: &Place) -> &'static str {
    match place {
        Place::Inbox => "inbox",
        Place::Archive => "archive",
        Place::DeadLetters { .. } => "dead-letters",
    }
}

/// Writes who a message is for, as `send` takes it: several names are separated by commas, which no name contains.
fn address(to: &Recipient) -> String {
    match to {
        Recipient::Agents(names) => names.iter().map(AgentName::as_str).collect::<Vec<_>>().join(","),
        Recipient::All | Recipient::Subscribers(_) => to.to_string(),
    }
}
