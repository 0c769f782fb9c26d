//! Reading turns as records go by.

use std::collections::BTreeMap;

use huddle_scan::{Field, RawJson, Row, ScannedRecord, Symbol, Symbols};

use super::arguments::Arguments;
use super::{NONE, SessionAgent, ToolCall, Transcript, TurnRow, test_runs};
use crate::history::formats::{
    self, AgentKind, Author, Context, Format, Link, NestedRecord, Part, Turn, TurnFlags, TurnRole,
};

/// Records that are sampled to detect a file's format.
const SAMPLE: u64 = 16;

/// Reads the turns of transcripts.
#[derive(Debug, Default)]
pub(in crate::history) struct TranscriptLoader {
    pub(super) found: Transcript,
    /// Who took each turn, and what only linking needs.
    pub(super) drafts: Vec<Draft>,
    /// Results with the ids of their calls.
    pub(super) results: Vec<ResultDraft>,
    /// Calls that started agents, as results told.
    pub(super) links: Vec<(Symbol, Symbol, Symbol)>,
    /// What calls that may start agents are about: the call, the type of the agent, the task, and a digest of its prompt.
    pub(super) starts: Vec<StartDraft>,
    agents: BTreeMap<(Symbol, Symbol), u32>,
    /// The one that was looked up last: nearly always it is the next one, too.
    last_agent: Option<((Symbol, Symbol), u32)>,
    /// The agent of each record of a chain, by the symbol of the record's id.
    chains: Vec<u32>,
    /// The calls by which agents said they were started.
    pub(super) own_calls: Vec<(u32, Symbol)>,
    format: Option<&'static dyn Format>,
    context: Context,
    sampled: u64,
    /// Whether the records of the file lie inside others.
    is_nested: bool,
    /// The name of the file, without its ending: the session where no record names one.
    file_name: String,
}

/// What only linking needs of a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    pub(super) author: Author,
    pub(super) peer: Symbol,
    /// A digest of the text of a prompt to a sub-agent.
    pub(super) digest: u64,
}

/// A result.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResultDraft {
    pub(super) row: u32,
    pub(super) session: Symbol,
    pub(super) call: Symbol,
    pub(super) is_error: bool,
    pub(super) digest: u64,
}

/// A call that may have started an agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartDraft {
    pub(super) call: u32,
    pub(super) kind: Symbol,
    pub(super) task: Symbol,
    pub(super) digest: u64,
}

impl TranscriptLoader {
    /// Begins a file.
    pub(in crate::history) fn begin_file(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split_once('.').map_or(name, |(stem, _)| stem).clone_into(&mut self.file_name);
        (self.format, self.is_nested) = (None, false);
        self.sampled = 0;
        self.context = Context::default();
    }

