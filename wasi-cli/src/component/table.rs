//! Which request each function is.

use std::cell::RefCell;

use huddle_api::{
    AcceptHandoff, Acknowledge, Answer, Ask, Broadcast, CheckInbox, CompleteAgent, CreateContext, CreateHandoff,
    DeclineHandoff, Deregister, FailAgent, Heartbeat, InitBus, JoinSession, ListAgents, ListContexts, ListEvents,
    ListHandoffs, ListReadyAgents, ListSessions, LogEvent, MergeReports, Publish, PutReport, PutSharedData,
    ReadContext, ReadHandoff, ReadMessage, Register, Reply, Request, RequestContext, SendMessage, ShowReport,
    ShowSession, ShowSharedData, StartSession, Subscribe, Trace, Unsubscribe, UpdateContext, UpdateProgress, document,
};
use huddle_core::model::{Diagnostic, Json, JsonMap, Remedy};
use huddle_core::wire::{self, answer};

use super::{global, held, project, take_text};
use crate::failure::{Failure, exit_code};
use crate::files::Files;
use crate::project::reach;
use crate::tools::{Fault, Parse, request};

/// The functions that are requests.
const REQUESTS: &[(&str, Parse)] = &[
    ("init-bus", request::<InitBus>),
    ("register", request::<Register>),
    ("heartbeat", request::<Heartbeat>),
    ("deregister", request::<Deregister>),
    ("list-agents", request::<ListAgents>),
    ("send-message", request::<SendMessage>),
    ("check-inbox", request::<CheckInbox>),
    ("read-message", request::<ReadMessage>),
    ("reply", request::<Reply>),
    ("acknowledge", request::<Acknowledge>),
    ("broadcast", request::<Broadcast>),
    ("publish-event", request::<Publish>),
    ("subscribe", request::<Subscribe>),
    ("unsubscribe", request::<Unsubscribe>),
    ("trace", request::<Trace>),
    ("ask", request::<Ask>),
    ("answer", request::<Answer>),
    ("create-context", request::<CreateContext>),
    ("show-context", request::<ReadContext>),
    ("list-contexts", request::<ListContexts>),
    ("update-context", request::<UpdateContext>),
    ("create-handoff", request::<CreateHandoff>),
    ("list-handoffs", request::<ListHandoffs>),
    ("show-handoff", request::<ReadHandoff>),
    ("accept-handoff", request::<AcceptHandoff>),
    ("decline-handoff", request::<DeclineHandoff>),
    ("request-context", request::<RequestContext>),
    ("start-session", request::<StartSession>),
    ("list-sessions", request::<ListSessions>),
    ("session-status", request::<ShowSession>),
    ("join-session", request::<JoinSession>),
    ("session-progress", request::<UpdateProgress>),
    ("session-complete", request::<CompleteAgent>),
    ("session-fail", request::<FailAgent>),
    ("ready", request::<ListReadyAgents>),
    ("log-event", request::<LogEvent>),
    ("list-events", request::<ListEvents>),
    ("put-report", request::<PutReport>),
    ("get-report", request::<ShowReport>),
    ("merged-report", request::<MergeReports>),
    ("put-data", request::<PutSharedData>),
    ("get-data", request::<ShowSharedData>),
];

thread_local! {
    /// What the last call found wrong on the way.
    static FOUND: RefCell<Vec<Diagnostic>> = const { RefCell::new(Vec::new()) };
}

/// Does what a function is for, and gives its answer or else its failure.
pub(super) fn carry_out(name: &str, arguments: Json) -> Result<Json, Json> {
    if name == "last-findings" {
        return Ok(last_findings());
    }
    FOUND.take();
    let done = match REQUESTS.iter().find(|(function, _)| *function == name) {
        Some((_, parse)) => execute(name, *parse, arguments),
        None => held::carry_out(name, &arguments),
    };
    done.map_err(|failure| {
        let mut told =
            answer::failure(exit_code(failure.kind), failure.kind, &failure.message, &failure.remedy.to_string());
        told["error"].take()
    })
}

/// Tells what the last call found wrong on the way, and what is wrong with the directory, which calls do not look for.
fn last_findings() -> Json {
    let mut found = FOUND.take();
    // A bus that cannot be read at all is for the call itself to report.
    let findings = project().ok().and_then(|project| project.bus().directory_findings().ok());
    found.extend(findings.unwrap_or_default());
    answer::findings(&found, &Remedy::to_string)
}

/// Keeps findings for a host that asks for them.
pub(super) fn found(findings: Vec<Diagnostic>) {
    FOUND.with_borrow_mut(|kept| kept.extend(findings));
}

/// Reads a request. A host has only text for a fallback, which may be any JSON, null among it.
fn read(parse: Parse, fields: JsonMap) -> Result<Request, Fault> {
    let mut request = parse(fields)?;
    if let Request::Ask(Ask { fallback: Some(fallback), .. }) = &mut request
        && let Some(value) = fallback.as_str().and_then(|text| wire::parse(text.as_bytes()).ok())
    {
        *fallback = value;
    }
    Ok(request)
}

