//! History: everything that agents left behind, read back as one model.
//!
//! Rows of a [`Table`] are what was found; *entries* are the rows that stand for something that was said or done, once
//! each, in order of time (a mailbox keeps several copies of one message: one of them is the entry). All that is shown
//! is a pure function of the table, the entries, the copies and the papers; the text of a row stays in its file and
//! is read when it is asked for.
//!
//! What comes in names a message by its row number, which never changes; what is derived names it by its *position* among
//! the entries, from which the row number is one look away.

pub mod agents;
pub mod check;
pub mod copies;
pub mod crossed;
pub mod delivery;
pub mod derived;
pub mod entry_view;
pub mod export;
#[cfg(any(test, feature = "suite"))]
pub mod fuzzing;
pub mod load;
pub mod overview;
pub mod query;
pub mod recipients;
pub mod record;
pub mod search;
pub mod snapshot;
pub mod source;
pub mod state_files;
pub mod thread;
pub mod timeline;

pub use agents::{Agent, Agents, MessageEdge, SeverityCounts, Silence};
pub use copies::{CopyLocation, MailCopy};
pub use crossed::{Crossed, crossed};
pub use delivery::{Ack, Deliveries, DeliveryProgress, DeliveryRow, DeliverySummary};
pub use derived::Derived;
pub use entry_view::EntryView;
pub use load::{Loader, Progress};
pub use overview::Overview;
pub use recipients::{intern_recipients, is_for_everybody, named_recipients};
pub use source::{MailboxFolder, Role, Root, RootKind};
pub use state_files::{StateFile, StateFiles};
pub use thread::{AnomalyKind, Thread, ThreadAnomaly, Threads};

use std::collections::BTreeMap;

use huddle_scan::{ByteAccounting, NO_TIME, Symbol, Table};

use crate::model::Diagnostic;

/// A file of a history.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its path, as the caller named it.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// Whether the caller named the file, rather than its directory.
    pub explicit: bool,
    /// What it is for.
    pub role: Role,
    /// What it turned out to be, in words.
    pub format: &'static str,
    /// The number of the directory of a protocol that it lies in.
    pub root: Option<usize>,
    /// The file that carries it, when it is none of its own.
    pub container: Option<u32>,
    /// The accounting of its bytes.
    pub account: ByteAccounting,
}

impl Default for SourceFile {
    fn default() -> Self {
        let (path, role, account) = (String::new(), Role::Unsure, ByteAccounting::default());
        Self { path, size: 0, explicit: false, role, format: "", root: None, container: None, account }
    }
}

/// A row that is a file of a mailbox.
#[derive(Debug, Clone)]
pub struct MailboxRow {
    /// The row.
    pub row: u32,
    /// The row that stands for the message.
    pub entry: u32,
    /// The folder of the file.
    pub place: MailboxFolder,
}

/// The loaded history of a project.
#[derive(Debug, Default)]
pub struct History {
    /// What was found.
    pub table: Table,
    /// What stands for something that was said or done: row numbers in order of time.
    pub entries: Vec<u32>,
    /// How far messages of mailboxes came, sorted by entry and recipient.
    pub copies: Vec<MailCopy>,
    /// Which rows are files of mailboxes.
    pub mailbox_rows: Vec<MailboxRow>,
    /// The files, wanted or not.
    pub files: Vec<SourceFile>,
    /// The directories of protocols.
    pub roots: Vec<Root>,
    /// The parsed state files.
    pub state_files: StateFiles,
    /// The work intervals of sessions.
    pub work_intervals: Vec<timeline::WorkInterval>,
    /// Every file by its path: for what refers to files.
    pub file_by_path: BTreeMap<String, u32>,
    /// Diagnostics of loading.
    pub findings: Vec<Diagnostic>,
}

impl History {
    /// Returns for each row whether it is a file of a mailbox.
    fn mailbox_row_mask(&self) -> Vec<bool> {
        let mut mailed = vec![false; self.table.len()];
        self.mailbox_rows.iter().for_each(|mail| mailed[mail.row as usize] = true);
        mailed
    }

    /// Returns where all bytes of all files went.
    pub fn account(&self) -> ByteAccounting {
        let mut account = ByteAccounting::default();
        self.files.iter().for_each(|file| account.add(&file.account));
        account
    }
}

/// The position of what is nowhere among the entries.
pub const NO_POSITION: u32 = u32::MAX;

/// Finds the first entry with each id; [`NO_POSITION`] where a symbol is nobody's id.
fn positions_by_id(ids: &mut dyn Iterator<Item = Symbol>, symbols: usize) -> Vec<u32> {
    let mut positions = vec![NO_POSITION; symbols];
    for (position, id) in ids.enumerate().filter(|(_, id)| !id.is_none()) {
        let first = &mut positions[id.index()];
        *first = (*first).min(position as u32);
    }
    positions
}

/// Returns the earlier of two times, either of which may be missing.
const fn earliest(a: i64, b: i64) -> i64 {
    if a == NO_TIME || (b != NO_TIME && b < a) { b } else { a }
}

#[cfg(test)]
mod fixture;
