//! Loading: files in, as chunks of bytes in any sizes; a history out.
//!
//! The caller lists all files first (what one is depends on what lies beside it), then gives the bytes of those that
//! are wanted, one file after the other. Nothing here waits or reads: the command brings files, the page brings blobs.

mod bundle;
mod mail;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use huddle_scan::{Account, Damage, Field, Fields, Found, LogReader, NO_TIME, Sink, Table, document, scan_object};

use super::papers::Papers;
use super::source::{MailPlace, Role, Root, role_of, roots_of};
use super::timeline::Work;
use super::{History, SourceFile, intern_recipients};
use crate::model::{Finding, Severity, Timestamp};

/// How far loading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// How many bytes were taken.
    pub bytes: u64,
    /// How many there are to take.
    pub total: u64,
    /// How many records were found.
    pub rows: u64,
}

/// Takes files and makes a history of them.
#[derive(Debug, Default)]
pub struct Loader {
    files: Vec<SourceFile>,
    roots: Vec<Root>,
    found: Rows,
    papers: Papers,
    findings: Vec<Finding>,
    mail: mail::Mail,
    open: Option<Open>,
    progress: Progress,
}

/// The file whose bytes are coming.
#[derive(Debug)]
struct Open {
    file: u32,
    role: Role,
    reader: LogReader,
    /// The bytes of a file that is taken as a whole.
    whole: Vec<u8>,
    /// Whether there is room for all rows of the file, as far as one can tell.
    has_room: bool,
}

impl Open {
    /// Settles what a file is of which the first line is there.
    fn settle(&mut self, found: &mut Rows) {
        self.role = guess(&self.whole);
        if self.role == Role::Log {
            self.reader.feed(&std::mem::take(&mut self.whole), found);
        }
    }

    /// Makes room for the rows of a log that are still to come: columns that grow are moved again and again.
    fn make_room(&mut self, size: u64, table: &mut Table) {
        if self.has_room {
            return;
        }
        let account = self.reader.account();
        let (taken, rows) = (account.total(), account.records);
        if taken >= TELLING {
            self.has_room = true;
            let coming = size.saturating_sub(taken).saturating_mul(rows) / taken;
            table.reserve((coming + coming / 64).min(MOST_ROWS) as usize);
        }
    }
}

/// Where records go: columns, and beside them the files that a log carries along.
#[derive(Debug, Default)]
struct Rows {
    table: Table,
    /// Says whether the file at hand is taken as a whole: only logs carry others.
    is_whole: bool,
    carried: Vec<bundle::Carried>,
    format: &'static str,
    /// How many records of the file were asked for its format.
    asked: usize,
}

/// How many bytes of a log tell how long its rows are.
const TELLING: u64 = 1 << 16;
/// For how many rows room is made at once: nobody knows what a log goes on with.
const MOST_ROWS: u64 = 1 << 21;

/// How many records of a file are asked for its format: a log may begin with some that are not like the others.
const ASKED: usize = 16;
/// What a log is whose records do not tell.
const RECORDS: &str = "records";

impl Sink for Rows {
    fn record(&mut self, found: &Found<'_>) {
        if !self.is_whole
            && found.fields.has(Field::File)
            && let Some(carried) = bundle::carried(found)
        {
            self.carried.push(carried);
            return;
        }
        if (self.format.is_empty() || self.format == RECORDS) && self.asked < ASKED {
            self.format = format_of(found);
            self.asked += 1;
        }
        self.table.record(found);
    }

    fn damage(&mut self, damage: Damage) {
        self.table.damage(damage);
    }

    fn settle(&mut self) {
        self.table.settle();
    }
}

