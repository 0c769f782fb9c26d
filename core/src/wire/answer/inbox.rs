//! Notifications: what waits in an inbox, without its content.

use super::shown;
use crate::bus::Inbox;
use crate::model::{Delivery, Json};

/// How many characters of a message an inbox shows.
const PREVIEW: usize = 80;

/// Writes an inbox as the documents protocol does. `count` is how many messages are wanted, `--limit` or not.
pub fn inbox(inbox: &Inbox) -> Json {
    let notifications: Vec<Json> = inbox.shown.iter().map(notification).collect();
    object!({"count": inbox.total, "notifications": notifications})
}

/// Writes one notification.
pub fn notification(delivery: &Delivery) -> Json {
    let message = &delivery.message;
    let mut fields = object!({
        "id": message.id.as_str(),
        "from": message.from.as_str(),
        "type": message.kind.as_str(),
        "preview": message.preview(PREVIEW),
        "timestamp": message.sent_at.to_string(),
        "subject": message.subject,
        "priority": message.priority.as_str(),
        "threadId": shown(message.thread.as_ref()),
        "requiresResponse": message.requires_response,
        "read": !delivery.is_unread(),
    });
    // An inbox of thousands should not repeat what is nearly always absent.
    if let Some(deadline) = message.deadline {
        fields["responseDeadline"] = deadline.to_string().into();
    }
    if let Some(original) = &message.in_reply_to {
        fields["inReplyTo"] = original.as_str().into();
    }
    if delivery.receipt.redelivered > 0 {
        fields["redelivered"] = delivery.receipt.redelivered.into();
    }
    fields
}
