//! Tables for tests, from lines that say who said what to whom.

use huddle_scan::{Flags, NO_TIME, Row, Symbol, Table};

use super::{CopyLocation, MailCopy, intern_recipients};

/// A table, its entries in the order of the lines, and copies.
pub(super) struct Fixture {
    pub(super) table: Table,
    pub(super) entries: Vec<u32>,
    pub(super) copies: Vec<MailCopy>,
}

impl Fixture {
    /// Reads lines such as `10:00:00 ann>bob,cat id=m1 re=m0 thread=t kind=task due=11:00:00 needs subject=all the rest`.
    /// A time of `-` is none. Other words are `read`, `read=TIME`, `severity=`, `delivered`, `all` and `event`.
    pub(super) fn new(lines: &[&str]) -> Self {
        let mut table = Table::default();
        let entries = lines.iter().map(|line| push(&mut table, line)).collect();
        intern_recipients(&mut table);
        Self { table, entries, copies: Vec::new() }
    }

    /// Adds copies by lines such as `m1 bob inbox offered=10:00:01 seen=10:00:02 dead=10:00:03 again=2`.
    pub(super) fn with_copies(mut self, lines: &[&str]) -> Self {
        self.copies.extend(lines.iter().map(|line| copy(&mut self.table, line)));
        self.copies.sort_by_key(|copy| (copy.entry, copy.recipient));
        self
    }

    /// Returns the id of the entry at a position.
    pub(super) fn id(&self, position: u32) -> &str {
        self.table.text(self.table.id()[self.entries[position as usize] as usize])
    }
}

/// Reads a time of the first day, in microseconds.
pub(super) fn at(time: &str) -> i64 {
    let seconds = time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap());
    seconds * 1_000_000
}

fn push(table: &mut Table, line: &str) -> u32 {
    let (line, subject) = line.split_once(" subject=").unwrap_or((line, ""));
    let mut words = line.split(' ');
    let time = words.next().unwrap();
    let (from, to) = words.next().unwrap().split_once('>').unwrap();
    let mut name = |text: &str| table.symbols.intern(text);
    let mut row = Row { from: name(from), to: name(&to.replace(',', ", ")), subject: name(subject), ..Row::default() };
    row.time = if time == "-" { NO_TIME } else { at(time) };
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("id", id) => row.id = name(id),
            ("re", id) => row.reply_to = name(id),
            ("thread", id) => row.thread = name(id),
            ("kind", kind) => row.kind = name(kind),
            ("severity", severity) => row.severity = name(severity),
            ("due", time) => row.due = at(time),
            ("needs", _) => row.flags.insert(Flags::NEEDS_ANSWER),
            ("read", "") => row.flags.insert(Flags::READ),
            ("read", time) => row.read_at = at(time),
            ("delivered", _) => row.flags.insert(Flags::DELIVERED),
            ("all", _) => row.flags.insert(Flags::BROADCAST),
            ("event", _) => row.flags.insert(Flags::EVENT),
            _ => panic!("no such word: {word}"),
        }
    }
    table.push(row)
}

fn copy(table: &mut Table, line: &str) -> MailCopy {
    let mut words = line.split(' ');
    let id = table.symbols.find(words.next().unwrap()).unwrap();
    let entry = table.id().iter().position(|known| *known == id).unwrap() as u32;
    let recipient: Symbol = table.symbols.intern(words.next().unwrap());
    let place = match words.next().unwrap() {
        "inbox" => CopyLocation::Inbox,
        "archive" => CopyLocation::Archive,
        "dead" => CopyLocation::DeadLetters,
        _ => CopyLocation::Nowhere,
    };
    let mut copy = MailCopy::new(entry, recipient, place);
    for word in words {
        match word.split_once('=').unwrap() {
            ("offered", time) => copy.offered_at = at(time),
            ("seen", time) => copy.seen_at = at(time),
            ("dead", time) => copy.dead_at = at(time),
            ("again", count) => copy.redelivered = count.parse().unwrap(),
            _ => panic!("no such word: {word}"),
        }
    }
    copy
}
