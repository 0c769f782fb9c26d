//! What all formats have in common: turns, the parts of one, and who took it.

use std::borrow::Cow;

use bitflags::bitflags;
use huddle_scan::RawJson;

/// The role of a row of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum TurnRole {
    /// A task or a question for an agent.
    Prompt,
    /// What an agent says.
    Answer,
    /// What an agent thinks.
    Thinking,
    /// An agent calls a tool.
    ToolCall,
    /// What came of a call.
    ToolResult,
    /// A message from one agent to another.
    Message,
    /// A session or an agent begins, ends, is interrupted or compacted.
    Lifecycle,
    /// What a program keeps for itself.
    #[default]
    Noise,
}

impl TurnRole {
    /// Every role.
    pub const ALL: [Self; 8] = [
        Self::Prompt,
        Self::Answer,
        Self::Thinking,
        Self::ToolCall,
        Self::ToolResult,
        Self::Message,
        Self::Lifecycle,
        Self::Noise,
    ];

    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::Thinking => "thinking",
            Self::ToolCall => "tool-call",
            Self::ToolResult => "tool-result",
            Self::Message => "message",
            Self::Lifecycle => "lifecycle",
            Self::Noise => "noise",
        }
    }
}

bitflags! {
    /// What is so of a turn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct TurnFlags: u8 {
        /// It failed, or tells of a failure.
        const ERROR = 1;
        /// The conversation was summed up here to save room.
        const COMPACTION = 1 << 1;
        /// What an agent said was cut off.
        const TRUNCATED = 1 << 2;
        /// An agent says that tests pass.
        const TESTS_PASS = 1 << 3;
    }
}

/// Tokens that an answer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens that were read anew.
    pub input: u64,
    /// Tokens that were written.
    pub output: u64,
    /// Tokens that were read from a cache.
    pub cache_read: u64,
    /// Tokens that were put into a cache.
    pub cache_write: u64,
}

impl Usage {
    /// Counts all tokens.
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output).saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Counts the tokens that were in front of the model.
    pub const fn context(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Returns how many more of each there are than in another.
    #[must_use]
    pub const fn beyond(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_sub(other.input),
            output: self.output.saturating_sub(other.output),
            cache_read: self.cache_read.saturating_sub(other.cache_read),
            cache_write: self.cache_write.saturating_sub(other.cache_write),
        }
    }

    /// Adds those of another.
    pub const fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}

/// Who took a turn, as seen from the agent that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Author {
    /// The agent itself.
    #[default]
    Agent,
    /// The person that it works for.
    Human,
    /// Who gave the agent its task: another agent, or the person.
    Principal,
    /// Another agent, by the name in [`Turn::peer`].
    Peer,
}

/// The kind of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum AgentKind {
    /// The one that a session is held with.
    #[default]
    Main,
    /// One that another started.
    SubAgent,
    /// One of a program's own, such as one that proposes the next prompt.
    Helper,
}

/// An agent, as a record names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentRef<'b> {
    /// Its kind.
    pub kind: AgentKind,
    /// Its id in the session; empty when only the chain of records tells.
    pub key: Cow<'b, str>,
    /// Its name or type, where the record says it.
    pub name: Option<Cow<'b, str>>,
    /// The id of the call that started it, where the record says it.
    pub call: Option<Cow<'b, str>>,
}

