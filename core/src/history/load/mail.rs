//! Mailboxes: several files are one message, and what lies beside them says how far each copy has come.

use std::collections::{BTreeMap, BTreeSet};

use huddle_scan::{ByteAccounting, Flags, NO_TIME, Symbol, Table};

use crate::engine::files::orphan;
use crate::history::source::{MailboxFolder, MailboxMarker};
use crate::history::{CopyLocation, MailCopy, MailboxRow};
use crate::model::{Diagnostic, Timestamp};
use crate::wire::mailbox::{layout, receipt};

/// Collects the files of mailboxes.
#[derive(Debug, Default)]
pub(super) struct MailboxLoader {
    mailbox_rows: Vec<MailboxFile>,
    markers: BTreeMap<String, MarkerFields>,
    offered: BTreeMap<(Symbol, Symbol), i64>,
}

#[derive(Debug)]
struct MailboxFile {
    row: u32,
    path: String,
    place: MailboxFolder,
}

/// The marker files of a message.
#[derive(Debug, Clone, Default)]
struct MarkerFields {
    /// When it was read; an empty marker does not say.
    read: Option<Option<Timestamp>>,
    redelivered: u32,
    redelivered_at: Option<Timestamp>,
    dead_at: Option<Timestamp>,
    reason: String,
    /// The files that say all this.
    files: Vec<String>,
}

/// The resolved copies of mailboxes.
#[derive(Debug, Default)]
pub(super) struct ResolvedMail {
    pub(super) copies: Vec<MailCopy>,
    pub(super) mailbox_rows: Vec<MailboxRow>,
    pub(super) findings: Vec<Diagnostic>,
}

