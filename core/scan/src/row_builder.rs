//! From the fields of a record to its row.

use crate::fields::{Field, Fields, Value};
use crate::symbols::{Symbol, Symbols};
use crate::table::{Flags, NO_TIME, Row};
use crate::text::{texts_in, time_of, unescape};

/// What a record of the orchestrator's log calls itself; which protocol it is about says more.
const COMMUNICATION: &[u8] = b"agent_communication";
/// What a transcript calls a record of which files there were when something was said.
const SNAPSHOT: &[u8] = b"file-history-snapshot";

/// Builds the row of a record. Where it lies is for the caller to say.
pub(crate) fn build_row(record: &[u8], fields: &Fields, symbols: &mut Symbols) -> Row {
    let mut builder = RowBuilder { record, fields, symbols };
    let mut row = Row {
        time: builder.time(Field::Time),
        due: builder.time(Field::Due),
        read_at: builder.time(Field::ReadAt),
        from: builder.symbol(Field::From),
        to: builder.names(if fields.has(Field::Recipients) { Field::Recipients } else { Field::To }),
        kind: builder.kind(),
        severity: builder.symbol(Field::Severity),
        priority: builder.symbol(Field::Priority),
        thread: builder.symbol(Field::Thread),
        // A line of the orchestrator's log names the message that it is about, and has no id of its own.
        id: if builder.is_communication() { Symbol::NONE } else { builder.symbol(Field::Id) },
        reply_to: builder.symbol(Field::ReplyTo),
        subject: builder.symbol(Field::Subject),
        artifact: builder.names(Field::Artifact),
        ..Row::default()
    };
    if row.from.is_none() && fields.has(Field::Sidechain) {
        // A transcript names no one: its author is what kind of record it is.
        row.from = row.kind;
    }
    if !fields.has(Field::Time) && matches!(builder.get(Field::Kind), Some(Value::Plain(SNAPSHOT))) {
        // It stands beside a message of a transcript, and the id that it names is that message's.
        row.id = Symbol::NONE;
    }
    builder.flags(&mut row);
    row
}

struct RowBuilder<'a> {
    record: &'a [u8],
    fields: &'a Fields,
    symbols: &'a mut Symbols,
}

impl RowBuilder<'_> {
    #[inline(always)]
    fn get(&self, field: Field) -> Option<Value<'_>> {
        self.fields.get(field, self.record)
    }

    #[inline(always)]
    fn time(&self, field: Field) -> i64 {
        self.get(field).and_then(time_of).unwrap_or(NO_TIME)
    }

    #[inline(always)]
    fn symbol(&mut self, field: Field) -> Symbol {
        match self.fields.get(field, self.record) {
            None => Symbol::NONE,
            Some(value) => intern(self.symbols, value),
        }
    }

    #[inline(always)]
    fn is_communication(&self) -> bool {
        self.fields.has(Field::Protocol) && self.get(Field::Kind) == Some(Value::Plain(COMMUNICATION))
    }

    fn kind(&mut self) -> Symbol {
        let field = if self.fields.has(Field::Event) {
            Field::Event
        } else if self.is_communication() {
            Field::Protocol
        } else {
            Field::Kind
        };
        // A list is no kind: an object with an id would pass for one.
        if matches!(self.get(field), Some(Value::Nested(_))) { Symbol::NONE } else { self.symbol(field) }
    }

    /// Takes a name, or a list of them in one.
    #[inline(always)]
    fn names(&mut self, field: Field) -> Symbol {
        match self.fields.get(field, self.record) {
            Some(Value::Nested(list)) => self.symbols.intern(&joined(list)),
            _ => self.symbol(field),
        }
    }

    fn flags(&self, row: &mut Row) {
        let says =
            |field: Field| matches!(self.get(field), Some(Value::Word(b"true") | Value::Plain(b"true" | b"yes")));
        for (field, flag) in [
            (Field::NeedsAnswer, Flags::NEEDS_ANSWER),
            (Field::Read, Flags::READ),
            (Field::Broadcast, Flags::BROADCAST),
            (Field::Sidechain, Flags::SIDECHAIN),
        ] {
            if self.fields.has(field) && says(field) {
                row.flags.insert(flag);
            }
        }
        if self.fields.has(Field::Event) {
            row.flags.insert(Flags::EVENT);
        }
        if row.time == NO_TIME && row.from.is_none() && row.kind.is_none() {
            row.flags.insert(Flags::ODD);
        }
    }
}

