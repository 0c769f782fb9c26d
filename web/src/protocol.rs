//! What the page and its worker say to each other. The worker holds everything; the page asks for what it draws.
//!
//! Requests and answers are encoded as bytes. Only what the browser alone can hand over (files and handles of directories)
//! goes beside them as it is.

pub mod lists;
pub mod papers;
pub mod said;
pub mod time;
pub mod wire;

use std::sync::Arc;

use crate::limits::{Raise, UnpackLimits};

pub use lists::{Goal, Head, Line, List, Row, Rows};
pub use papers::{AgentsView, ProblemsView, ReportsView, SharedView};
pub use said::{Body, Details};
pub use time::{Lane, TimelineView};
use wire::{Reader, Wire, wire_choice, wire_fields};

/// What one message goes by for as long as it exists: its id, or its file and the place in it. It stays the same when the
/// source is read again, and in another's copy of it.
pub type Key = String;

/// What is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// What the page asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Opens something; answered at once, and told of in [`Tell`]s.
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
    /// Takes a query as the one that hits are marked by from now on: [`Answer::Found`] or [`Answer::Misread`].
    Search(String),
    /// What could stand at the cursor, which counts characters: [`Answer::Choices`].
    Complete {
        /// The query.
        text: String,
        /// The cursor.
        cursor: u32,
    },
    /// Some rows of a list: [`Answer::Rows`].
    Rows {
        /// Which list.
        list: List,
        /// The first row.
        start: u32,
        /// How many.
        count: u32,
    },
    /// Where a message stands in a list: [`Answer::Index`].
    Find {
        /// Which list.
        list: List,
        /// The message.
        key: Key,
    },
    /// The next of something in a list: [`Answer::Index`].
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
    /// A message, whole: [`Answer::Details`].
    Details(Key),
    /// What is to be seen of a window of the timeline: [`Answer::Timeline`].
    Timeline {
        /// From where to where, in positions on the drawn line; everything when there is none.
        window: Option<(i64, i64)>,
        /// How many columns wide.
        columns: u32,
    },
    /// The messages of a lane in a window of positions: [`Answer::Lane`].
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
    /// The message at a position among all: [`Answer::Line`].
    Entry(u32),
    /// Everybody: [`Answer::Agents`].
    Agents,
    /// What agents reported: [`Answer::Reports`].
    Reports,
    /// Handoffs and shared contexts: [`Answer::Shared`].
    Shared,
    /// What is wrong: [`Answer::Problems`].
    Problems,
    /// A part of a file as text: [`Answer::Text`].
    Part {
        /// The path.
        path: String,
        /// Where to begin.
        offset: u64,
        /// How many bytes at most.
        length: u32,
    },
    /// Something as Markdown, to be copied: [`Answer::Text`].
    Markdown(Passage),
    /// What is found (or everything, when nothing is searched for), as a file: [`Answer::File`].
    Save(Format),
}

/// What can be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The records as they are, one a line.
    Jsonl,
    /// For people.
    Markdown,
}

/// What the worker answers.
#[derive(Debug, Clone)]
pub enum Answer {
    /// It was taken.
    Done,
    /// It cannot be answered: there is nothing of that name, or reading failed.
    Failed(String),
    /// How many messages a query finds.
    Found {
        /// How many.
        count: u64,
    },
    /// A query that cannot be understood.
    Misread {
        /// The character where it goes wrong.
        at: u32,
        /// What is wrong.
        message: String,
        /// What to write instead.
        hint: String,
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
    Details(Arc<Details>),
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
    /// A file to be saved.
    File {
        /// What to call it.
        name: String,
        /// What is in it.
        content: Content,
    },
}

/// What is in a file to be saved. It may be large: only its address goes to the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The bytes, in the worker.
    Held(Vec<u8>),
    /// Where the browser has it for a while.
    At(String),
}

