//! What went wrong, and what was found wrong on the way.

use crate::bus::ErrorKind;
use crate::model::{Diagnostic, Json};

/// Writes a failure: `{"error": {"code", "kind", "message", "hint"}}`.
pub fn failure(kind: ErrorKind, message: &str, hint: &str) -> Json {
    object!({"error": object!({"code": kind.code(), "kind": kind.as_str(), "message": message, "hint": hint})})
}

/// Writes findings as a list.
pub fn findings(findings: &[Diagnostic]) -> Json {
    findings.iter().map(finding).collect()
}

fn finding(finding: &Diagnostic) -> Json {
    object!({
        "severity": finding.severity.to_string(),
        "code": finding.code,
        "place": finding.place,
        "message": finding.message,
        "hint": finding.hint,
    })
}

/// Adds findings to an answer, if there are any. An answer that has findings of its own, as a report does, keeps them:
/// ours are its `huddle_findings` then.
pub fn with_findings(mut answer: Json, found: &[Diagnostic]) -> Json {
    if let (Some(fields), false) = (answer.as_object_mut(), found.is_empty()) {
        let name = if fields.contains_key("findings") { "huddle_findings" } else { "findings" };
        fields.insert(name.to_owned(), findings(found));
    }
    answer
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Severity;

    #[test]
    fn a_failure_has_a_code_a_kind_a_message_and_a_hint() {
        let shown = failure(ErrorKind::NotFound, "no agent \"bob\"", "register it");
        let wanted = r#"{"error":{"code":3,"kind":"not-found","message":"no agent \"bob\"","hint":"register it"}}"#;
        assert_eq!(shown.to_string(), wanted);
    }

    fn damaged() -> Diagnostic {
        let (place, message, hint) = ("registry.json".to_owned(), "cut off".to_owned(), "mend it".to_owned());
        Diagnostic { severity: Severity::Warning, code: "damaged-registry", place, message, hint }
    }

    #[test]
    fn findings_are_in_an_answer_only_when_there_are_any() {
        assert_eq!(with_findings(json!({"count": 0}), &[]).to_string(), r#"{"count":0}"#);
        assert_eq!(
            with_findings(json!({"count": 0}), &[damaged()])["findings"].to_string(),
            r#"[{"severity":"warning","code":"damaged-registry","place":"registry.json","message":"cut off","hint":"mend it"}]"#
        );
    }

    #[test]
    fn an_answers_own_findings_are_kept() {
        let told = with_findings(json!({"findings": ["own"]}), &[damaged()]);
        assert_eq!(told["findings"], json!(["own"]));
        assert_eq!(told["huddle_findings"][0]["code"], "damaged-registry");
    }
}