/// Executes a request on the project that is open.
fn execute(name: &str, parse: Parse, mut arguments: Json) -> Result<Json, Failure> {
    let agent = take_text(&mut arguments, "agent");
    let mut fields = JsonMap::new();
    spread(arguments, &mut fields);
    if ["register", "deregister"].contains(&name) {
        fields.insert("name".to_owned(), agent.clone().into());
    }
    let request = read(parse, fields).map_err(|fault| Failure::usage(fault.to_string(), ""))?;
    let global = global(agent);
    let files = Files::of(&global);
    let mut context = global.context(project()?, &files).without_directory_check();
    let result = huddle_api::execute(&mut context, request);
    found(context.take_diagnostics());
    let found_out = |failure: Failure| failure.out_of_reach(&global).unwrap_or(failure);
    let answer = document(&result.map_err(|error| found_out(error.into()))?);
    if name == "list-sessions" && answer["count"] == 0 {
        reach(&global.root).map_err(found_out)?;
    }
    Ok(answer)
}

/// Gives what was passed the names of a request. Records are only there to group.
fn spread(arguments: Json, fields: &mut JsonMap) {
    let Json::Object(arguments) = arguments else { return };
    for (name, value) in arguments {
        match value {
            Json::Null => {}
            Json::Object(_) => spread(value, fields),
            value => {
                fields.insert(field_name(&name), value);
            }
        }
    }
}

/// Returns the name of a request's field for a parameter.
fn field_name(parameter: &str) -> String {
    let mut parts = parameter.strip_suffix("-seconds").unwrap_or(parameter).split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_ascii_uppercase() + &part[1..])
}

#[cfg(test)]
mod tests {
    use super::super::shape::{FUNCTIONS, Field, Kind as Made};
    use super::*;

    /// Names what is passed, records taken apart.
    fn leaves(field: &Field, all: &mut Vec<&'static str>) {
        let kind = match field.shape.shape().kind {
            Made::Option(some) => some.shape().kind,
            kind => kind,
        };
        match kind {
            Made::Record(fields) => fields.all().iter().for_each(|field| leaves(field, all)),
            _ => all.push(field.name.text()),
        }
    }

    #[test]
    fn every_function_is_a_request_that_has_its_parameters() {
        for function in FUNCTIONS {
            let name = function.name.text();
            if name.contains("history") || name == "last-findings" {
                continue;
            }
            let (_, parse) = REQUESTS.iter().find(|(function, _)| *function == name).expect(name);
            let Made::Record(params) = function.params.shape().kind else { panic!("{name}") };
            let mut all = Vec::new();
            params.all().iter().for_each(|param| leaves(param, &mut all));
            for param in all.into_iter().filter(|param| *param != "agent") {
                // Null may be wrong for the field, but it is looked at only if there is such a field.
                let fields = [(field_name(param), Json::Null)].into_iter().collect();
                let fault = parse(fields).err().map(|fault| fault.to_string()).unwrap_or_default();
                assert!(!fault.contains("does not belong here"), "{name}: {fault}");
            }
        }
        assert!(REQUESTS.iter().all(|(name, _)| FUNCTIONS.iter().any(|function| function.name.text() == *name)));
    }

    #[test]
    fn what_is_passed_goes_by_the_names_of_the_request() {
        let passed = serde_json::json!({"to": "bob", "content": "{}", "type": null, "priority": "high", "wait-seconds": 3,
            "options": {"needs-reply": true, "large": false, "related-files": ["a", "b"]}});
        let mut fields = JsonMap::new();
        spread(passed, &mut fields);
        let wanted = serde_json::json!({"to": "bob", "content": "{}", "priority": "high", "wait": 3, "needsReply": true,
            "large": false, "relatedFiles": ["a", "b"]});
        assert_eq!(Json::Object(fields), wanted);
    }

    #[test]
    fn a_fallback_is_the_value_that_its_text_is() {
        let check = |passed: &str, wanted: Json| {
            let passed = serde_json::json!({"to": "bob", "question": "Which?", "fallback": passed});
            let mut fields = JsonMap::new();
            spread(passed, &mut fields);
            let Request::Ask(asked) = read(request::<Ask>, fields).unwrap() else { panic!("a question") };
            assert_eq!(asked.fallback, Some(wanted));
        };
        check("null", Json::Null);
        check("8080", serde_json::json!(8080));
        check(r#"["grey"]"#, serde_json::json!(["grey"]));
        check("grey", "grey".into());
    }

    #[test]
    fn an_agent_of_a_session_is_passed_with_those_it_waits_for() {
        let agents = serde_json::json!([{"name": "ann", "needs": []}, {"name": "bob", "needs": ["ann", "cid"]}]);
        let mut fields = JsonMap::new();
        spread(
            serde_json::json!({"agents": agents, "options": {"session-id": "s1", "started-by": "eve"}}),
            &mut fields,
        );
        let request = format!("{:?}", request::<StartSession>(fields).unwrap());
        for part in [r#"{ name: "bob", needs: ["ann", "cid"] }"#, r#"Some("s1")"#, r#"Some("eve")"#] {
            assert!(request.contains(part), "{request}");
        }
    }
}
