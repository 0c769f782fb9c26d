//! Agents: everybody who said something or was named as a recipient, and who talks to whom.

mod buckets;
mod silence;

pub use silence::Silence;

use buckets::{Buckets, SymbolCounter};
use huddle_scan::{NO_TIME, Symbol, Table};

use super::{Deliveries, DeliveryRow, NO_POSITION, earliest};

/// How many of the kinds that an agent sends are listed.
const KINDS: usize = 5;

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: Symbol,
    /// When the first sign of it was given: something that it sent, was shown or read; [`NO_TIME`] without any.
    pub first_at: i64,
    /// When the last sign of it was given.
    pub last_at: i64,
    /// How many entries are from it.
    pub sent: u32,
    /// How many entries came to it.
    pub received: u32,
    /// How many of those wait to be read.
    pub unread: u32,
    /// How many of those it should have answered by now.
    pub overdue: u32,
    /// How many of its entries are of each severity.
    pub findings: SeverityCounts,
    /// The kinds of entry that it sends most, and how many of each, most first.
    pub kinds: Vec<(Symbol, u32)>,
    /// When it was silent for much longer than it usually is, longest first.
    pub silences: Vec<Silence>,
}

/// Counts by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeverityCounts {
    /// Entries of high severity.
    pub high: u32,
    /// Entries of medium severity.
    pub medium: u32,
    /// Entries of low severity.
    pub low: u32,
}

/// The number of messages from one agent to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageEdge {
    /// The sender.
    pub from: Symbol,
    /// The recipient.
    pub to: Symbol,
    /// How many entries; one for several counts for each of them.
    pub count: u32,
}

/// All agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agents {
    /// The agents, by name.
    pub list: Vec<Agent>,
    /// The edges of the message graph, sorted by sender and recipient.
    pub edges: Vec<MessageEdge>,
}

impl Agents {
    /// Lists everybody.
    pub fn of(table: &Table, entries: &[u32], deliveries: &Deliveries) -> Self {
        let numbers_by_name = AgentNumbers::all(table, entries, deliveries);
        let mut list: Vec<Agent> = numbers_by_name.names.iter().map(|name| Agent::new(*name)).collect();
        for row in entries.iter().map(|row| *row as usize) {
            if let Some(agent) = list.get_mut(numbers_by_name.number(table.from()[row]) as usize) {
                agent.sent += 1;
                agent.note_activity(table.time()[row]);
                agent.findings.count(table.text(table.severity()[row]));
            }
        }
        for delivery in &deliveries.list {
            let Some(agent) = list.get_mut(numbers_by_name.number(delivery.recipient) as usize) else { continue };
            agent.received += 1;
            agent.unread += u32::from(delivery.unread);
            agent.overdue += u32::from(delivery.overdue);
            agent.note_activity(delivery.offered_at);
            agent.note_activity(delivery.seen_at);
        }
        let mut agents = Self { list, edges: Vec::new() };
        let mut counter = SymbolCounter::new(table);
        agents.add_activity(table, entries, &numbers_by_name, &mut counter);
        agents.add_edges(table, entries, deliveries, &numbers_by_name, &mut counter);
        agents
    }

    /// Adds what each sends most, and when it was silent.
    fn add_activity(
        &mut self,
        table: &Table,
        entries: &[u32],
        numbers_by_name: &AgentNumbers,
        counter: &mut SymbolCounter,
    ) {
        let senders: Vec<u32> = entries.iter().map(|row| numbers_by_name.number(table.from()[*row as usize])).collect();
        let sent = Buckets::new(&senders, self.list.len());
        for (number, agent) in self.list.iter_mut().enumerate() {
            let rows = || sent.of(number).iter().map(|position| entries[*position as usize] as usize);
            agent.kinds = counter.count(&mut rows().map(|row| table.kind()[row]));
            agent.kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
            agent.kinds.truncate(KINDS);
            let times = rows().map(|row| table.time()[row]).filter(|time| *time != NO_TIME);
            agent.silences = silence::longest(&times.collect::<Vec<_>>());
        }
    }

    /// Adds who talks to whom.
    fn add_edges(
        &mut self,
        table: &Table,
        entries: &[u32],
        deliveries: &Deliveries,
        numbers_by_name: &AgentNumbers,
        counter: &mut SymbolCounter,
    ) {
        let sender =
            |delivery: &DeliveryRow| numbers_by_name.number(table.from()[entries[delivery.position as usize] as usize]);
        let senders: Vec<u32> = deliveries.list.iter().map(sender).collect();
        let sent = Buckets::new(&senders, numbers_by_name.names.len());
        for (number, from) in numbers_by_name.names.iter().enumerate() {
            let mut recipients = sent.of(number).iter().map(|item| deliveries.list[*item as usize].recipient);
            let mut counts = counter.count(&mut recipients);
            counts.sort_by_key(|(to, _)| numbers_by_name.number(*to));
            self.edges.extend(counts.into_iter().map(|(to, count)| MessageEdge { from: *from, to, count }));
        }
    }
}

impl Agent {
    const fn new(name: Symbol) -> Self {
        Self {
            name,
            first_at: NO_TIME,
            last_at: NO_TIME,
            sent: 0,
            received: 0,
            unread: 0,
            overdue: 0,
            findings: SeverityCounts { high: 0, medium: 0, low: 0 },
            kinds: Vec::new(),
            silences: Vec::new(),
        }
    }

    fn note_activity(&mut self, time: i64) {
        self.first_at = earliest(self.first_at, time);
        self.last_at = self.last_at.max(time);
    }
}

impl SeverityCounts {
    fn count(&mut self, severity: &str) {
        match severity {
            "high" => self.high += 1,
            "medium" => self.medium += 1,
            "low" => self.low += 1,
            _ => {}
        }
    }
}

/// Everybody's number: their place by name.
struct AgentNumbers {
    names: Vec<Symbol>,
    /// The number of each symbol, or [`NO_POSITION`].
    numbers: Vec<u32>,
}

impl AgentNumbers {
    fn all(table: &Table, entries: &[u32], deliveries: &Deliveries) -> Self {
        let mut numbers_by_name = Self { names: Vec::new(), numbers: vec![NO_POSITION; table.symbols.len()] };
        let senders = entries.iter().map(|row| table.from()[*row as usize]);
        for name in senders.chain(deliveries.list.iter().map(|delivery| delivery.recipient)) {
            let number = &mut numbers_by_name.numbers[name.index()];
            if *number == NO_POSITION && !name.is_none() {
                *number = 0;
                numbers_by_name.names.push(name);
            }
        }
        numbers_by_name.names.sort_by(|a, b| table.text(*a).cmp(table.text(*b)));
        for (name, number) in numbers_by_name.names.iter().zip(0..) {
            numbers_by_name.numbers[name.index()] = number;
        }
        numbers_by_name
    }

    fn number(&self, name: Symbol) -> u32 {
        self.numbers[name.index()]
    }
}

#[cfg(test)]
mod tests;
