use huddle_core::engine::fs::memory::MemoryFs;
use huddle_core::engine::memory::MemoryEngine;
use huddle_core::host::FixedHost;
use serde_json::json;

use super::*;
use crate::{ErrorKind, Operation, Project, Remedy, document};

/// Starts session `s1`, in which bob waits for ann, and works on it as ann.
fn with_session(work: impl FnOnce(&mut Context<'_>)) {
    let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
    let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
    let mut context = Context::new(&project, Some("ann".to_owned())).with_session(Some("s1".to_owned()));
    let agents = vec![planned("ann", &[]), planned("bob", &["ann"])];
    context.execute(StartSession { agents, session: Some("s1".to_owned()), ..StartSession::default() }).unwrap();
    work(&mut context);
}

fn planned(name: &str, needs: &[&str]) -> PlannedAgent {
    PlannedAgent { name: name.to_owned(), needs: needs.iter().map(|need| (*need).to_owned()).collect() }
}

fn progress(agent: Option<&str>, message: &str) -> UpdateProgress {
    UpdateProgress { session: None, agent: agent.map(str::to_owned), message: message.to_owned() }
}

#[test]
fn progress_of_a_ready_agent_joins_first() {
    with_session(|context| {
        let member = context.execute(progress(None, "Reading")).unwrap();
        assert_eq!((member.name.as_str(), member.status.as_str()), ("ann", "in_progress"));
        assert_eq!(member.progress.as_deref(), Some("Reading"));
        context.execute(progress(None, "Writing")).unwrap();
        let events = context.execute(ListEvents::default()).unwrap().events;
        let said: Vec<_> = events.iter().map(|event| event.0.headline()).collect();
        assert_eq!(said, ["Session started", "Started", "Reading", "Writing"]);
    });
}

#[test]
fn progress_of_an_agent_that_cannot_start_is_refused_and_changes_nothing() {
    with_session(|context| {
        let before = document(&context.execute(ShowSession::default()).unwrap());
        let error = context.execute(progress(Some("bob"), "Reading")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict);
        assert_eq!(error.message, "cannot tell the progress of bob: it is waiting");
        let error = context.execute(progress(Some("eve"), "Reading")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert_eq!(document(&context.execute(ShowSession::default()).unwrap()), before);
    });
}

#[test]
fn acting_agent_is_the_default() {
    fn name<O: Operation<Response = SessionMember>>(operation: O, context: &mut Context<'_>) -> String {
        context.execute(operation).unwrap().name
    }
    with_session(|context| {
        assert_eq!(context.execute(JoinSession::default()).unwrap().member.name, "ann");
        let fail = FailAgent { session: None, agent: None, message: "no disk".to_owned() };
        assert_eq!(name(fail, context), "ann");
        assert_eq!(name(RetryAgent::default(), context), "ann");
        context.execute(JoinSession::default()).unwrap();
        let report: PutReport = serde_json::from_value(
            json!({"report": {"status": "completed", "summary": "Done", "findings": []}, "session": "s1"}),
        )
        .unwrap();
        context.execute(report).unwrap();
        assert_eq!(context.execute(ShowReport::default()).unwrap().0.agent.as_str(), "ann");
        assert_eq!(name(CompleteAgent::default(), context), "ann");
        let log: LogEvent = serde_json::from_value(json!({"type": "note", "data": [1]})).unwrap();
        assert_eq!(context.execute(log).unwrap().0.text("from"), Some("ann"));
        let put: PutSharedData = serde_json::from_value(json!({"name": "x", "data": {"a": 1}})).unwrap();
        assert_eq!(context.execute(put).unwrap().from.as_deref(), Some("ann"));
    });
}

#[test]
fn session_that_is_not_named_is_the_one_of_the_context() {
    with_session(|context| {
        let project = context.project();
        let remedy = |session: Option<&str>, given: Option<&str>| {
            let mut context = Context::new(project, None).with_session(session.map(str::to_owned));
            let result = context.execute(ShowSession { session: given.map(str::to_owned) });
            result.map(|status| status.entry.session_id).map_err(|error| error.remedy.clone())
        };
        assert_eq!(remedy(Some("s1"), None), Ok("s1".to_owned()));
        assert_eq!(remedy(Some("s2"), Some("s1")), Ok("s1".to_owned()));
        assert_eq!(remedy(Some("s1"), Some("")), Ok("s1".to_owned()));
        let newest = || Err(Remedy::NameSession(Some("s1".parse().unwrap())));
        assert_eq!(remedy(None, None), newest());
        assert_eq!(remedy(Some(""), None), newest());
        context.execute(CloseSession::default()).unwrap();
        assert_eq!(remedy(None, None), Err(Remedy::NameSession(None)));
    });
}

#[test]
fn session_requests_have_the_names_of_tools_and_of_typed_functions() {
    let check = |given: serde_json::Value| {
        let request: UpdateProgress = serde_json::from_value(given).unwrap();
        assert_eq!((request.session.as_deref(), request.message.as_str()), (Some("s1"), "half"));
    };
    check(json!({"session": "s1", "message": "half"}));
    check(json!({"sessionId": "s1", "progress": "half"}));
    let fail: FailAgent = serde_json::from_value(json!({"sessionId": "s1", "error": "no disk"})).unwrap();
    assert_eq!(fail.message, "no disk");
}

#[test]
fn report_that_is_no_object_is_refused() {
    let check = |given: serde_json::Value, fault: &str| {
        let content: ReportContent = serde_json::from_value(given).unwrap();
        let error = content.into_fields().unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Invalid, fault));
    };
    check(json!([1]), "a report is a JSON object: it is not a JSON object: [1]");
    check(json!("done"), "a report is a JSON object: it is not JSON: expected value at line 1 column 1: done");
    let text = serde_json::from_value::<ReportContent>(json!(r#"{"status": "partial"}"#)).unwrap();
    assert_eq!(text.into_fields().unwrap()["status"], "partial");
}
