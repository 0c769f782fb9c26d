//! Subjects: what a message without any id takes up, by what it is about.

use huddle_scan::{Symbol, Symbols, Table};

use crate::history::NO_POSITION;

/// What mail programs put before the subject of an answer, in lower case.
const PREFIXES: [&str; 5] = ["re:", "aw:", "sv:", "fwd:", "fw:"];

/// Finds for each entry the one that its subject takes up, or [`NO_POSITION`].
///
/// Only an answer by its subject (`Re: X`) that names neither a conversation nor an original takes anything up: the latest
/// earlier entry about X.
pub(super) fn continues(table: &Table, entries: &[u32]) -> Vec<u32> {
    let mut found = vec![NO_POSITION; entries.len()];
    let mut topics = Topics::wanted(table, entries);
    if topics.names.is_empty() {
        return found;
    }
    let mut latest = vec![NO_POSITION; topics.names.len()];
    for (position, row) in entries.iter().enumerate() {
        let topic = topics.of(table, table.subject()[*row as usize]);
        if topic.is_none() {
            continue;
        }
        if is_answer(table, *row) {
            found[position] = latest[topic.index()];
        }
        latest[topic.index()] = position as u32;
    }
    found
}

/// The subjects that answers take up, in lower case and without what mail programs put before them.
struct Topics {
    names: Symbols,
    /// What was found for each subject, so that each is looked at once.
    known: Vec<Option<Symbol>>,
    buffer: String,
}

impl Topics {
    fn wanted(table: &Table, entries: &[u32]) -> Self {
        let mut topics = Self { names: Symbols::default(), known: Vec::new(), buffer: String::new() };
        for row in entries.iter().filter(|row| is_answer(table, **row)) {
            topics.spell(table.text(table.subject()[*row as usize]));
            topics.names.intern(&topics.buffer);
        }
        if !topics.names.is_empty() {
            topics.known = vec![None; table.symbols.len()];
        }
        topics
    }

    /// Returns the topic of a subject; none when no answer takes it up.
    fn of(&mut self, table: &Table, subject: Symbol) -> Symbol {
        if let Some(topic) = self.known[subject.index()] {
            return topic;
        }
        self.spell(table.text(subject));
        let topic = self.names.find(&self.buffer).unwrap_or_default();
        self.known[subject.index()] = Some(topic);
        topic
    }

    fn spell(&mut self, subject: &str) {
        let mut topic = subject.trim();
        while let Some(rest) = without_prefix(topic) {
            topic = rest;
        }
        self.buffer.clear();
        self.buffer.push_str(topic);
        if topic.is_ascii() {
            self.buffer.make_ascii_lowercase();
        } else {
            self.buffer = topic.to_lowercase();
        }
    }
}

/// Returns whether a row answers by its subject alone.
fn is_answer(table: &Table, row: u32) -> bool {
    let place = row as usize;
    let (thread, original, subject) = (table.thread()[place], table.reply_to()[place], table.subject()[place]);
    thread.is_none() && original.is_none() && without_prefix(table.text(subject).trim()).is_some()
}

fn without_prefix(subject: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| {
        let (start, rest) = subject.split_at_checked(prefix.len())?;
        start.eq_ignore_ascii_case(prefix).then_some(rest.trim_start())
    })
}
