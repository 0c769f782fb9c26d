//! The work directory: a redo log of one file a change.
//!
//! A change's contents are written and synced as `{tx}.0`, `{tx}.1`, …; then its entry `{tx}.json` appears by a rename,
//! and the directory is synced. From that instant the change is made: whoever sees the entry carries it out. Every step
//! may be repeated by anyone: a link that is there is done, and a move whose source is gone is done. When all steps are
//! done, contents and entry are removed. What has no entry was never committed and is swept away after a minute.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::entry::{Entry, Step};
use super::lease::{PART, part_words};
use super::{Disk, QUARANTINE, WORK};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::{FileSystem, parent};
use crate::engine::{Error, Lease, Result};
use crate::model::{Finding, Severity, Span, Timestamp};

/// A live process is done with its entry long before that; helping it would be wasted work, though harmless.
const HELP_AFTER: Span = Span::from_millis(500);
/// What was written for an entry that never came belongs to a process that is gone.
const STALE_TEMP_AFTER: Span = Span::from_seconds(60);
/// A transaction that took longer is begun anew: well before others take its contents for abandoned.
const COMMIT_WITHIN: Span = Span::from_seconds(30);
/// An entry that is still there after so long was tried by others and failed.
const STUCK_AFTER: Span = Span::from_seconds(60);
/// How many quarantined files are kept: the newest.
const MAX_QUARANTINED: usize = 256;
/// How many bytes those may have together.
const MAX_QUARANTINED_BYTES: u64 = 16 * 1024 * 1024;
/// The ending of what was set aside because somebody asked for it.
const SET_ASIDE: &str = ".aside";

/// A change being written: contents first, then the entry.
pub(crate) struct Draft<'d, F, H> {
    disk: &'d Disk<F, H>,
    pub(crate) entry: Entry,
}

impl<F: FileSystem, H: Host> Draft<'_, F, H> {
    /// Writes a content, and gives the path to link or move it from.
    pub(crate) fn content(&mut self, bytes: &[u8]) -> Result<String> {
        let path = content_path(&self.entry.tx, self.entry.contents);
        self.disk.write_new(&path, bytes)?;
        self.entry.contents += 1;
        Ok(path)
    }

    /// Writes a content that gets one lasting name.
    pub(crate) fn link_new(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(Step::Link { from, to });
        Ok(())
    }

    /// Writes a content that replaces what is at `to`.
    pub(crate) fn replace(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(Step::Move { from, to });
        Ok(())
    }

    /// Commits: the change is made from here on, and the entry has yet to be carried out.
    ///
    /// The change depends on `leases`. When one of them was lost, or when others may have taken the contents for
    /// abandoned, nothing is committed, and the error is [`Error::Fenced`]. No pause of this process at any point can make
    /// it commit on top of what it has not read: see [`Disk::fence_off`] and [`Disk::sweep`].
    pub(crate) fn commit(self, leases: &[Lease]) -> Result<Entry> {
        let part = self.disk.part_path(&self.entry.tx, leases);
        let written =
            self.disk.ensure_origin().and_then(|()| self.disk.write_new(&part, self.entry.encode().as_bytes()));
        let committed = written.and_then(|()| {
            leases.iter().try_for_each(|lease| self.disk.still_held(lease))?;
            self.disk.ensure_young(&self.entry.tx)?;
            self.disk.rename_own(&part, &entry_path(&self.entry.tx))
        });
        if let Err(error) = committed {
            // A failed rename may have happened all the same. What is left is swept away by others, if it is not removed now.
            if matches!(self.disk.is_waiting(&self.entry), Ok(false)) {
                drop(self.disk.remove(&part));
                drop(self.disk.remove_contents(&self.entry));
            }
            return Err(error);
        }
        self.disk.sync_dir(WORK)?;
        Ok(self.entry)
    }

    /// Commits, and carries out. Whoever comes next goes on when this is interrupted.
    pub(crate) fn commit_and_finish(self, leases: &[Lease]) -> Result<()> {
        let disk = self.disk;
        let entry = self.commit(leases)?;
        disk.apply(&entry)?;
        drop(disk.clear(&entry));
        Ok(())
    }

    /// Takes the contents away again when there is to be no commit.
    pub(crate) fn discard(self) -> Result<()> {
        self.disk.remove_contents(&self.entry)
    }
}

