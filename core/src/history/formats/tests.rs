use huddle_scan::RawJson;

use super::{ALL, Context, recognize, records_in};
use crate::history::transcript::headline_of;

/// A record of each format.
const RECORDS: [&str; 8] = [
    r#"{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"u","message":{"role":"assistant","model":"m","id":"i","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"f","old_string":"a\nb","new_string":"a\nc"}}],"usage":{"input_tokens":1}}}"#,
    r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call","name":"n","arguments":"{\"cmd\":\"ls\"}","call_id":"c"}}"#,
    r#"{"ts":"2026-01-01T00:00:00Z","dir":"to_tui","kind":"codex_event","payload":{"msg":{"type":"agent_message","message":"m"}}}"#,
    r#"{"type":"message","id":"e","parentId":"p","timestamp":"2026-01-01T00:00:00Z","message":{"role":"toolResult","toolCallId":"t","content":[{"type":"text","text":"x"}],"isError":true}}"#,
    r#"{"id":"m","timestamp":"2026-01-01T00:00:00Z","type":"gemini","content":"a","tokens":{"input":1},"toolCalls":[{"id":"c","name":"n","args":{"x":1},"result":[{"functionResponse":{"response":{"output":"o"}}}]}]}"#,
    r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s","name":"n","startTimeUnixNano":"1","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]}]}]}]}"#,
    r#"{"info":{},"trajectory":[{"action":"ls","observation":"o","thought":"t"}]}"#,
    r#"{"id":1,"source":"agent","message":"m","timestamp":"2026-01-01T00:00:00","action":"run","args":{"command":"ls"}}"#,
];

/// Reads bytes with every format.
fn read(bytes: &[u8]) {
    let record = RawJson::new(bytes);
    for format in ALL {
        let turn = format.read(record, &mut Context::default());
        assert!(turn.parts.len() <= bytes.len() + 1 && format.confidence(record) <= 100);
        assert!(format.records(record).len() <= bytes.len());
    }
    drop(headline_of(bytes, 80));
}

#[test]
fn a_format_knows_its_own_records_and_leaves_plain_ones_alone() {
    for (record, name) in RECORDS.iter().zip([
        "Claude Code transcript",
        "Codex rollout",
        "Codex screen log",
        "pi session",
        "Gemini CLI session",
        "OpenTelemetry spans",
        "SWE-agent trajectory",
        "OpenHands events",
    ]) {
        let json = RawJson::new(record.as_bytes());
        let format = recognize(json).or_else(|| records_in(json).map(|(format, _)| format));
        assert_eq!(format.map(|format| format.name()), Some(name), "{record}");
    }
    for plain in [
        r#"{"timestamp":"2026-01-01T00:00:00Z","from":"ann","type":"status","message":"hi"}"#,
        r#"{"level":30,"time":1,"msg":"hi"}"#,
        r#"{"message_id":"m","from_agent":"a","to_agent":"b","message_type":"question"}"#,
        r#"{"timestamp":"2026-01-01T00:00:00Z","type":"user","user":"ann","message":"hi"}"#,
    ] {
        assert!(recognize(RawJson::new(plain.as_bytes())).is_none(), "{plain}");
    }
}

#[test]
fn damaged_records_are_read_as_far_as_they_go() {
    for record in RECORDS {
        let bytes = record.as_bytes();
        for place in 0..bytes.len() {
            read(&bytes[..place]);
            for byte in *b"\"{}[]\\:,0\xff" {
                let mut other = bytes.to_vec();
                other[place] = byte;
                read(&other);
            }
        }
    }
}
