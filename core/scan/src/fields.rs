//! The fields that columns are made of, under all the names that logs give them.

use crate::symbols::same;

/// A field of a record that a column is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// When it was made.
    Time,
    /// Its author.
    From,
    /// The recipient.
    To,
    /// Who it is for, as a list.
    Recipients,
    /// Its type.
    Kind,
    /// Its severity.
    Severity,
    /// Its priority.
    Priority,
    /// The conversation that it belongs to.
    Thread,
    /// Its id.
    Id,
    /// The id of the message that it answers.
    ReplyTo,
    /// Its subject.
    Subject,
    /// Its contents.
    Text,
    /// Whether an answer is needed.
    NeedsAnswer,
    /// Until when.
    Due,
    /// Whether it was read.
    Read,
    /// When it was read.
    ReadAt,
    /// A file that it names, or a list of files.
    Artifact,
    /// Whether it is for everybody.
    Broadcast,
    /// Whether a helper said it.
    Sidechain,
    /// The protocol of a record in a log of several.
    Protocol,
    /// The name of an event that was published.
    Event,
    /// The path of a file that is carried along in a log.
    File,
}

const COUNT: usize = 22;

/// All names of fields, and how good a name each is: of two, the lower one counts.
#[rustfmt::skip]
const NAMES: [(Field, u8, &[&str]); 36] = [
    (Field::Time, 0, &["timestamp", "createdAt", "created_at"]),
    (Field::Time, 1, &["time", "ts", "@timestamp", "datetime"]),
    (Field::Time, 2, &["date", "at"]),
    (Field::From, 0, &["from", "from_agent", "source_agent"]),
    (Field::From, 1, &["agent", "agent_name", "sender", "actor", "agentId", "agent_id"]),
    (Field::From, 2, &["author", "user", "role", "source", "logger"]),
    (Field::To, 0, &["to", "to_agent"]),
    (Field::To, 1, &["recipient", "target"]),
    (Field::Recipients, 0, &["recipients"]),
    (Field::Kind, 0, &["type", "message_type"]),
    (Field::Kind, 1, &["kind"]),
    (Field::Kind, 2, &["event", "action"]),
    (Field::Event, 0, &["event_type"]),
    (Field::Severity, 0, &["severity"]),
    (Field::Severity, 1, &["level"]),
    (Field::Priority, 0, &["priority"]),
    (Field::Thread, 0, &["thread_id", "threadId", "conversation_id", "conversationId"]),
    (Field::Thread, 1, &["sessionId", "session_id"]),
    (Field::Id, 0, &["id", "message_id", "messageId", "event_id", "uuid"]),
    (Field::Id, 1, &["_id"]),
    (Field::ReplyTo, 0, &["in_reply_to", "inReplyTo", "reply_to", "replyTo", "parentUuid"]),
    (Field::Subject, 0, &["subject"]),
    (Field::Subject, 1, &["title"]),
    (Field::Text, 0, &["message", "text", "content", "payload", "event_data"]),
    (Field::Text, 1, &["msg", "body", "data", "description", "summary"]),
    (Field::NeedsAnswer, 0, &["requires_response", "requiresResponse"]),
    (Field::Due, 0, &["response_deadline", "responseDeadline"]),
    (Field::Due, 1, &["deadline", "due"]),
    (Field::Read, 0, &["read"]),
    (Field::ReadAt, 0, &["readAt", "read_at"]),
    (Field::Artifact, 0, &["artifact"]),
    (Field::Artifact, 1, &["artifacts", "data_artifacts"]),
    (Field::Broadcast, 0, &["broadcast"]),
    (Field::Sidechain, 0, &["isSidechain"]),
    (Field::Protocol, 0, &["protocol"]),
    (Field::File, 0, &["huddle_file"]),
];

/// How many places there are for names: about three for each.
const BUCKETS: usize = 256;

/// A name of a field.
#[derive(Clone, Copy)]
struct Name {
    text: &'static str,
    field: Field,
    rank: u8,
}

/// Where to look for a name; the next places have those that come to lie on the same one.
static BUCKET_TABLE: [Option<Name>; BUCKETS] = build_buckets();

