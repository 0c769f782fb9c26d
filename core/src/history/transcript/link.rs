//! Linking: calls with their results, agents with the calls that started them, rows with those who said them.

use std::collections::BTreeMap;

use huddle_scan::{Flags, NO_TIME, Symbol, Table};

use super::load::TranscriptLoader;
use super::{NONE, Transcript, names};
use crate::history::formats::{AgentKind, Author, TurnRole};

impl TranscriptLoader {
    /// Ends loading: marks copies, links what belongs together and puts authors and recipients into the table.
    pub(in crate::history) fn resolve(mut self, table: &mut Table) -> Transcript {
        if self.found.turns.is_empty() {
            return Transcript::default();
        }
        self.mark_copies(table);
        let calls = self.pair_results();
        self.link_agents(&calls);
        self.note_prompts_and_answers();
        names::name(&mut self.found, table);
        self.put_into_rows(table);
        self.found
    }

    /// Marks rows that are copies of others: a resumed session repeats those of the one that it goes on from.
    fn mark_copies(&mut self, table: &mut Table) {
        let mut first = vec![NONE; table.symbols.len()];
        let mut copied = Vec::new();
        for turn in &self.found.turns {
            let row = turn.row as usize;
            let id = table.id()[row];
            if id.is_none() || table.time()[row] == NO_TIME {
                continue;
            }
            let other = &mut first[id.index()];
            if *other == NONE {
                *other = turn.row;
            } else if table.time()[*other as usize] == table.time()[row]
                && table.file()[*other as usize] != table.file()[row]
            {
                copied.push(turn.row);
            }
        }
        for row in &copied {
            let mut copy = table.row(*row);
            copy.flags.insert(Flags::COPY);
            table.set(*row, copy);
        }
        let is_copy = |row: u32| copied.binary_search(&row).is_ok();
        self.found.copies = copied.len() as u64;
        if copied.is_empty() {
            return;
        }
        let keep: Vec<bool> = self.found.turns.iter().map(|turn| !is_copy(turn.row)).collect();
        let mut kept = keep.iter();
        self.found.turns.retain(|_| *kept.next().unwrap_or(&true));
        let mut kept = keep.iter();
        self.drafts.retain(|_| *kept.next().unwrap_or(&true));
        self.results.retain(|result| !is_copy(result.row));
        let mut numbers = Vec::with_capacity(self.found.calls.len());
        let mut next = 0;
        for call in &self.found.calls {
            let number = if is_copy(call.row) { NONE } else { next };
            next += u32::from(number != NONE);
            numbers.push(number);
        }
        self.found.calls.retain(|call| !is_copy(call.row));
        self.starts.retain_mut(|start| {
            start.call = numbers[start.call as usize];
            start.call != NONE
        });
    }

    /// Pairs results with calls; returns the call with each id of each session.
    fn pair_results(&mut self) -> BTreeMap<(Symbol, Symbol), u32> {
        let mut calls = BTreeMap::new();
        for (number, call) in (0..).zip(&self.found.calls) {
            calls.insert((self.found.agents[call.agent as usize].session, call.id), number);
        }
        for result in &self.results {
            let call = calls.get(&(result.session, result.call)).copied();
            let Some(call) = call.filter(|_| !result.call.is_none()) else {
                self.found.stray_results.push(result.row);
                continue;
            };
            self.found.results.push((result.row, call));
            let call = &mut self.found.calls[call as usize];
            if call.result.is_none() {
                call.result = Some(result.row);
                call.result_digest = result.digest;
            }
            call.is_error |= result.is_error;
        }
        self.found.results.sort_unstable();
        calls
    }

    /// Links agents with the calls that started them: by what a result or the agent itself says, or else by the prompt.
    fn link_agents(&mut self, calls: &BTreeMap<(Symbol, Symbol), u32>) {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (session, call, agent) in &self.links {
            pairs.extend(self.known_agent(*session, *agent).zip(calls.get(&(*session, *call)).copied()));
        }
        for (agent, call) in &self.own_calls {
            let session = self.found.agents[*agent as usize].session;
            pairs.extend(calls.get(&(session, *call)).map(|call| (*agent, *call)));
        }
        for (agent, call) in pairs {
            self.found.start(agent, call);
        }
        let mut waiting: BTreeMap<(Symbol, u64), Vec<u32>> = BTreeMap::new();
        for start in self.starts.iter().rev() {
            let call = &self.found.calls[start.call as usize];
            if call.child.is_none() {
                let session = self.found.agents[call.agent as usize].session;
                waiting.entry((session, start.digest)).or_default().push(start.call);
            }
        }
        for (turn, draft) in self.found.turns.clone().iter().zip(&self.drafts) {
            let agent = &self.found.agents[turn.agent as usize];
            if draft.digest != 0
                && agent.kind == AgentKind::SubAgent
                && agent.call.is_none()
                && let Some(call) = waiting.get_mut(&(agent.session, draft.digest)).and_then(Vec::pop)
            {
                self.found.start(turn.agent, call);
            }
        }
        for start in &self.starts {
            if let Some(child) = self.found.calls[start.call as usize].child {
                let child = &mut self.found.agents[child as usize];
                child.task = start.task;
                if child.name.is_none() {
                    child.name = start.kind;
                }
            }
        }
        // Who started an agent is not known otherwise: the main one of its session.
        let mut mains: BTreeMap<Symbol, u32> = BTreeMap::new();
        for (number, agent) in (0..).zip(&self.found.agents) {
            if agent.kind == AgentKind::Main {
                mains.entry(agent.session).or_insert(number);
            }
        }
        for agent in
            self.found.agents.iter_mut().filter(|agent| agent.kind != AgentKind::Main && agent.parent.is_none())
        {
            agent.parent = mains.get(&agent.session).copied();
        }
    }

