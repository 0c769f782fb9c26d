//! Mailboxes: several files are one message, and what lies beside them says how far each copy has come.

use std::collections::{BTreeMap, BTreeSet};

use huddle_scan::{Account, Flag, NO_TIME, Symbol, Table};

use crate::engine::files::orphan;
use crate::history::source::{MailPlace, Mark};
use crate::history::{CopyPlace, MailCopy, Mailed};
use crate::model::{Finding, Timestamp};
use crate::wire::mailbox::{layout, receipt};

/// What was found of mailboxes.
#[derive(Debug, Default)]
pub(super) struct Mail {
    mailed: Vec<Found>,
    marks: BTreeMap<String, Marks>,
    offered: BTreeMap<(Symbol, Symbol), i64>,
}

#[derive(Debug)]
struct Found {
    row: u32,
    path: String,
    place: MailPlace,
}

/// What lies beside a message.
#[derive(Debug, Clone, Default)]
struct Marks {
    /// When it was read; an empty marker does not say.
    read: Option<Option<Timestamp>>,
    redelivered: u32,
    redelivered_at: Option<Timestamp>,
    dead_at: Option<Timestamp>,
    reason: String,
    /// The files that say all this.
    files: Vec<String>,
}

/// What mailboxes come to.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) copies: Vec<MailCopy>,
    pub(super) mailed: Vec<Mailed>,
    pub(super) findings: Vec<Finding>,
}