/// Says what kind of log a record comes from.
fn format_of(found: &Found<'_>) -> &'static str {
    let has = |field| found.fields.has(field);
    let spells = |key: &str| found.record.windows(key.len()).any(|part| part == key.as_bytes());
    if has(Field::Sidechain) {
        "Claude Code transcript"
    } else if has(Field::Protocol) && spells("\"agent_communication\"") {
        "decisions log"
    } else if spells("\"message_id\"") || spells("\"event_type\"") {
        "mailbox messages"
    } else if spells("\"createdAt\"") {
        "documents"
    } else if ["\"timestamp\"", "\"from\"", "\"type\""].into_iter().all(spells) {
        "session log"
    } else if has(Field::Time) && (has(Field::From) || has(Field::Text)) {
        "plain log"
    } else {
        RECORDS
    }
}

impl Loader {
    /// Takes the list of files: paths with `/`, sizes, and whether the file itself was asked for by name.
    pub fn new(list: Vec<(String, u64, bool)>) -> Self {
        let roots = roots_of(list.iter().map(|(path, ..)| path.as_str()));
        let mut loader = Self { roots, ..Self::default() };
        for (path, size, named) in list {
            let (role, root) = role_of(&path, &loader.roots, named);
            if role.is_read() {
                loader.progress.total += size;
            }
            loader.files.push(SourceFile { path, size, role, root, named, ..SourceFile::default() });
        }
        loader
    }

    /// Gives the files, in the order in which they were listed.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Tells how far loading is.
    pub fn progress(&self) -> Progress {
        Progress { rows: self.found.table.len() as u64, ..self.progress }
    }

    /// Takes the next bytes of a file. A file's bytes come in order, and no other file's between them.
    pub fn feed(&mut self, file: u32, chunk: &[u8]) {
        self.progress.bytes += chunk.len() as u64;
        if self.open.as_ref().is_none_or(|open| open.file != file) {
            self.end();
            let role = self.files[file as usize].role.clone();
            self.open = Some(Open { file, role, reader: LogReader::new(file), whole: Vec::new(), has_room: false });
        }
        let Some(open) = &mut self.open else { return };
        match open.role {
            Role::Log => {
                open.reader.feed(chunk, &mut self.found);
                open.make_room(self.files[file as usize].size, &mut self.found.table);
            }
            _ => open.whole.extend_from_slice(chunk),
        }
        // However the bytes come, the first line tells, and all of it has to be there.
        if open.role == Role::Unsure && chunk.contains(&b'\n') && text(&open.whole).contains(&b'\n') {
            open.settle(&mut self.found);
        }
    }

    /// Passes over a file that cannot be read, or not to its end; what was read of it stays, and that there is more is told.
    pub fn pass_over(&mut self, file: u32) {
        self.end();
        let source = &mut self.files[file as usize];
        if source.account.total() == 0 {
            source.role = Role::Ignored("it could not be read");
            return;
        }
        self.findings.push(Finding {
            severity: Severity::Error,
            code: "cut-short",
            place: source.path.clone(),
            message: format!("only the first {} bytes could be read; what comes after them is missing", source.size),
            hint: "open it again when it can be read".to_owned(),
        });
    }

    /// Returns how many bytes of the file that came last are held because it is parsed as a whole.
    pub fn buffered(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.whole.len())
    }

    /// Leaves out the file whose bytes came last, without parsing what is held of it.
    pub fn leave_out(&mut self, file: u32, why: &'static str) {
        self.open = None;
        self.files[file as usize].role = Role::Ignored(why);
    }

    /// Ends the file whose bytes came last.
    pub fn end(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        if open.role == Role::Unsure {
            open.settle(&mut self.found);
        }
        let file = open.file;
        let account = match open.role {
            Role::Log => open.reader.end(&mut self.found),
            ref role => self.take_whole(file, role, &open.whole),
        };
        let source = &mut self.files[file as usize];
        source.account.add(&account);
        source.size = account.total();
        self.found.asked = 0;
        source.format = match (std::mem::take(&mut self.found.format), &source.role) {
            ("", role) => name_of(role),
            (format, Role::Log | Role::Records | Role::Unsure) => format,
            // Where a file lies says more than what its records look like.
            (_, role) => name_of(role),
        };
        bundle::unpack(self, file);
    }

    /// Takes a whole file.
    fn take_whole(&mut self, file: u32, role: &Role, bytes: &[u8]) -> Account {
        let first = self.found.table.len() as u32;
        let path = self.files[file as usize].path.clone();
        match role {
            Role::Records | Role::Mail(_) | Role::TeamInbox(_) => {
                self.found.is_whole = true;
                let account = document(file, bytes, &mut self.found);
                self.found.is_whole = false;
                match role {
                    Role::Records if !self.files[file as usize].named => {
                        return self.only_records(file, first, account);
                    }
                    Role::Mail(place) => self.mail.take(&mut self.found.table, first, &path, place),
                    Role::TeamInbox(agent) => self.mail.take_team_inbox(&mut self.found.table, first, agent),
                    _ => {}
                }
                account
            }
            Role::Mark(mark) => self.mail.take_mark(&path, *mark, bytes),
            Role::Offered(agent) => self.mail.take_offered(&mut self.found.table, agent, bytes),
            _ => {
                let root = self.files[file as usize].root;
                let findings = self.papers.take((file, root), &path, role, &self.roots, bytes);
                let unusable = findings.iter().any(|finding| finding.code == "damaged-file");
                self.findings.extend(findings);
                let length = bytes.len() as u64;
                let (parsed, quarantined) = if unusable { (0, length) } else { (length, 0) };
                Account { parsed, quarantined, damages: u64::from(unusable), ..Account::default() }
            }
        }
    }

    /// Passes over a document that nobody asked for by name and that has no records in it: projects are full of those.
    fn only_records(&mut self, file: u32, first: u32, account: Account) -> Account {
        let table = &mut self.found.table;
        let is_record =
            |row: usize| table.time()[row] != NO_TIME || !(table.from()[row].is_none() || table.to()[row].is_none());
        if (first as usize..table.len()).any(is_record) {
            return account;
        }
        table.truncate(first);
        table.damages.retain(|damage| damage.file != file);
        self.files[file as usize].role = Role::Ignored("it is JSON, and no record of what happened");
        (self.found.format, self.found.asked) = ("", 0);
        Account { between: account.total(), ..Account::default() }
    }

    /// Ends loading.
    pub fn finish(mut self) -> History {
        self.end();
        let mut table = self.found.table;
        let settled = self.mail.settle(&mut table);
        intern_recipients(&mut table);
        let works = works(&self.papers, &mut table);
        let entries = table.in_order();
        let present: BTreeMap<String, u32> =
            BTreeMap::from_iter(self.files.iter().enumerate().map(|(number, file)| (file.path.clone(), number as u32)));
        History {
            table,
            files: self.files,
            roots: self.roots,
            papers: self.papers,
            works,
            entries,
            copies: settled.copies,
            mailed: settled.mailed,
            present,
            findings: self.findings.into_iter().chain(settled.findings).collect(),
        }
    }
}

