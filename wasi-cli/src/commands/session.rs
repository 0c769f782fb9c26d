//! `huddle session`

mod data;
mod events;
mod life;
mod moves;
mod report;
mod wait;

use huddle_core::bus::ErrorKind;
use huddle_core::model::{AgentName, Json, JsonMap, SessionId};
use huddle_core::wire;
use huddle_core::wire::mailbox::parse_object;

use crate::args::{Args, Spec, Take, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec = Spec::group(
    "huddle session",
    "Do one job with several agents: who waits for whom, who is done, what each found",
    &[
        life::START,
        life::LIST,
        life::STATUS,
        moves::JOIN,
        moves::PROGRESS,
        moves::COMPLETE,
        moves::FAIL,
        moves::RETRY,
        wait::WAIT,
        wait::READY,
        events::LOG,
        events::EVENTS,
        report::SPEC,
        data::SPEC,
        wait::RECOVER,
        life::CLOSE,
    ],
)
.more("A session is a directory of .claude/agents/context/. Say which with --id or HUDDLE_SESSION.");

/// Which session.
const ID: Take = option("id", "SESSION", "the session; else CLAUDE_SESSION_ID names it").env("HUDDLE_SESSION");

/// Gives the session that is meant.
fn session(args: &Args, call: &Call<'_>) -> Result<SessionId, Failure> {
    let given = args.text("id").filter(|id| !id.is_empty()).map(str::to_owned);
    // The name that the protocol itself gives to the variable.
    let given = given.or_else(|| std::env::var("CLAUDE_SESSION_ID").ok()).filter(|id| !id.is_empty());
    match given {
        Some(id) => Ok(SessionId::new(id)?),
        None => {
            let open = call.project.sessions.list()?.value.into_iter().filter(|session| session.closed_at.is_none());
            let open: Vec<String> = open.map(|session| session.id.to_string()).collect();
            let how = if call.input.is_literal() { "name it" } else { "give --id or set HUDDLE_SESSION" };
            let hint = match open.last() {
                Some(newest) => format!("{how}; the newest open session is {newest}"),
                None => "start one: huddle session start".to_owned(),
            };
            Err(Failure::new(ErrorKind::Usage, "this command needs to know which session is meant", hint))
        }
    }
}

/// Names who acts: the agent that was named, or the coordinator.
fn actor(call: &Call<'_>) -> String {
    call.global.agent.clone().unwrap_or_else(|| "coordinator".to_owned())
}

fn names(all: &[String]) -> Result<Vec<AgentName>, Failure> {
    Ok(all.iter().map(|name| AgentName::new(name.as_str())).collect::<Result<_, _>>()?)
}

/// Reads JSON that is given outright, in a file, or on standard input (`-`, or when it is not given).
fn json_text(argument: Option<&str>, call: &mut Call<'_>) -> Result<String, Failure> {
    if argument.is_none() && call.input.is_literal() {
        return Err(Failure::new(ErrorKind::Usage, "what to write is missing", "give a JSON object"));
    }
    let argument = argument.unwrap_or("-");
    let outright = argument.starts_with(['-', '@']) || wire::parse(argument.as_bytes()).is_ok();
    // What looks like JSON and is none is not a file's name.
    if call.input.is_literal() || outright || argument.trim_start().starts_with(['{', '[']) {
        return call.input.text(argument);
    }
    let bytes = call.input.file(argument)?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(ErrorKind::Invalid, format!("not UTF-8: {argument}"), "give JSON"))
}

/// Reads a JSON object.
fn object(argument: Option<&str>, call: &mut Call<'_>) -> Result<JsonMap, Failure> {
    let text = json_text(argument, call)?;
    parse_object(text.as_bytes()).map_err(|error| {
        let place = argument.filter(|place| !place.trim_start().starts_with('{')).unwrap_or("the argument");
        Failure::new(ErrorKind::Invalid, format!("a report is a JSON object: {error}: {place}"), "check the quoting")
    })
}

/// Sets a list of the answer in columns, each a heading and the field that it shows.
fn table(answer: &Json, list: &str, columns: &[(&str, &str)], none: &str) -> String {
    let rows = answer[list].as_array().map_or(&[][..], Vec::as_slice);
    if rows.is_empty() {
        return none.to_owned();
    }
    let mut cells: Vec<Vec<String>> = vec![columns.iter().map(|(heading, _)| (*heading).to_owned()).collect()];
    cells.extend(rows.iter().map(|row| columns.iter().map(|(_, field)| shown(&row[*field])).collect()));
    text::table(&cells)
}

/// Shows a value in a cell.
fn shown(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
