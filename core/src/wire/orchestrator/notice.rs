//! What a broadcast of the orchestrator's four types says.

use crate::model::{Json, Priority};
use crate::wire::object;

/// The types of broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BroadcastType {
    /// Something that all agents should know.
    ContextUpdate,
    /// Something became more urgent, or less.
    PriorityChange,
    /// Work is to stop.
    AbortSignal,
    /// A phase is completed.
    CheckpointReached,
}

impl BroadcastType {
    /// Every type, in the protocol's order.
    pub const ALL: [Self; 4] = [Self::ContextUpdate, Self::PriorityChange, Self::AbortSignal, Self::CheckpointReached];

    /// Returns the word that the protocol uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContextUpdate => "context_update",
            Self::PriorityChange => "priority_change",
            Self::AbortSignal => "abort_signal",
            Self::CheckpointReached => "checkpoint_reached",
        }
    }

    /// Reads the word that the protocol uses.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns how urgent such a broadcast is unless its sender says otherwise.
    pub const fn priority(self) -> Priority {
        match self {
            Self::AbortSignal => Priority::Critical,
            Self::PriorityChange => Priority::High,
            Self::ContextUpdate | Self::CheckpointReached => Priority::Normal,
        }
    }
}

/// The contents of a typed broadcast.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Which of the four it is.
    pub kind: BroadcastType,
    /// Its topic, such as `user_preference_change`; by default the type.
    pub about: Option<String>,
    /// Its contents.
    pub content: Json,
    /// Its priority.
    pub priority: Priority,
    /// Whether those who hear it have to act.
    pub action_required: bool,
}

/// Writes the body of the message.
pub fn body(notice: &Notice) -> Json {
    let kind = notice.kind.as_str();
    let message = object(vec![
        ("type", notice.about.as_deref().unwrap_or(kind).into()),
        ("content", notice.content.clone()),
        ("priority", notice.priority.as_str().into()),
        ("action_required", notice.action_required.into()),
    ]);
    object(vec![("broadcast_type", kind.into()), ("message", message)])
}

/// Describes what about a body is not as a broadcast of a type should have it, if anything.
pub fn fault(kind: BroadcastType, body: &Json) -> Option<String> {
    let message = body.get("message").unwrap_or(&Json::Null);
    let text = |field: &str| message.get(field).and_then(Json::as_str);
    let word = kind.as_str();
    let fault = if body.get("broadcast_type").and_then(Json::as_str) != Some(word) {
        format!("field \"broadcast_type\" must be {word:?}")
    } else if text("type").is_none_or(str::is_empty) {
        "field \"message.type\" must be text".to_owned()
    } else if message.get("content").is_none_or(Json::is_null) {
        "field \"message.content\" is missing".to_owned()
    } else if text("priority").and_then(Priority::parse).is_none() {
        "field \"message.priority\" must be critical, high, normal or low".to_owned()
    } else if !message.get("action_required").is_some_and(Json::is_boolean) {
        "field \"message.action_required\" must be true or false".to_owned()
    } else {
        return None;
    };
    Some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_has_the_structure_of_the_protocol() {
        let notice = Notice {
            kind: BroadcastType::ContextUpdate,
            about: Some("user_preference_change".into()),
            content: "User prefers Spanish responses".into(),
            priority: Priority::High,
            action_required: false,
        };
        let expected = r#"{"broadcast_type":"context_update","message":{"type":"user_preference_change","content":"User prefers Spanish responses","priority":"high","action_required":false}}"#;
        assert_eq!(body(&notice).to_string(), expected);
        assert_eq!(fault(notice.kind, &body(&notice)), None);
        assert_eq!(body(&Notice { about: None, ..notice })["message"]["type"], "context_update");
    }

    #[test]
    fn a_fault_names_its_field() {
        let whole = r#"{"broadcast_type": "abort_signal", "message": {"type": "t", "content": "c", "priority": "low", "action_required": true}}"#;
        let check = |from: &str, to: &str, field: &str| {
            let body = serde_json::from_str(&whole.replace(from, to)).unwrap();
            let fault = fault(BroadcastType::AbortSignal, &body).unwrap_or_default();
            assert!(fault.contains(field) && fault.is_empty() == field.is_empty(), "{from} {to}: {fault}");
        };
        check("", "", "");
        check("abort_signal", "context_update", "broadcast_type");
        check(r#""t""#, "1", "message.type");
        check(r#""c""#, "null", "message.content");
        check("low", "medium", "message.priority");
        check("true", r#""yes""#, "message.action_required");
        check(r#""message""#, r#""text""#, "message.type");
    }

    #[test]
    fn words_go_both_ways() {
        for kind in BroadcastType::ALL {
            assert_eq!(BroadcastType::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(BroadcastType::parse("context_updated"), None, "that is the mailbox protocol's");
    }
}
