//! The redo log: one file per transaction.
//!
//! A change's contents are written and synced as `{tx}.0`, `{tx}.1`, …; then its entry `{tx}.json` appears by a rename,
//! and the directory is synced. From that instant the change is made: whoever sees the entry carries it out. Every step
//! may be repeated by anyone: a link that is there is done, and a move whose source is gone is done. When all steps are
//! done, contents and entry are removed. What has no entry was never committed and is swept away after a minute.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::entry::{JournalEntry, RedoOp};
use super::lease::{PART, part_words};
use super::{Journal, QUARANTINE, WORK};
use crate::bus::ids;
use crate::engine::fs::{FileSystem, parent};
use crate::engine::{Error, Lease, Result};
use crate::host::{self, Host};
use crate::model::{Diagnostic, Severity, Span, Timestamp};

/// The age from which other processes execute an entry. A live process has finished long before.
pub(crate) const ORPHAN_AFTER: Span = Span::from_millis(500);
/// The age from which files without an entry are removed: their process is dead.
const STALE_TEMP_AFTER: Span = Span::from_seconds(60);
/// A transaction that took longer is retried, well before [`STALE_TEMP_AFTER`].
const COMMIT_WITHIN: Span = Span::from_seconds(30);
/// An entry that is still there after so long was tried by others and failed.
const STUCK_AFTER: Span = Span::from_seconds(60);
/// How many quarantined files are kept: the newest.
const MAX_QUARANTINED: usize = 256;
/// How many bytes those may have together.
const MAX_QUARANTINED_BYTES: u64 = 16 * 1024 * 1024;
/// The ending of what was set aside because somebody asked for it.
const SET_ASIDE: &str = ".aside";

/// A transaction that is being written: contents first, then the entry.
pub(crate) struct PendingTransaction<'d, F, H> {
    journal: &'d Journal<F, H>,
    pub(crate) entry: JournalEntry,
}

impl<F: FileSystem, H: Host> PendingTransaction<'_, F, H> {
    /// Writes a content, and returns the path to link or move it from.
    pub(crate) fn content(&mut self, bytes: &[u8]) -> Result<String> {
        let path = content_path(&self.entry.tx, self.entry.contents);
        self.journal.write_new(&path, bytes)?;
        self.entry.contents += 1;
        Ok(path)
    }

    /// Writes a content that gets one lasting name.
    pub(crate) fn link_new(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(RedoOp::Link { from, to });
        Ok(())
    }

    /// Writes a content that replaces what is at `to`.
    pub(crate) fn replace(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(RedoOp::Move { from, to });
        Ok(())
    }

    /// Commits: the change is made from here on, and the entry has yet to be carried out.
    ///
    /// The change depends on `leases`. When one of them was lost, or when others may have taken the contents for
    /// abandoned, nothing is committed, and the error is [`Error::Fenced`]. No pause of this process at any point can make
    /// it commit on top of what it has not read: see [`Journal::fence_off`] and [`Journal::sweep`].
    pub(crate) fn commit(self, leases: &[Lease]) -> Result<JournalEntry> {
        let part = self.journal.part_path(&self.entry.tx, leases);
        let written =
            self.journal.ensure_origin().and_then(|()| self.journal.write_new(&part, self.entry.encode().as_bytes()));
        let committed = written.and_then(|()| {
            leases.iter().try_for_each(|lease| self.journal.ensure_held(lease))?;
            self.journal.ensure_young(&self.entry.tx)?;
            self.journal.rename_own(&part, &entry_path(&self.entry.tx))
        });
        if let Err(error) = committed {
            // A failed rename may have happened all the same. What is left is swept away by others, if it is not removed now.
            if matches!(self.journal.is_pending(&self.entry), Ok(false)) {
                drop(self.journal.remove(&part));
                drop(self.journal.remove_contents(&self.entry));
            }
            return Err(error);
        }
        self.journal.sync_dir(WORK)?;
        Ok(self.entry)
    }

    /// Commits and executes. If this is interrupted, the next process continues.
    pub(crate) fn commit_and_redo(self, leases: &[Lease]) -> Result<()> {
        let journal = self.journal;
        let entry = self.commit(leases)?;
        journal.redo(&entry)?;
        drop(journal.remove_entry(&entry));
        Ok(())
    }

    /// Removes the contents of a transaction that is not committed.
    pub(crate) fn discard(self) -> Result<()> {
        self.journal.remove_contents(&self.entry)
    }
}

