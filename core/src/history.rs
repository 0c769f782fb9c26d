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
pub mod export;
#[cfg(any(test, feature = "suite"))]
pub mod fuzzing;
pub mod load;
pub mod overview;
pub mod papers;
pub mod query;
pub mod recipients;
pub mod record;
pub mod said;
pub mod search;
pub mod source;
pub mod survey;
pub mod thread;
pub mod timeline;

pub use agents::{Agent, Agents, Findings, Silence, Talk};
pub use copies::{CopyPlace, MailCopy};
pub use crossed::{Crossed, crossed};
pub use delivery::{Ack, Deliveries, Delivery, Reach, Summary};
pub use derived::Derived;
pub use load::{Loader, Progress};
pub use overview::Overview;
pub use papers::{Paper, Papers};
pub use recipients::{intern_recipients, is_for_everybody, named_recipients};
pub use said::Said;
pub use source::{MailPlace, Role, Root, RootKind};
pub use thread::{Oddity, Quirk, Thread, Threads};

use std::collections::BTreeMap;

use huddle_scan::{Account, NO_TIME, Symbol, Table};

use crate::model::Finding;

/// A file of a history.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its path, as the caller named it.
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// Whether it was asked for by name, rather than found in a directory.
    pub named: bool,
    /// What it is for.
    pub role: Role,
    /// What it turned out to be, in words.
    pub format: &'static str,
    /// The number of the directory of a protocol that it lies in.
    pub root: Option<usize>,
    /// The file that carries it, when it is none of its own.
    pub within: Option<u32>,
    /// Where its bytes went.
    pub account: Account,
}

impl Default for SourceFile {
    fn default() -> Self {
        let (path, role, account) = (String::new(), Role::Unsure, Account::default());
        Self { path, size: 0, named: false, role, format: "", root: None, within: None, account }
    }
}

/// A row that is a file of a mailbox.
#[derive(Debug, Clone)]
pub struct Mailed {
    /// The row.
    pub row: u32,
    /// The row that stands for the message.
    pub entry: u32,
    /// Where the file lies.
    pub place: MailPlace,
}

/// Everything that agents left behind, as far as it was given.
#[derive(Debug, Default)]
pub struct History {
    /// What was found.
    pub table: Table,
    /// What stands for something that was said or done: row numbers in order of time.
    pub entries: Vec<u32>,
    /// How far messages of mailboxes came, sorted by entry and recipient.
    pub copies: Vec<MailCopy>,
    /// Which rows are files of mailboxes.
    pub mailed: Vec<Mailed>,
    /// The files, wanted or not.
    pub files: Vec<SourceFile>,
    /// The directories of protocols.
    pub roots: Vec<Root>,
    /// What files say that are no records.
    pub papers: Papers,
    /// When agents were at work, as their sessions say.
    pub works: Vec<timeline::Work>,
    /// Every file by its path: for what refers to files.
    pub present: BTreeMap<String, u32>,
    /// What was found wrong while loading.
    pub findings: Vec<Finding>,
}

impl History {
    /// Says of each row whether it is a file of a mailbox.
    fn is_mailed(&self) -> Vec<bool> {
        let mut mailed = vec![false; self.table.len()];
        self.mailed.iter().for_each(|mail| mailed[mail.row as usize] = true);
        mailed
    }

    /// Tells where all bytes of all files went.
    pub fn account(&self) -> Account {
        let mut account = Account::default();
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

/// Gives the earlier of two times, either of which may be missing.
const fn earliest(a: i64, b: i64) -> i64 {
    if a == NO_TIME || (b != NO_TIME && b < a) { b } else { a }
}

#[cfg(test)]
mod fixture;