    fn note_prompts_and_answers(&mut self) {
        for (turn, draft) in self.found.turns.iter().zip(&self.drafts) {
            let agent = &mut self.found.agents[turn.agent as usize];
            if turn.role == TurnRole::Prompt && draft.author == Author::Principal && agent.prompt.is_none() {
                agent.prompt = Some(turn.row);
            }
            if turn.role == TurnRole::Answer && draft.author == Author::Agent {
                agent.answer = Some(turn.row);
            }
        }
    }

    /// Puts into the rows who said what to whom, and what it answers.
    fn put_into_rows(&self, table: &mut Table) {
        let human = table.symbols.intern(names::HUMAN);
        let found = &self.found;
        let mut has_human = vec![false; found.agents.len()];
        for (turn, draft) in found.turns.iter().zip(&self.drafts) {
            has_human[turn.agent as usize] |= draft.author == Author::Human;
        }
        for agent in &found.agents {
            // What is referred to needs an id.
            let call = agent.call.map(|call| found.calls[call as usize].row);
            for row in agent.prompt.into_iter().chain(call) {
                give_id(table, row);
            }
        }
        for (turn, draft) in found.turns.iter().zip(&self.drafts) {
            let agent = &found.agents[turn.agent as usize];
            let principal = agent.parent.map_or(human, |parent| found.agents[parent as usize].name);
            let mut row = table.row(turn.row);
            let (from, to) = match (draft.author, turn.role) {
                (Author::Human, _) => (human, agent.name),
                (Author::Principal, _) => (principal, agent.name),
                (Author::Peer, _) => (draft.peer, agent.name),
                (Author::Agent, TurnRole::Message) => (agent.name, draft.peer),
                (Author::Agent, TurnRole::Answer) if agent.parent.is_none() && has_human[turn.agent as usize] => {
                    (agent.name, human)
                }
                (Author::Agent, TurnRole::Answer) if agent.parent.is_some() && agent.answer == Some(turn.row) => {
                    (agent.name, principal)
                }
                (Author::Agent, _) => (agent.name, Symbol::NONE),
            };
            let is_said = matches!(turn.role, TurnRole::Prompt | TurnRole::Answer | TurnRole::Message);
            row.from = if turn.role == TurnRole::Noise { agent.name } else { from };
            row.to = if is_said { to } else { Symbol::NONE };
            table.set(turn.row, row);
        }
        for turn in &found.turns {
            let agent = &found.agents[turn.agent as usize];
            let call_row = |call: Option<u32>| call.map(|call| found.calls[call as usize].row);
            let above = if agent.prompt == Some(turn.row) { call_row(agent.call) } else { agent.prompt };
            let called = found.calls_answered_by(turn.row).map(|call| call.row).next();
            let above = called.filter(|call| *call != turn.row).or(above).filter(|above| *above != turn.row);
            if let Some(above) = above {
                give_id(table, above);
                let mut row = table.row(turn.row);
                row.reply_to = table.id()[above as usize];
                table.set(turn.row, row);
            }
        }
    }
}

/// Gives a row an id if it has none: where it lies is unique.
fn give_id(table: &mut Table, number: u32) {
    let mut row = table.row(number);
    if row.id.is_none() {
        row.id = table.symbols.intern(&format!("row-{}-{}", row.file, row.offset));
        table.set(number, row);
    }
}

impl Transcript {
    /// Notes that a call started an agent.
    fn start(&mut self, agent: u32, call: u32) {
        let caller = self.calls[call as usize].agent;
        let child = &mut self.agents[agent as usize];
        if child.call.is_some() || caller == agent || child.kind == AgentKind::Main {
            return;
        }
        (child.call, child.parent) = (Some(call), Some(caller));
        self.calls[call as usize].child.get_or_insert(agent);
    }
}