impl<F: FileSystem, H: Host> Journal<F, H> {
    /// Begins a transaction.
    pub(crate) fn begin(&self) -> PendingTransaction<'_, F, H> {
        PendingTransaction { journal: self, entry: JournalEntry { tx: self.new_tx(), ..JournalEntry::default() } }
    }

    /// Returns a new path for a file that is written and then linked or moved.
    pub(crate) fn scratch_path(&self, ending: &str) -> String {
        format!("{WORK}/{}.{ending}", self.new_tx())
    }

    /// Creates a transaction id that sorts by time and contains it.
    pub(crate) fn new_tx(&self) -> String {
        host::new_uuid(&self.host).simple().to_string()
    }

    /// Returns the path of what is written under leases until it is committed by a rename.
    pub(crate) fn part_path(&self, tx: &str, leases: &[Lease]) -> String {
        format!("{WORK}/{tx}{}{PART}", part_words(leases))
    }

    /// Fails when the contents of a transaction are so old that others may be about to sweep them away.
    fn ensure_young(&self, tx: &str) -> Result<()> {
        let is_young = self.age(tx) < COMMIT_WITHIN;
        if is_young { Ok(()) } else { Err(Error::Fenced { what: entry_path(tx) }.into()) }
    }

    /// Returns how far from now a name of the work directory was made. A clock that was set back must not make an entry
    /// wait for years, so any distance counts.
    pub(super) fn age(&self, tx: &str) -> Span {
        let now = self.host.now();
        written_at(tx).map_or(STALE_TEMP_AFTER, |at| now.since(at).max(at.since(now)))
    }

    /// Returns the entries that killed processes left to be carried out, and removes what never became one.
    ///
    /// Entries that no transaction wrote are quarantined. Nothing in the work directory makes this fail but the directory
    /// itself.
    pub(crate) fn orphaned_entries(&self) -> Result<Vec<JournalEntry>> {
        let names = self.file_names()?;
        let has_origin = if names.is_empty() { Ok(true) } else { self.has_origin() };
        let (mut entries, mut stale) = (Vec::new(), BTreeSet::new());
        for name in &names {
            let (tx, ending) = name.split_once('.').unwrap_or((name, ""));
            let age = self.age(tx);
            if ending == "json" {
                if age >= ORPHAN_AFTER {
                    match (self.load_entry(&entry_path(tx)), &has_origin) {
                        (LoadedEntry::Valid(entry), Ok(true)) => entries.push(entry),
                        (LoadedEntry::Valid(_), Ok(false)) | (LoadedEntry::Invalid(_), _) => {
                            self.quarantine(tx, &names);
                        }
                        // What cannot be looked at now may be a change that was confirmed.
                        (LoadedEntry::Valid(_), Err(_)) | (LoadedEntry::Unreadable(_) | LoadedEntry::Absent, _) => {}
                    }
                }
            } else if age >= STALE_TEMP_AFTER && !names.contains(&format!("{tx}.json")) {
                stale.insert(tx);
            }
        }
        if !stale.is_empty() {
            // Listed anew, because this process may have been suspended since: see `sweep`.
            let names = self.file_names()?;
            stale.iter().for_each(|tx| self.sweep(tx, &names));
        }
        Ok(entries)
    }

    fn file_names(&self) -> Result<BTreeSet<String>> {
        Ok(BTreeSet::from_iter(self.list(WORK)?.into_iter().map(|entry| entry.name)))
    }

    /// Removes what a transaction wrote that was never committed; the names were listed when it was known to be stale.
    ///
    /// Its process may be suspended rather than dead. Whoever is about to commit has written its part while the
    /// transaction was young, so the part is in the list unless it was renamed, and is taken away first: then the commit
    /// fails, or it came first and nothing is removed.
    fn sweep(&self, tx: &str, names: &BTreeSet<String>) {
        if !matches!(self.has_entry(tx), Ok(false)) {
            return;
        }
        let (parts, others): (Vec<&String>, Vec<&String>) =
            names.iter().filter(|name| name.split('.').next() == Some(tx)).partition(|name| name.ends_with(PART));
        let swept = format!("{WORK}/{tx}.swept");
        for part in parts {
            if !self.rename(&format!("{WORK}/{part}"), &swept).unwrap_or(false) {
                return;
            }
        }
        for path in others.into_iter().map(|name| format!("{WORK}/{name}")).chain([swept]) {
            // A directory, or what another has removed already: neither is in the way.
            drop(self.remove(&path));
        }
    }

    /// Moves an invalid entry and its contents to the quarantine, where it is not executed.
    pub(super) fn quarantine(&self, tx: &str, names: &BTreeSet<String>) {
        for name in names.iter().filter(|name| name.split('.').next() == Some(tx)) {
            // What cannot be moved, as on a read-only disk, stays and is reported; it is never carried out.
            drop(self.rename(&format!("{WORK}/{name}"), &format!("{QUARANTINE}/{name}")));
        }
        self.trim_quarantine();
    }

    /// Removes the oldest quarantined files beyond the number and the bytes that are kept. Names sort by time, and the
    /// newest stays, however large.
    fn trim_quarantine(&self) {
        let mut bytes = 0_u64;
        for (newer, file) in self.list(QUARANTINE).unwrap_or_default().iter().rev().enumerate() {
            let path = format!("{QUARANTINE}/{}", file.name);
            // What people had set aside takes no more room than it did before.
            let counts = !file.name.ends_with(SET_ASIDE);
            if counts {
                bytes = bytes.saturating_add(self.size(&path).ok().flatten().unwrap_or_default());
            }
            let is_over = counts && newer > 0 && bytes > MAX_QUARANTINED_BYTES;
            if newer >= MAX_QUARANTINED || is_over {
                drop(self.remove(&path));
            }
        }
    }

    /// Moves what nobody can read to the quarantine, and returns where it is there; `None` when it is gone.
    pub(crate) fn quarantine_file(&self, path: &str) -> Result<Option<String>> {
        const MAX_NAME: usize = 100;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let name: Vec<char> = path.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let name: String = name[name.len().saturating_sub(MAX_NAME)..].iter().collect();
        // Not an entry's name: what was set aside needs nobody's attention any more.
        let to = format!("{QUARANTINE}/{}.{name}{SET_ASIDE}", self.new_tx());
        let is_moved = self.rename(path, &to)?;
        self.trim_quarantine();
        Ok(is_moved.then_some(to))
    }

    /// Returns every entry that is not executed yet, regardless of age. The caller's own is not read again.
    ///
    /// Whoever asks is about to build on what these entries did, so one that cannot be read now is an error. One that
    /// is not for us to read stops nobody.
    pub(crate) fn pending_entries(&self, own: Option<&JournalEntry>) -> Result<Vec<JournalEntry>> {
        self.ensure_origin()?;
        let mut entries = Vec::new();
        for file in self.list(WORK)?.into_iter().filter(|file| file.name.ends_with(".json")) {
            let path = format!("{WORK}/{}", file.name);
            match own.filter(|own| entry_path(&own.tx) == path) {
                Some(own) => entries.push(own.clone()),
                None => match self.load_entry(&path) {
                    LoadedEntry::Valid(entry) => entries.push(entry),
                    LoadedEntry::Unreadable(error) if !is_denied(&error) => return Err(error),
                    LoadedEntry::Unreadable(_) | LoadedEntry::Invalid(_) | LoadedEntry::Absent => {}
                },
            }
        }
        Ok(entries)
    }

    /// Takes the steps of committed changes to one scope, however young: who was given its lease must find what the last
    /// holder committed, even if that one died a moment ago and nobody has helped it yet.
    ///
    /// What those changes could not do elsewhere, as in an inbox that cannot be written, concerns others.
    pub(crate) fn redo_pending(&self, scope: &str) -> Result<()> {
        let concerns = |entry: &&JournalEntry| entry.steps.iter().any(|step| step.scope() == scope);
        for entry in self.pending_entries(None)?.iter().filter(concerns) {
            match self.redo(entry).map_err(|error| *error) {
                Err(Error::Incomplete { scopes, .. }) if !scopes.iter().any(|failed| failed == scope) => {}
                applied => drop(applied?),
            }
        }
        Ok(())
    }

    /// Returns whether an entry is not executed yet.
    pub(crate) fn is_pending(&self, entry: &JournalEntry) -> Result<bool> {
        self.has_entry(&entry.tx)
    }

    /// Returns whether the entry of a transaction is not executed yet.
    pub(crate) fn has_entry(&self, tx: &str) -> Result<bool> {
        self.exists(&entry_path(tx))
    }

    /// Reads an entry; `None` when it is done and gone, or not one that a transaction wrote.
    pub(crate) fn read_entry(&self, path: &str) -> Option<JournalEntry> {
        match self.load_entry(path) {
            LoadedEntry::Valid(entry) => Some(entry),
            LoadedEntry::Invalid(_) | LoadedEntry::Unreadable(_) | LoadedEntry::Absent => None,
        }
    }

    /// Reads an entry, or says why it is none.
    pub(crate) fn load_entry(&self, path: &str) -> LoadedEntry {
        match self.read_document(path) {
            Ok(Some(bytes)) => self.parse_entry(path, &bytes),
            Ok(None) => LoadedEntry::Absent,
            Err(error) if is_irregular(&error) => LoadedEntry::Invalid(error.to_string()),
            Err(error) => LoadedEntry::Unreadable(error),
        }
    }

    /// Parses what was read at the path of an entry.
    pub(crate) fn parse_entry(&self, path: &str, bytes: &[u8]) -> LoadedEntry {
        let Some(entry) = JournalEntry::decode(bytes) else {
            return LoadedEntry::Invalid("it is not a journal entry".to_owned());
        };
        let is_named_so = entry_path(&entry.tx) == path || entry.key.as_ref().is_some_and(|key| key.path == path);
        let misnamed = (!is_named_so).then(|| format!("it is the entry of transaction {:?}", entry.tx));
        match misnamed.or_else(|| entry.fault(self.rules)) {
            Some(fault) => LoadedEntry::Invalid(fault),
            None => LoadedEntry::Valid(entry),
        }
    }

    /// Executes an entry and removes it.
    pub(crate) fn redo_and_remove(&self, entry: &JournalEntry) -> Result<()> {
        self.redo(entry)?;
        self.remove_entry(entry)
    }

    /// Executes the operations of an entry. If another entry had its key first, returns that one and executes nothing.
    ///
    /// A step that fails keeps those from being taken that belong to the same thing, and no others: one inbox that cannot
    /// be written does not keep a message from the other recipients. The error is [`Error::Incomplete`] then.
    pub(crate) fn redo(&self, entry: &JournalEntry) -> Result<Option<JournalEntry>> {
        if let Some(key) = &entry.key {
            self.link(&entry_path(&entry.tx), &key.path)?;
            // The key of an earlier change may be away for a moment: a removal took it for one that it meant.
            self.restore_taken(&key.path);
            self.sync_dir(parent(&key.path))?;
            if let Some(first) = self.read_entry(&key.path).filter(|first| first.tx != entry.tx) {
                return Ok(Some(first));
            }
        }
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        for step in &entry.steps {
            if failed.iter().any(|(scope, _)| *scope == step.scope()) {
                continue;
            }
            match self.redo_op(entry, step) {
                Ok(()) => done.push(step),
                Err(error) => failed.push((step.scope(), error)),
            }
        }
        self.sync_touched(&done)?;
        if failed.is_empty() { Ok(None) } else { Err(incomplete(&failed)) }
    }

    fn redo_op(&self, entry: &JournalEntry, step: &RedoOp) -> Result<()> {
        match step {
            RedoOp::Dir { path } => self.create_dir(path),
            RedoOp::Link { from, to } => self.link(from, to).map(drop),
            RedoOp::Move { from, to } if entry.owns(from) => self.move_file(from, to),
            RedoOp::Move { from, to } => self.relocate(from, to),
            RedoOp::Remove { path, fingerprint } => {
                let removed = self.remove_if_unchanged(path, fingerprint);
                self.tidy_removals(parent(path));
                removed
            }
            RedoOp::Append { path, line, mark } => self.append_once(path, line, mark),
        }
    }

    /// Moves a file, also when a power cut has left it under both names: a rename between names of one file does nothing.
    fn move_file(&self, from: &str, to: &str) -> Result<()> {
        if self.rename(from, to)? && self.exists(from)? {
            self.remove(from)?;
        }
        Ok(())
    }

    /// Moves a file that others see, and that they can have moved back by the time that a suspended process goes on.
    fn relocate(&self, from: &str, to: &str) -> Result<()> {
        if !from.ends_with(".json") {
            // A marker that a removal has taken by mistake belongs to the message that is moved.
            self.restore_taken(from);
        }
        if self.rename(from, to)? && self.exists(from)? && self.exists(to)? {
            // Both names of one file, as above; removed by a name that nobody else can have given to another file.
            let twin = self.scratch_path("twin");
            if self.rename(from, &twin)? {
                if !self.exists(to)? {
                    return self.rename(&twin, from).map(drop);
                }
                self.remove(&twin)?;
            }
        }
        Ok(())
    }

    /// Returns the step that removes a file as it is now; none when it is not there, or not a file.
    pub(crate) fn removal(&self, path: String) -> Option<RedoOp> {
        let bytes = self.read(&path).ok().flatten()?;
        Some(RedoOp::Remove { fingerprint: ids::fingerprint(&[bytes]), path })
    }

    /// Adds a line to a log unless the mark is in it.
    fn append_once(&self, path: &str, line: &str, mark: &str) -> Result<()> {
        let log = self.read(path)?.unwrap_or_default();
        let there = log.windows(mark.len()).any(|window| window == mark.as_bytes());
        if there { Ok(()) } else { self.append(path, line) }
    }

    /// Syncs the directories that steps have touched: first those that gained a name, so that none is lost in between.
    fn sync_touched(&self, steps: &[&RedoOp]) -> Result<()> {
        let (mut gained, mut lost) = (BTreeSet::new(), BTreeSet::new());
        for step in steps {
            match step {
                RedoOp::Dir { .. } | RedoOp::Append { .. } => {}
                RedoOp::Link { to, .. } => drop(gained.insert(parent(to))),
                RedoOp::Move { from, to } => {
                    gained.insert(parent(to));
                    lost.insert(parent(from));
                }
                RedoOp::Remove { path, .. } => drop(lost.insert(parent(path))),
            }
        }
        let lost = lost.iter().filter(|dir| !gained.contains(*dir) && **dir != WORK);
        gained.iter().chain(lost).try_for_each(|dir| self.sync_dir(dir))
    }

    /// Removes what an entry needed, then the entry: never the other way round, or contents would be left.
    pub(crate) fn remove_entry(&self, entry: &JournalEntry) -> Result<()> {
        self.remove_contents(entry)?;
        self.remove(&entry_path(&entry.tx))?;
        // A power cut must not bring back an entry whose steps would undo what came after it; links undo nothing.
        let undoes = entry.steps.iter().any(|step| matches!(step, RedoOp::Move { .. } | RedoOp::Remove { .. }));
        if undoes { self.sync_dir(WORK) } else { Ok(()) }
    }

    fn remove_contents(&self, entry: &JournalEntry) -> Result<()> {
        (0..entry.contents).try_for_each(|number| self.remove(&content_path(&entry.tx, number)))
    }

    /// Reports entries that are not executed: invalid ones, and those that fail.
    pub(crate) fn stuck_entries(&self) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let quarantined = self.list_or_report(QUARANTINE, &mut findings);
        for file in quarantined.into_iter().filter(|file| file.name.ends_with(".json")) {
            findings.push(Diagnostic {
                severity: Severity::Error,
                code: "quarantined-change",
                place: format!("{QUARANTINE}/{}", file.name),
                message: "the journal had an entry that no transaction here writes; it was not carried out".into(),
                hint: "find out where the files came from, then remove them".into(),
            });
        }
        let waiting = self.list_or_report(WORK, &mut findings);
        for file in waiting.into_iter().filter(|file| file.name.ends_with(".json")) {
            let path = format!("{WORK}/{}", file.name);
            let (code, message) = match self.load_entry(&path) {
                LoadedEntry::Absent => continue,
                LoadedEntry::Invalid(fault) => {
                    ("damaged-change", format!("a committed change cannot be read: {fault}"))
                }
                LoadedEntry::Unreadable(error) => {
                    ("damaged-change", format!("a committed change cannot be read: {error}"))
                }
                LoadedEntry::Valid(entry) if self.age(&entry.tx) < ORPHAN_AFTER => continue,
                LoadedEntry::Valid(entry) => match self.redo(&entry) {
                    Err(error) => ("stuck-change", format!("a committed change could not be completed: {error}")),
                    Ok(_) if self.age(&entry.tx) < STUCK_AFTER => continue,
                    Ok(_) => ("stuck-change", "a committed change could not be completed".to_owned()),
                },
            };
            let hint = "remove the cause: every command tries it again".into();
            findings.push(Diagnostic { severity: Severity::Error, code, place: path, message, hint });
        }
        findings.extend(self.foreign_leases());
        findings
    }
}