impl<F: FileSystem, H: Host> Disk<F, H> {
    /// Starts a change.
    pub(crate) fn draft(&self) -> Draft<'_, F, H> {
        Draft { disk: self, entry: Entry { tx: self.new_tx(), ..Entry::default() } }
    }

    /// Gives a fresh path for something that is written and then linked or moved.
    pub(crate) fn scratch_path(&self, ending: &str) -> String {
        format!("{WORK}/{}.{ending}", self.new_tx())
    }

    /// Makes a name that sorts by time and carries it.
    pub(crate) fn new_tx(&self) -> String {
        let millis = self.host.now().micros().max(0) as u64 / 1000;
        let random = self.host.random().to_le_bytes();
        let mut tail = [0; 10];
        tail.copy_from_slice(&random[..10]);
        uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid().simple().to_string()
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
    fn age(&self, tx: &str) -> Span {
        let now = self.host.now();
        written_at(tx).map_or(STALE_TEMP_AFTER, |at| now.since(at).max(at.since(now)))
    }

    /// Returns the entries that killed processes left to be carried out, and removes what never became one.
    ///
    /// Entries that no transaction wrote are quarantined. Nothing in the work directory makes this fail but the directory
    /// itself.
    pub(crate) fn left_behind(&self) -> Result<Vec<Entry>> {
        let names = self.work_names()?;
        let has_origin = if names.is_empty() { Ok(true) } else { self.has_origin() };
        let (mut entries, mut stale) = (Vec::new(), BTreeSet::new());
        for name in &names {
            let (tx, ending) = name.split_once('.').unwrap_or((name, ""));
            let age = self.age(tx);
            if ending == "json" {
                if age >= HELP_AFTER {
                    match (self.load_entry(&entry_path(tx)), &has_origin) {
                        (Loaded::Valid(entry), Ok(true)) => entries.push(entry),
                        (Loaded::Valid(_), Ok(false)) | (Loaded::Invalid(_), _) => self.quarantine(tx, &names),
                        // What cannot be looked at now may be a change that was confirmed.
                        (Loaded::Valid(_), Err(_)) | (Loaded::Unreadable(_) | Loaded::Absent, _) => {}
                    }
                }
            } else if age >= STALE_TEMP_AFTER && !names.contains(&format!("{tx}.json")) {
                stale.insert(tx);
            }
        }
        if !stale.is_empty() {
            // Listed anew, because this process may have been suspended since: see `sweep`.
            let names = self.work_names()?;
            stale.iter().for_each(|tx| self.sweep(tx, &names));
        }
        Ok(entries)
    }

    fn work_names(&self) -> Result<BTreeSet<String>> {
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

    /// Moves an entry that no transaction wrote, with its contents, to where nobody carries it out.
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
    pub(crate) fn set_aside(&self, path: &str) -> Result<Option<String>> {
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

    /// Returns every entry that is not yet carried out, however young. The caller's own is not read again.
    ///
    /// Whoever asks is about to build on what these entries did, so one that cannot be read now is an error. One that
    /// is not for us to read stops nobody.
    pub(crate) fn waiting(&self, own: Option<&Entry>) -> Result<Vec<Entry>> {
        self.ensure_origin()?;
        let mut entries = Vec::new();
        for file in self.list(WORK)?.into_iter().filter(|file| file.name.ends_with(".json")) {
            let path = format!("{WORK}/{}", file.name);
            match own.filter(|own| entry_path(&own.tx) == path) {
                Some(own) => entries.push(own.clone()),
                None => match self.load_entry(&path) {
                    Loaded::Valid(entry) => entries.push(entry),
                    Loaded::Unreadable(error) if !is_denied(&error) => return Err(error),
                    Loaded::Unreadable(_) | Loaded::Invalid(_) | Loaded::Absent => {}
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
        let concerns = |entry: &&Entry| entry.steps.iter().any(|step| step.scope() == scope);
        for entry in self.waiting(None)?.iter().filter(concerns) {
            match self.apply(entry).map_err(|error| *error) {
                Err(Error::Incomplete { scopes, .. }) if !scopes.iter().any(|failed| failed == scope) => {}
                applied => drop(applied?),
            }
        }
        Ok(())
    }

    /// Says whether an entry is yet to be carried out.
    pub(crate) fn is_waiting(&self, entry: &Entry) -> Result<bool> {
        self.has_entry(&entry.tx)
    }

    /// Says whether the entry of a transaction is yet to be carried out.
    pub(crate) fn has_entry(&self, tx: &str) -> Result<bool> {
        self.exists(&entry_path(tx))
    }

    /// Reads an entry; `None` when it is done and gone, or not one that a transaction wrote.
    pub(crate) fn read_entry(&self, path: &str) -> Option<Entry> {
        match self.load_entry(path) {
            Loaded::Valid(entry) => Some(entry),
            Loaded::Invalid(_) | Loaded::Unreadable(_) | Loaded::Absent => None,
        }
    }

    /// Reads an entry, or says why it is none.
    pub(crate) fn load_entry(&self, path: &str) -> Loaded {
        let bytes = match self.read_document(path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Loaded::Absent,
            Err(error) if is_irregular(&error) => return Loaded::Invalid(error.to_string()),
            Err(error) => return Loaded::Unreadable(error),
        };
        let Some(entry) = Entry::decode(&bytes) else { return Loaded::Invalid("it is not a journal entry".to_owned()) };
        let is_named_so = entry_path(&entry.tx) == path || entry.key.as_ref().is_some_and(|key| key.path == path);
        let misnamed = (!is_named_so).then(|| format!("it is the entry of transaction {:?}", entry.tx));
        match misnamed.or_else(|| entry.fault(self.rules)) {
            Some(fault) => Loaded::Invalid(fault),
            None => Loaded::Valid(entry),
        }
    }

    /// Carries out an entry and removes it.
    pub(crate) fn finish(&self, entry: &Entry) -> Result<()> {
        self.apply(entry)?;
        self.clear(entry)
    }

    /// Takes the steps of an entry. Returns the entry that had its key first, if there is one: then no step is taken.
    ///
    /// A step that fails keeps those from being taken that belong to the same thing, and no others: one inbox that cannot
    /// be written does not keep a message from the other recipients. The error is [`Error::Incomplete`] then.
    pub(crate) fn apply(&self, entry: &Entry) -> Result<Option<Entry>> {
        if let Some(key) = &entry.key {
            self.link(&entry_path(&entry.tx), &key.path)?;
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
            match self.take_step(entry, step) {
                Ok(()) => done.push(step),
                Err(error) => failed.push((step.scope(), error)),
            }
        }
        self.sync_touched(&done)?;
        if failed.is_empty() { Ok(None) } else { Err(incomplete(&failed)) }
    }

    fn take_step(&self, entry: &Entry, step: &Step) -> Result<()> {
        match step {
            Step::Dir { path } => self.create_dir(path),
            Step::Link { from, to } => self.link(from, to).map(drop),
            Step::Move { from, to } if entry.owns(from) => self.move_file(from, to),
            Step::Move { from, to } => self.relocate(from, to),
            Step::Remove { path, fingerprint } => self.remove_meant(path, fingerprint),
            Step::Append { path, line, mark } => self.append_once(path, line, mark),
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

    /// Removes a file if it says what it said when the change was decided on. Another can have got its name while a
    /// process was suspended, also between looking and removing: that one is put back.
    fn remove_meant(&self, path: &str, meant: &str) -> Result<()> {
        let is_meant = |path: &str| -> Result<bool> {
            Ok(self.read(path)?.is_some_and(|bytes| ids::fingerprint(&[bytes]) == meant))
        };
        if !is_meant(path)? {
            return Ok(());
        }
        let taken = self.scratch_path("taken");
        if self.rename(path, &taken)? && !is_meant(&taken)? {
            self.link(&taken, path)?;
        }
        self.remove(&taken)
    }

    /// Returns the step that removes a file as it is now; none when it is not there, or not a file.
    pub(crate) fn removal(&self, path: String) -> Option<Step> {
        let bytes = self.read(&path).ok().flatten()?;
        Some(Step::Remove { fingerprint: ids::fingerprint(&[bytes]), path })
    }

    /// Adds a line to a log unless the mark is in it.
    fn append_once(&self, path: &str, line: &str, mark: &str) -> Result<()> {
        let log = self.read(path)?.unwrap_or_default();
        let there = log.windows(mark.len()).any(|window| window == mark.as_bytes());
        if there { Ok(()) } else { self.append(path, line) }
    }

    /// Syncs the directories that steps have touched: first those that gained a name, so that none is lost in between.
    fn sync_touched(&self, steps: &[&Step]) -> Result<()> {
        let (mut gained, mut lost) = (BTreeSet::new(), BTreeSet::new());
        for step in steps {
            match step {
                Step::Dir { .. } | Step::Append { .. } => {}
                Step::Link { to, .. } => drop(gained.insert(parent(to))),
                Step::Move { from, to } => {
                    gained.insert(parent(to));
                    lost.insert(parent(from));
                }
                Step::Remove { path, .. } => drop(lost.insert(parent(path))),
            }
        }
        let lost = lost.iter().filter(|dir| !gained.contains(*dir) && **dir != WORK);
        gained.iter().chain(lost).try_for_each(|dir| self.sync_dir(dir))
    }

    /// Removes what an entry needed, then the entry: never the other way round, or contents would be left.
    pub(crate) fn clear(&self, entry: &Entry) -> Result<()> {
        self.remove_contents(entry)?;
        self.remove(&entry_path(&entry.tx))?;
        // A power cut must not bring back an entry whose steps would undo what came after it; links undo nothing.
        let undoes = entry.steps.iter().any(|step| matches!(step, Step::Move { .. } | Step::Remove { .. }));
        if undoes { self.sync_dir(WORK) } else { Ok(()) }
    }

    fn remove_contents(&self, entry: &Entry) -> Result<()> {
        (0..entry.contents).try_for_each(|number| self.remove(&content_path(&entry.tx, number)))
    }

    /// Finds entries that nobody carries out: those that no transaction wrote, and those that fail.
    pub(crate) fn stuck_work(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let quarantined = self.list_or_report(QUARANTINE, &mut findings);
        for file in quarantined.into_iter().filter(|file| file.name.ends_with(".json")) {
            findings.push(Finding {
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
                Loaded::Absent => continue,
                Loaded::Invalid(fault) => ("damaged-change", format!("a committed change cannot be read: {fault}")),
                Loaded::Unreadable(error) => ("damaged-change", format!("a committed change cannot be read: {error}")),
                Loaded::Valid(entry) if self.age(&entry.tx) < HELP_AFTER => continue,
                Loaded::Valid(entry) => match self.apply(&entry) {
                    Err(error) => ("stuck-change", format!("a committed change could not be completed: {error}")),
                    Ok(_) if self.age(&entry.tx) < STUCK_AFTER => continue,
                    Ok(_) => ("stuck-change", "a committed change could not be completed".to_owned()),
                },
            };
            let hint = "remove the cause: every command tries it again".into();
            findings.push(Finding { severity: Severity::Error, code, place: path, message, hint });
        }
        findings.extend(self.foreign_leases());
        findings
    }
}

/// What a file of the work directory turned out to be.
pub(crate) enum Loaded {
    Valid(Entry),
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
