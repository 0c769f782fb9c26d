//! Loading: files in, as chunks of bytes in any sizes; a history out.
//!
//! The caller lists all files first (what one is depends on what lies beside it), then gives the bytes of those that
//! are wanted, one file after the other. Nothing here waits or reads: the command brings files, the page brings blobs.

mod bundle;
mod mail;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use huddle_scan::{
    ByteAccounting, Damage, Field, Fields, LogReader, NO_TIME, ScannedRecord, Sink, Table, document, scan_object,
};

use super::source::{MailboxFolder, Role, Root, role_of, roots_of};
use super::state_files::StateFiles;
use super::timeline::WorkInterval;
use super::{History, SourceFile, intern_recipients};
use crate::model::{Diagnostic, Severity, Timestamp};

/// The progress of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes read so far.
    pub bytes: u64,
    /// Bytes to read.
    pub total: u64,
    /// Records found so far.
    pub rows: u64,
}

/// Builds a history from files.
#[derive(Debug, Default)]
pub struct Loader {
    files: Vec<SourceFile>,
    roots: Vec<Root>,
    rows: RowSink,
    state_files: StateFiles,
    findings: Vec<Diagnostic>,
    mail: mail::MailboxLoader,
    open: Option<OpenFile>,
    progress: Progress,
}

/// The file that is being read.
#[derive(Debug)]
struct OpenFile {
    file: u32,
    role: Role,
    reader: LogReader,
    /// The bytes of a file that is taken as a whole.
    buffer: Vec<u8>,
    /// Whether there is room for all rows of the file, as far as one can tell.
    is_reserved: bool,
}

impl OpenFile {
    /// Detects a file's role from its first line.
    fn detect_role(&mut self, found: &mut RowSink) {
        self.role = detect_role(&self.buffer);
        if self.role == Role::Log {
            self.reader.feed(&std::mem::take(&mut self.buffer), found);
        }
    }

    /// Reserves capacity for the rows of a log that are still to come: columns that grow are moved again and again.
    fn reserve_rows(&mut self, size: u64, table: &mut Table) {
        if self.is_reserved {
            return;
        }
        let account = self.reader.account();
        let (taken, rows) = (account.total(), account.records);
        if taken >= SAMPLE_BYTES {
            self.is_reserved = true;
            let coming = size.saturating_sub(taken).saturating_mul(rows) / taken;
            table.reserve((coming + coming / 64).min(MAX_RESERVED_ROWS) as usize);
        }
    }
}

/// Collects records as rows, and the files bundled in a log.
#[derive(Debug, Default)]
struct RowSink {
    table: Table,
    /// Whether the file at hand is taken as a whole: only logs carry others.
    is_document: bool,
    bundled: Vec<bundle::BundledFile>,
    format: &'static str,
    /// How many records of the file were asked for its format.
    sampled: usize,
}

/// Bytes of a log after which its row length is estimated.
const SAMPLE_BYTES: u64 = 1 << 16;
/// The maximum number of rows to reserve at once.
const MAX_RESERVED_ROWS: u64 = 1 << 21;

/// Records that are sampled to detect a file's format.
const FORMAT_SAMPLE: usize = 16;
/// What a log is whose records do not tell.
const RECORDS: &str = "records";

impl Sink for RowSink {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        if !self.is_document
            && found.fields.has(Field::File)
            && let Some(bundled) = bundle::bundled_file(found)
        {
            self.bundled.push(bundled);
            return;
        }
        if (self.format.is_empty() || self.format == RECORDS) && self.sampled < FORMAT_SAMPLE {
            self.format = format_of(found);
            self.sampled += 1;
        }
        self.table.record(found);
    }

    fn damage(&mut self, damage: Damage) {
        self.table.damage(damage);
    }

    fn flush(&mut self) {
        self.table.flush();
    }
}

