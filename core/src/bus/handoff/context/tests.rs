//! Contexts that were given along, asked for, and put together.

use serde_json::json;

use super::*;
use crate::bus::ErrorKind;
use crate::bus::ask::tests::{BusFixture, answers, name};
use crate::state::Edit;

fn sequential() -> HandoffDraft {
    let package = ContextPackage {
        summary: "Listed 5 high-level tasks".into(),
        output_ref: Some("phase3a_output".into()),
        tokens_used: Some(450),
        key_findings: vec!["T1: Create model".into()],
        next_action: Some("Decompose these tasks".into()),
        ..ContextPackage::default()
    };
    HandoffDraft { package: Some(package), ..HandoffDraft::new(&name("ann"), "Decompose") }
}

#[test]
fn a_context_is_given_along() {
    let fixture = BusFixture::new();
    let bus = fixture.bus();
    let HandoffDraft { package, .. } = sequential();
    let created = bus.create_handoff(&name("bob"), sequential()).unwrap();
    let id = &created.handoff.id;
    let found = bus.handoff_context(&name("ann"), id, None).unwrap();
    assert_eq!((Some(&found.package), &found.answered_by), (package.as_ref(), &None));
    let document = bus.handoff(id).unwrap().document;
    for part in
        ["Listed 5 high-level tasks", "- T1: Create model", "**Tokens used**: 450", "1. Decompose these tasks\n"]
    {
        assert!(document.contains(part), "{part} in {document}");
    }
    let notice = &fixture.unread("ann")[0];
    assert_eq!(notice.body["handoff_id"], id.as_str());
    assert_eq!(
        (&notice.body["handoff_type"], &notice.body["context"]["tokens_used"]),
        (&json!("sequential"), &json!(450))
    );
    bus.accept_handoff(&name("ann"), id, "On it").unwrap();
    assert_eq!(bus.handoff_context(&name("ann"), id, None).unwrap(), found, "and survives the decision");
    let lines = ["30:00 handoff bob→ann created true", "30:00 handoff ann→bob accepted true"];
    assert_eq!(fixture.outcomes(), lines);
    assert_eq!(fixture.log()[0]["messageId"], created.notice.as_str());
}

#[test]
fn a_snapshot_of_the_shared_state_goes_along() {
    let fixture = BusFixture::new();
    fixture.state.change(None, Edit::Objective { text: "Ship", task: None }, None).unwrap();
    let created = fixture.bus().create_handoff(&name("bob"), sequential()).unwrap();
    let found = fixture.bus().handoff_context(&name("ann"), &created.handoff.id, None).unwrap();
    assert_eq!(found.package.state_snapshot.as_deref(), Some("artifacts/shared-context.json"));
    let files = fixture.bus().handoff(&created.handoff.id).unwrap().files;
    assert_eq!(files[0].0, "shared-context.json");
}

#[test]
fn a_context_without_a_summary_or_permission_is_refused() {
    let fixture = BusFixture::new();
    let blank = HandoffDraft { package: Some(ContextPackage::default()), ..sequential() };
    assert_eq!(fixture.bus().create_handoff(&name("bob"), blank).unwrap_err().kind(), ErrorKind::Usage);
    fixture.settings(r#"{"agentCommunication": {"protocols": ["query"]}}"#);
    assert_eq!(fixture.bus().create_handoff(&name("bob"), sequential()).unwrap_err().kind(), ErrorKind::Usage);
    assert_eq!(fixture.log(), [] as [Json; 0]);
}

/// Creates a handoff from bob to ann that tells nothing.
fn bare(fixture: &BusFixture) -> HandoffId {
    fixture.bus().create_handoff(&name("bob"), HandoffDraft::new(&name("ann"), "Build it")).unwrap().handoff.id
}

#[test]
fn a_missing_context_is_asked_of_the_giver() {
    let fixture = BusFixture::new();
    let id = bare(&fixture);
    let given = json!({"summary": "All listed", "next_action": "Build", "key_findings": ["one"]});
    let found = fixture.meanwhile(vec![(2, answers("bob", given))], |bus| bus.handoff_context(&name("ann"), &id, None));
    let HandoffContext { package, answered_by } = found.unwrap();
    assert_eq!((package.summary.as_str(), package.reconstructed), ("All listed", false));
    let thread = fixture.bus().thread(id.as_str()).unwrap().value;
    assert!(thread.messages.iter().any(|message| Some(&message.id) == answered_by.as_ref()), "it is one conversation");
}

#[test]
fn missing_context_is_rebuilt_from_shared_state() {
    let fixture = BusFixture::new();
    let id = bare(&fixture);
    let bob = name("bob");
    let nothing = fixture.meanwhile(vec![], |bus| bus.handoff_context(&name("ann"), &id, Some(Span::from_seconds(1))));
    assert_eq!(nothing.unwrap_err().kind(), ErrorKind::TimedOut);
    let change = |edit: Edit<'_>| drop(fixture.state.change(Some(&bob), edit, None).unwrap());
    change(Edit::Objective { text: "Ship", task: None });
    change(Edit::Decide("Use JWT"));
    change(Edit::Artifact { kind: "file", path: "a.rs" });
    change(Edit::Agent { name: &bob, status: "completed", task: None, output_ref: Some("out.json") });
    let found = fixture.meanwhile(vec![], |bus| bus.handoff_context(&name("ann"), &id, Some(Span::from_seconds(1))));
    let expected = ContextPackage {
        summary: "Objective: Ship. bob is completed.".into(),
        output_ref: Some("out.json".into()),
        tokens_used: None,
        key_findings: vec!["Decision: Use JWT (by bob)".into(), "Artifact: a.rs (by bob)".into()],
        next_action: Some("Build it".into()),
        state_snapshot: Some(".claude/state/shared-context.json".into()),
        reconstructed: true,
    };
    assert_eq!(found.unwrap(), HandoffContext { package: expected.clone(), answered_by: None });
    assert_eq!(fixture.outcomes().last().unwrap(), "30:04 handoff bob→ann reconstructed true");
    fixture.bus().deregister(&bob).unwrap();
    let gone = fixture.bus().handoff_context(&name("ann"), &id, None).unwrap();
    assert_eq!(gone.package, expected, "nobody is left to ask");
}

#[test]
fn a_long_summary_is_compressed() {
    let fixture = BusFixture::new();
    let mut draft = sequential();
    let whole = "Every task was looked at, and each of them was found to need a model first. ".repeat(100);
    draft.package.as_mut().unwrap().summary = whole.clone();
    let created = fixture.bus().create_handoff(&name("bob"), draft).unwrap();
    let found = fixture.bus().handoff_context(&name("ann"), &created.handoff.id, None).unwrap();
    let reference = found.package.summary.split("[expand:").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    assert_eq!(fixture.state.expansions().expand(reference).unwrap(), whole.as_bytes());
    let line = &fixture.log()[0];
    assert!(line["tokensTransferred"].as_u64().unwrap() <= 500, "{line}");
    assert!(line["compressionRatio"].as_f64().unwrap() < 0.5, "{line}");
}