const fn build_buckets() -> [Option<Name>; BUCKETS] {
    let mut buckets = [None; BUCKETS];
    let mut group = 0;
    while group < NAMES.len() {
        let (field, rank, names) = NAMES[group];
        let mut number = 0;
        while number < names.len() {
            let text = names[number];
            let mut bucket = bucket_of(text.as_bytes());
            while buckets[bucket].is_some() {
                bucket = (bucket + 1) % BUCKETS;
            }
            buckets[bucket] = Some(Name { text, field, rank });
            number += 1;
        }
        group += 1;
    }
    buckets
}

/// Distinguishes names by a few of their bytes.
#[inline(always)]
const fn bucket_of(name: &[u8]) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let (first, middle, last) = (name[0] as usize, name[length / 2] as usize, name[length - 1] as usize);
    (first + middle * 9 + last * 13 + length * 11) % BUCKETS
}

/// Returns which field a key names, and how good a name it is for it.
///
/// By a table, not by a `match`: that would jump to another place for every key, and a processor guesses jumps by what
/// came before, which is no help here.
#[inline]
fn field_of(key: &[u8]) -> Option<(Field, u8)> {
    let mut bucket = bucket_of(key);
    while let Some(name) = &BUCKET_TABLE[bucket] {
        if same(name.text.as_bytes(), key) {
            return Some((name.field, name.rank));
        }
        bucket = (bucket + 1) % BUCKETS;
    }
    None
}

/// What a value is, and where its bytes are, seen from where the record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'b> {
    /// A text without anything that stands for something else, its quotes left out.
    Plain(&'b [u8]),
    /// A text with escapes in it, its quotes left out.
    Escaped(&'b [u8]),
    /// A number, `true`, `false` or `null`, as it is written.
    Word(&'b [u8]),
    /// An object or a list, as it is written.
    Nested(&'b [u8]),
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    start: u32,
    end: u32,
    rank: u8,
    escaped: bool,
}

/// Where the fields of one record are.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    present: u32,
    slots: [Slot; COUNT],
}

impl Fields {
    /// Forgets all fields.
    pub(crate) fn clear(&mut self) {
        self.present = 0;
    }

    /// Notes a field if its key is one that columns are made of.
    #[inline]
    pub(crate) fn note(&mut self, key: &[u8], start: usize, end: usize, escaped: bool) {
        let Some((field, rank)) = field_of(key) else { return };
        let bit = 1 << field as u32;
        let slot = &mut self.slots[field as usize];
        if self.present & bit == 0 || rank < slot.rank {
            self.present |= bit;
            *slot = Slot { start: start as u32, end: end as u32, rank, escaped };
        }
    }

    /// Returns whether the record has a field.
    #[inline(always)]
    pub fn has(&self, field: Field) -> bool {
        self.present & 1 << field as u32 != 0
    }

    /// Returns a field of a record with these bytes. Most records have few of all fields.
    #[inline(always)]
    pub fn get<'b>(&self, field: Field, record: &'b [u8]) -> Option<Value<'b>> {
        if self.has(field) { Some(self.value(field, record)) } else { None }
    }

    fn value<'b>(&self, field: Field, record: &'b [u8]) -> Value<'b> {
        let slot = self.slots[field as usize];
        let (start, end) = (slot.start as usize, slot.end as usize);
        match record[start] {
            b'"' if slot.escaped => Value::Escaped(&record[start + 1..end - 1]),
            b'"' => Value::Plain(&record[start + 1..end - 1]),
            b'{' | b'[' => Value::Nested(&record[start..end]),
            _ => Value::Word(&record[start..end]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        for (field, rank, names) in NAMES {
            for name in names {
                assert_eq!(field_of(name.as_bytes()), Some((field, rank)), "{name}");
                for other in [&name[1..], &name.to_uppercase(), &format!("{name}_"), &format!("_{name}")] {
                    let known = NAMES.iter().any(|(.., names)| names.contains(&other));
                    assert_eq!(field_of(other.as_bytes()).is_some(), known, "{other}");
                }
            }
        }
        assert_eq!(field_of(b""), None);
    }
}
