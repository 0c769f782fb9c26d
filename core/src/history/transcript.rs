//! Transcripts: what was said and done in sessions with agents, with calls and results paired and sub-agents linked.
//!
//! Rows of transcripts have a [`TurnRow`] beside their row in the table. Turns refer to agents, calls and tokens by number.

mod arguments;
mod link;
mod load;
mod names;
mod prices;
mod sessions;
mod show;
mod test_runs;
#[cfg(test)]
mod tests;

pub(super) use load::TranscriptLoader;
pub use prices::{Price, Prices};
pub use sessions::SessionSummary;
pub use show::{TurnText, headline_of};

use std::collections::BTreeMap;

use huddle_scan::Symbol;

use super::formats::{AgentKind, TurnFlags, TurnRole, Usage};

/// The number of what is not there.
pub(super) const NONE: u32 = u32::MAX;

/// A turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnRow {
    /// The row.
    pub row: u32,
    /// The agent that it belongs to: an index of [`Transcript::agents`].
    pub agent: u32,
    /// The model; none where the record does not say.
    pub model: Symbol,
    /// The id of the answer that it is a part of.
    pub answer: Symbol,
    /// The tokens of the answer: an index of [`Transcript::usages`], or [`u32::MAX`].
    usage: u32,
    /// Its role.
    pub role: TurnRole,
    /// What is so of it.
    pub flags: TurnFlags,
}

/// An agent of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionAgent {
    /// The session.
    pub session: Symbol,
    /// Its id in the session; none for the main one.
    pub key: Symbol,
    /// Its name in the history.
    pub name: Symbol,
    /// Its kind.
    pub kind: AgentKind,
    /// The agent that started it: an index of [`Transcript::agents`].
    pub parent: Option<u32>,
    /// The call that started it: an index of [`Transcript::calls`].
    pub call: Option<u32>,
    /// What it was started for, in a few words.
    pub task: Symbol,
    /// The row of its prompt.
    pub prompt: Option<u32>,
    /// The row of its last answer.
    pub answer: Option<u32>,
}

/// A call of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolCall {
    /// The row of the call.
    pub row: u32,
    /// Who called: an index of [`Transcript::agents`].
    pub agent: u32,
    /// Its id.
    pub id: Symbol,
    /// The name of the tool.
    pub name: Symbol,
    /// The file that it is about.
    pub file: Symbol,
    /// The row of the result.
    pub result: Option<u32>,
    /// Whether it failed.
    pub is_error: bool,
    /// Whether it ran tests.
    pub is_test_run: bool,
    /// The agent that it started: an index of [`Transcript::agents`].
    pub child: Option<u32>,
    /// A digest of the tool and its arguments.
    pub input_digest: u64,
    /// A digest of the result.
    pub result_digest: u64,
}

/// What is known of a session beside its turns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionFacts {
    /// The format.
    pub format: &'static str,
    /// A title that the program gave it.
    pub title: String,
    /// Its directory.
    pub directory: String,
    /// Its branch, the last one.
    pub branch: String,
}

/// All transcripts of a history.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    /// The turns, by row.
    pub turns: Vec<TurnRow>,
    /// The agents of all sessions.
    pub agents: Vec<SessionAgent>,
    /// The calls, by row.
    pub calls: Vec<ToolCall>,
    /// The sessions.
    pub sessions: BTreeMap<Symbol, SessionFacts>,
    /// Results without a call, by row.
    pub stray_results: Vec<u32>,
    /// How many rows are copies of others, because a session was resumed or its file copied.
    pub copies: u64,
    usages: Vec<Usage>,
    /// For each result its row and its call, by row.
    results: Vec<(u32, u32)>,
}

impl Transcript {
    /// Returns the turn of a row.
    pub fn turn(&self, row: u32) -> Option<&TurnRow> {
        let place = self.turns.binary_search_by_key(&row, |turn| turn.row).ok()?;
        self.turns.get(place)
    }

    /// Returns the tokens of a turn.
    pub fn usage(&self, turn: &TurnRow) -> Option<&Usage> {
        self.usages.get(turn.usage as usize)
    }

    /// Lists the calls of a row.
    pub fn calls_of(&self, row: u32) -> &[ToolCall] {
        let start = self.calls.partition_point(|call| call.row < row);
        let count = self.calls[start..].iter().take_while(|call| call.row == row).count();
        &self.calls[start..start + count]
    }

    /// Lists the calls that a row has results of.
    pub fn calls_answered_by(&self, row: u32) -> impl Iterator<Item = &ToolCall> {
        let start = self.results.partition_point(|(result, _)| *result < row);
        let results = self.results[start..].iter().take_while(move |(result, _)| *result == row);
        results.filter_map(|(_, call)| self.calls.get(*call as usize))
    }

    /// Iterates over the agents that an agent started.
    pub fn started_by(&self, agent: u32) -> impl Iterator<Item = (u32, &SessionAgent)> {
        (0..).zip(&self.agents).filter(move |(_, child)| child.parent == Some(agent))
    }
}
