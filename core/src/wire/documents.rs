//! The documents protocol: a bus in MongoDB, one document for each recipient's copy of a message, as `mongoexport` writes
//! them and `mongoimport` reads them.
//!
//! What the protocol has no field for stands in fields of the same spelling, and only where it says more than their
//! absence would: a document that another agent wrote is written back as it was.

mod content;
mod extended;
pub mod internal_fields;
#[cfg(test)]
mod tests;

use self::content::ContentType;
use self::extended::{date, decode_date, has_dollars, is_importable, number, object_id, time_in, with_plain_numbers};
use super::{part, required, take_text};
use crate::bus::ids;
use crate::model::{
    AgentName, Delivery, EventName, Json, JsonMap, Message, MessageId, MessageType, Place, Priority, Receipt,
    Recipient, ThreadId, Timestamp, preview,
};
use crate::wire::parse_map;

/// Whom a record is for that nobody has a copy of; no agent may be called so.
const ALL: &str = "ALL";
/// The place of what only the sender's log has.
const OUTBOX: &str = "outbox";
const ARCHIVE: &str = "archive";
const DEAD_LETTERS: &str = "dead-letters";
/// Where unknown fields are kept, as text, that bear a name of ours or that `mongoimport` would not take.
pub const EXTRA_FIELD: &str = "huddleExtra";
/// How long a subject is that is made from what the message says, because the protocol has none.
const SUBJECT: usize = 80;
/// The names that have a meaning here.
const FIELDS: [&str; 27] = [
    "id",
    "from",
    "to",
    "content",
    "type",
    "threadId",
    "priority",
    "createdAt",
    "read",
    "readAt",
    "subject",
    "contentType",
    "inReplyTo",
    "requiresResponse",
    "responseDeadline",
    "metadata",
    "recipients",
    "broadcast",
    "event",
    "offeredAt",
    "redelivered",
    "redeliveredAt",
    "place",
    "deadReason",
    "deadAt",
    "recorded",
    EXTRA_FIELD,
];

/// The item that a document encodes.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// One recipient's copy of a message.
    Copy {
        /// The copy, how far it has come, and where it lies.
        delivery: Delivery,
        /// Whether the bus has its own record of the message too: in the sender's log, or among broadcasts and events.
        recorded: bool,
    },
    /// The bus's record of a broadcast or an event of which no copy says the same.
    Record(Message),
    /// An entry of the sender's log of which no copy says the same.
    Sent {
        /// The message.
        message: Message,
        /// The recipient.
        to: AgentName,
    },
}

impl Document {
    /// Returns the message that it is about.
    pub fn message(&self) -> &Message {
        match self {
            Self::Copy { delivery, .. } => &delivery.message,
            Self::Record(message) | Self::Sent { message, .. } => message,
        }
    }

    /// Returns the one whom it is for, if it is for one.
    pub fn holder(&self) -> Option<&AgentName> {
        match self {
            Self::Copy { delivery, .. } => Some(&delivery.recipient),
            Self::Sent { to, .. } => Some(to),
            Self::Record(_) => None,
        }
    }
}

/// Writes a document.
pub fn encode(document: &Document) -> Json {
    let message = document.message();
    let mut fields = Fields(JsonMap::new());
    // First, as the database has it.
    fields.put("_id", message.extra.get("_id").cloned());
    fields.protocol_fields(message, document.holder());
    if let Document::Copy { delivery, .. } = document {
        fields.put("read", Some(delivery.receipt.seen_at.is_some().into()));
        fields.put("readAt", delivery.receipt.seen_at.map(date));
    }
    fields.extension_fields(message, document.holder());
    match document {
        Document::Copy { delivery, recorded } => fields.progress(delivery, *recorded),
        Document::Sent { .. } => fields.put("place", Some(OUTBOX.into())),
        Document::Record(_) => {}
    }
    let (beside, apart) = part(&message.extra, |key, value| !FIELDS.contains(&key) && is_importable(key, value));
    fields.0.extend(beside);
    fields.put(EXTRA_FIELD, (!apart.is_empty()).then(|| Json::Object(apart).to_string().into()));
    Json::Object(fields.0)
}

/// A document being written.
struct Fields(JsonMap);

impl Fields {
    fn put(&mut self, key: &str, value: Option<Json>) {
        if let Some(value) = value {
            self.0.insert(key.to_owned(), value);
        }
    }

    /// Adds the eight fields of the protocol.
    fn protocol_fields(&mut self, message: &Message, holder: Option<&AgentName>) {
        self.put("id", Some(message.id.as_str().into()));
        self.put("from", Some(message.from.as_str().into()));
        self.put("to", Some(holder.map_or(ALL, AgentName::as_str).into()));
        self.put("content", Some(message.content().into()));
        self.put("type", Some(message.kind.as_str().into()));
        self.put("threadId", message.thread.as_ref().map(|thread| thread.as_str().into()));
        self.put("priority", Some(message.priority.as_str().into()));
        self.put("createdAt", Some(date(message.sent_at)));
    }

