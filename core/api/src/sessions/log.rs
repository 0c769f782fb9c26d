//! The log of a session.

use huddle_core::model::{Event, NewEvent, SessionId, Span, Timestamp};
use huddle_core::session::{EventFilter, LogCursor, count_by};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::agent;
use crate::{Body, Context, Error, Operation, When};

/// Adds a record to the log.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogEvent {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Its author; by default the acting agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Its type, which is one word.
    #[serde(rename = "type")]
    pub kind: String,
    /// How severe a finding is, in one word.
    #[serde(default)]
    pub severity: Option<String>,
    /// What happened.
    #[serde(default)]
    pub message: Option<String>,
    /// What went wrong, in detail.
    #[serde(default)]
    pub error: Option<String>,
    /// Anything else.
    #[serde(default)]
    pub data: Option<Body>,
    /// The file that it is about, seen from the session's directory.
    #[serde(default)]
    pub artifact: Option<String>,
    /// What that file holds.
    #[serde(default)]
    pub description: Option<String>,
}

/// A record of a log. It serializes to the fields that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionEvent(pub Event);

impl Serialize for SessionEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fields.serialize(serializer)
    }
}

impl Operation for LogEvent {
    type Response = SessionEvent;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SessionEvent, Error> {
        let from = agent(self.agent, context)?.to_string();
        let id = context.session(self.session)?;
        let data = self.data.map(|data| data.into_json(context));
        let Self { kind, severity, message, error, artifact, description, .. } = self;
        let new = NewEvent { from, kind, severity, message, error, data, artifact, description };
        Ok(SessionEvent(context.project().sessions.log(&id, &new)?))
    }
}

/// Lists the records of a log, or those that pass the filters, in the order of the log.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListEvents {
    /// The session; by default the one of the context.
    #[serde(default, alias = "sessionId")]
    pub session: Option<String>,
    /// Only those of an author; `*` and `?` stand for text.
    #[serde(default)]
    pub from: Option<String>,
    /// Only those of a type.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Only those of a severity.
    #[serde(default)]
    pub severity: Option<String>,
    /// Only those from a time on.
    #[serde(default)]
    pub since: Option<When>,
}

impl ListEvents {
    fn into_filter(self, context: &Context<'_>) -> Result<(SessionId, EventFilter), Error> {
        let id = context.session(self.session)?;
        let since = self.since.map(|since| since.before(context.now()));
        Ok((id, EventFilter { from: self.from, kind: self.kind, severity: self.severity, since }))
    }

    fn find(self, context: &mut Context<'_>) -> Result<Vec<Event>, Error> {
        let (id, filter) = self.into_filter(context)?;
        let found = context.project().sessions.events(&id, &filter)?;
        Ok(context.collect(found))
    }
}

/// Records of a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventList {
    /// How many there are.
    pub count: usize,
    /// Each of them.
    pub events: Vec<SessionEvent>,
}

impl Operation for ListEvents {
    type Response = EventList;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<EventList, Error> {
        let events: Vec<_> = self.find(context)?.into_iter().map(SessionEvent).collect();
        Ok(EventList { count: events.len(), events })
    }
}

/// Counts the records of a log by what they have in a field.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountEvents {
    /// The field.
    pub by: EventField,
    /// The records.
    #[serde(default)]
    pub events: ListEvents,
}

/// A field that records are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of the log")]
pub enum EventField {
    Type,
    From,
    Severity,
}

impl EventField {
    /// Reads the name of a field.
    pub fn parse(text: &str) -> Result<Self, String> {
        let all = [Self::Type, Self::From, Self::Severity];
        let found = all.into_iter().find(|field| field.as_str() == text);
        found.ok_or_else(|| "count by type, from or severity".to_owned())
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::From => "from",
            Self::Severity => "severity",
        }
    }
}

/// How many records have what in a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventCounts {
    /// The counts, by value; records without one come first.
    pub counts: Vec<EventCount>,
}

/// How many records have a value in a field.
#[derive(Debug, Clone, PartialEq)]
pub struct EventCount {
    /// The field, under whose name the value serializes.
    pub field: EventField,
    /// The value.
    pub value: Option<String>,
    /// How many have it.
    pub count: u64,
}

impl Serialize for EventCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(Some(2))?;
        fields.serialize_entry(self.field.as_str(), &self.value)?;
        fields.serialize_entry("count", &self.count)?;
        fields.end()
    }
}

impl Operation for CountEvents {
    type Response = EventCounts;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<EventCounts, Error> {
        let field = self.by;
        let counts = count_by(&self.events.find(context)?, field.as_str());
        Ok(EventCounts {
            counts: counts.into_iter().map(|(value, count)| EventCount { field, value, count }).collect(),
        })
    }
}

/// A watch of a log, which returns each record as it arrives.
#[derive(Debug)]
pub struct EventWatch {
    session: SessionId,
    filter: EventFilter,
    cursor: LogCursor,
    end: Option<Timestamp>,
    has_polled: bool,
}

impl EventWatch {
    /// Starts a watch, which `duration` ends.
    pub fn start(request: ListEvents, duration: Option<Span>, context: &Context<'_>) -> Result<Self, Error> {
        let (session, filter) = request.into_filter(context)?;
        let end = duration.map(|span| context.now().plus(span));
        Ok(Self { session, filter, cursor: LogCursor::default(), end, has_polled: false })
    }

    /// Waits for a while, and returns the records that arrived meanwhile; `None` at the end of the watch.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Result<Option<Vec<SessionEvent>>, Error> {
        if self.has_polled {
            if self.end.is_some_and(|end| context.now() >= end) {
                return Ok(None);
            }
            context.project().sessions.pause();
        }
        self.has_polled = true;
        let news = context.project().sessions.poll_new(&self.session, &self.filter, &mut self.cursor)?;
        Ok(Some(context.collect(news).into_iter().map(SessionEvent).collect()))
    }
}
