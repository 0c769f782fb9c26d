//! `huddle session log` and `events`

use std::io;

use huddle_api::{CountEvents, EventField, EventWatch, ListEvents, LogEvent, SessionEvent, When, document, span};
use huddle_core::model::Span;

use super::SessionOption;
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Log a record: one line of messages.jsonl, whole, however many write at once
#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub(super) struct LogArgs {
    /// who logs it; by default the agent that acts
    agent: Option<String>,
    /// status, finding, error, data, completed, or a word of your own
    #[arg(value_name = "TYPE")]
    kind: String,
    /// what happened; @FILE reads a file, - reads standard input
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// high, medium, low, or a word of your own
    #[arg(long, value_name = "SEVERITY")]
    severity: Option<String>,
    /// anything else; @FILE reads a file. Large data go to a file of their own
    #[arg(long, value_name = "JSON")]
    data: Option<String>,
    /// what went wrong, in detail
    #[arg(long, value_name = "TEXT")]
    error: Option<String>,
    /// a file that it is about, as in data/vulnerabilities.json
    #[arg(long, value_name = "PATH")]
    artifact: Option<String>,
    /// what that file holds
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    session: SessionOption,
}

impl LogArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { agent, kind, message, severity, data, error, artifact, description, session } = self;
        let request = LogEvent {
            session: session.id,
            agent,
            kind,
            severity,
            data: data.map(|data| call.body(Some(&data))).transpose()?,
            message: message.map(|text| call.input.text(&text)).transpose()?,
            error: error.map(|text| call.input.text(&text)).transpose()?,
            artifact,
            description,
        };
        let event = call.execute(request)?;
        call.answer(&event, |event| format!("✅ {}", line(event)))
    }
}

/// Read the log: what happened, in the order of time
///
/// With --json the records stand in the order of the log.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct EventsArgs {
    /// only from this agent; * and ? stand for text
    #[arg(long, value_name = "AGENT")]
    from: Option<String>,
    /// only of this type
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// only of this severity
    #[arg(long, value_name = "SEVERITY")]
    severity: Option<String>,
    /// only from this time on, or from so long ago, as in 10m
    #[arg(long, value_name = "TIME", value_parser = When::parse)]
    since: Option<When>,
    /// count them by type, from or severity instead
    #[arg(long, value_name = "FIELD", value_parser = EventField::parse)]
    count_by: Option<EventField>,
    /// print each record as a line of JSON as it comes, until stopped
    #[arg(long)]
    follow: bool,
    /// stop following after this long
    #[arg(long = "for", value_name = "SECONDS", value_parser = span)]
    duration: Option<Span>,
    #[command(flatten)]
    session: SessionOption,
}

impl EventsArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { from, kind, severity, since, count_by, follow, duration, session } = self;
        let events = ListEvents { session: session.id, from, kind, severity, since };
        if follow {
            return self::follow(events, duration, call);
        }
        if duration.is_some() {
            return Err(call.wrong("--for goes with --follow"));
        }
        if let Some(by) = count_by {
            let counts = call.execute(CountEvents { by, events })?;
            return call.answer(&counts, |counts| {
                let rows = counts.counts.iter().map(|one| text::row([&text::or_dash(one.value.as_ref()), &one.count]));
                text::table(&rows.collect::<Vec<_>>())
            });
        }
        let list = call.execute(events)?;
        call.answer(&list, |list| timeline(&list.events))
    }
}

fn follow(events: ListEvents, duration: Option<Span>, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut watch = EventWatch::start(events, duration, &call.context)?;
    loop {
        let news = watch.poll(&mut call.context);
        call.output.found(call.context.take_diagnostics());
        let Some(news) = news? else { return Ok(()) };
        for event in &news {
            match call.output.line(&document(event)) {
                // The reader has closed the stream.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
    }
}

/// Shows records as the protocol's timeline does: sorted by time, those of one time as they were logged.
fn timeline(events: &[SessionEvent]) -> String {
    if events.is_empty() {
        return "No records.".to_owned();
    }
    let mut sorted: Vec<_> = events.iter().collect();
    sorted.sort_by_key(|event| event.0.text("timestamp").unwrap_or_default());
    sorted.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(SessionEvent(event): &SessionEvent) -> String {
    let text = |field: &str| event.text(field).unwrap_or("null").to_owned();
    format!("{} [{}] {}: {}", text("timestamp"), text("from"), text("type"), event.headline())
}
