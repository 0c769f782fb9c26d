//! What sessions write, against the published schemas.

use super::*;
use crate::model::NewEvent;
use crate::wire::schemas::check;

#[test]
fn all_that_a_session_writes_fits_its_schemas() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let finding = NewEvent {
        severity: Some("high".into()),
        data: Some(json!({"title": "T"})),
        ..NewEvent::new("sec", "finding", "m")
    };
    sessions.log(&s(), &finding).unwrap();
    sessions
        .log(&s(), &NewEvent { data: Some(json!("x".repeat(100_000))), ..NewEvent::new("sec", "status", "long") })
        .unwrap();
    sessions.put_data(&s(), &agent("sec"), &"holes".parse().unwrap(), "[]", Some("Holes"), false).unwrap();
    join(&sessions, "sec");
    sessions.progress(&s(), &agent("sec"), "50%").unwrap();
    sessions
        .put_report(&s(), &agent("sec"), &{
            let mut report = report(&["high"]);
            report.remove("own");
            report
        })
        .unwrap();
    sessions.complete(&s(), &agent("sec"), json!({"summary": "S"}).as_object(), None).unwrap();
    join(&sessions, "perf");
    sessions.fail(&s(), &agent("perf"), "no key").unwrap();
    sessions.retry(&s(), &agent("perf")).unwrap();
    sessions.fail(&s(), &agent("perf"), "no key").unwrap();
    sessions.join(&s(), &agent("gen"), &[], &[agent("perf")]).unwrap();
    sessions.close(&s(), "coordinator", true).unwrap();
    check("coordination", &bench.coordination());
    let log = bench.text("messages.jsonl");
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines.len() > 10, "{log}");
    lines.iter().for_each(|line| check("session-event", &serde_json::from_str(line).unwrap()));
    check("report", &serde_json::from_str(&bench.text("reports/sec.json")).unwrap());
}
