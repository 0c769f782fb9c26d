//! Which command each function is.

use std::cell::RefCell;
use std::io;

use huddle_core::bus::ErrorKind;
use huddle_core::model::{Diagnostic, Json};
use huddle_core::wire::answer;

use super::{global, held, project, take_text};
use crate::args::{Args, Global, Spec};
use crate::call::Call;
use crate::failure::Failure;
use crate::files::Files;
use crate::input::Input;
use crate::output::Output;
use crate::tools;

/// The functions that are commands, and the commands.
const COMMANDS: &[(&str, &str)] = &[
    ("init-bus", "init"),
    ("register", "register"),
    ("heartbeat", "heartbeat"),
    ("deregister", "deregister"),
    ("list-agents", "agents"),
    ("send-message", "send"),
    ("check-inbox", "inbox"),
    ("read-message", "read"),
    ("reply", "reply"),
    ("acknowledge", "ack"),
    ("broadcast", "broadcast"),
    ("publish-event", "publish"),
    ("subscribe", "subscribe"),
    ("unsubscribe", "unsubscribe"),
    ("ask", "ask"),
    ("answer", "answer"),
    ("trace", "trace"),
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
    ("start-session", "session start"),
    ("list-sessions", "session list"),
    ("session-status", "session status"),
    ("join-session", "session join"),
    ("session-progress", "session progress"),
    ("session-complete", "session complete"),
    ("session-fail", "session fail"),
    ("ready", "session ready"),
    ("log-event", "session log"),
    ("list-events", "session events"),
    ("put-report", "session report put"),
    ("get-report", "session report show"),
    ("merged-report", "session report merge"),
    ("put-data", "session data put"),
    ("get-data", "session data get"),
];

/// What commands call a parameter that has another name in the interface. Where there are two, a command has one of them.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("agents", "agent"),
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
    ("progress", "TEXT"),
    ("project-path", "path"),
    ("project-type", "type"),
    ("questions", "question"),
    ("related-files", "file"),
    ("session-id", "id"),
    ("started-by", "as"),
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
    let done = match command {
        Some((_, words)) => run(tools::find(words), arguments),
        None => held::carry_out(name, &arguments),
    };
    done.map_err(|failure| {
        let mut told = answer::failure(failure.kind, &failure.message, &failure.hint);
        told["error"].take()
    })
}

/// Tells what the last call found wrong on the way, and what is wrong with the directory, which calls do not look for.
fn last_findings() -> Json {
    let mut found = FOUND.take();
    // A bus that cannot be read at all is for the call itself to report.
    let findings = project().ok().and_then(|project| project.bus().directory_findings().ok());
    found.extend(findings.unwrap_or_default());
    answer::findings(&found)
}

/// Keeps findings for a host that asks for them.
pub(super) fn found(findings: Vec<Diagnostic>) {
    FOUND.with_borrow_mut(|kept| kept.extend(findings));
}

/// Runs a command on the project that is open.
fn run(spec: &'static Spec, mut arguments: Json) -> Result<Json, Failure> {
    let agent = take_text(&mut arguments, "agent");
    let mut given = Vec::new();
    give(spec, arguments, &mut given)?;
    let actor = given.iter().position(|(take, _)| *take == "as").map(|place| given.swap_remove(place).1);
    let global = global(agent.or(actor));
    let args = tools::args(spec, &global, given)?;
    answered(&args, &global)
}

fn answered(args: &Args, global: &Global) -> Result<Json, Failure> {
    let project = project()?;
    project.set_lock_owner(global.owner());
    let (mut out, mut err) = (io::sink(), io::sink());
    let output = Output::keeping(&mut out, &mut err);
    let mut call = Call { project, bus: &project.bus(), global, input: Input::literal(Files::of(global)), output };
    let done = args.run_alone(&mut call);
    let (answer, findings) = call.output.kept();
    found(findings);
    done.map(|()| answer)
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

/// Writes a value as the command reads it: an agent that waits for others is `name:other,other`.
fn said(value: Json) -> String {
    match value {
        Json::String(text) => text,
        Json::Bool(_) => String::new(),
        Json::Object(_) => {
            let needs: Vec<_> = value["needs"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            format!("{}:{}", value["name"].as_str().unwrap_or_default(), needs.join(","))
        }
        number => number.to_string(),
    }
}

/// Finds what a command calls a parameter.
fn take(spec: &Spec, name: &str) -> Result<&'static str, Failure> {
    let others = OTHER_NAMES.iter().filter(|(function, _)| *function == name).map(|(_, take)| *take);
    let is_meant = |take: &str| take.eq_ignore_ascii_case(name) || others.clone().any(|other| other == take);
    let actor = others.clone().find(|other| *other == "as");
    let found = spec.takes.iter().map(|take| take.name).find(|take| is_meant(take)).or(actor);
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
            if name.contains("history") || name == "last-findings" {
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
    fn what_is_passed_goes_by_the_names_of_the_command() {
        let passed = serde_json::json!({"to": "bob", "content": "{}", "type": null, "priority": "high",
            "options": {"needs-reply": true, "large": false, "related-files": ["a", "b"]}});
        let mut given = Vec::new();
        give(tools::find("send"), passed, &mut given).unwrap();
        let given: Vec<_> = given.iter().map(|(take, value)| (*take, value.as_str())).collect();
        let wanted =
            [("TO", "bob"), ("body", "{}"), ("priority", "high"), ("needs-reply", ""), ("file", "a"), ("file", "b")];
        assert_eq!(given, wanted);
    }

    #[test]
    fn an_agent_of_a_session_is_passed_with_those_it_waits_for() {
        let passed =
            serde_json::json!({"agents": [{"name": "ann", "needs": []}, {"name": "bob", "needs": ["ann", "cid"]}]});
        let mut given = Vec::new();
        give(tools::find("session start"), passed, &mut given).unwrap();
        assert_eq!(given, [("agent", "ann:".to_owned()), ("agent", "bob:ann,cid".to_owned())]);
    }
}
