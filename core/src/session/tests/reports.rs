//! Reports, one by one and together.

use super::*;
use crate::session::merge;

#[test]
fn a_report_is_checked_filled_in_noted_and_logged() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let mut bad = report(&["high", "high", "dire"]);
    let refusal = sessions.put_report(&s(), &agent("sec"), &bad);
    let fault = "report of sec: findings[2].severity must be one of high, medium, low, not \"dire\"";
    refused(refusal, 6, fault);
    bad.insert("summary".into(), 7.into());
    refused(
        sessions.put_report(&s(), &agent("sec"), &bad),
        6,
        "report of sec: summary must be text, not 7 (and 1 more)",
    );
    assert_eq!(bench.text("reports/sec.json"), "");

    let mut good = report(&["high"]);
    good.insert("data_artifacts".into(), json!(["data/none.json"]));
    let put = sessions.put_report(&s(), &agent("sec"), &good).unwrap();
    assert_eq!(put.findings[0].code, "absent-artifact");
    let fields: Vec<_> = put.value.fields.keys().map(String::as_str).collect();
    assert_eq!(fields[..4], ["agent_name", "timestamp", "status", "summary"]);
    assert_eq!(
        (&put.value.fields["own"], &put.value.fields["recommendations_for_automation"]),
        (&json!(1), &json!([]))
    );
    assert_eq!(bench.text("reports/sec.json"), put.value.encode());
    assert_eq!(bench.coordination()["agents"]["sec"]["report_path"], "reports/sec.json");
    assert_eq!(bench.log().last().unwrap(), "sec status: Report: 1 findings, 1 of high severity");
    assert_eq!(sessions.report(&s(), &agent("sec")).unwrap().value, put.value);
    refused(sessions.report(&s(), &agent("perf")), 3, "session s has no report of perf");
    let stranger = sessions.put_report(&s(), &agent("zoe"), &report(&[]));
    refused(stranger, 3, "no agent \"zoe\" is in session s; there are sec, perf, gen");
}

#[test]
fn reports_are_merged() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let mut one = report(&["high", "low"]);
    one.insert("data_artifacts".into(), json!(["data/b.json", "data/a.json"]));
    one.insert("recommendations_for_automation".into(), json!(["Skill: x", "Hook: y"]));
    let mut two = report(&["high"]);
    two.insert("data_artifacts".into(), json!(["data/b.json"]));
    sessions.put_report(&s(), &agent("sec"), &one).unwrap();
    sessions.put_report(&s(), &agent("perf"), &two).unwrap();
    let merged = merge(&sessions.reports(&s(), "*").unwrap().value);
    assert_eq!((merged.total_findings, merged.high.len(), merged.advice.len()), (3, 2, 3));
    let severities: Vec<_> = merged.by_severity.iter().map(|(word, count)| format!("{word} {count}")).collect();
    assert_eq!(severities, ["high 2", "low 1", "medium 0"]);
    assert_eq!((merged.suggestions.len(), merged.next_actions.len()), (2, 2));
    assert_eq!(merged.artifacts, ["data/a.json", "data/b.json"]);
    assert_eq!(merge(&sessions.reports(&s(), "s*").unwrap().value).summaries, [(agent("sec"), "S".to_owned())]);
}

#[test]
fn reports_of_others_are_read_as_they_are() {
    let (bench, id) = Bench::by_spec();
    let sessions = bench.sessions();
    let path = format!("agents/context/{id}/reports/broken.json");
    bench.fs.write_new(&path, b"{").unwrap();
    let found = sessions.reports(&id, "*").unwrap();
    let codes: Vec<_> = found.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["damaged-report", "odd-report", "odd-report"]);
    let merged = merge(&found.value);
    assert_eq!((merged.total_findings, merged.suggestions.len(), merged.next_actions.len()), (1, 4, 3));
    let broken = sessions.report(&id, &agent("broken")).unwrap_err();
    assert_eq!(broken.kind().code(), 6, "{broken}");
}