/// The result of loading an entry file.
pub(crate) enum LoadedEntry {
    Valid(JournalEntry),
    /// No transaction of ours wrote it, or it was damaged; and what is wrong with it.
    Invalid(String),
    /// It may be a change that was confirmed, and cannot be read now.
    Unreadable(Box<Error>),
    Absent,
}

/// Returns whether a file could not be read for what it is, now and ever.
fn is_irregular(error: &Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, InvalidData, IsADirectory, NotADirectory};
    let kind =
        |source: &std::io::Error| matches!(source.kind(), FileTooLarge | InvalidData | IsADirectory | NotADirectory);
    matches!(error, Error::Io { source, .. } if kind(source))
}

fn is_denied(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::PermissionDenied)
}

fn incomplete(failed: &[(&str, Box<Error>)]) -> Box<Error> {
    let scopes = failed.iter().map(|(scope, _)| (*scope).to_owned()).collect();
    let faults: Vec<String> = failed.iter().map(|(_, error)| error.to_string()).collect();
    Error::Incomplete { scopes, fault: faults.join("; ") }.into()
}

fn entry_path(tx: &str) -> String {
    format!("{WORK}/{tx}.json")
}

pub(super) fn content_path(tx: &str, number: usize) -> String {
    format!("{WORK}/{tx}.{number}")
}

/// Reads the time that a name in the work directory carries.
fn written_at(tx: &str) -> Option<Timestamp> {
    let (seconds, nanos) = Uuid::try_parse(tx).ok()?.get_timestamp()?.to_unix();
    Some(Timestamp::from_micros(i64::try_from(seconds).ok()? * 1_000_000 + i64::from(nanos / 1000)))
}
