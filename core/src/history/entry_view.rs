//! A loaded entry with its derived state.

use std::io;

use huddle_scan::Symbol;

use super::record::{self, ByteSource};
use super::snapshot::time;
use super::thread::Thread;
use super::{DeliveryRow, DeliverySummary, Derived, History};
use crate::model::{Json, JsonMap, Timestamp};

/// A loaded entry.
#[derive(Debug, Clone)]
pub struct EntryView {
    /// Its row.
    pub row: u32,
    /// When it was said.
    pub at: Option<Timestamp>,
    /// The sender.
    pub from: String,
    /// The recipients, joined by a comma and a space.
    pub to: String,
    /// Its type.
    pub kind: String,
    /// Its severity.
    pub severity: String,
    /// Its priority.
    pub priority: String,
    /// The conversation that it says it belongs to.
    pub thread: String,
    /// Its id.
    pub id: String,
    /// The id of the message that it answers.
    pub reply_to: String,
    /// What it is about; for what has no subject, what it says in a line.
    pub subject: String,
    /// How many answers lie between it and one that answers nothing.
    pub depth: u32,
    /// Whether it crossed another.
    pub crossed: bool,
    /// How far it has come, all recipients taken together.
    pub summary: Option<DeliverySummary>,
    /// How far it has come with each recipient.
    pub deliveries: Vec<DeliveryRow>,
    /// Where it lies, for people.
    pub place: String,
    /// The record, field by field.
    pub record: JsonMap,
}

/// How long a line stands for an entry without a subject.
const WIDTH: usize = 100;

impl EntryView {
    /// Returns what it says.
    pub fn body(&self) -> Json {
        record::body(&self.record)
    }

    /// Describes in a word or two how far it has come; empty for what is for nobody.
    pub fn delivery(&self) -> String {
        let Some(summary) = self.summary else { return String::new() };
        let more = [
            (summary.overdue, "overdue"),
            (summary.unanswered && !summary.overdue, "unanswered"),
            (self.crossed, "crossed"),
        ];
        let more = more.into_iter().filter(|(so, _)| *so).map(|(_, word)| word);
        std::iter::once(summary.progress.as_str()).chain(more).collect::<Vec<_>>().join(", ")
    }
}

impl History {
    /// Reads the entry at a position.
    pub fn load_entry(&self, derived: &Derived, position: u32, from: &mut dyn ByteSource) -> io::Result<EntryView> {
        let number = self.entries[position as usize];
        let row = self.table.row(number);
        let record = self.record(number, from)?;
        let text = |symbol: Symbol| self.table.text(symbol).to_owned();
        let subject = match self.table.text(row.subject) {
            "" => record::headline(&record, WIDTH),
            subject => subject.to_owned(),
        };
        Ok(EntryView {
            row: number,
            at: time(row.time),
            from: text(row.from),
            to: text(row.to),
            kind: text(row.kind),
            severity: text(row.severity),
            priority: text(row.priority),
            thread: text(row.thread),
            id: text(row.id),
            reply_to: text(row.reply_to),
            subject,
            depth: derived.threads.depth[position as usize],
            crossed: derived.is(position, super::query::State::Crossed),
            summary: derived.deliveries.summary(position),
            deliveries: derived.deliveries.of(position).to_vec(),
            place: self.place(number),
            record,
        })
    }

    /// Names a conversation: by its id, or by where it begins when it has none.
    pub fn thread_name(&self, thread: &Thread) -> String {
        match self.table.text(thread.name) {
            "" => self.place(self.entries[thread.first as usize]),
            name => name.to_owned(),
        }
    }

    /// Lists who wrote in a conversation or was written to by name, in the order they came in.
    pub fn participants(&self, derived: &Derived, thread: &Thread) -> Vec<String> {
        let mut found: Vec<Symbol> = Vec::new();
        let mut names = Vec::new();
        let mut members = derived.threads.members(thread).to_vec();
        members.sort();
        for position in members {
            let row = self.entries[position as usize];
            super::named_recipients(&self.table, row, &mut names);
            for name in std::iter::once(self.table.from()[row as usize]).chain(names.iter().copied()) {
                if !name.is_none() && !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        found.into_iter().map(|name| self.table.text(name).to_owned()).collect()
    }

    /// Finds a conversation by a name that it goes by, or by the id of a message in it. A message that stands alone is a
    /// conversation of one when it is asked for.
    pub fn find_thread(&self, derived: &mut Derived, wanted: &str) -> Option<Thread> {
        let symbol = self.table.symbols.find(wanted).filter(|symbol| !symbol.is_none());
        let by = |column: &[Symbol]| {
            let row = |row: &u32| Some(column[*row as usize]) == symbol;
            symbol.and_then(|_| self.entries.iter().position(row)).map(|found| found as u32)
        };
        match by(self.table.thread()).or_else(|| by(self.table.id())) {
            Some(found) => Some(derived.threads.conversation(&self.table, &self.entries, found)),
            None => derived.threads.threads.iter().find(|thread| self.thread_name(thread) == wanted).copied(),
        }
    }
}
