//! What the page and its worker say to each other. The worker holds everything; the page asks for what it draws.
//!
//! Requests and answers are encoded as bytes. Only what the browser alone can hand over (files and handles of directories)
//! goes beside them as it is.

pub mod message;
pub mod papers;
pub mod rows;
pub mod timeline;

use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits::{Raise, UnpackLimits};

pub use message::{Body, Details};
pub use papers::{AgentsView, ProblemsView, ReportsView, SharedView};
pub use rows::{Goal, Head, Line, List, Row, Rows};
pub use timeline::{Lane, TimelineView};

/// What one message goes by for as long as it exists: its id, or its file and the place in it. It stays the same when the
/// source is read again, and in another's copy of it.
pub type Key = String;

/// What is to be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// Files, each with its path, in the order of the objects that go along: `File`s.
    Files {
        /// What the whole is called.
        name: String,
        /// The paths.
        paths: Vec<String>,
    },
    /// Directories and files that can be read again: the objects that go along are handles.
    Handles,
    /// Something at an address of this origin: a log, or, with a slash at its end, a directory's listing.
    Address(String),
}

/// What the page requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Opens something; answered at once, and told of in [`Event`]s.
    Open {
        /// What to open.
        source: Source,
        /// How much of its archives is unpacked.
        limits: UnpackLimits,
    },
    /// Gives up on what is being opened.
    Cancel,
    /// The page has drawn what it was told of, and there is time for the rest.
    Drawn,
    /// Takes a query as the one that hits are marked by from now on: [`Response::Found`] or [`RequestError::Query`].
    Search(String),
    /// What could stand at the cursor, which counts characters: [`Response::Choices`].
    Complete {
        /// The query.
        text: String,
        /// The cursor.
        cursor: u32,
    },
    /// Some rows of a list: [`Response::Rows`].
    Rows {
        /// Which list.
        list: List,
        /// The first row.
        start: u32,
        /// How many.
        count: u32,
    },
    /// Where a message stands in a list: [`Response::Index`].
    Find {
        /// Which list.
        list: List,
        /// The message.
        key: Key,
    },
    /// The next of something in a list: [`Response::Index`].
    Step {
        /// Which list.
        list: List,
        /// Where to begin; it is not itself an answer. None begins before the first, or after the last.
        from: Option<u32>,
        /// What is wanted.
        to: Goal,
        /// Whether to go backwards.
        back: bool,
    },
    /// A message, whole: [`Response::Details`].
    Details(Key),
    /// What is to be seen of a window of the timeline: [`Response::Timeline`].
    Timeline {
        /// From where to where, in positions on the drawn line; everything when there is none.
        window: Option<(i64, i64)>,
        /// How many columns wide.
        columns: u32,
    },
    /// The messages of a lane in a window of positions: [`Response::Lane`].
    Lane {
        /// The lane's number.
        lane: u32,
        /// The first position.
        start: i64,
        /// The position after the last.
        end: i64,
        /// How many at most.
        limit: u32,
    },
    /// The message at a position among all: [`Response::Line`].
    Entry(u32),
    /// Everybody: [`Response::Agents`].
    Agents,
    /// What agents reported: [`Response::Reports`].
    Reports,
    /// Handoffs and shared contexts: [`Response::Shared`].
    Shared,
    /// What is wrong: [`Response::Problems`].
    Problems,
    /// A part of a file as text: [`Response::Text`].
    Part {
        /// The path.
        path: String,
        /// Where to begin.
        offset: u64,
        /// How many bytes at most.
        length: u32,
    },
    /// Something as Markdown, to be copied: [`Response::Text`].
    Markdown(Passage),
    /// What is found (or everything, when nothing is searched for), as a file: [`Response::File`].
    Save(Format),
}

/// What can be copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passage {
    /// A message.
    Message(Key),
    /// The conversation that a message is of.
    Thread(Key),
    /// What is wrong: its place in [`ProblemsView::problems`], and what it says, by which it is known when there are others.
    Problem(u32, String),
    /// What an agent found: its place in [`ReportsView::findings`], and its title.
    Finding(u32, String),
}

/// What a file that is saved is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// The records as they are, one a line.
    Jsonl,
    /// For people.
    Markdown,
}

/// What the worker responds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// It was taken.
    Done,
    /// How many messages a query finds.
    Found {
        /// How many.
        count: u64,
    },
    /// What could stand at the cursor.
    Choices {
        /// The character where a choice begins: it takes the place of everything from there to the cursor.
        start: u32,
        /// The choices, as they would be written.
        choices: Vec<String>,
    },
    /// Rows of a list.
    Rows(Rows),
    /// A place in a list, and the message that stands there.
    Index(Option<(u32, Key)>),
    /// A message.
    Details(Box<Details>),
    /// A window of the timeline.
    Timeline(Box<TimelineView>),
    /// Messages of a lane.
    Lane(Lane),
    /// A message in a line.
    Line(Box<Line>),
    /// Everybody.
    Agents(AgentsView),
    /// What agents reported.
    Reports(ReportsView),
    /// Handoffs and shared contexts.
    Shared(SharedView),
    /// What is wrong.
    Problems(ProblemsView),
    /// A text, and whether there is more of it than this.
    Text {
        /// The text.
        text: String,
        /// Whether there is more.
        cut: bool,
    },
    /// A file to be saved. It may be large: only its address goes to the page.
    File {
        /// What to call it.
        name: String,
        /// Where the browser has it for a while.
        url: String,
    },
}