impl Mail {
    /// Takes the rows of a message's file.
    pub(super) fn take(&mut self, table: &mut Table, first: u32, path: &str, place: &MailPlace) {
        for number in first..table.len() as u32 {
            let mut row = table.row(number);
            if row.id.is_none() {
                // A message without an id has its file's name for one.
                let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".json");
                row.id = table.symbols.intern(name);
            }
            if table.text(row.to) == "ALL" {
                row.flags.set(Flag::Broadcast);
            }
            if row.priority.is_none() {
                row.priority = table.symbols.intern("normal");
            }
            if row.subject.is_none() && row.flags.has(Flag::Event) {
                row.subject = row.kind;
            }
            table.set(number, row);
            self.mailed.push(Found { row: number, path: path.to_owned(), place: place.clone() });
        }
    }

    /// Takes the rows of a team's inbox: its name says whom they are for.
    pub(super) fn take_team_inbox(&mut self, table: &mut Table, first: u32, agent: &str) {
        let recipient = table.symbols.intern(agent);
        for number in first..table.len() as u32 {
            let mut row = table.row(number);
            if row.to.is_none() {
                row.to = recipient;
            }
            if row.kind.is_none() {
                row.kind = table.symbols.intern("message");
            }
            row.flags.set(Flag::Delivered);
            table.set(number, row);
        }
    }

    /// Takes a note beside a message.
    pub(super) fn take_mark(&mut self, path: &str, mark: Mark, bytes: &[u8]) -> Account {
        let ending = match mark {
            Mark::Read => layout::READ,
            Mark::Redelivered => layout::REDELIVERED,
            Mark::Dead => layout::DEAD,
        };
        let message = path.strip_suffix(ending).unwrap_or(path).to_owned();
        let marks = self.marks.entry(message).or_default();
        marks.files.push(path.to_owned());
        match mark {
            Mark::Read => marks.read = Some(receipt::decode_read(bytes)),
            Mark::Redelivered => (marks.redelivered, marks.redelivered_at) = receipt::decode_redelivered(bytes),
            Mark::Dead => {
                let (reason, at) = receipt::decode_dead(bytes);
                // A note that does not say when gives the beginning of time.
                (marks.reason, marks.dead_at) = (reason, (at != Timestamp::default()).then_some(at));
            }
        }
        Account { parsed: bytes.len() as u64, ..Account::default() }
    }

    /// Takes the log of what was listed to an agent.
    pub(super) fn take_offered(&mut self, table: &mut Table, agent: &str, bytes: &[u8]) -> Account {
        let agent = table.symbols.intern(agent);
        for (id, at) in receipt::decode_offered(bytes, None) {
            self.offered.insert((agent, table.symbols.intern(id.as_str())), at.micros());
        }
        Account { parsed: bytes.len() as u64, ..Account::default() }
    }

    /// Finds for each message the row that stands for it, and whose copies there are.
    pub(super) fn settle(mut self, table: &mut Table) -> Settled {
        // What was written down for all comes first, then what arrived, then what only the sender has.
        self.mailed.sort_by_key(|found| match found.place {
            MailPlace::Record => 0,
            MailPlace::Inbox(_) => 1,
            MailPlace::Archive(_) => 2,
            MailPlace::DeadLetters(_) => 3,
            MailPlace::Outbox(_) => 4,
        });
        let mut settled = Settled::default();
        let mut standing = vec![None; table.symbols.len()];
        for found in &self.mailed {
            let mut row = table.row(found.row);
            let entry = *standing[row.id.index()].get_or_insert(found.row);
            if entry != found.row {
                row.flags.set(Flag::Copy);
                table.set(found.row, row);
                name_recipient(table, entry, row.to);
            }
            let copy = self.copy(table, entry, found);
            settled.mailed.push(Mailed { row: found.row, entry, place: found.place.clone() });
            settled.copies.extend(copy);
        }
        settled.findings = self.orphans();
        let copies = &mut settled.copies;
        // A copy that was logged and also arrived is one that arrived: places are in that order.
        copies.sort_by_key(|copy| (copy.entry, copy.recipient, copy.place));
        copies.dedup_by_key(|copy| (copy.entry, copy.recipient));
        settled
    }

    fn copy(&self, table: &mut Table, entry: u32, found: &Found) -> Option<MailCopy> {
        let (agent, place) = match &found.place {
            MailPlace::Inbox(agent) => (agent, CopyPlace::Inbox),
            MailPlace::Archive(agent) => (agent, CopyPlace::Archive),
            MailPlace::DeadLetters(agent) => (agent, CopyPlace::DeadLetters),
            MailPlace::Outbox(agent) => (agent, CopyPlace::Nowhere),
            MailPlace::Record => return None,
        };
        let recipient = table.symbols.intern(agent);
        let row = table.row(found.row);
        let mut copy = MailCopy::new(entry, recipient, place);
        copy.offered_at = self.offered.get(&(recipient, row.id)).copied().unwrap_or(NO_TIME);
        if let Some(marks) = self.marks.get(&found.path) {
            let micros = |at: Option<Timestamp>| at.map_or(NO_TIME, Timestamp::micros);
            // A marker that does not say when says at least that: the message's own time is the best guess.
            copy.seen_at = marks.read.map_or(NO_TIME, |at| at.map_or(row.time, Timestamp::micros));
            (copy.redelivered, copy.redelivered_at) = (marks.redelivered, micros(marks.redelivered_at));
            (copy.dead_at, copy.reason) = (micros(marks.dead_at), table.symbols.intern(&marks.reason));
        }
        Some(copy)
    }

    /// Finds notes whose message is gone.
    fn orphans(&self) -> Vec<Finding> {
        let paths = BTreeSet::from_iter(self.mailed.iter().map(|found| found.path.as_str()));
        let orphans = self.marks.iter().filter(|(path, _)| !paths.contains(path.as_str()));
        orphans.flat_map(|(_, marks)| &marks.files).map(|file| orphan(file)).collect()
    }
}

/// Adds a recipient whom only a copy names: copies for several may name one each.
fn name_recipient(table: &mut Table, entry: u32, to: Symbol) {
    let mut row = table.row(entry);
    let (all, more) = (table.text(row.to), table.text(to));
    if row.flags.has(Flag::Broadcast) || row.flags.has(Flag::Event) || all.split(", ").any(|name| name == more) {
        return;
    }
    let mut missing = more.split(", ").filter(|name| !all.split(", ").any(|known| known == *name)).peekable();
    if missing.peek().is_none() {
        return;
    }
    let joined = missing.fold(all.to_owned(), |all, name| format!("{all}, {name}"));
    row.to = table.symbols.intern(&joined);
    table.set(entry, row);
}
