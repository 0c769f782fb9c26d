//! Conversations, and the way of a single message.

use super::message::{message, place};
use super::{shown, texts, time};
use crate::bus::{Thread, Trace, TracedDelivery};
use crate::model::{Json, Place};

/// Writes a conversation with all its messages.
pub fn thread(thread: &Thread) -> Json {
    let mut fields = entry(thread);
    fields["messages"] = thread.messages.iter().map(message).collect();
    fields
}

/// Writes the conversations without their messages.
pub fn threads(threads: &[Thread]) -> Json {
    let all: Vec<Json> = threads.iter().map(entry).collect();
    object!({"count": threads.len(), "threads": all})
}

fn entry(thread: &Thread) -> Json {
    let waiting = thread.waiting.iter().map(|waiting| {
        object!({
            "id": waiting.id.as_str(),
            "subject": waiting.subject,
            "askedBy": waiting.asked_by.as_str(),
            "waitsFor": texts(&waiting.waits_for),
            "deadline": time(waiting.deadline),
        })
    });
    object!({
        "threadId": thread.id.as_str(),
        "subject": thread.subject,
        "participants": texts(&thread.participants),
        "messageCount": thread.messages.len(),
        "startedAt": thread.started_at.to_string(),
        "lastAt": thread.last_at.to_string(),
        "waiting": waiting.collect::<Vec<Json>>(),
    })
}

/// Writes how far a message has come with each of its recipients.
pub fn trace(trace: &Trace) -> Json {
    let sent = &trace.message;
    object!({
        "id": sent.id.as_str(),
        "from": sent.from.as_str(),
        "subject": sent.subject,
        "type": sent.kind.as_str(),
        "threadId": shown(sent.thread.as_ref()),
        "createdAt": sent.sent_at.to_string(),
        "requiresResponse": sent.requires_response,
        "responseDeadline": time(sent.deadline),
        "deliveries": trace.deliveries.iter().map(step).collect::<Vec<Json>>(),
    })
}

fn step(delivery: &TracedDelivery) -> Json {
    let mut fields = object!({
        "recipient": delivery.recipient.as_str(),
        "step": delivery.step.as_str(),
        "storedAt": delivery.stored_at.to_string(),
        "offeredAt": time(delivery.offered_at),
        "seenAt": time(delivery.seen_at),
        "ackedAt": time(delivery.acked_at),
        "answeredAt": time(delivery.answered_at),
        "place": delivery.place.as_ref().map(place),
        "waitsFor": delivery.waits_for,
    });
    if let Some(Place::DeadLetters { reason, at }) = &delivery.place {
        fields["reason"] = reason.as_str().into();
        fields["deadAt"] = at.to_string().into();
    }
    fields
}
