//! Conversations.

use super::message::message;
use super::{texts, time};
use crate::bus::Thread;
use crate::model::Json;

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
