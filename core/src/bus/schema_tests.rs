//! What an orchestrator's agents write, against the published schemas.

use serde_json::json;

use super::ask::tests::{BusFixture, answers, name};
use super::{Draft, Format, HandoffDraft, Question, ReplyDraft};
use crate::model::{Json, Priority};
use crate::state::Edit;
use crate::wire::orchestrator::notice::{BroadcastType, Notice};
use crate::wire::orchestrator::package::ContextPackage;
use crate::wire::orchestrator::query;
use crate::wire::schemas::check;

#[test]
fn all_that_an_orchestrator_writes_fits_its_schemas() {
    let fixture = BusFixture::new();
    let (ann, bob) = (name("ann"), name("bob"));
    let edits = [
        Edit::Phase("3a"),
        Edit::Objective { text: "Ship", task: Some("task_1") },
        Edit::Decide("Use JWT"),
        Edit::Artifact { kind: "file", path: "src/a.rs" },
        Edit::Block("no keys"),
        Edit::Note("Ports are in config"),
        Edit::Agent { name: &ann, status: "in_progress", task: Some("model"), output_ref: Some("out.json") },
    ];
    for edit in edits {
        check("shared-context", &fixture.state.change(Some(&ann), edit, None).unwrap().document());
    }
    let bus = fixture.bus();
    let package = ContextPackage {
        summary: "Listed. ".repeat(400),
        key_findings: vec!["one".into()],
        requires: vec!["T1".into()],
        tokens_used: Some(3),
        ..ContextPackage::default()
    };
    let created =
        bus.create_handoff(&bob, HandoffDraft { package: Some(package), ..HandoffDraft::new(&ann, "Go") }).unwrap();
    check("context-package", &created.handoff.extra["context_package"]);
    bus.accept_handoff(&ann, &created.handoff.id, "").unwrap();
    for kind in BroadcastType::ALL {
        let notice =
            Notice { kind, about: None, content: "c".into(), priority: kind.priority(), action_required: true };
        bus.broadcast(&ann, &Draft::announcing("Stop", &notice)).unwrap();
    }
    bus.broadcast_digest(&ann, &[Draft::new("a"), Draft { priority: Priority::Low, ..Draft::new("b") }]).unwrap();
    bus.publish(&ann, &"Ready".parse().unwrap(), Json::Null, false).unwrap();
    let plain = bus.send(&ann, &Draft::to(&bob, "hello")).unwrap().id;
    bus.ack(&bob, &plain, None).unwrap();
    bus.reply(&bob, &plain, &ReplyDraft { body: "hi".into(), ..ReplyDraft::default() }).unwrap();
    let question = Question { format: Format::Named("object"), ..Question::to(&bob, "Which port?") };
    let acts = vec![(40, answers("bob", "eighty".into())), (45, answers("bob", json!({"port": 80})))];
    let asked = fixture.meanwhile(acts, |bus| bus.ask(&ann, &question)).unwrap();
    assert!(asked.retried && asked.clarified);

    let mut seen = Vec::new();
    for agent in ["ann", "bob", "cyd"] {
        for message in fixture.all_mail(agent) {
            let schema = match message.kind.as_str() {
                "query" => "query-request",
                "digest" => "digest",
                word if BroadcastType::parse(word).is_some() => "broadcast",
                "response" if message.body.get("query_type").is_some() => "query-response",
                _ => continue,
            };
            assert!(schema != "query-request" || query::is_request(&message));
            check(schema, &message.body);
            seen.push(schema);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, ["broadcast", "digest", "query-request", "query-response"]);
    let log = fixture.log();
    assert!(log.len() > 10, "{log:?}");
    log.iter().for_each(|line| check("decision", line));
    let labels = fixture.fs_file("state/expand/labels.jsonl");
    labels.lines().for_each(|line| check("labels", &serde_json::from_str(line).unwrap()));
}