/// The news that a call started an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link<'b> {
    /// The id of the call.
    pub call: Cow<'b, str>,
    /// The id of the agent.
    pub agent: Cow<'b, str>,
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'b> {
    /// A text.
    Text(RawJson<'b>),
    /// A thought.
    Thinking(RawJson<'b>),
    /// A call of a tool.
    Call {
        /// Its id.
        id: Cow<'b, str>,
        /// The name of the tool.
        name: Cow<'b, str>,
        /// Its arguments.
        input: RawJson<'b>,
    },
    /// What came of a call.
    Result {
        /// The id of the call.
        id: Cow<'b, str>,
        /// What the tool gave.
        content: RawJson<'b>,
        /// Whether it failed.
        is_error: bool,
    },
    /// Something that is no text, by what it is.
    Media(Cow<'b, str>),
}

/// A record of a transcript, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn<'b> {
    /// Its role.
    pub role: TurnRole,
    /// Its own word for what it is, where the role does not say it.
    pub kind: Option<Cow<'b, str>>,
    /// The agent that it belongs to; none for the main one.
    pub agent: Option<AgentRef<'b>>,
    /// Who took it.
    pub author: Author,
    /// The other agent of a message: the author or the recipient.
    pub peer: Option<Cow<'b, str>>,
    /// When, in microseconds since 1970.
    pub at: Option<i64>,
    /// Its id.
    pub id: Option<Cow<'b, str>>,
    /// The id of the record before it in its chain.
    pub previous: Option<Cow<'b, str>>,
    /// The session.
    pub session: Option<Cow<'b, str>>,
    /// What it consists of.
    pub parts: Vec<Part<'b>>,
    /// The model.
    pub model: Option<Cow<'b, str>>,
    /// The id of the answer that it is a part of: tokens of one answer are counted once.
    pub answer: Option<Cow<'b, str>>,
    /// The tokens of the answer.
    pub usage: Option<Usage>,
    /// A title of the session.
    pub title: Option<Cow<'b, str>>,
    /// The directory of the session.
    pub directory: Option<Cow<'b, str>>,
    /// The branch of the session.
    pub branch: Option<Cow<'b, str>>,
    /// An agent that a call started.
    pub link: Option<Link<'b>>,
    /// What is so of it.
    pub flags: TurnFlags,
}

/// What a reader remembers of the records of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The session.
    pub session: String,
    /// The model.
    pub model: String,
    /// The id of the agent whose file it is; empty for the main one.
    pub agent: String,
    /// The name of that agent, where the file says it.
    pub agent_name: String,
    /// How many records were read.
    pub records: u64,
}

/// A record inside a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NestedRecord<'b> {
    /// The record.
    pub record: RawJson<'b>,
    /// The session that it is of, where the document has several.
    pub session: Option<Cow<'b, str>>,
}

impl<'b> Turn<'b> {
    /// Creates a turn with a role that has nothing else.
    pub fn of(role: TurnRole) -> Self {
        Self { role, ..Self::default() }
    }

    /// Creates a turn that is noise, with its own word for what it is.
    pub fn noise(kind: Option<Cow<'b, str>>) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Takes the role that the parts make it, unless there are none.
    #[must_use]
    pub fn with_role_of_parts(mut self) -> Self {
        let has = |test: fn(&Part<'_>) -> bool| self.parts.iter().any(test);
        self.role = if has(|part| matches!(part, Part::Call { .. })) {
            TurnRole::ToolCall
        } else if has(|part| matches!(part, Part::Result { .. })) {
            TurnRole::ToolResult
        } else if has(|part| matches!(part, Part::Text(_) | Part::Media(_))) {
            TurnRole::Answer
        } else if has(|part| matches!(part, Part::Thinking(_))) {
            TurnRole::Thinking
        } else {
            TurnRole::Noise
        };
        if has(|part| matches!(part, Part::Result { is_error: true, .. })) {
            self.flags |= TurnFlags::ERROR;
        }
        self
    }
}

/// Returns the text of a member.
pub(super) fn text_of<'b>(object: RawJson<'b>, key: &str) -> Option<Cow<'b, str>> {
    object.get(key).and_then(RawJson::text)
}

/// Returns whether a member is a certain text.
pub(super) fn says(object: RawJson<'_>, key: &str, text: &str) -> bool {
    text_of(object, key).is_some_and(|found| found == text)
}

/// Reads texts, or the texts of parts, as parts.
pub(super) fn texts<'b>(content: RawJson<'b>) -> Vec<Part<'b>> {
    if content.is_string() {
        return if content.has_text() { vec![Part::Text(content)] } else { Vec::new() };
    }
    let part = |element: RawJson<'b>| match element.get("text") {
        Some(text) if text.has_text() => Some(Part::Text(text)),
        Some(_) => None,
        None if element.is_string() => element.has_text().then_some(Part::Text(element)),
        None => text_of(element, "type").map(Part::Media),
    };
    content.elements().filter_map(part).collect()
}
