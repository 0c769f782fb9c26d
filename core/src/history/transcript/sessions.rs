//! Sessions: what each was about, what was done in it, and what it took.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use huddle_scan::{NO_TIME, Symbol};

use super::{ToolCall, TurnRow};
use crate::history::formats::{AgentKind, TurnFlags, TurnRole, Usage};
use crate::history::record::ByteSource;
use crate::history::transcript::prices::Prices;
use crate::history::{History, earliest};

/// The longest title that is taken from a prompt.
const TITLE: usize = 80;

/// A session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionSummary {
    /// Its id.
    pub id: Symbol,
    /// The format that it is kept in.
    pub format: &'static str,
    /// What it is about: the title that the program gave it, or else its first prompt.
    pub title: String,
    /// Its directory.
    pub project: String,
    /// Its branch.
    pub branch: String,
    /// The models that answered in it, by name.
    pub models: Vec<String>,
    /// The first time in it; [`NO_TIME`] when there is none.
    pub start: i64,
    /// The last time in it.
    pub end: i64,
    /// How many prompts people gave.
    pub prompts: u64,
    /// How many answers models gave, each counted once however many rows it has.
    pub answers: u64,
    /// How often each tool was called, and how often that failed.
    pub tools: BTreeMap<String, (u64, u64)>,
    /// The files that were changed.
    pub changed_files: BTreeSet<String>,
    /// How many calls failed.
    pub errors: u64,
    /// How many times the conversation was summed up to save room.
    pub compactions: u64,
    /// How many rows are noise.
    pub noise: u64,
    /// The agents that were started in it: indexes of [`Transcript::agents`](super::Transcript::agents).
    pub sub_agents: Vec<u32>,
    /// The tokens of each agent, an index of [`Transcript::agents`](super::Transcript::agents), with each model.
    pub tokens: BTreeMap<(u32, Symbol), Usage>,
    /// The most tokens that were in front of a model at once.
    pub largest_context: u64,
}

impl SessionSummary {
    /// Sums up its tokens.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        self.tokens.values().for_each(|usage| sum.add(usage));
        sum
    }
}

/// Tools that change the file that they are about.
const CHANGING: [&str; 8] = ["Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "write", "replace", "write_file"];

impl History {
    /// Lists the sessions of transcripts, the latest first; titles are read from where they lie.
    pub fn sessions(&self, from: &mut dyn ByteSource) -> io::Result<Vec<SessionSummary>> {
        let transcript = &self.transcript;
        let mut sessions: BTreeMap<Symbol, SessionSummary> = BTreeMap::new();
        let mut first_prompts: BTreeMap<Symbol, u32> = BTreeMap::new();
        let mut answers: BTreeMap<Symbol, Usage> = BTreeMap::new();
        for turn in &transcript.turns {
            let agent = &transcript.agents[turn.agent as usize];
            let session = sessions.entry(agent.session).or_insert_with(|| SessionSummary {
                id: agent.session,
                start: NO_TIME,
                end: NO_TIME,
                ..SessionSummary::default()
            });
            if turn.role == TurnRole::Prompt && agent.parent.is_none() {
                first_prompts.entry(agent.session).or_insert(turn.row);
                session.prompts += 1;
            }
            self.add_turn(session, turn, &mut answers);
        }
        for call in &transcript.calls {
            if let Some(session) = sessions.get_mut(&transcript.agents[call.agent as usize].session) {
                self.add_call(session, call);
            }
        }
        for (number, agent) in (0..).zip(&transcript.agents).filter(|(_, agent)| agent.kind == AgentKind::SubAgent) {
            if let Some(session) = sessions.get_mut(&agent.session) {
                session.sub_agents.push(number);
            }
        }
        for (id, facts) in &transcript.sessions {
            let Some(session) = sessions.get_mut(id) else { continue };
            session.format = facts.format;
            session.title.clone_from(&facts.title);
            session.project.clone_from(&facts.directory);
            session.branch.clone_from(&facts.branch);
            if let Some(row) = first_prompts.get(id).filter(|_| facts.title.is_empty()) {
                let record = huddle_scan::clean(&self.bytes(*row, from)?).into_owned();
                session.title = self.turn_text(*row, &record, TITLE).map(|text| text.headline).unwrap_or_default();
            }
        }
        let mut sessions: Vec<SessionSummary> = sessions.into_values().collect();
        sessions.sort_by_key(|session| std::cmp::Reverse((session.end, session.id)));
        Ok(sessions)
    }

    fn add_turn(&self, session: &mut SessionSummary, turn: &TurnRow, answers: &mut BTreeMap<Symbol, Usage>) {
        let time = self.table.time()[turn.row as usize];
        session.start = earliest(session.start, time);
        session.end = session.end.max(time);
        session.noise += u64::from(turn.role == TurnRole::Noise);
        session.compactions += u64::from(turn.flags.contains(TurnFlags::COMPACTION));
        if !turn.model.is_none() {
            let model = self.table.text(turn.model);
            if let Err(place) = session.models.binary_search_by(|known| known.as_str().cmp(model)) {
                session.models.insert(place, model.to_owned());
            }
        }
        let Some(usage) = self.transcript.usage(turn) else { return };
        session.largest_context = session.largest_context.max(usage.context());
        let mut more = *usage;
        if turn.answer.is_none() {
            session.answers += 1;
        } else {
            // The rows of an answer count up to the same sum: only what one has more than those before it is new.
            let known = answers.entry(turn.answer).or_insert_with(|| {
                session.answers += 1;
                Usage::default()
            });
            more = usage.beyond(known);
            known.add(&more);
        }
        session.tokens.entry((turn.agent, turn.model)).or_default().add(&more);
    }

    fn add_call(&self, session: &mut SessionSummary, call: &ToolCall) {
        let name = self.table.text(call.name);
        let (calls, errors) = session.tools.entry(name.to_owned()).or_default();
        *calls += 1;
        *errors += u64::from(call.is_error);
        session.errors += u64::from(call.is_error);
        if !call.file.is_none() && !call.is_error && CHANGING.contains(&name) {
            session.changed_files.insert(self.table.text(call.file).to_owned());
        }
    }

    /// Estimates what a session cost, in US dollars; none when the price of one of its models is not known.
    pub fn estimated_cost(&self, session: &SessionSummary, prices: &Prices) -> Option<f64> {
        session
            .tokens
            .iter()
            .try_fold(0.0, |sum, ((_, model), usage)| Some(sum + prices.cost(self.table.text(*model), usage)?))
    }
}
