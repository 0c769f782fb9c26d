//! Lines of `decisions.jsonl`: what agents said to each other, and how it went.

use super::layout;
use crate::model::{Diagnostic, Json, Severity, WithDiagnostics};
use crate::state::CommunicationRecord;
use crate::wire::{log, object};

/// The type of every line that is about agents talking to each other.
const TYPE: &str = "agent_communication";

/// Writes a line: the protocol's fields, then ours.
pub fn encode(record: &CommunicationRecord) -> String {
    let mut fields = vec![
        ("timestamp", record.at.floor().to_string().into()),
        ("type", TYPE.into()),
        ("protocol", record.protocol.as_str().into()),
        ("from", record.from.as_str().into()),
        ("to", record.to.as_str().into()),
        ("tokensTransferred", record.tokens.into()),
        ("compressionRatio", ratio(record).into()),
        ("success", record.success.into()),
        ("outcome", record.outcome.into()),
    ];
    fields.extend(record.message.as_ref().map(|id| ("messageId", id.as_str().into())));
    format!("{}\n", object(fields))
}

/// Returns which part of the context was left, to the hundredth.
fn ratio(record: &CommunicationRecord) -> f64 {
    if record.full_tokens <= record.tokens {
        return 1.0;
    }
    // Token counts are far below the numbers that a float cannot tell apart.
    (record.tokens as f64 / record.full_tokens as f64 * 100.0).round() / 100.0
}

/// Reads a log: each record as it stands; what is none is a finding.
pub fn decode(bytes: &[u8]) -> WithDiagnostics<Vec<Json>> {
    let lines = log::read(bytes);
    let findings = lines.damages.iter().map(|damage| damaged(damage.line, damage.offset, damage.fault));
    WithDiagnostics {
        findings: findings.collect(),
        value: lines.records.into_iter().map(|line| Json::Object(line.fields)).collect(),
    }
}

fn damaged(line: u64, offset: u64, fault: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "damaged-line",
        place: format!("{}:{line}", layout::from_project(layout::DECISIONS)),
        message: format!("line {line}, at byte {offset}, cannot be read: {fault}"),
        hint: "the other lines stand; mend or remove this one".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// fixtures/state-by-spec-example
    const FIXTURE: &str = r#"{"timestamp": "2025-01-29T10:30:00Z", "type": "agent_communication", "protocol": "handoff", "from": "task-lister", "to": "task-decomposer", "tokensTransferred": 450, "compressionRatio": 0.15, "success": true}
"#;

    #[test]
    fn every_line_is_read_with_all_its_fields() {
        let found = decode(FIXTURE.as_bytes());
        assert_eq!((found.value.len(), found.findings.len()), (1, 0));
        assert_eq!(found.value[0].as_object().unwrap().len(), 8);
        assert_eq!(found.value[0]["compressionRatio"], 0.15);
    }

    #[test]
    fn unreadable_lines_are_reported_with_location() {
        let log = format!("{FIXTURE}{{\"torn\": \n\n[1]\n{FIXTURE}");
        let found = decode(log.as_bytes());
        assert_eq!(found.value.len(), 2);
        let places: Vec<&str> = found.findings.iter().map(|finding| finding.place.as_str()).collect();
        assert_eq!(places, [".claude/state/decisions.jsonl:2", ".claude/state/decisions.jsonl:4"]);
        assert!(found.findings[1].message.contains(&format!("at byte {}", FIXTURE.len() + 11)), "{found:?}");
        for end in 0..log.len() {
            decode(&log.as_bytes()[..end]);
        }
    }
}
