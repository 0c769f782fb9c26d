//! `messages.jsonl`: one record a line, read whatever others have done to it.

use std::collections::BTreeSet;

use huddle_scan::{Damage, Recovery};

use super::layout;
use crate::engine::fs::MAX_APPEND;
use crate::model::{Diagnostic, Event, Json, JsonMap, NewEvent, SessionId, Severity, Timestamp, WithDiagnostics};
use crate::wire::log::{Line, Lines};
use crate::wire::mailbox::pretty;

/// How much of a text stays in the line when the record goes to a file of its own.
const EXCERPT: usize = 1000;

/// A record as it goes into the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The logged event.
    pub event: Event,
    /// The line, with its end, short enough to arrive in one piece.
    pub line: String,
    /// What only the end of this line says: where it is, the whole line is.
    pub mark: String,
    /// What did not fit, and where it is kept, seen from the session's directory.
    pub overflow: Option<(String, String)>,
}

/// Writes a record; one that is too long for a line refers to a file.
pub fn encode(new: &NewEvent, at: Timestamp, id: &str) -> Record {
    let mut fields = JsonMap::new();
    let mut put = |name: &str, value: Option<Json>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let text = |text: &Option<String>| text.as_deref().map(Json::from);
    put("timestamp", Some(at.floor().to_string().into()));
    put("from", Some(new.from.as_str().into()));
    put("type", Some(new.kind.as_str().into()));
    put("severity", text(&new.severity));
    put("message", text(&new.message));
    put("error", text(&new.error));
    put("data", new.data.clone());
    put("artifact", text(&new.artifact));
    put("description", text(&new.description));
    let overflow = shorten(&mut fields, &new.from, id);
    // Last, so that a line that was cut off does not have it.
    fields.insert("event_id".to_owned(), id.into());
    let line = format!("{}\n", Json::Object(fields.clone()));
    Record { event: Event { fields }, line, mark: format!("\"event_id\":\"{id}\"}}"), overflow }
}

/// Makes a record fit into a line, and gives what had to be taken out.
fn shorten(fields: &mut JsonMap, from: &str, id: &str) -> Option<(String, String)> {
    let length = |fields: &JsonMap| Json::Object(fields.clone()).to_string().len() + id.len() + 20;
    if length(fields) <= MAX_APPEND {
        return None;
    }
    let whole = Json::Object(fields.clone());
    let data = fields.shift_remove("data");
    let path = format!("{}/{from}-{id}.json", layout::DATA);
    fields.entry("artifact").or_insert_with(|| path.as_str().into());
    fields.insert("data_ref".to_owned(), path.as_str().into());
    if length(fields) <= MAX_APPEND {
        return Some((path, pretty(&data.unwrap_or_default())));
    }
    for value in fields.values_mut() {
        if let Some(text) = value.as_str().filter(|text| text.chars().count() > EXCERPT) {
            *value = format!("{}…", text.chars().take(EXCERPT).collect::<String>()).into();
        }
    }
    Some((path, pretty(&whole)))
}

/// Reads a log from where it left off.
#[derive(Debug, Clone, Default)]
pub struct LogReader {
    consumed: usize,
    scan: huddle_scan::LogReader,
    ids: BTreeSet<String>,
}

impl LogReader {
    /// Reads what is new, up to the end of the last whole line; with `to_end`, what comes after it too.
    pub fn read(&mut self, id: &SessionId, log: &[u8], to_end: bool) -> WithDiagnostics<Vec<Event>> {
        if log.len() < self.consumed {
            // Somebody began the log anew.
            *self = Self::default();
        }
        let mut lines = Lines::default();
        self.scan.feed(&log[self.consumed..], &mut lines);
        self.consumed = log.len();
        let begun = if to_end { self.scan.end(&mut lines).being_written } else { 0 };
        let mut diagnostics = LogDiagnostics { id, findings: Vec::new() };
        diagnostics.damaged(&lines);
        if begun > 0 {
            let message = format!("the last {begun} bytes are being written, or were cut off");
            diagnostics.info("being-written", self.scan.line(), log.len() as u64 - begun, message);
        }
        let value = self.events(lines, &mut diagnostics);
        WithDiagnostics { value, findings: diagnostics.findings }
    }