    /// Adds what the protocol has no fields for.
    fn extension_fields(&mut self, message: &Message, holder: Option<&AgentName>) {
        let is_implied = message.subject == preview(&message.body, "", SUBJECT);
        self.put("subject", (!is_implied).then(|| message.subject.as_str().into()));
        let mark = ContentType::needed_for(&message.body, &message.content());
        self.put("contentType", mark.map(|mark| mark.as_str().into()));
        self.put("inReplyTo", message.in_reply_to.as_ref().map(|id| id.as_str().into()));
        self.put("requiresResponse", message.requires_response.then(|| true.into()));
        self.put("responseDeadline", message.deadline.map(date));
        self.put("metadata", (!message.metadata.is_empty()).then(|| metadata(&message.metadata)));
        match &message.to {
            Recipient::Agents(names) => {
                let is_implied = holder.is_some_and(|holder| std::slice::from_ref(holder) == names.as_slice());
                let names = || names.iter().map(|name| Json::from(name.as_str())).collect();
                self.put("recipients", (!is_implied).then(names));
            }
            Recipient::All => self.put("broadcast", Some(true.into())),
            Recipient::Subscribers(event) => self.put("event", Some(event.as_str().into())),
        }
    }

    /// Adds how far a copy has come.
    fn progress(&mut self, delivery: &Delivery, recorded: bool) {
        let receipt = &delivery.receipt;
        self.put("offeredAt", receipt.offered_at.map(date));
        self.put("redelivered", (receipt.redelivered > 0).then(|| receipt.redelivered.into()));
        self.put("redeliveredAt", receipt.redelivered_at.map(date));
        match &delivery.place {
            Place::Inbox => {}
            Place::Archive => self.put("place", Some(ARCHIVE.into())),
            Place::DeadLetters { reason, at } => {
                self.put("place", Some(DEAD_LETTERS.into()));
                self.put("deadReason", Some(reason.as_str().into()));
                self.put("deadAt", Some(date(*at)));
            }
        }
        self.put("recorded", (!recorded).then(|| false.into()));
    }
}

/// Writes metadata: as text when the database would take part of it for a type of its own.
fn metadata(metadata: &JsonMap) -> Json {
    let metadata = Json::Object(metadata.clone());
    if has_dollars(&metadata) { metadata.to_string().into() } else { metadata }
}

/// Reads a document. The error says what is wrong with it, naming the field.
pub fn decode(mut map: JsonMap) -> Result<Document, String> {
    let id = id(&mut map)?;
    let from = required::<AgentName>(&mut map, "from")?;
    let to = take_text(&mut map, "to").ok_or("field \"to\" is missing or not text")?;
    let holder =
        if to == ALL { None } else { Some(AgentName::new(to).map_err(|error| format!("field \"to\": {error}"))?) };
    let sent_at = sent_at(&mut map, &id)?;
    let Some(holder) = holder else {
        // Nobody in particular has read it; that need not be said again.
        take_field(&mut map, "read", |value| (*value == false).then_some(()));
        return Ok(Document::Record(message(map, id, from, sent_at, None)));
    };
    let place =
        take_field(&mut map, "place", |value| value.as_str().filter(|word| PLACES.contains(word)).map(str::to_owned));
    if place.as_deref() == Some(OUTBOX) {
        return Ok(Document::Sent { message: message(map, id, from, sent_at, Some(&holder)), to: holder });
    }
    let place = match place.as_deref() {
        Some(ARCHIVE) => Place::Archive,
        Some(DEAD_LETTERS) => Place::DeadLetters {
            reason: take_text(&mut map, "deadReason").unwrap_or_default(),
            at: take_field(&mut map, "deadAt", decode_date).unwrap_or_default(),
        },
        _ => Place::Inbox,
    };
    let receipt = receipt(&mut map, sent_at);
    let recorded = take_field(&mut map, "recorded", Json::as_bool).unwrap_or(true);
    let message = message(map, id, from, sent_at, Some(&holder));
    Ok(Document::Copy { delivery: Delivery { recipient: holder, message, receipt, place }, recorded })
}

const PLACES: [&str; 4] = ["inbox", ARCHIVE, DEAD_LETTERS, OUTBOX];

/// Takes a field if it can be read; one that cannot stays, and survives as unknown.
fn take_field<T>(map: &mut JsonMap, key: &str, read: impl FnOnce(&Json) -> Option<T>) -> Option<T> {
    let value = map.get(key)?;
    let taken = read(value);
    if taken.is_some() || value.is_null() {
        map.shift_remove(key);
    }
    taken
}