    /// Lists the records inside a record; those of a file are either all like that, or none is.
    pub(in crate::history) fn records_in<'b>(&mut self, record: RawJson<'b>) -> Vec<NestedRecord<'b>> {
        match self.format {
            Some(format) if self.is_nested => format.records(record),
            Some(_) => Vec::new(),
            None => match formats::records_in(record) {
                Some((format, records)) => {
                    (self.format, self.is_nested) = (Some(format), true);
                    records
                }
                None => Vec::new(),
            },
        }
    }

    /// Returns the format of the file at hand, if it is that of a transcript.
    pub(in crate::history) fn format(&self) -> Option<&'static dyn Format> {
        self.format
    }

    /// Returns whether records of the file may be turns.
    #[inline]
    pub(in crate::history) fn is_wanted(&self) -> bool {
        self.format.is_some() || self.sampled < SAMPLE
    }

    /// Reads a record as a turn, and puts into its row what the turn says; returns the format if it is one.
    pub(in crate::history) fn read(
        &mut self,
        found: &ScannedRecord<'_>,
        number: u32,
        row: &mut Row,
        session: Option<&str>,
        symbols: &mut Symbols,
    ) {
        self.sampled += 1;
        let record = found.raw();
        // Only Claude Code says whether something was said on the side; that spares asking the formats.
        let is_sure = found.fields.has(Field::Sidechain);
        let Some(format) = self.format.or_else(|| formats::recognize(record)) else { return };
        // Something else may lie among turns.
        if !is_sure && format.confidence(record) == 0 {
            return;
        }
        self.format = Some(format);
        self.context.records += 1;
        let mut turn = format.read_scanned(record, found.fields, &mut self.context);
        if let Some(session) = session {
            turn.session = Some(session.to_owned().into());
        }
        self.take(format, &turn, number, row, symbols);
    }

    fn take(
        &mut self,
        format: &'static dyn Format,
        turn: &Turn<'_>,
        number: u32,
        row: &mut Row,
        symbols: &mut Symbols,
    ) {
        let session = symbols.intern(turn.session.as_deref().unwrap_or(&self.file_name));
        self.note_session(format, turn, session);
        row.thread = session;
        if let Some(at) = turn.at {
            row.time = at;
        }
        if let Some(id) = &turn.id {
            row.id = symbols.intern(id);
        }
        let kind = turn.kind.as_deref().unwrap_or(turn.role.as_str());
        row.kind = symbols.intern(kind);
        (row.from, row.to, row.reply_to, row.subject) = (Symbol::NONE, Symbol::NONE, Symbol::NONE, Symbol::NONE);
        row.flags = row.flags.difference(huddle_scan::Flags::ODD);
        row.flags.set(huddle_scan::Flags::NOISE, turn.role == TurnRole::Noise);
        let agent = self.agent_of(format, turn, session, row.id, symbols);
        let symbol = |text: Option<&str>, symbols: &mut Symbols| text.map_or(Symbol::NONE, |text| symbols.intern(text));
        let usage = turn.usage.map_or(NONE, |usage| {
            self.found.usages.push(usage);
            (self.found.usages.len() - 1) as u32
        });
        let (model, answer) = (symbol(turn.model.as_deref(), symbols), symbol(turn.answer.as_deref(), symbols));
        let (role, mut flags) = (turn.role, turn.flags);
        let is_claim = |part: &Part<'_>| matches!(part, Part::Text(text) if test_runs::says_tests_pass(text.bytes()));
        flags.set(TurnFlags::TESTS_PASS, turn.author == Author::Agent && turn.parts.iter().any(is_claim));
        self.found.turns.push(TurnRow { row: number, agent, model, answer, usage, role, flags });
        let digest = if turn.author == Author::Principal { digest_of_texts(&turn.parts) } else { 0 };
        let peer = symbol(turn.peer.as_deref(), symbols);
        self.drafts.push(Draft { author: turn.author, peer, digest });
        for part in &turn.parts {
            self.take_part(part, number, agent, session, symbols);
        }
        if let Some(Link { call, agent }) = &turn.link {
            self.links.push((session, symbols.intern(call), symbols.intern(agent)));
        }
    }

    fn take_part(&mut self, part: &Part<'_>, row: u32, agent: u32, session: Symbol, symbols: &mut Symbols) {
        match part {
            Part::Call { id, name, input } => {
                let call = self.found.calls.len() as u32;
                let (id, name) = (symbols.intern(id), symbols.intern(name));
                let arguments = Arguments::of(*input);
                let mut symbol = |value: Option<RawJson<'_>>| {
                    value.and_then(RawJson::text).map_or(Symbol::NONE, |text| symbols.intern(&text))
                };
                let file = symbol(arguments.file);
                let input_digest = digest(input.bytes(), name.index() as u64);
                self.found.calls.push(ToolCall {
                    row,
                    agent,
                    id,
                    name,
                    file,
                    result: None,
                    is_error: false,
                    is_test_run: arguments.command.is_some_and(|command| test_runs::is_test_run(command.bytes())),
                    child: None,
                    input_digest,
                    result_digest: 0,
                });
                if let Some(prompt) = arguments.prompt.or(arguments.message) {
                    let (kind, task) = (symbol(arguments.kind), symbol(arguments.task));
                    self.starts.push(StartDraft { call, kind, task, digest: digest(prompt.bytes(), 0) });
                }
            }
            Part::Result { id, content, is_error } => {
                let (call, digest) = (symbols.intern(id), digest(content.bytes(), 0));
                self.results.push(ResultDraft { row, session, call, is_error: *is_error, digest });
            }
            Part::Text(_) | Part::Thinking(_) | Part::Media(_) => {}
        }
    }

    fn note_session(&mut self, format: &'static dyn Format, turn: &Turn<'_>, session: Symbol) {
        let facts = self.found.sessions.entry(session).or_default();
        facts.format = format.name();
        let set = |text: &mut String, value: Option<&str>| {
            if let Some(value) = value.filter(|value| *value != text.as_str()) {
                value.clone_into(text);
            }
        };
        set(&mut facts.title, turn.title.as_deref());
        set(&mut facts.branch, turn.branch.as_deref());
        if facts.directory.is_empty() {
            set(&mut facts.directory, turn.directory.as_deref());
        }
    }

    /// Returns the number of the agent that a turn belongs to.
    fn agent_of(
        &mut self,
        format: &'static dyn Format,
        turn: &Turn<'_>,
        session: Symbol,
        id: Symbol,
        symbols: &mut Symbols,
    ) -> u32 {
        let Some(agent) = &turn.agent else {
            return self.agent(session, Symbol::NONE, AgentKind::Main, symbols.intern(format.agent()));
        };
        let name = agent.name.as_deref().map_or(Symbol::NONE, |name| symbols.intern(name));
        let previous = turn.previous.as_deref().map_or(Symbol::NONE, |previous| symbols.intern(previous));
        let number = if agent.key.is_empty() {
            let known = if previous.is_none() { None } else { self.chains.get(previous.index()).copied() };
            match known.filter(|known| *known != NONE) {
                Some(known) => known,
                None => self.agent(session, id, agent.kind, name),
            }
        } else {
            let key = symbols.intern(&agent.key);
            self.agent(session, key, agent.kind, name)
        };
        if agent.key.is_empty() && !id.is_none() {
            if self.chains.len() <= id.index() {
                self.chains.resize(id.index() + 1, NONE);
            }
            self.chains[id.index()] = number;
        }
        if let Some(call) = &agent.call {
            let call = symbols.intern(call);
            if self.own_calls.last() != Some(&(number, call)) {
                self.own_calls.push((number, call));
            }
        }
        number
    }

    fn agent(&mut self, session: Symbol, key: Symbol, kind: AgentKind, name: Symbol) -> u32 {
        if let Some((last, number)) = self.last_agent
            && last == (session, key)
        {
            return number;
        }
        let next = self.found.agents.len() as u32;
        let number = *self.agents.entry((session, key)).or_insert(next);
        self.last_agent = Some(((session, key), number));
        if number == next {
            let (none, task) = (None, Symbol::NONE);
            let agent =
                SessionAgent { session, key, name, kind, parent: None, call: None, task, prompt: none, answer: none };
            self.found.agents.push(agent);
        }
        number
    }

    /// Returns the number of an agent that had a turn.
    pub(super) fn known_agent(&self, session: Symbol, key: Symbol) -> Option<u32> {
        self.agents.get(&(session, key)).copied()
    }

    /// Forgets the turns of rows from a number on.
    pub(in crate::history) fn truncate(&mut self, rows: u32) {
        self.found.turns.retain(|turn| turn.row < rows);
        self.drafts.truncate(self.found.turns.len());
        self.found.calls.retain(|call| call.row < rows);
        self.results.retain(|result| result.row < rows);
        let calls = self.found.calls.len() as u32;
        self.starts.retain(|start| start.call < calls);
    }
}

fn digest_of_texts(parts: &[Part<'_>]) -> u64 {
    let text = parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(text.bytes()),
        _ => None,
    });
    digest(text.unwrap_or_default(), 0)
}

/// Mixes sixteen bytes at a time; equal bytes have equal digests.
fn digest(bytes: &[u8], seed: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |digest: u64, word: u64| (digest.rotate_left(5) ^ word).wrapping_mul(ODD);
    let (pairs, rest) = bytes.as_chunks::<16>();
    // Two at a time: neither has to wait for the other.
    let (mut digest, mut other) = (mix(seed, bytes.len() as u64), ODD);
    for pair in pairs {
        let pair = u128::from_le_bytes(*pair);
        digest = mix(digest, pair as u64);
        other = mix(other, (pair >> 64) as u64);
    }
    let digest = rest.iter().fold(mix(digest, other), |digest, byte| mix(digest, u64::from(*byte)));
    // Zero stands for none.
    (digest ^ digest >> 32) | 1
}
