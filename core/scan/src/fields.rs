//! The fields that columns are made of, under all the names that logs give them.

/// A field of a record that a column is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// When it was made.
    Time,
    /// Who made it.
    From,
    /// Who it is for.
    To,
    /// Who it is for, as a list.
    Recipients,
    /// What kind it is.
    Kind,
    /// How much it matters.
    Severity,
    /// How urgent it is.
    Priority,
    /// The conversation that it belongs to.
    Thread,
    /// Its id.
    Id,
    /// What it answers.
    ReplyTo,
    /// What it is about.
    Subject,
    /// What it says.
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

/// Says which field a key names, and how good a name it is for it: of two, the lower one counts.
fn field_of(key: &[u8]) -> Option<(Field, u8)> {
    use Field as F;
    Some(match key {
        b"timestamp" | b"createdAt" | b"created_at" => (F::Time, 0),
        b"time" | b"ts" | b"@timestamp" | b"datetime" => (F::Time, 1),
        b"date" | b"at" => (F::Time, 2),
        b"from" | b"from_agent" | b"source_agent" => (F::From, 0),
        b"agent" | b"agent_name" | b"sender" | b"actor" | b"agentId" | b"agent_id" => (F::From, 1),
        b"author" | b"user" | b"role" | b"source" | b"logger" => (F::From, 2),
        b"to" | b"to_agent" => (F::To, 0),
        b"recipient" | b"target" => (F::To, 1),
        b"recipients" => (F::Recipients, 0),
        b"type" | b"message_type" => (F::Kind, 0),
        b"kind" => (F::Kind, 1),
        b"event" | b"action" => (F::Kind, 2),
        b"event_type" => (F::Event, 0),
        b"severity" => (F::Severity, 0),
        b"level" => (F::Severity, 1),
        b"priority" => (F::Priority, 0),
        b"thread_id" | b"threadId" | b"conversation_id" | b"conversationId" => (F::Thread, 0),
        b"sessionId" | b"session_id" => (F::Thread, 1),
        b"id" | b"message_id" | b"messageId" | b"event_id" | b"uuid" => (F::Id, 0),
        b"_id" => (F::Id, 1),
        b"in_reply_to" | b"inReplyTo" | b"reply_to" | b"replyTo" | b"parentUuid" => (F::ReplyTo, 0),
        b"subject" => (F::Subject, 0),
        b"title" => (F::Subject, 1),
        b"message" | b"text" | b"content" | b"payload" | b"event_data" => (F::Text, 0),
        b"msg" | b"body" | b"data" | b"description" | b"summary" => (F::Text, 1),
        b"requires_response" | b"requiresResponse" => (F::NeedsAnswer, 0),
        b"response_deadline" | b"responseDeadline" => (F::Due, 0),
        b"deadline" | b"due" => (F::Due, 1),
        b"read" => (F::Read, 0),
        b"readAt" | b"read_at" => (F::ReadAt, 0),
        b"artifact" => (F::Artifact, 0),
        b"artifacts" | b"data_artifacts" => (F::Artifact, 1),
        b"broadcast" => (F::Broadcast, 0),
        b"isSidechain" => (F::Sidechain, 0),
        b"protocol" => (F::Protocol, 0),
        b"huddle_file" => (F::File, 0),
        _ => return None,
    })
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

    /// Says whether the record has a field.
    #[inline(always)]
    pub fn has(&self, field: Field) -> bool {
        self.present & 1 << field as u32 != 0
    }

    /// Gives a field of a record with these bytes. Most records have few of all fields.
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