/// Describes what kind of log a record comes from.
fn format_of(found: &ScannedRecord<'_>) -> &'static str {
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
        for (path, size, explicit) in list {
            let (role, root) = role_of(&path, &loader.roots, explicit);
            if role.is_read() {
                loader.progress.total += size;
            }
            loader.files.push(SourceFile { path, size, role, root, explicit, ..SourceFile::default() });
        }
        loader
    }

    /// Returns the files, in the order in which they were listed.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns how far loading is.
    pub fn progress(&self) -> Progress {
        Progress { rows: self.rows.table.len() as u64, ..self.progress }
    }

    /// Takes the next bytes of a file. A file's bytes come in order, and no other file's between them.
    pub fn feed(&mut self, file: u32, chunk: &[u8]) {
        self.progress.bytes += chunk.len() as u64;
        if self.open.as_ref().is_none_or(|open| open.file != file) {
            self.end();
            let role = self.files[file as usize].role.clone();
            self.open =
                Some(OpenFile { file, role, reader: LogReader::new(file), buffer: Vec::new(), is_reserved: false });
        }
        let Some(open) = &mut self.open else { return };
        match open.role {
            Role::Log => {
                open.reader.feed(chunk, &mut self.rows);
                open.reserve_rows(self.files[file as usize].size, &mut self.rows.table);
            }
            _ => open.buffer.extend_from_slice(chunk),
        }
        // However the bytes come, the first line tells, and all of it has to be there.
        if open.role == Role::Unsure && chunk.contains(&b'\n') && text(&open.buffer).contains(&b'\n') {
            open.detect_role(&mut self.rows);
        }
    }

    /// Passes over a file that cannot be read, or not to its end; what was read of it stays, and that there is more is told.
    pub fn mark_incomplete(&mut self, file: u32) {
        self.end();
        let source = &mut self.files[file as usize];
        if source.account.total() == 0 {
            source.role = Role::Ignored("it could not be read");
            return;
        }
        self.findings.push(Diagnostic {
            severity: Severity::Error,
            code: "cut-short",
            place: source.path.clone(),
            message: format!("only the first {} bytes could be read; what comes after them is missing", source.size),
            hint: "open it again when it can be read".to_owned(),
        });
    }

    /// Returns how many bytes of the file that came last are held because it is parsed as a whole.
    pub fn buffered(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.buffer.len())
    }

    /// Omits the file whose bytes came last, without parsing what is held of it.
    pub fn discard(&mut self, file: u32, why: &'static str) {
        self.open = None;
        self.files[file as usize].role = Role::Ignored(why);
    }

    /// Ends the file whose bytes came last.
    pub fn end(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        if open.role == Role::Unsure {
            open.detect_role(&mut self.rows);
        }
        let file = open.file;
        let account = match open.role {
            Role::Log => open.reader.end(&mut self.rows),
            ref role => self.load_document(file, role, &open.buffer),
        };
        let source = &mut self.files[file as usize];
        source.account.add(&account);
        source.size = account.total();
        self.rows.sampled = 0;
        source.format = match (std::mem::take(&mut self.rows.format), &source.role) {
            ("", role) => name_of(role),
            (format, Role::Log | Role::Records | Role::Unsure) => format,
            // Where a file lies says more than what its records look like.
            (_, role) => name_of(role),
        };
        bundle::unpack(self, file);
    }

    /// Takes a whole file.
    fn load_document(&mut self, file: u32, role: &Role, bytes: &[u8]) -> ByteAccounting {
        let first = self.rows.table.len() as u32;
        let path = self.files[file as usize].path.clone();
        match role {
            Role::Records | Role::Mail(_) | Role::TeamInbox(_) => {
                self.rows.is_document = true;
                let account = document(file, bytes, &mut self.rows);
                self.rows.is_document = false;
                match role {
                    Role::Records if !self.files[file as usize].explicit => {
                        return self.keep_if_records(file, first, account);
                    }
                    Role::Mail(place) => self.mail.add_messages(&mut self.rows.table, first, &path, place),
                    Role::TeamInbox(agent) => self.mail.add_team_inbox(&mut self.rows.table, first, agent),
                    _ => {}
                }
                account
            }
            Role::Marker(marker) => self.mail.add_marker(&path, *marker, bytes),
            Role::Offered(agent) => self.mail.add_offered(&mut self.rows.table, agent, bytes),
            _ => {
                let root = self.files[file as usize].root;
                let findings = self.state_files.load((file, root), &path, role, &self.roots, bytes);
                let unusable = findings.iter().any(|finding| finding.code == "damaged-file");
                self.findings.extend(findings);
                let length = bytes.len() as u64;
                let (parsed, quarantined) = if unusable { (0, length) } else { (length, 0) };
                ByteAccounting { parsed, quarantined, damages: u64::from(unusable), ..ByteAccounting::default() }
            }
        }
    }

    /// Passes over a document that nobody asked for by name and that has no records in it: projects are full of those.
    fn keep_if_records(&mut self, file: u32, first: u32, account: ByteAccounting) -> ByteAccounting {
        let table = &mut self.rows.table;
        let is_record =
            |row: usize| table.time()[row] != NO_TIME || !(table.from()[row].is_none() || table.to()[row].is_none());
        if (first as usize..table.len()).any(is_record) {
            return account;
        }
        table.truncate(first);
        table.damages.retain(|damage| damage.file != file);
        self.files[file as usize].role = Role::Ignored("it is JSON, and no record of what happened");
        (self.rows.format, self.rows.sampled) = ("", 0);
        ByteAccounting { separators: account.total(), ..ByteAccounting::default() }
    }

    /// Ends loading.
    pub fn finish(mut self) -> History {
        self.end();
        let mut table = self.rows.table;
        let resolved = self.mail.resolve(&mut table);
        intern_recipients(&mut table);
        let work_intervals = work_intervals(&self.state_files, &mut table);
        let entries = table.in_order();
        let file_by_path: BTreeMap<String, u32> =
            BTreeMap::from_iter(self.files.iter().enumerate().map(|(number, file)| (file.path.clone(), number as u32)));
        History {
            table,
            files: self.files,
            roots: self.roots,
            state_files: self.state_files,
            work_intervals,
            entries,
            copies: resolved.copies,
            mailbox_rows: resolved.mailbox_rows,
            file_by_path,
            findings: self.findings.into_iter().chain(resolved.findings).collect(),
        }
    }
}