/// Why a request has no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum RequestError {
    /// The query cannot be parsed.
    #[error("{}", .0.message)]
    Query(QueryError),
    /// There is nothing of that name, or reading failed.
    #[error("{0}")]
    Failed(String),
    /// The worker failed before it responded.
    #[error("the viewer's worker failed")]
    WorkerStopped,
}

impl From<io::Error> for RequestError {
    fn from(error: io::Error) -> Self {
        Self::Failed(format!("reading what was opened failed: {error}"))
    }
}

/// What becomes of a request.
pub type Reply = Result<Response, RequestError>;

/// A query that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryError {
    /// The character where it goes wrong.
    pub at: u32,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

/// What the worker reports without a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// How far opening is.
    Progress {
        /// How many bytes were taken.
        bytes: u64,
        /// How many there are to take.
        total: u64,
        /// How many records were found.
        rows: u64,
    },
    /// There is something to show: first of all the beginning of a large file, then everything, then all that is new.
    Ready(Box<Overview>),
    /// Opening failed or found nothing; what was open before stays.
    Failed {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
        /// Set when only the bounds on unpacking stand in the way.
        raise: Option<Raise>,
    },
}

/// What was opened, at a glance.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Overview {
    /// Counts how often something was made ready: answers to earlier questions are of no use any more.
    pub generation: u32,
    /// Which opening it comes of: the page counts what it asks to be opened or given up, and so does the worker.
    pub opening: u32,
    /// What the source is called.
    pub name: String,
    /// Tells it from others: the same content has the same.
    pub source: String,
    /// Whether this is only the beginning, and the rest is being read.
    pub partial: bool,
    /// Whether the source is looked at again and again.
    pub live: bool,
    /// How many messages there are.
    pub entries: u32,
    /// How many conversations there are.
    pub threads: u32,
    /// How many files were read.
    pub files: u32,
    /// How many bytes they have.
    pub bytes: u64,
    /// The first and the last time, in microseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// Everybody's name, and how many messages are from them, by name.
    pub agents: Vec<(String, u32)>,
    /// The kinds of message, most frequent first, with how many of each.
    pub kinds: Vec<(String, u32)>,
    /// How many messages are in each state (`unread`, `unanswered`, `overdue`, `crossed`).
    pub states: Vec<(String, u32)>,
    /// How many errors, warnings and remarks the checks found.
    pub problems: [u32; 3],
    /// What kinds of file were read, with how many files and records of each.
    pub formats: Vec<(String, u32, u64)>,
    /// Why files were passed over, with how many and one of them.
    pub passed_over: Vec<(String, u32, String)>,
    /// Each file that exceeds a bound and is therefore missing, in part or as a whole: its path, and what was exceeded.
    pub left_out: Vec<(String, String)>,
    /// Set when more can be unpacked.
    pub raise: Option<Raise>,
    /// How many milliseconds reading took.
    pub took: u32,
}

impl Overview {
    /// Says whether what is new appears by itself: what was read only in part is not followed.
    pub fn is_followed(&self) -> bool {
        self.live && !self.partial
    }
}

/// A request on its way to the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToWorker {
    /// Which response is the one to this request.
    pub id: u32,
    /// The request.
    pub request: Request,
}

/// A message from the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The response to the request with this id.
    Response(u32, Reply),
    /// Something that the page did not request.
    Event(Event),
}

/// Encodes a message.
///
/// # Errors
/// When a type describes itself in a way that postcard cannot encode, which none of this module does.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// Decodes a message.
///
/// # Errors
/// When [`encode`] of the same version did not make the bytes.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(message: &T) {
        let bytes = encode(message).unwrap();
        assert_eq!(&decode::<T>(&bytes).unwrap(), message);
        for end in 0..bytes.len() {
            assert!(decode::<T>(&bytes[..end]).is_err(), "{end} bytes of {message:?}");
        }
    }

    #[test]
    fn messages_survive_encoding() {
        let list = List { threads: true, found: false };
        check(&ToWorker { id: 7, request: Request::Rows { list, start: 7, count: 64 } });
        check(&Request::Step { list: List::default(), from: Some(3), to: Goal::Error, back: true });
        check(&Body::Fields(vec![("a".into(), Body::List(vec![Body::Word("null".into())]))]));
        let rows = Rows { start: 1, total: 9, rows: vec![Row::Said(Line::default())] };
        check(&FromWorker::Response(1, Ok(Response::Rows(rows))));
        let error = QueryError { at: 3, message: "a".into(), hint: "b".into() };
        check(&FromWorker::Response(2, Err(RequestError::Query(error))));
        assert!(decode::<Request>(&[255]).is_err());
    }
}