/// Takes the id; where there is none, the database's own will do.
fn id(map: &mut JsonMap) -> Result<MessageId, String> {
    match map.get("_id").and_then(object_id) {
        Some(id) if map.get("id").is_none_or(Json::is_null) => {
            let id = MessageId::new(id).map_err(|error| format!("field \"_id\": {error}"))?;
            map.shift_remove("id");
            Ok(id)
        }
        _ => required(map, "id"),
    }
}

/// Takes the time sent; where that cannot be read, ids carry it too.
fn sent_at(map: &mut JsonMap, id: &MessageId) -> Result<Timestamp, String> {
    take_field(map, "createdAt", decode_date)
        .or_else(|| ids::time_in(id.as_str()))
        .or_else(|| map.get("_id").and_then(object_id).and_then(time_in))
        .ok_or_else(|| "field \"createdAt\" is missing or not a time".to_owned())
}

fn receipt(map: &mut JsonMap, sent_at: Timestamp) -> Receipt {
    let read = take_field(map, "read", Json::as_bool);
    let read_at =
        if read == Some(false) { take_field(map, "readAt", |_| None) } else { take_field(map, "readAt", decode_date) };
    Receipt {
        // Read, and nobody noted when: not before it was sent.
        seen_at: read_at.or_else(|| (read == Some(true)).then_some(sent_at)),
        offered_at: take_field(map, "offeredAt", decode_date),
        redelivered: take_field(map, "redelivered", |value| u32::try_from(number(value)?.as_u64()?).ok()).unwrap_or(0),
        redelivered_at: take_field(map, "redeliveredAt", decode_date),
    }
}

/// Builds the message of what is left; all that is not understood goes with it.
fn message(
    mut map: JsonMap,
    id: MessageId,
    from: AgentName,
    sent_at: Timestamp,
    holder: Option<&AgentName>,
) -> Message {
    let map = &mut map;
    let mark = take_field(map, "contentType", |value| ContentType::parse(value.as_str()?));
    let subject = take_text(map, "subject");
    let mut message = Message {
        id,
        from,
        sent_at,
        to: recipient(map, holder),
        subject: String::new(),
        kind: MessageType::new(take_text(map, "type").unwrap_or_default()),
        body: content::decode(map.shift_remove("content").unwrap_or(Json::Null), mark),
        priority: take_field(map, "priority", |value| Priority::parse(value.as_str()?)).unwrap_or_default(),
        thread: take_field(map, "threadId", |value| ThreadId::new(value.as_str()?).ok()),
        in_reply_to: take_field(map, "inReplyTo", |value| MessageId::new(value.as_str()?).ok()),
        requires_response: take_field(map, "requiresResponse", Json::as_bool).unwrap_or(false),
        deadline: take_field(map, "responseDeadline", decode_date),
        metadata: take_field(map, "metadata", decode_metadata).unwrap_or_default(),
        extra: rest(map),
    };
    message.subject = subject.unwrap_or_else(|| preview(&message.body, "", SUBJECT));
    message
}

fn recipient(map: &mut JsonMap, holder: Option<&AgentName>) -> Recipient {
    if let Some(event) = take_field(map, "event", |value| EventName::new(value.as_str()?).ok()) {
        return Recipient::Subscribers(event);
    }
    let broadcast = take_field(map, "broadcast", Json::as_bool).unwrap_or(false);
    let several = if broadcast { None } else { take_field(map, "recipients", names) };
    match (several, holder) {
        (Some(names), _) => Recipient::Agents(names),
        (None, Some(holder)) if !broadcast => Recipient::Agents(vec![holder.clone()]),
        (None, _) => Recipient::All,
    }
}

/// Reads a list of names that are all valid, and at least one.
fn names(value: &Json) -> Option<Vec<AgentName>> {
    let names = value.as_array()?.iter().map(|name| AgentName::new(name.as_str()?).ok());
    names.collect::<Option<Vec<_>>>().filter(|names| !names.is_empty())
}

fn decode_metadata(value: &Json) -> Option<JsonMap> {
    match value {
        Json::String(text) => parse_map(text.as_bytes()),
        value => with_plain_numbers(value.clone()).as_object().cloned(),
    }
}

/// Takes what is left, and what was kept apart from it.
fn rest(map: &mut JsonMap) -> JsonMap {
    let apart: Option<JsonMap> = take_field(map, EXTRA_FIELD, |value| parse_map(value.as_str()?.as_bytes()));
    map.extend(apart.unwrap_or_default());
    std::mem::take(map)
}
