//! What follows from a history: conversations, deliveries, what crossed, and in which state each entry is.

use std::io;

use super::query::State;
use super::record::ByteSource;
use super::{Ack, Crossed, Deliveries, DeliverySummary, History, Threads, crossed};
use crate::bus::decision_in;
use crate::model::{MessageType, Timestamp};

/// State derived from a history as of a time.
#[derive(Debug, Default)]
pub struct Derived {
    /// The conversations.
    pub threads: Threads,
    /// How far every copy has come.
    pub deliveries: Deliveries,
    /// The messages that crossed.
    pub crossed: Vec<Crossed>,
    /// Whether each entry crossed another.
    is_crossed: Vec<bool>,
}

impl Derived {
    /// Creates the state of entries before anything is derived.
    pub fn empty(entries: usize) -> Self {
        let (threads, deliveries) = (Threads::alone(entries), Deliveries::none(entries));
        Self { threads, deliveries, crossed: Vec::new(), is_crossed: vec![false; entries] }
    }

    /// Returns whether state was derived, or created as empty for some entries.
    pub fn is_computed(&self) -> bool {
        !self.is_crossed.is_empty()
    }

    /// Derives all; acknowledgments that name a decision instead of a message are read for it.
    pub fn of(history: &History, now: Timestamp, from: &mut dyn ByteSource) -> io::Result<Self> {
        let History { table, entries, copies, .. } = history;
        let threads = Threads::of(table, entries);
        let acks = decision_acks(history, from)?;
        let deliveries = Deliveries::trace(table, entries, copies, &threads, &acks, now.micros());
        let crossed = crossed(table, entries, &threads, &deliveries);
        let mut is_crossed = vec![false; entries.len()];
        for Crossed { earlier, later } in &crossed {
            is_crossed[*earlier as usize] = true;
            is_crossed[*later as usize] = true;
        }
        Ok(Self { threads, deliveries, crossed, is_crossed })
    }

    /// Returns whether the entry at a position is in a state that follows from others.
    pub fn is(&self, position: u32, state: State) -> bool {
        let summary = || self.deliveries.summary(position);
        match state {
            State::Unread => summary().is_some_and(|summary| summary.unread),
            State::Unanswered => summary().is_some_and(|summary| summary.unanswered),
            State::Overdue => summary().is_some_and(|summary| summary.overdue),
            State::Crossed => self.is_crossed[position as usize],
            State::Damaged => false,
        }
    }

    /// Counts the entries that are in each state that follows from others.
    pub fn counts(&self) -> Vec<(State, usize)> {
        let mut counts = [State::Unread, State::Unanswered, State::Overdue, State::Crossed].map(|state| (state, 0));
        for (position, crossed) in (0..).zip(&self.is_crossed) {
            let summary = self.deliveries.summary(position);
            let is = |so: fn(&DeliverySummary) -> bool| summary.as_ref().is_some_and(so);
            let states = [is(|it| it.unread), is(|it| it.unanswered), is(|it| it.overdue), *crossed];
            counts.iter_mut().zip(states).for_each(|((_, count), so)| *count += usize::from(so));
        }
        counts.to_vec()
    }
}

/// Finds acknowledgments of decisions: agents on shell scripts name the decision, not the message that announced it.
fn decision_acks(history: &History, from: &mut dyn ByteSource) -> io::Result<Vec<Ack>> {
    let table = &history.table;
    let Some(kind) = table.symbols.find(MessageType::ACKNOWLEDGMENT) else { return Ok(Vec::new()) };
    let is_ack = |row: u32| table.kind()[row as usize] == kind;
    let mut mail: Vec<u32> = history.mailbox_rows.iter().map(|mailed| mailed.entry).collect();
    mail.sort();
    mail.dedup();
    let named = mail.iter().filter(|row| is_ack(**row) && table.reply_to()[**row as usize].is_none());
    let mut acks = Vec::new();
    for row in named {
        if let Some(decision) = decision(history, *row, from)? {
            acks.push((*row, decision));
        }
    }
    if acks.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in mail.into_iter().filter(|row| !is_ack(*row)) {
        let Some(decision) = decision(history, entry, from)? else { continue };
        let announced = table.row(entry);
        for (ack, _) in acks.iter().filter(|(_, acked)| *acked == decision) {
            let ack = table.row(*ack);
            let to_sender = table.text(ack.to).split(", ").any(|name| name == table.text(announced.from));
            if to_sender && ack.time >= announced.time {
                found.push(Ack { entry, recipient: ack.from, time: ack.time });
            }
        }
    }
    Ok(found)
}

/// Reads the id of the decision that a message is about.
fn decision(history: &History, row: u32, from: &mut dyn ByteSource) -> io::Result<Option<String>> {
    let fields = history.record(row, from)?;
    let body = fields.get("payload").or_else(|| fields.get("event_data"));
    Ok(body.and_then(decision_in))
}