/// Lists when agents of sessions were at work, as their coordination files say.
fn work_intervals(state_files: &StateFiles, table: &mut Table) -> Vec<WorkInterval> {
    let micros = |at: Option<Timestamp>| at.map_or(NO_TIME, Timestamp::micros);
    let members = state_files.sessions.iter().flat_map(|state_file| &state_file.value.members);
    let mut work_intervals = Vec::new();
    for member in members {
        let (agent, state) = (table.symbols.intern(member.name.as_str()), table.symbols.intern(member.status.as_str()));
        work_intervals.push(WorkInterval {
            agent,
            start: micros(member.started_at),
            end: micros(member.completed_at),
            state,
        });
    }
    work_intervals
}

/// Distinguishes a log from a document by its first bytes.
fn detect_role(chunk: &[u8]) -> Role {
    let start = text(chunk);
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_line = scan_object(line, &mut Fields::default()).is_ok();
    if start.starts_with(b"[") || (start.starts_with(b"{") && !is_line && line.len() < start.len()) {
        Role::Records
    } else {
        Role::Log
    }
}

/// Returns bytes without what may stand before a text and means nothing.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Names what a file is for people, where its records did not tell.
fn name_of(role: &Role) -> &'static str {
    match role {
        Role::Log | Role::Records | Role::Unsure => "nothing yet",
        Role::Mail(MailboxFolder::Record) => "mailbox record",
        Role::Mail(_) => "mailbox message",
        Role::Marker(_) | Role::Offered(_) => "delivery notes",
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
