//! Loading: files in, as chunks of bytes in any sizes; a history out.
//!
//! The caller lists all files first (what one is depends on what lies beside it), then gives the bytes of those that
//! are wanted, one file after the other. Nothing here waits or reads: the command brings files, the page brings blobs.

mod bundle;
mod detect;
mod mail;
mod row_sink;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use huddle_scan::{ByteAccounting, LogReader, NO_TIME, Table, document};

use super::source::{Role, Root, role_of, roots_of};
use super::state_files::StateFiles;
use super::timeline::WorkInterval;
use super::{History, SourceFile, intern_recipients};
use crate::model::{Diagnostic, Severity, Timestamp};
use detect::{detect_role, name_of, text};
use row_sink::RowSink;

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
    /// How many bytes were passed over because they are no records.
    passed_over: u64,
    /// Whether there is room for all rows of the file, as far as one can tell.
    is_reserved: bool,
}

impl OpenFile {
    /// Detects a file's role from its first line.
    fn detect_role(&mut self, found: &mut RowSink) {
        self.role = detect_role(&self.buffer);
        match self.role {
            Role::Log => self.reader.feed(&std::mem::take(&mut self.buffer), found),
            Role::Ignored(_) => self.passed_over = std::mem::take(&mut self.buffer).len() as u64,
            _ => {}
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

/// Bytes of a log after which its row length is estimated.
const SAMPLE_BYTES: u64 = 1 << 16;
/// The maximum number of rows to reserve at once.
const MAX_RESERVED_ROWS: u64 = 1 << 21;

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
            self.rows.transcripts.begin_file(&self.files[file as usize].path);
            let role = self.files[file as usize].role.clone();
            self.open = Some(OpenFile {
                file,
                role,
                reader: LogReader::new(file),
                buffer: Vec::new(),
                passed_over: 0,
                is_reserved: false,
            });
        }
        let Some(open) = &mut self.open else { return };
        match open.role {
            Role::Log => {
                open.reader.feed(chunk, &mut self.rows);
                open.reserve_rows(self.files[file as usize].size, &mut self.rows.table);
            }
            Role::Ignored(_) => open.passed_over += chunk.len() as u64,
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
            remedy: "open it again when it can be read".into(),
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
            Role::Ignored(why) => {
                self.files[file as usize].role = Role::Ignored(why);
                ByteAccounting { separators: open.passed_over, ..ByteAccounting::default() }
            }
            ref role => self.load_document(file, role, &open.buffer),
        };
        let source = &mut self.files[file as usize];
        source.account.add(&account);
        source.account.records += std::mem::take(&mut self.rows.nested);
        source.size = account.total();
        self.rows.sampled = 0;
        if let Some(format) = self.rows.transcripts.format() {
            self.rows.format = format.name();
        }
        self.rows.transcripts.begin_file("");
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
            Role::Records | Role::Mail(_) | Role::TeamInbox(_) | Role::TeamTask(_) => {
                self.rows.is_document = true;
                let account = document(file, bytes, &mut self.rows);
                self.rows.is_document = false;
                match role {
                    Role::Records if !self.files[file as usize].explicit => {
                        return self.keep_if_records(file, first, account);
                    }
                    Role::Mail(place) => self.mail.add_messages(&mut self.rows.table, first, &path, place),
                    Role::TeamInbox(agent) => {
                        let team = self.files[file as usize].root.map_or("", |root| self.roots[root].name());
                        self.mail.add_team_inbox(&mut self.rows.table, first, agent, team, bytes);
                    }
                    Role::TeamTask(team) => self.mail.add_team_task(&mut self.rows.table, first, team, bytes),
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
        if self.rows.transcripts.format().is_some() || (first as usize..table.len()).any(is_record) {
            return account;
        }
        table.truncate(first);
        self.rows.transcripts.truncate(first);
        self.rows.transcripts.begin_file("");
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
        let transcript = self.rows.transcripts.resolve(&mut table);
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
            transcript,
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