impl MailboxLoader {
    /// Takes the rows of a message's file.
    pub(super) fn add_messages(&mut self, table: &mut Table, first: u32, path: &str, place: &MailboxFolder) {
        for number in first..table.len() as u32 {
            let mut row = table.row(number);
            if row.id.is_none() {
                // A message without an id has its file's name for one.
                let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".json");
                row.id = table.symbols.intern(name);
            }
            if table.text(row.to) == "ALL" {
                row.flags.insert(Flags::BROADCAST);
            }
            if row.priority.is_none() {
                row.priority = table.symbols.intern("normal");
            }
            if row.subject.is_none() && row.flags.contains(Flags::EVENT) {
                row.subject = row.kind;
            }
            table.set(number, row);
            self.mailbox_rows.push(MailboxFile { row: number, path: path.to_owned(), place: place.clone() });
        }
    }

    /// Takes the rows of a team's inbox: its name says whom they are for.
    pub(super) fn add_team_inbox(&mut self, table: &mut Table, first: u32, agent: &str) {
        let recipient = table.symbols.intern(agent);
        for number in first..table.len() as u32 {
            let mut row = table.row(number);
            if row.to.is_none() {
                row.to = recipient;
            }
            if row.kind.is_none() {
                row.kind = table.symbols.intern("message");
            }
            row.flags.insert(Flags::DELIVERED);
            table.set(number, row);
        }
    }

    /// Takes a note beside a message.
    pub(super) fn add_marker(&mut self, path: &str, marker: MailboxMarker, bytes: &[u8]) -> ByteAccounting {
        let ending = match marker {
            MailboxMarker::Read => layout::READ,
            MailboxMarker::Redelivered => layout::REDELIVERED,
            MailboxMarker::Dead => layout::DEAD,
        };
        let message = path.strip_suffix(ending).unwrap_or(path).to_owned();
        let markers = self.markers.entry(message).or_default();
        markers.files.push(path.to_owned());
        match marker {
            MailboxMarker::Read => markers.read = Some(receipt::decode_read(bytes)),
            MailboxMarker::Redelivered => {
                (markers.redelivered, markers.redelivered_at) = receipt::decode_redelivered(bytes);
            }
            MailboxMarker::Dead => {
                let (reason, at) = receipt::decode_dead(bytes);
                // A note that does not say when gives the beginning of time.
                (markers.reason, markers.dead_at) = (reason, (at != Timestamp::default()).then_some(at));
            }
        }
        ByteAccounting { parsed: bytes.len() as u64, ..ByteAccounting::default() }
    }

    /// Takes the log of what was listed to an agent.
    pub(super) fn add_offered(&mut self, table: &mut Table, agent: &str, bytes: &[u8]) -> ByteAccounting {
        let agent = table.symbols.intern(agent);
        for (id, at) in receipt::decode_offered(bytes, None) {
            self.offered.insert((agent, table.symbols.intern(id.as_str())), at.micros());
        }
        ByteAccounting { parsed: bytes.len() as u64, ..ByteAccounting::default() }
    }

    /// Finds for each message the row that stands for it, and whose copies there are.
    pub(super) fn resolve(mut self, table: &mut Table) -> ResolvedMail {
        // What was written down for all comes first, then what arrived, then what only the sender has.
        self.mailbox_rows.sort_by_key(|found| match found.place {
            MailboxFolder::Record => 0,
            MailboxFolder::Inbox(_) => 1,
            MailboxFolder::Archive(_) => 2,
            MailboxFolder::DeadLetters(_) => 3,
            MailboxFolder::Outbox(_) => 4,
        });
        let mut resolved = ResolvedMail::default();
        let mut representatives = vec![None; table.symbols.len()];
        for found in &self.mailbox_rows {
            let mut row = table.row(found.row);
            let entry = *representatives[row.id.index()].get_or_insert(found.row);
            if entry != found.row {
                row.flags.insert(Flags::COPY);
                table.set(found.row, row);
                name_recipient(table, entry, row.to);
            }
            let copy = self.copy(table, entry, found);
            resolved.mailbox_rows.push(MailboxRow { row: found.row, entry, place: found.place.clone() });
            resolved.copies.extend(copy);
        }
        resolved.findings = self.orphans();
        let copies = &mut resolved.copies;
        // A copy that was logged and also arrived is one that arrived: places are in that order.
        copies.sort_by_key(|copy| (copy.entry, copy.recipient, copy.place));
        copies.dedup_by_key(|copy| (copy.entry, copy.recipient));
        resolved
    }

    fn copy(&self, table: &mut Table, entry: u32, found: &MailboxFile) -> Option<MailCopy> {
        let (agent, place) = match &found.place {
            MailboxFolder::Inbox(agent) => (agent, CopyLocation::Inbox),
            MailboxFolder::Archive(agent) => (agent, CopyLocation::Archive),
            MailboxFolder::DeadLetters(agent) => (agent, CopyLocation::DeadLetters),
            MailboxFolder::Outbox(agent) => (agent, CopyLocation::Nowhere),
            MailboxFolder::Record => return None,
        };
        let recipient = table.symbols.intern(agent);
        let row = table.row(found.row);
        let mut copy = MailCopy::new(entry, recipient, place);
        copy.offered_at = self.offered.get(&(recipient, row.id)).copied().unwrap_or(NO_TIME);
        if let Some(markers) = self.markers.get(&found.path) {
            let micros = |at: Option<Timestamp>| at.map_or(NO_TIME, Timestamp::micros);
            // A marker that does not say when says at least that: the message's own time is the best guess.
            copy.seen_at = markers.read.map_or(NO_TIME, |at| at.map_or(row.time, Timestamp::micros));
            (copy.redelivered, copy.redelivered_at) = (markers.redelivered, micros(markers.redelivered_at));
            (copy.dead_at, copy.reason) = (micros(markers.dead_at), table.symbols.intern(&markers.reason));
        }
        Some(copy)
    }

    /// Finds notes whose message is gone.
    fn orphans(&self) -> Vec<Diagnostic> {
        let paths = BTreeSet::from_iter(self.mailbox_rows.iter().map(|found| found.path.as_str()));
        let orphans = self.markers.iter().filter(|(path, _)| !paths.contains(path.as_str()));
        orphans.flat_map(|(_, markers)| &markers.files).map(|file| orphan(file)).collect()
    }
}

/// Adds a recipient whom only a copy names: copies for several may name one each.
fn name_recipient(table: &mut Table, entry: u32, to: Symbol) {
    let mut row = table.row(entry);
    let (all, more) = (table.text(row.to), table.text(to));
    if row.flags.contains(Flags::BROADCAST)
        || row.flags.contains(Flags::EVENT)
        || all.split(", ").any(|name| name == more)
    {
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
