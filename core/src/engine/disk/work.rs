//! The work directory: a redo log of one file a change.
//!
//! A change's contents are written and synced as `{tx}.0`, `{tx}.1`, …; then its entry `{tx}.json` appears by a rename,
//! and the directory is synced. From that instant the change is made: whoever sees the entry carries it out. Every step
//! may be repeated by anyone: a link that is there is done, and a move whose source is gone is done. When all steps are
//! done, contents and entry are removed. What has no entry was never committed and is swept away after a minute.

use uuid::Uuid;

use super::entry::{Entry, Step};
use super::{Disk, WORK};
use crate::Host;
use crate::engine::Result;
use crate::engine::fs::{FileSystem, parent};
use crate::model::{Finding, Severity, Span, Timestamp};
use crate::order;
use crate::order::SortedSet;

/// A live process is done with its entry long before that; helping it would be wasted work, though harmless.
const HELP_AFTER: Span = Span::from_millis(500);
/// What was written for an entry that never came belongs to a process that is gone.
const LITTER_AFTER: Span = Span::from_seconds(60);

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
    pub(crate) fn commit(self) -> Result<Entry> {
        let Self { disk, entry } = self;
        let part = format!("{WORK}/{}.part", entry.tx);
        disk.write_new(&part, entry.encode().as_bytes())?;
        disk.rename(&part, &entry_path(&entry.tx))?;
        disk.sync_dir(WORK)?;
        Ok(entry)
    }

    /// Commits, and carries out. That this is interrupted does not matter: whoever comes next goes on.
    pub(crate) fn commit_and_finish(self) -> Result<()> {
        let disk = self.disk;
        let entry = self.commit()?;
        drop(disk.finish(&entry));
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
    fn new_tx(&self) -> String {
        let millis = self.host.now().micros().max(0) as u64 / 1000;
        let random = self.host.random().to_le_bytes();
        let mut tail = [0; 10];
        tail.copy_from_slice(&random[..10]);
        uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid().simple().to_string()
    }

    /// Gives the entries that killed processes left to be carried out, and removes what never became one.
    pub(crate) fn left_behind(&self) -> Result<Vec<Entry>> {
        let names = order::set(self.list(WORK)?.into_iter().map(|entry| entry.name));
        let now = self.host.now();
        let mut entries = Vec::new();
        for name in &names {
            let (tx, ending) = name.split_once('.').unwrap_or((name, ""));
            // A clock that was set back must not make an entry wait for years: any distance counts.
            let age = written_at(tx).map_or(LITTER_AFTER, |at| now.since(at).max(at.since(now)));
            if ending == "json" {
                if age >= HELP_AFTER {
                    entries.extend(self.read_entry(&entry_path(tx))?);
                }
            } else if age >= LITTER_AFTER && !names.contains(&format!("{tx}.json")) {
                self.remove(&format!("{WORK}/{name}"))?;
            }
        }
        Ok(entries)
    }

    /// Gives every entry that is not yet carried out, however young. The caller's own is not read again.
    pub(crate) fn waiting(&self, own: Option<&Entry>) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for file in self.list(WORK)?.into_iter().filter(|file| file.name.ends_with(".json")) {
            let path = format!("{WORK}/{}", file.name);
            match own.filter(|own| entry_path(&own.tx) == path) {
                Some(own) => entries.push(own.clone()),
                None => entries.extend(self.read_entry(&path)?),
            }
        }
        Ok(entries)
    }

    /// Says whether an entry is yet to be carried out.
    pub(crate) fn is_waiting(&self, entry: &Entry) -> Result<bool> {
        self.exists(&entry_path(&entry.tx))
    }

    /// Reads an entry; `None` when it is done and gone, or when it cannot be read, which is left to be reported.
    pub(crate) fn read_entry(&self, path: &str) -> Result<Option<Entry>> {
        Ok(self.read(path)?.and_then(|bytes| Entry::decode(&bytes)))
    }

    /// Carries out an entry and removes it.
    pub(crate) fn finish(&self, entry: &Entry) -> Result<()> {
        self.apply(entry)?;
        self.clear(entry)
    }

    /// Takes the steps of an entry; gives the entry that had its key first, if there is one: then no step is taken.
    pub(crate) fn apply(&self, entry: &Entry) -> Result<Option<Entry>> {
        if let Some(key) = &entry.key {
            self.link(&entry_path(&entry.tx), &key.path)?;
            self.sync_dir(parent(&key.path))?;
            if let Some(first) = self.read_entry(&key.path)?.filter(|first| first.tx != entry.tx) {
                return Ok(Some(first));
            }
        }
        for step in &entry.steps {
            match step {
                Step::Dir { path } => self.create_dir(path)?,
                Step::Link { from, to } => drop(self.link(from, to)?),
                Step::Move { from, to } => self.move_file(from, to)?,
                Step::Remove { path } => self.remove(path)?,
                Step::Append { path, line, mark } => self.append_once(path, line, mark)?,
            }
        }
        self.sync_touched(&entry.steps).map(|()| None)
    }

    /// Moves a file, also when a power cut has left it under both names: a rename between names of one file does nothing.
    fn move_file(&self, from: &str, to: &str) -> Result<()> {
        if self.rename(from, to)? && self.exists(from)? {
            self.remove(from)?;
        }
        Ok(())
    }

    /// Adds a line to a log unless the mark is in it.
    fn append_once(&self, path: &str, line: &str, mark: &str) -> Result<()> {
        let log = self.read(path)?.unwrap_or_default();
        let there = log.windows(mark.len()).any(|window| window == mark.as_bytes());
        if there { Ok(()) } else { self.append(path, line) }
    }

    /// Syncs the directories that steps have touched: first those that gained a name, so that none is lost in between.
    fn sync_touched(&self, steps: &[Step]) -> Result<()> {
        let (mut gained, mut lost) = (SortedSet::new(), SortedSet::new());
        for step in steps {
            match step {
                Step::Dir { .. } | Step::Append { .. } => {}
                Step::Link { to, .. } => drop(gained.insert(parent(to))),
                Step::Move { from, to } => {
                    gained.insert(parent(to));
                    lost.insert(parent(from));
                }
                Step::Remove { path } => drop(lost.insert(parent(path))),
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

    /// Finds entries that nobody can carry out, because they cannot be read.
    pub(crate) fn stuck_work(&self) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for file in self.list(WORK)?.into_iter().filter(|file| file.name.ends_with(".json")) {
            let path = format!("{WORK}/{}", file.name);
            if self.read_entry(&path)?.is_none() && self.exists(&path)? {
                findings.push(Finding {
                    severity: Severity::Error,
                    code: "damaged-change",
                    place: path,
                    message: "a committed change cannot be read".into(),
                    hint: "look at the file; what it says was not carried out in full".into(),
                });
            }
        }
        Ok(findings)
    }
}

fn entry_path(tx: &str) -> String {
    format!("{WORK}/{tx}.json")
}

fn content_path(tx: &str, number: usize) -> String {
    format!("{WORK}/{tx}.{number}")
}

/// Reads the time that a name in the work directory carries.
fn written_at(tx: &str) -> Option<Timestamp> {
    let (seconds, nanos) = Uuid::try_parse(tx).ok()?.get_timestamp()?.to_unix();
    Some(Timestamp::from_micros(i64::try_from(seconds).ok()? * 1_000_000 + i64::from(nanos / 1000)))
}
