//! Logging and shared data.

use super::*;
use crate::model::{NewEvent, Span, Timestamp};
use crate::session::{EventFilter, LogCursor, count_by};

#[test]
fn records_are_found_by_author_type_severity_and_time() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let log = |from: &str, kind: &str, severity: Option<&str>| {
        let new = NewEvent { severity: severity.map(str::to_owned), ..NewEvent::new(from, kind, "m") };
        sessions.log(&s(), &new).unwrap();
        bench.host.advance(Span::from_seconds(10));
    };
    log("sec", "finding", Some("high"));
    log("perf", "finding", Some("low"));
    log("sec", "note", None);
    let count = |filter: EventFilter| sessions.events(&s(), &filter).unwrap().value.len();
    let some = |word: &str| Some(word.to_owned());
    assert_eq!(count(EventFilter::default()), 4);
    assert_eq!(count(EventFilter { from: some("sec"), ..Default::default() }), 2);
    assert_eq!(count(EventFilter { from: some("*e*"), kind: some("finding"), ..Default::default() }), 2);
    assert_eq!(count(EventFilter { severity: some("high"), ..Default::default() }), 1);
    let since = Timestamp::parse("2025-01-23T10:00:10Z");
    assert_eq!(count(EventFilter { since, ..Default::default() }), 2);
    let all = sessions.events(&s(), &EventFilter::default()).unwrap().value;
    let wanted = [(some("finding"), 2), (some("note"), 1), (some("status"), 1)];
    assert_eq!(count_by(&all, "type"), wanted);
    let mut cursor = LogCursor::default();
    assert_eq!(sessions.poll_new(&s(), &EventFilter::default(), &mut cursor).unwrap().value.len(), 4);
    log("sec", "status", None);
    assert_eq!(sessions.poll_new(&s(), &EventFilter::default(), &mut cursor).unwrap().value.len(), 1);
    let word = sessions.log(&s(), &NewEvent::new("sec", "two words", "m"));
    refused(word, 6, "a type or severity is one word, not \"two words\"");
}

#[test]
fn a_record_of_any_size_is_logged() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let blob = "x".repeat(200_000);
    let new = NewEvent { data: Some(json!({"blob": blob})), ..NewEvent::new("sec", "finding", "large") };
    let event = sessions.log(&s(), &new).unwrap();
    let path = event.text("data_ref").unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Json>(&bench.text(&path)).unwrap(), json!({"blob": blob}));
    assert_eq!(bench.log().last().unwrap(), "sec finding: large");
    assert!(bench.text("messages.jsonl").lines().all(|line| line.len() < 65_536));
    let listed = sessions.data_list(&s()).unwrap().value;
    assert_eq!((listed.len(), listed[0].path.as_str(), listed[0].from.as_deref()), (1, path.as_str(), Some("sec")));
}

#[test]
fn data_have_names_of_their_own() {
    let bench = Bench::new();
    let sessions = bench.sessions();
    let put = |name: &str, text: &str, replace| {
        sessions.put_data(&s(), &agent("sec"), &name.parse().unwrap(), text, Some("Holes"), replace)
    };
    let made = put("holes", r#"{"a": 1.0}"#, false).unwrap();
    assert_eq!((made.path.as_str(), made.at), ("data/holes.json", Timestamp::parse(BEGIN)));
    refused(put("holes.json", "2", false), 5, "session s has data/holes.json already");
    assert_eq!(bench.text("data/holes.json"), "{\"a\": 1.0}\n", "byte for byte");
    put("holes.json", "2", true).unwrap();
    refused(put("more", "{a}", false), 6, "shared data must be JSON: key must be a string at line 1 column 2");
    let read = |name: &str| sessions.data(&s(), &name.parse().unwrap());
    assert_eq!(read("holes").unwrap(), ("data/holes.json".to_owned(), b"2\n".to_vec()));
    refused(read("none"), 3, "session s has no data \"none\"");
    let listed = sessions.data_list(&s()).unwrap().value;
    assert_eq!(listed[0].description.as_deref(), Some("Holes"));
    assert_eq!(bench.log()[1..], ["sec data: no message", "sec data: no message"]);
}

#[test]
fn the_data_of_the_protocols_example_are_listed_with_their_author() {
    let (bench, id) = Bench::by_spec();
    let listed = bench.sessions().data_list(&id).unwrap().value;
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].path.as_str(), listed[0].from.as_deref()),
        ("data/vulnerabilities.json", Some("security-analyzer"))
    );
}
