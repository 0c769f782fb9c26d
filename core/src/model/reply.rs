//! What counts as an answer: the one rule that buses and histories go by.
//!
//! A reply names the message that it replies to. The documents protocol has no field for that: there, what the recipient
//! says to the sender later in the same conversation counts for what asked something. Word on how work is going settles
//! nothing, however it comes.

use super::MessageType;

/// What a message is a sign of to the sender of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplySign {
    /// The recipient has it, and has yet to answer.
    Acknowledged,
    /// The recipient has answered.
    Answered,
}

/// Returns whether a message asks for something, so that its conversation can answer it.
pub fn asks(kind: &str, requires_response: bool) -> bool {
    requires_response || ["task", "query", MessageType::QUESTION].contains(&kind) || kind.ends_with("_request")
}

/// Returns what a reply is a sign of, which names the message that it replies to; `None` for a notice of failure, which
/// names a message without being a reply to it.
pub fn reply_sign(kind: &str) -> Option<ReplySign> {
    match kind {
        MessageType::DELIVERY_FAILED => None,
        MessageType::ACKNOWLEDGMENT | MessageType::PROGRESS_UPDATE | "status" | "status_update" => {
            Some(ReplySign::Acknowledged)
        }
        _ => Some(ReplySign::Answered),
    }
}

/// Returns what a later message of the recipient to the sender is a sign of, in the same conversation, that names no
/// message which it replies to; `None` when it asks something itself.
pub fn thread_sign(kind: &str, requires_response: bool) -> Option<ReplySign> {
    if asks(kind, requires_response) { None } else { reply_sign(kind) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_on_progress_settles_nothing() {
        let check = |kind: &str, reply: Option<ReplySign>, thread: Option<ReplySign>| {
            assert_eq!((reply_sign(kind), thread_sign(kind, false)), (reply, thread), "{kind}");
        };
        let (acked, answered) = (Some(ReplySign::Acknowledged), Some(ReplySign::Answered));
        for kind in ["status", "status_update", "progress_update", "acknowledgment"] {
            check(kind, acked, acked);
        }
        for kind in ["result", "error", "response", "interface_contract"] {
            check(kind, answered, answered);
        }
        for kind in ["task", "question", "query", "handoff_request"] {
            check(kind, answered, None);
        }
        check("delivery_failed", None, None);
        assert_eq!(thread_sign("response", true), None);
    }
}
