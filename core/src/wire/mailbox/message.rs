//! Messages and events as files.

use super::{parse_object, pretty};
use crate::bus::ids;
use crate::model::{
    AgentName, EventName, Json, JsonMap, Message, MessageId, MessageType, Priority, Recipient, ThreadId, Timestamp,
};
use crate::wire::{part, required, take_text};

/// The version of the protocol that is written.
const PROTOCOL_VERSION: &str = "1.0";
/// Where unknown fields are kept that bear a name of the protocol's: messages of other protocols may have them.
const APART: &str = "huddle_extra";
/// The names that the protocol uses itself.
const FIELDS: [&str; 23] = [
    "message_id",
    "protocol_version",
    "timestamp",
    "from_agent",
    "to_agent",
    "message_type",
    "priority",
    "subject",
    "payload",
    "requires_response",
    "response_deadline",
    "in_reply_to",
    "conversation_id",
    "metadata",
    "recipients",
    "broadcast",
    "status",
    "delivered_at",
    "event_id",
    "event_type",
    "source_agent",
    "event_data",
    APART,
];

/// Writes the copy of a message that goes to `recipient`; a record for nobody in particular when there is none.
pub fn encode(message: &Message, recipient: Option<&AgentName>) -> String {
    let fields = match &message.to {
        Recipient::Subscribers(event) => event_fields(message, event),
        Recipient::Agents(_) | Recipient::All => letter_fields(message, recipient),
    };
    let (beside, apart) = part(&message.extra, |key, _| !FIELDS.contains(&key));
    let apart = (!apart.is_empty()).then(|| (APART.to_owned(), Json::Object(apart)));
    let known = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
    pretty(&Json::Object(known.chain(beside).chain(apart).collect()))
}

fn event_fields(message: &Message, event: &EventName) -> Vec<(&'static str, Json)> {
    vec![
        ("event_id", message.id.as_str().into()),
        ("event_type", event.as_str().into()),
        ("timestamp", seconds(message.sent_at)),
        ("source_agent", message.from.as_str().into()),
        ("event_data", message.body.clone()),
    ]
}

fn letter_fields(message: &Message, recipient: Option<&AgentName>) -> Vec<(&'static str, Json)> {
    let to = match (&message.to, recipient) {
        (Recipient::Agents(_), Some(recipient)) => recipient.to_string(),
        _ => message.to.to_string(),
    };
    let mut fields = vec![
        ("message_id", message.id.as_str().into()),
        ("protocol_version", PROTOCOL_VERSION.into()),
        ("timestamp", seconds(message.sent_at)),
        ("from_agent", message.from.as_str().into()),
        ("to_agent", to.into()),
        ("message_type", message.kind.as_str().into()),
        ("priority", message.priority.as_str().into()),
        ("subject", message.subject.clone().into()),
        ("payload", message.body.clone()),
        ("requires_response", message.requires_response.into()),
    ];
    let mut add = |key, value: Option<Json>| fields.extend(value.map(|value| (key, value)));
    add("response_deadline", message.deadline.map(seconds));
    add("in_reply_to", message.in_reply_to.as_ref().map(|id| id.as_str().into()));
    add("conversation_id", message.thread.as_ref().map(|thread| thread.as_str().into()));
    add("metadata", (!message.metadata.is_empty()).then(|| Json::Object(message.metadata.clone())));
    match &message.to {
        Recipient::Agents(names) if names.len() > 1 => {
            add("recipients", Some(names.iter().map(|name| Json::from(name.as_str())).collect()));
        }
        Recipient::All => add("broadcast", Some(true.into())),
        Recipient::Agents(_) | Recipient::Subscribers(_) => {}
    }
    add("status", Some("delivered".into()));
    add("delivered_at", Some(seconds(message.sent_at)));
    fields
}

fn seconds(at: Timestamp) -> Json {
    at.floor().to_string().into()
}

/// Reads a message or an event. The error says what is wrong with it, naming the field.
pub fn decode(bytes: &[u8]) -> Result<Message, String> {
    let mut map = parse_object(bytes)?;
    if map.contains_key("event_id") { decode_event(&mut map) } else { decode_letter(&mut map) }
}

fn decode_event(map: &mut JsonMap) -> Result<Message, String> {
    let id = required::<MessageId>(map, "event_id")?;
    let event = required::<EventName>(map, "event_type")?;
    let from = required::<AgentName>(map, "source_agent")?;
    Ok(Message {
        sent_at: sent_at(map, &id)?,
        id,
        kind: MessageType::new(event.as_str()),
        from,
        subject: event.to_string(),
        to: Recipient::Subscribers(event),
        body: map.shift_remove("event_data").unwrap_or(Json::Null),
        priority: Priority::Normal,
        thread: None,
        in_reply_to: None,
        requires_response: false,
        deadline: None,
        metadata: JsonMap::new(),
        extra: rest(map),
    })
}