fn intern(symbols: &mut Symbols, value: Value<'_>) -> Symbol {
    match value {
        Value::Plain(text) => symbols.intern_bytes(text),
        Value::Escaped(text) => symbols.intern(&unescape(text)),
        Value::Word(b"null" | b"true" | b"false") => Symbol::NONE,
        Value::Word(number) => symbols.intern_bytes(number),
        // `{"$oid": "…"}`
        Value::Nested(nested) => {
            let mut first = Symbol::NONE;
            texts_in(nested, &mut |text| {
                first = intern(symbols, text);
                true
            });
            first
        }
    }
}

/// Joins the texts of a list by a comma and a space.
fn joined(list: &[u8]) -> String {
    let mut names = String::new();
    texts_in(list, &mut |name| {
        if !names.is_empty() {
            names.push_str(", ");
        }
        push(&mut names, name);
        false
    });
    names
}

fn push(names: &mut String, name: Value<'_>) {
    match name {
        Value::Escaped(text) => names.push_str(&unescape(text)),
        Value::Plain(text) | Value::Word(text) | Value::Nested(text) => names.push_str(&String::from_utf8_lossy(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::scan_object;

    fn check(record: &str, wanted: &str) {
        let (mut fields, mut symbols) = (Fields::default(), Symbols::default());
        scan_object(record.as_bytes(), &mut fields).unwrap();
        let row = build_row(record.as_bytes(), &fields, &mut symbols);
        let text = |symbol| symbols.text(symbol);
        let mut shown = format!(
            "{}>{} {} #{} re {}",
            text(row.from),
            text(row.to),
            text(row.kind),
            text(row.id),
            text(row.reply_to)
        );
        shown +=
            &format!(" in {} {} {} {}", text(row.thread), text(row.severity), text(row.priority), text(row.subject));
        shown += &format!(" {}", if row.time == NO_TIME { -1 } else { row.time / 1_000_000 });
        if let Some(artifact) = row.artifact.some() {
            shown += &format!(" [{}]", text(artifact));
        }
        for (flag, name) in [
            (Flags::NEEDS_ANSWER, "needs"),
            (Flags::READ, "read"),
            (Flags::BROADCAST, "all"),
            (Flags::SIDECHAIN, "side"),
            (Flags::EVENT, "event"),
            (Flags::ODD, "odd"),
        ] {
            if row.flags.contains(flag) {
                shown += &format!(" +{name}");
            }
        }
        assert_eq!(shown, wanted, "{record}");
    }

    #[test]
    fn every_protocol_has_its_names_for_the_same_things() {
        check(
            r#"{"message_id":"m1","timestamp":"1970-01-01T00:00:09Z","from_agent":"a","to_agent":"b","message_type":"question","priority":"high","subject":"S\u0021","requires_response":true,"in_reply_to":"m0","conversation_id":"c"}"#,
            "a>b question #m1 re m0 in c  high S! 9 +needs",
        );
        check(
            r#"{"event_id":"e1","event_type":"TaskCompleted","timestamp":"1970-01-01T00:00:09Z","source_agent":"a","event_data":{"id":"x"}}"#,
            "a> TaskCompleted #e1 re  in     9 +event",
        );
        check(
            r#"{"_id":{"$oid":"67"},"id":"d1","from":"a","to":"b","content":"{}","type":"task","threadId":"t","priority":"low","createdAt":{"$date":"1970-01-01T00:00:09Z"},"read":true}"#,
            "a>b task #d1 re  in t  low  9 +read",
        );
        check(r#"{"_id":{"$oid":"67"},"sender":"a"}"#, "a>  #67 re  in     -1");
        check(
            r#"{"timestamp":"1970-01-01T00:00:09Z","from":"a","type":"finding","severity":"high","data":{"type":"x","from":"y"}}"#,
            "a> finding # re  in  high   9",
        );
        check(
            r#"{"timestamp":"1970-01-01T00:00:09Z","type":"agent_communication","protocol":"handoff","from":"a","to":"b","messageId":"m"}"#,
            "a>b handoff # re  in     9",
        );
        check(
            r#"{"parentUuid":null,"isSidechain":true,"type":"assistant","message":{"role":"x"},"uuid":"u","sessionId":"s"}"#,
            "assistant> assistant #u re  in s    -1 +side",
        );
        check(
            r#"{"type":"file-history-snapshot","messageId":"u","snapshot":{"timestamp":"1970-01-01T00:00:09Z"}}"#,
            "> file-history-snapshot # re  in     -1",
        );
        check(
            r#"{"from":"lead","text":"hi","timestamp":"1970-01-01T00:00:09Z","read":false}"#,
            "lead>  # re  in     9",
        );
        check(
            r#"{"recipients":["a","b"],"to_agent":"a","artifacts":["x"],"broadcast":true}"#,
            ">a, b  # re  in     -1 [x] +all +odd",
        );
        check(r#"{"timestamp": 7, "from": null, "type": ["x"], "artifacts":[]}"#, ">  # re  in     -1 +odd");
    }
}
