//! The protocol's own example, changed in every way.

use serde_json::json;

use super::*;

/// fixtures/state-by-spec-example
const FIXTURE: &str = r#"{
  "taskId": "task_abc123",
  "currentPhase": 5,
  "sharedContext": {
    "objective": "Implement user authentication",
    "keyDecisions": [
      {"decision": "Use JWT", "by": "backend-expert", "timestamp": "..."}
    ],
    "artifacts": [
      {"type": "file", "path": "src/auth/jwt.ts", "by": "backend-expert"}
    ],
    "blockers": [],
    "notes": []
  },
  "agentStates": {
    "backend-expert": {"status": "completed", "output_ref": "..."},
    "frontend-expert": {"status": "in_progress", "current_task": "..."}
  }
}
"#;

fn state(text: &str) -> SharedContext {
    SharedContext::decode(text.as_bytes()).unwrap()
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

fn author(by: &AgentName) -> Author<'_> {
    Author { by: Some(by), at: Timestamp::parse("2025-11-29T14:30:52.25Z").unwrap() }
}

#[test]
fn reading_and_writing_loses_nothing() {
    let again = state(FIXTURE).encode();
    assert_eq!(json(&again), json(FIXTURE));
    let keys = |text: &str| json(text).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&again), keys(FIXTURE));
    assert_eq!(state(&again).encode(), again);
}

#[test]
fn every_change_leaves_the_rest_alone() {
    let ann: AgentName = "ann".parse().unwrap();
    let unknown = FIXTURE
        .replace("\"taskId\"", "\"x-mood\": [1.5, null],\n  \"taskId\"")
        .replace("\"blockers\"", "\"risks\": {\"a\": 1}, \"blockers\"")
        .replace("\"status\": \"completed\"", "\"pid\": 7, \"status\": \"completed\"");
    let mut changed = state(&unknown);
    changed.set_phase("6");
    changed.set_objective("Ship it").unwrap();
    changed.decide("Use RS256", author(&ann)).unwrap();
    changed.add_artifact("file", "a.rs", author(&ann)).unwrap();
    changed.add_artifact("file", "a.rs", author(&ann)).unwrap();
    changed.block("blocker-1", "no keys", author(&ann)).unwrap();
    changed.note("look at it", author(&ann)).unwrap();
    changed.set_agent(&"backend-expert".parse().unwrap(), "in_progress", Some("tests"), None).unwrap();
    changed.set_agent(&"frontend-expert".parse().unwrap(), "completed", None, Some("out.json")).unwrap();
    changed.count();
    let at = "2025-11-29T14:30:52Z";
    let mut expected = json(&unknown);
    expected["currentPhase"] = 6.into();
    expected["version"] = 1.into();
    let shared = &mut expected["sharedContext"];
    shared["objective"] = "Ship it".into();
    let jwt = json!({"decision": "Use JWT", "by": "backend-expert", "timestamp": "..."});
    shared["keyDecisions"] = json!([jwt, {"decision": "Use RS256", "by": "ann", "timestamp": at}]);
    let own = json!({"type": "file", "path": "src/auth/jwt.ts", "by": "backend-expert"});
    shared["artifacts"] = json!([own, {"type": "file", "path": "a.rs", "by": "ann"}]);
    shared["blockers"] = json!([{"id": "blocker-1", "blocker": "no keys", "by": "ann", "timestamp": at}]);
    shared["notes"] = json!([{"note": "look at it", "by": "ann", "timestamp": at}]);
    expected["agentStates"] = json!({
        "backend-expert": {"pid": 7, "status": "in_progress", "output_ref": "...", "current_task": "tests"},
        "frontend-expert": {"status": "completed", "output_ref": "out.json"},
    });
    assert_eq!(changed.document(), expected);
    assert_eq!(state(&changed.encode()), changed);
}

#[test]
fn a_new_state_has_the_fields_of_the_protocol_in_its_order() {
    let new = SharedContext::new("task_1").document();
    let example = state(FIXTURE).document();
    let keys = |value: &Json| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&new), keys(&example));
    assert_eq!(keys(&new["sharedContext"]), keys(&example["sharedContext"]));
}

#[test]
fn a_blocker_goes_by_its_id_or_its_text() {
    let with = |blockers: &str| state(&FIXTURE.replace("\"blockers\": []", &format!("\"blockers\": {blockers}")));
    let check = |id: &str, left: usize| {
        let mut state = with(r#"["no keys", {"id": 7}, {"id": "b"}, {"text": "no time"}, 5]"#);
        assert_eq!(state.unblock(id).unwrap(), left < 5, "{id}");
        assert_eq!(state.list("blockers").len(), left, "{id}");
    };
    for id in ["no keys", "7", "b", "no time"] {
        check(id, 4);
    }
    check("5", 5);
    check("c", 5);
}

#[test]
fn mistyped_fields_are_not_replaced() {
    let ann: AgentName = "ann".parse().unwrap();
    let mut odd = state(r#"{"sharedContext": {"keyDecisions": "none", "notes": null}, "agentStates": []}"#);
    assert_eq!(odd.decide("x", author(&ann)).unwrap_err(), "field \"keyDecisions\" must be a list");
    assert_eq!(odd.set_agent(&ann, "idle", None, None).unwrap_err(), "field \"agentStates\" must be an object");
    odd.note("fine", author(&ann)).unwrap();
    assert_eq!(odd.list("notes").len(), 1);
    let mut odd = state(r#"{"sharedContext": [1]}"#);
    assert_eq!(odd.set_objective("x").unwrap_err(), "field \"sharedContext\" must be an object");
    odd.set_phase("3a");
    assert_eq!(odd.document(), json!({"sharedContext": [1], "currentPhase": "3a"}));
}

#[test]
fn every_torn_prefix_is_a_fault_and_not_a_panic() {
    for end in 0..FIXTURE.trim_end().len() {
        assert!(SharedContext::decode(&FIXTURE.as_bytes()[..end]).is_err(), "{end} bytes");
    }
}