fn decode_letter(map: &mut JsonMap) -> Result<Message, String> {
    let id = required::<MessageId>(map, "message_id")?;
    let from = required::<AgentName>(map, "from_agent")?;
    for written_anew in ["protocol_version", "status", "delivered_at"] {
        map.shift_remove(written_anew);
    }
    Ok(Message {
        sent_at: sent_at(map, &id)?,
        to: recipient(map)?,
        id,
        kind: MessageType::new(take_text(map, "message_type").unwrap_or_default()),
        from,
        subject: take_text(map, "subject").unwrap_or_default(),
        body: map.shift_remove("payload").unwrap_or(Json::Null),
        priority: take_text(map, "priority").and_then(|text| Priority::parse(&text)).unwrap_or_default(),
        thread: take_text(map, "conversation_id").and_then(|text| ThreadId::new(text).ok()),
        in_reply_to: take_text(map, "in_reply_to").and_then(|text| MessageId::new(text).ok()),
        requires_response: is_true(map.shift_remove("requires_response").as_ref()),
        deadline: take_text(map, "response_deadline").and_then(|text| Timestamp::parse(&text)),
        metadata: match map.shift_remove("metadata") {
            Some(Json::Object(metadata)) => metadata,
            _ => JsonMap::new(),
        },
        extra: rest(map),
    })
}

fn recipient(map: &mut JsonMap) -> Result<Recipient, String> {
    let to = take_text(map, "to_agent").ok_or("field \"to_agent\" is missing")?;
    let broadcast = is_true(map.shift_remove("broadcast").as_ref());
    if broadcast || to == "ALL" {
        return Ok(Recipient::All);
    }
    let several = match map.shift_remove("recipients") {
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        _ => vec![to],
    };
    let names: Result<Vec<AgentName>, _> = several.into_iter().map(AgentName::new).collect();
    names.map(Recipient::Agents).map_err(|error| format!("field \"to_agent\": {error}"))
}

/// Takes what is left, and what was kept apart from it.
fn rest(map: &mut JsonMap) -> JsonMap {
    if let Some(Json::Object(_)) = map.get(APART)
        && let Some(Json::Object(apart)) = map.shift_remove(APART)
    {
        map.extend(apart);
    }
    std::mem::take(map)
}

/// Takes the time sent; where that cannot be read, the id carries it too.
fn sent_at(map: &mut JsonMap, id: &MessageId) -> Result<Timestamp, String> {
    let written = take_text(map, "timestamp").and_then(|text| Timestamp::parse(&text));
    written
        .or_else(|| ids::time_in(id.as_str()))
        .ok_or_else(|| "field \"timestamp\" is missing or not a time".to_owned())
}

/// Takes yes for an answer in both spellings that shell snippets produce.
fn is_true(value: Option<&Json>) -> bool {
    value == Some(&Json::Bool(true)) || value.and_then(Json::as_str) == Some("true")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = r#"{
  "message_id": "msg_20251129_143052_001",
  "protocol_version": "1.0",
  "timestamp": "2025-11-29T14:30:52Z",
  "from_agent": "builder-1",
  "to_agent": "builder-2",
  "message_type": "interface_contract",
  "priority": "high",
  "subject": "IUserService interface definition",
  "payload": {
    "zeta": 1,
    "alpha": [
      true
    ]
  },
  "requires_response": true,
  "response_deadline": "2025-11-29T16:30:52Z",
  "conversation_id": "conv_auth_contracts_001",
  "metadata": {
    "task_id": "pg2-task-1"
  },
  "status": "delivered",
  "delivered_at": "2025-11-29T14:30:52Z",
  "x-custom": [
    1
  ]
}
"#;

    #[test]
    fn a_letter_goes_both_ways_to_the_byte() {
        let message = decode(LETTER.as_bytes()).unwrap();
        assert_eq!(message.extra.get("x-custom"), Some(&serde_json::json!([1])));
        assert_eq!(encode(&message, Some(&"builder-2".parse().unwrap())), LETTER);
    }

    #[test]
    fn an_event_goes_both_ways_to_the_byte() {
        let text = "{\n  \"event_id\": \"evt_20261116_025726_mmsqc8\",\n  \"event_type\": \"TaskCompleted\",\n  \
                    \"timestamp\": \"2026-11-16T02:57:26Z\",\n  \"source_agent\": \"builder-1\",\n  \
                    \"event_data\": {\n    \"task_id\": \"t\"\n  }\n}\n";
        assert_eq!(encode(&decode(text.as_bytes()).unwrap(), None), text);
    }

    #[test]
    fn the_name_of_a_broken_field_is_told() {
        let check = |text: &str, part: &str| {
            let fault = decode(text.as_bytes()).unwrap_err();
            assert!(fault.contains(part), "{text}: {fault}");
        };
        check("", "empty");
        check("{\"message_id\": \"m", "not JSON");
        check("[1]", "not a JSON object");
        check("{\"message_id\": \"a/b\"}", "path separator");
        check("{\"message_id\": \"m1\"}", "\"from_agent\"");
        check("{\"message_id\": \"m1\", \"from_agent\": \"a\", \"to_agent\": \"b\"}", "\"timestamp\"");
    }

    #[test]
    fn a_field_of_another_protocol_never_takes_the_place_of_one_of_ours() {
        let mut message = decode(LETTER.as_bytes()).unwrap();
        for name in FIELDS {
            message.extra.insert(name.to_owned(), "theirs".into());
        }
        let text = encode(&message, None);
        assert_eq!(decode(text.as_bytes()), Ok(message), "{text}");
    }

    #[test]
    fn every_torn_prefix_is_a_fault_and_not_a_panic() {
        for end in 0..LETTER.trim_end().len() {
            assert!(decode(&LETTER.as_bytes()[..end]).is_err(), "{end} bytes");
        }
    }
}