impl Wire for Content {
    fn put(&self, to: &mut Vec<u8>) {
        let bytes = match self {
            Self::Held(bytes) => bytes.as_slice(),
            Self::At(address) => address.as_bytes(),
        };
        (bytes.len() as u64).put(to);
        to.extend_from_slice(bytes);
    }

    fn take(from: &mut Reader<'_>) -> Self {
        Self::At(String::take(from))
    }
}

/// What the worker tells without being asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Tell {
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
#[derive(Debug, Clone, PartialEq, Default)]
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

wire_fields! {
    Overview {
        generation, opening, name, source, partial, live, entries, threads, files, bytes, span, agents,
        kinds, states, problems, formats, passed_over, left_out, raise, took
    }
}

wire_fields! { UnpackLimits { archive, total, files } }

wire_fields! { Raise { label, limits } }

wire_choice!(Source {
    0 Files { name, paths },
    1 Handles,
    2 Address(it),
    _ Self::Handles
});

wire_choice!(Ask {
    0 Open { source, limits },
    1 Cancel,
    2 Search(it),
    3 Complete { text, cursor },
    4 Rows { list, start, count },
    5 Find { list, key },
    6 Step { list, from, to, back },
    7 Details(it),
    8 Timeline { window, columns },
    9 Lane { lane, start, end, limit },
    10 Entry(it),
    11 Agents,
    12 Reports,
    13 Shared,
    14 Problems,
    15 Part { path, offset, length },
    16 Markdown(it),
    17 Save(it),
    18 Drawn,
    _ Self::Cancel
});

wire_choice!(Passage {
    0 Message(it),
    1 Thread(it),
    2 Problem(number, says),
    3 Finding(number, says),
    _ Self::Message(String::new())
});

wire_choice!(Format {
    0 Jsonl,
    1 Markdown,
    _ Self::Jsonl
});

wire_choice!(Answer {
    0 Done,
    1 Failed(it),
    2 Found { count },
    3 Misread { at, message, hint },
    4 Choices { start, choices },
    5 Rows(it),
    6 Index(it),
    7 Details(it),
    8 Timeline(it),
    9 Lane(it),
    10 Line(it),
    11 Agents(it),
    12 Reports(it),
    13 Shared(it),
    14 Problems(it),
    15 Text { text, cut },
    16 File { name, content },
    _ Self::Done
});

wire_choice!(Tell {
    0 Progress { bytes, total, rows },
    1 Ready(it),
    2 Failed { message, hint, raise },
    _ Self::Progress { bytes: 0, total: 0, rows: 0 }
});

/// Encodes what is sent.
pub fn encode<T: Wire>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.put(&mut bytes);
    bytes
}

/// Compares what can be sent. To compare each of its parts takes much more code, which nothing else needs.
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        encode(self) == encode(other)
    }
}

/// Compares what can be sent, likewise.
impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        encode(self) == encode(other)
    }
}

/// Decodes what was received; none when it was not made by [`encode`] of the same version.
pub fn decode<T: Wire>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::new(bytes);
    let value = T::take(&mut reader);
    reader.is_done().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded_again() {
        let ask = Ask::Rows { list: List { threads: true, found: false }, start: 7, count: 64 };
        assert_eq!(decode::<Ask>(&encode(&ask)), Some(ask));
        let body = Body::Fields(vec![("a".into(), Body::List(vec![Body::Word("null".into())]))]);
        assert_eq!(decode::<Body>(&encode(&body)), Some(body));
        let step = Ask::Step { list: List::default(), from: Some(3), to: Goal::Error, back: true };
        assert_eq!(decode::<Ask>(&encode(&step)), Some(step));
        let answer = Answer::Rows(Rows { start: 1, total: 9, rows: vec![Row::Said(Line::default())] });
        assert_eq!(decode::<Answer>(&encode(&answer)), Some(answer));
        assert_eq!(decode::<Ask>(&[255]), None);
    }
}
