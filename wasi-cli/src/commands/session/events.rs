//! `huddle session log` and `events`

use std::io;

use huddle_core::model::{AgentName, Event, NewEvent, SessionId};
use huddle_core::session::{EventFilter, LogCursor, count_by};
use huddle_core::wire::answer::session as answer;

use super::{ID, session};
use crate::args::{Args, Spec, flag, must, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::{text, when};

pub(super) const LOG: Spec = Spec::command(
    "huddle session log",
    "Log a record: one line of messages.jsonl, whole, however many write at once",
    &[
        must("AGENT", "who logs it"),
        must("TYPE", "status, finding, error, data, completed, or a word of your own"),
        option("message", "TEXT", "what happened; @FILE reads a file, - reads standard input"),
        option("severity", "SEVERITY", "high, medium, low, or a word of your own"),
        option("data", "JSON", "anything else; @FILE reads a file. Large data go to a file of their own"),
        option("error", "TEXT", "what went wrong, in detail"),
        option("artifact", "PATH", "a file that it is about, as in data/vulnerabilities.json"),
        option("description", "TEXT", "what that file holds"),
        ID,
    ],
    log,
);

pub(super) const EVENTS: Spec = Spec::command(
    "huddle session events",
    "Read the log: what happened, in the order of time",
    &[
        option("from", "AGENT", "only from this agent; * and ? stand for text"),
        option("type", "TYPE", "only of this type"),
        option("severity", "SEVERITY", "only of this severity"),
        option("since", "TIME", "only from this time on, or from so long ago, as in 10m"),
        option("count-by", "FIELD", "count them by type, from or severity instead"),
        flag("follow", "print each record as a line of JSON as it comes, until stopped"),
        option("for", "SECONDS", "stop following after this long"),
        ID,
    ],
    events,
)
.more("With --json the records stand in the order of the log.");

fn log(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let from: AgentName = args.name("AGENT")?;
    let owned = |name: &str| args.text(name).map(str::to_owned);
    let data = args.text("data").map(|data| call.input.body(data)).transpose()?;
    let (data, finding) = data.map_or((None, None), |(data, finding)| (Some(data), finding));
    call.output.found(finding);
    let new = NewEvent {
        from: from.to_string(),
        kind: args.need("TYPE").to_owned(),
        severity: owned("severity"),
        message: args.text("message").map(|text| call.input.text(text)).transpose()?,
        error: args.text("error").map(|text| call.input.text(text)).transpose()?,
        data,
        artifact: owned("artifact"),
        description: owned("description"),
    };
    let event = call.project.sessions.log(&id, &new)?;
    call.output.answer(|| answer::event(&event), || format!("✅ {}", line(&event)))
}

fn events(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let id = session(args, call)?;
    let owned = |name: &str| args.text(name).map(str::to_owned);
    let since = args.read("since", when::When::parse)?.map(|when| when.before(call.now()));
    let filter = EventFilter { from: owned("from"), kind: owned("type"), severity: owned("severity"), since };
    if args.has("follow") {
        return follow(&id, &filter, args, call);
    }
    if args.has("for") {
        return Err(args.wrong("--for goes with --follow"));
    }
    let field = args.read("count-by", |field| match field {
        "type" => Ok("type"),
        "from" => Ok("from"),
        "severity" => Ok("severity"),
        _ => Err("count by type, from or severity".to_owned()),
    })?;
    let found = call.project.sessions.events(&id, &filter)?;
    call.output.found(found.findings);
    if let Some(field) = field {
        let counts = count_by(&found.value, field);
        let row = |(value, count): &(Option<String>, u64)| text::row([&text::or_dash(value.as_ref()), count]);
        return call
            .output
            .answer(|| answer::counts(field, &counts), || text::table(&counts.iter().map(row).collect::<Vec<_>>()));
    }
    call.output.answer(|| answer::events(&found.value), || timeline(&found.value))
}

fn follow(id: &SessionId, filter: &EventFilter, args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let end = args.read("for", when::span)?.map(|span| call.now().plus(span));
    let mut follow = LogCursor::default();
    loop {
        let news = call.project.sessions.poll_new(id, filter, &mut follow)?;
        call.output.found(news.findings);
        for event in &news.value {
            match call.output.line(&answer::event(event)) {
                // Whoever was listening has heard enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
        if end.is_some_and(|end| call.now() >= end) {
            return Ok(());
        }
        call.project.sessions.pause();
    }
}

/// Shows records as the protocol's timeline does: sorted by time, those of one time as they were logged.
fn timeline(events: &[Event]) -> String {
    if events.is_empty() {
        return "No records.".to_owned();
    }
    let mut sorted: Vec<&Event> = events.iter().collect();
    sorted.sort_by_key(|event| event.text("timestamp").unwrap_or_default().to_owned());
    sorted.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(event: &Event) -> String {
    let text = |field: &str| event.text(field).unwrap_or("null").to_owned();
    format!("{} [{}] {}: {}", text("timestamp"), text("from"), text("type"), event.headline())
}