/// Lists when agents of sessions were at work, as their coordination files say.
fn works(papers: &Papers, table: &mut Table) -> Vec<Work> {
    let micros = |at: Option<Timestamp>| at.map_or(NO_TIME, Timestamp::micros);
    let members = papers.sessions.iter().flat_map(|paper| &paper.says.members);
    let mut works = Vec::new();
    for member in members {
        let (agent, state) = (table.symbols.intern(member.name.as_str()), table.symbols.intern(member.status.as_str()));
        works.push(Work { agent, start: micros(member.started_at), end: micros(member.completed_at), state });
    }
    works
}

/// Tells a log from a document by its first bytes.
fn guess(chunk: &[u8]) -> Role {
    let start = text(chunk);
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_line = scan_object(line, &mut Fields::default()).is_ok();
    if start.starts_with(b"[") || (start.starts_with(b"{") && !is_line && line.len() < start.len()) {
        Role::Records
    } else {
        Role::Log
    }
}

/// Gives bytes without what may stand before a text and means nothing.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Names what a file is for people, where its records did not tell.
fn name_of(role: &Role) -> &'static str {
    match role {
        Role::Log | Role::Records | Role::Unsure => "nothing yet",
        Role::Mail(MailPlace::Record) => "mailbox record",
        Role::Mail(_) => "mailbox message",
        Role::Mark(_) | Role::Offered(_) => "delivery notes",
        Role::Registry => "directory of agents",
        Role::Handoff => "handoff",
        Role::Context => "shared context",
        Role::Coordination => "coordination",
        Role::Report(_) => "report",
        Role::SharedState => "shared state",
        Role::TeamInbox(_) => "Claude teams inbox",
        Role::Artifact => "artifact",
        Role::Known(what) | Role::Ignored(what) => what,
    }
}