    fn events(&mut self, lines: Lines, diagnostics: &mut LogDiagnostics<'_>) -> Vec<Event> {
        let mut events = Vec::with_capacity(lines.records.len());
        for Line { fields, number, offset, .. } in lines.records {
            let event = Event { fields };
            // Two who finish the same change at the same instant may both write its line.
            match event.text("event_id") {
                Some(id) if !self.ids.insert(id.to_owned()) => {
                    let message = format!("record {id} stands in the log again; it counts once");
                    diagnostics.info("repeated-line", number, offset, message);
                }
                _ => events.push(event),
            }
        }
        events
    }
}

/// What was found wrong with a session's log, and where.
struct LogDiagnostics<'a> {
    id: &'a SessionId,
    findings: Vec<Diagnostic>,
}

impl LogDiagnostics<'_> {
    fn damaged(&mut self, lines: &Lines) {
        for Damage { line, offset, length, fault, .. } in &lines.damages {
            let hint = "look at the line; the rest of the log was read";
            let message = format!("{length} bytes cannot be read: {fault}");
            self.finding(Severity::Warning, "damaged-line", (*line, *offset), message, hint);
        }
        let mut told = 0;
        for line in lines.records.iter().filter(|line| line.recovery == Some(Recovery::Glued)) {
            if line.number != told {
                let message = "several records stand on one line; all were read".to_owned();
                self.info("glued-line", line.number, line.offset, message);
            }
            told = line.number;
        }
    }

    fn info(&mut self, code: &'static str, line: u64, offset: u64, message: String) {
        self.finding(Severity::Info, code, (line, offset), message, "");
    }

    fn finding(
        &mut self,
        severity: Severity,
        code: &'static str,
        (line, offset): (u64, u64),
        message: String,
        hint: &str,
    ) {
        let place = layout::within(self.id, layout::LOG);
        let place = format!("{place}, line {line}, byte {offset}");
        self.findings.push(Diagnostic { severity, code, place, message, hint: hint.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BY_SPEC: &str = by_spec!("messages.jsonl");

    fn read(log: &[u8]) -> WithDiagnostics<Vec<Event>> {
        LogReader::default().read(&"s".parse().unwrap(), log, true)
    }

    fn check(log: &str, messages: &[&str], findings: &[&str]) {
        let found = read(log.as_bytes());
        assert_eq!(found.value.iter().map(Event::headline).collect::<Vec<_>>(), messages, "{log}");
        let shown = found.findings.iter().map(|one| {
            let place = one.place.strip_prefix("agents/context/s/messages.jsonl, ").unwrap();
            format!("{} {place}", one.code)
        });
        assert_eq!(shown.collect::<Vec<_>>(), findings, "{log}");
    }

    fn record(message: &str) -> String {
        format!(r#"{{"timestamp":"2025-01-23T10:00:00Z","from":"a","type":"status","message":"{message}"}}"#)
    }

    #[test]
    fn the_protocols_example_is_read() {
        let found = read(BY_SPEC.as_bytes());
        assert_eq!(found.findings, []);
        let lines: Vec<String> = found.value.iter().map(|one| Json::Object(one.fields.clone()).to_string()).collect();
        assert_eq!(lines.join("\n") + "\n", BY_SPEC);
        assert_eq!(found.value[1].headline(), "SQL Injection Risk");
        assert_eq!(found.value[2].headline(), "no message");
    }

    #[test]
    fn damage_is_told_and_hides_nothing() {
        let (a, b) = (record("a"), record("b"));
        check("", &[], &[]);
        check(&format!("{a}\n\n{b}"), &["a", "b"], &[]);
        check(&format!("{a}{b}\n"), &["a", "b"], &["glued-line line 1, byte 0"]);
        check(&format!("{a}\nnonsense\n{b}\n"), &["a", "b"], &["damaged-line line 2, byte 78"]);
        check(&format!("{a}\n{}{b}\n", &a[..50]), &["a", "b"], &["damaged-line line 2, byte 78"]);
        check(&format!("{a}\n{}", &b[..70]), &["a"], &["being-written line 2, byte 78"]);
        check(r#"{"from":"a","type":"x","data":{"from":"b"},"mess"#, &[], &["being-written line 1, byte 0"]);
        check("7\n[{}]\n", &[], &["damaged-line line 1, byte 0", "damaged-line line 2, byte 2"]);
        let found = read(b"{\"from\":\"\xff\"}\n");
        assert_eq!((found.value.len(), found.findings.len()), (0, 1));
    }

    #[test]
    fn a_line_that_was_written_twice_counts_once() {
        let record = encode(&NewEvent::new("a", "status", "once"), Timestamp::default(), "e1");
        check(&format!("{0}{0}", record.line), &["once"], &["repeated-line line 2, byte 97"]);
    }

    #[test]
    fn following_waits_for_the_end_of_a_line() {
        let id = "s".parse().unwrap();
        let log = format!("{}\n{}\n", record("a"), record("b"));
        let mut reader = LogReader::default();
        let mut count = |log: &str| reader.read(&id, log.as_bytes(), false).value.len();
        assert_eq!((count(&log[..100]), count(&log), count(&log)), (1, 1, 0));
        assert_eq!(count(&log[..78]), 1, "a log that was begun anew is read anew");
    }

    #[test]
    fn a_record_has_the_protocols_fields_in_its_order_and_an_id_at_its_end() {
        let new = NewEvent {
            severity: Some("high".into()),
            message: None,
            data: Some(json!({"title": "T"})),
            ..NewEvent::new("sec", "finding", "")
        };
        let record = encode(&new, Timestamp::from_micros(1_500_000), "e1");
        let wanted = r#"{"timestamp":"1970-01-01T00:00:01Z","from":"sec","type":"finding","severity":"high","data":{"title":"T"},"event_id":"e1"}"#;
        assert_eq!(record.line, format!("{wanted}\n"));
        assert!(record.line.trim_end().ends_with(&record.mark));
        assert_eq!(record.overflow, None);
    }

    #[test]
    fn a_record_of_any_size_fits_into_a_line() {
        for size in [65_000, 65_400, 65_500, 65_536, 70_000, 1_000_000] {
            let long = "x".repeat(size);
            let data = NewEvent { data: Some(json!({"blob": long})), ..NewEvent::new("a", "data", "m") };
            let record = encode(&data, Timestamp::default(), "e1");
            assert!(record.line.len() <= MAX_APPEND, "{size}: {}", record.line.len());
            if let Some((path, overflow)) = record.overflow {
                assert_eq!(path, "data/a-e1.json");
                assert_eq!(serde_json::from_str::<Json>(&overflow).unwrap(), json!({"blob": long}));
                assert_eq!(record.event.fields["data_ref"], "data/a-e1.json");
                assert_eq!(record.event.fields["artifact"], "data/a-e1.json");
            } else {
                assert_eq!(record.event.fields["data"]["blob"], long);
            }
            let words = encode(&NewEvent::new("a", "status", long.as_str()), Timestamp::default(), "e1");
            assert!(words.line.len() <= MAX_APPEND, "{size}: {}", words.line.len());
            if let Some((_, overflow)) = words.overflow {
                assert_eq!(serde_json::from_str::<Json>(&overflow).unwrap()["message"], long);
                assert!(words.event.headline().ends_with('…'));
            }
        }
    }
}
