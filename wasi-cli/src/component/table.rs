//! Which command each function is.

use std::cell::RefCell;

use huddle_api::{
    Acknowledge, Broadcast, CheckInbox, CompleteAgent, Deregister, FailAgent, Heartbeat, InitBus, JoinSession,
    ListAgents, ListEvents, ListReadyAgents, ListSessions, LogEvent, MergeReports, Publish, PutReport, PutSharedData,
    ReadMessage, Register, Reply, SendMessage, ShowReport, ShowSession, ShowSharedData, StartSession, Subscribe, Trace,
    Unsubscribe, UpdateProgress, document,
};
use huddle_core::model::{Diagnostic, ErrorKind, Json, JsonMap, Remedy};
use huddle_core::wire::answer;

use super::{global, held, project, take_text};
use crate::args::{Args, Spec};
use crate::failure::{Failure, exit_code};
use crate::project::reach;
use crate::tools::{self, Parse, request};

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

/// The functions that are commands, and the commands.
const COMMANDS: &[(&str, &str)] = &[
    ("ask", "ask"),
    ("answer", "answer"),
    ("create-context", "context create"),
    ("show-context", "context show"),
    ("list-contexts", "context list"),
    ("update-context", "context update"),
    ("create-handoff", "handoff create"),
    ("list-handoffs", "handoff list"),
    ("show-handoff", "handoff show"),
    ("accept-handoff", "handoff accept"),
    ("decline-handoff", "handoff decline"),
    ("request-context", "handoff request-context"),
];

/// What commands call a parameter that has another name in the interface. Where there are two, a command has one of them.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("artifacts", "artifact"),
    ("capabilities", "capability"),
    ("content", "body"),
    ("content", "TEXT"),
    ("criteria", "criterion"),
    ("events", "EVENT"),
    ("expected-version", "expect-version"),
    ("handoff-id", "ID"),
    ("issues", "issue"),
    ("key-findings", "finding"),
    ("message-id", "ID"),
    ("questions", "question"),
    ("related-files", "file"),
    ("state-snapshot", "snapshot"),
    ("task-id", "task"),
    ("thread-id", "thread"),
    ("timeout-seconds", "timeout"),
    ("wait-seconds", "wait"),
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
    let command = COMMANDS.iter().find(|(function, _)| *function == name);
    let parse = REQUESTS.iter().find(|(function, _)| *function == name);
    let done = match (command, parse) {
        (_, Some((_, parse))) => execute(name, *parse, arguments),
        (Some((_, words)), None) => run(tools::find(words), arguments),
        (None, None) => held::carry_out(name, &arguments),
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

/// Executes a request on the project that is open.
fn execute(name: &str, parse: Parse, mut arguments: Json) -> Result<Json, Failure> {
    let agent = take_text(&mut arguments, "agent");
    let mut fields = JsonMap::new();
    spread(arguments, &mut fields);
    if ["register", "deregister"].contains(&name) {
        fields.insert("name".to_owned(), agent.clone().into());
    }
    let request = parse(fields).map_err(|fault| Failure::usage(fault.to_string(), ""))?;
    let global = global(agent);
    let mut context = global.context(project()?).without_directory_check();
    let result = huddle_api::execute(&mut context, request);
    found(context.take_diagnostics());
    let failure = |error| {
        let failure = Failure::from(error);
        failure.out_of_reach(&global).unwrap_or(failure)
    };
    let answer = document(&result.map_err(failure)?);
    if name == "list-sessions" && answer["count"] == 0 {
        reach(&global.root)?;
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
                let mut parts = name.strip_suffix("-seconds").unwrap_or(&name).split('-');
                let first = parts.next().unwrap_or_default().to_owned();
                let name = parts.fold(first, |name, part| name + &part[..1].to_ascii_uppercase() + &part[1..]);
                fields.insert(name, value);
            }
        }
    }
}

/// Runs a command on the project that is open.
fn run(spec: &'static Spec, mut arguments: Json) -> Result<Json, Failure> {
    let agent = take_text(&mut arguments, "agent");
    let mut given = Vec::new();
    give(spec, arguments, &mut given)?;
    let global = global(agent);
    let args = tools::args(spec, &global, given)?;
    let (ended, answer, diagnostics) = tools::follow(project()?, &args, &global, Args::run_alone);
    found(diagnostics);
    ended.map(|()| answer)
}

/// Gives a command what was passed, each piece under the command's own name for it. Records are only there to group.
fn give(spec: &Spec, arguments: Json, given: &mut Vec<(&'static str, String)>) -> Result<(), Failure> {
    let Json::Object(fields) = arguments else { return Ok(()) };
    for (name, value) in fields {
        match value {
            Json::Null | Json::Bool(false) => {}
            Json::Object(_) => give(spec, value, given)?,
            Json::Array(items) => {
                let take = take(spec, &name)?;
                given.extend(items.into_iter().map(|item| (take, said(item))));
            }
            value => given.push((take(spec, &name)?, said(value))),
        }
    }
    Ok(())
}

/// Writes a value as the command reads it.
fn said(value: Json) -> String {
    match value {
        Json::String(text) => text,
        Json::Bool(_) => String::new(),
        number => number.to_string(),
    }
}

/// Finds what a command calls a parameter.
fn take(spec: &Spec, name: &str) -> Result<&'static str, Failure> {
    let others = OTHER_NAMES.iter().filter(|(function, _)| *function == name).map(|(_, take)| *take);
    let is_meant = |take: &str| take.eq_ignore_ascii_case(name) || others.clone().any(|other| other == take);
    let found = spec.takes.iter().map(|take| take.name).find(|take| is_meant(take));
    found.ok_or_else(|| Failure::new(ErrorKind::Usage, format!("{} takes no {name}", spec.name), ""))
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
    fn every_function_is_a_command_that_takes_its_parameters() {
        for function in FUNCTIONS {
            let name = function.name.text();
            if name.contains("history")
                || REQUESTS.iter().any(|(function, _)| *function == name)
                || name == "last-findings"
            {
                continue;
            }
            let (_, words) = COMMANDS.iter().find(|(function, _)| *function == name).expect(name);
            let spec = tools::find(words);
            assert_eq!(spec.name, format!("huddle {words}"));
            let Made::Record(params) = function.params.shape().kind else { panic!("{name}") };
            let mut all = Vec::new();
            params.all().iter().for_each(|param| leaves(param, &mut all));
            for param in all.into_iter().filter(|param| *param != "agent") {
                take(spec, param).unwrap_or_else(|failure| panic!("{name}: {}", failure.message));
            }
        }
        assert!(COMMANDS.iter().all(|(name, _)| FUNCTIONS.iter().any(|function| function.name.text() == *name)));
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
