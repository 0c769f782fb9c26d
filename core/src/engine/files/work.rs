//! The work directory: a redo log of one file a change.
//!
//! A change's contents are written and synced as `{tx}.0`, `{tx}.1`, …; then its entry `{tx}.json` appears by a rename,
//! and the directory is synced. From that instant the change is made: whoever sees the entry carries it out. Every step
//! may be repeated by anyone: a link that is there is done, and a move whose source is gone is done. When all steps are
//! done, contents and entry are removed. What has no entry was never committed and is swept away after a minute.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::{FileSystem, parent};
use crate::engine::{Error, Result};
use crate::model::{AgentName, Finding, MessageId, Severity, Span, Timestamp};

/// A live process is done with its entry long before that; helping it would be wasted work, though harmless.
const HELP_AFTER: Span = Span::from_millis(500);
/// What was written for an entry that never came belongs to a process that is gone.
const LITTER_AFTER: Span = Span::from_seconds(60);

/// One thing to do, told so that doing it again does no harm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// A directory is there.
    Dir { path: String },
    /// A file has this name too, and keeps it.
    Link { from: String, to: String },
    /// A file has this name and no other, replacing what had it.
    Move { from: String, to: String },
    /// A file is gone.
    Remove { path: String },
}

/// A committed change.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) tx: String,
    /// How many contents were written for it.
    pub(super) contents: usize,
    pub(super) steps: Vec<Step>,
    /// The message that came of it, for those who repeat it under the same key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<EntryKey>,
    /// What the registry has to note of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tally: Option<Tally>,
}

/// The send key of a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct EntryKey {
    pub(super) path: String,
    pub(super) fingerprint: String,
}

/// Who sent when, and how many direct messages went to whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) by: String,
    pub(super) at: String,
    pub(super) messages: u64,
    pub(super) direct: BTreeMap<String, u64>,
}

/// How carrying out an entry ended.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Done,
    /// Another change had the key first.
    Lost(MessageId),
}

/// A change being written: contents first, then the entry.
pub(super) struct Draft<'e, F, H> {
    engine: &'e FilesEngine<F, H>,
    pub(super) entry: Entry,
}

impl<F: FileSystem, H: Host> Draft<'_, F, H> {
    /// Writes a content, and gives the path to link or move it from.
    pub(super) fn content(&mut self, bytes: &[u8]) -> Result<String> {
        let path = content_path(&self.entry.tx, self.entry.contents);
        self.engine.write_new(&path, bytes)?;
        self.entry.contents += 1;
        Ok(path)
    }

    /// Writes a content that gets one lasting name.
    pub(super) fn link_new(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(Step::Link { from, to });
        Ok(())
    }

    /// Writes a content that replaces what is at `to`.
    pub(super) fn replace(&mut self, to: String, bytes: &[u8]) -> Result<()> {
        let from = self.content(bytes)?;
        self.entry.steps.push(Step::Move { from, to });
        Ok(())
    }

    /// Commits: the change is made from here on. Then carries it out.
    pub(super) fn commit(self) -> Result<Outcome> {
        let Self { engine, entry } = self;
        let part = format!("{}/{}.part", layout::WORK, entry.tx);
        engine.write_new(&part, &entry.encode())?;
        engine.rename(&part, &entry_path(&entry.tx))?;
        engine.sync_dir(layout::WORK)?;
        engine.carry_out(&entry).or_else(|error| engine.outcome_despite(&entry, error))
    }

    /// Takes the contents away again when there is to be no commit.
    pub(super) fn discard(self) -> Result<()> {
        self.engine.remove_contents(&self.entry)
    }
}

impl Entry {
    fn encode(&self) -> Vec<u8> {
        // Texts and numbers always have a JSON text.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Starts a change.
    pub(super) fn draft(&self) -> Draft<'_, F, H> {
        Draft { engine: self, entry: Entry { tx: self.new_tx(), ..Entry::default() } }
    }

    /// Gives a fresh path for something that is written and then linked or moved.
    pub(super) fn scratch_path(&self, ending: &str) -> String {
        format!("{}/{}.{ending}", layout::WORK, self.new_tx())
    }

    /// Makes a name that sorts by time and carries it.
    fn new_tx(&self) -> String {
        let millis = self.host.now().micros().max(0) as u64 / 1000;
        let random = self.host.random().to_le_bytes();
        let mut tail = [0; 10];
        tail.copy_from_slice(&random[..10]);
        uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid().simple().to_string()
    }

    /// Finishes the entries that killed processes left, and removes what never became one.
    pub(super) fn recover(&self) -> Result<()> {
        let names: BTreeSet<String> = self.list(layout::WORK)?.into_iter().map(|entry| entry.name).collect();
        let now = self.host.now();
        for name in &names {
            let (tx, ending) = name.split_once('.').unwrap_or((name, ""));
            // A clock that was set back must not make an entry wait for years: any distance counts.
            let age = written_at(tx).map_or(LITTER_AFTER, |at| now.since(at).max(at.since(now)));
            if ending == "json" {
                if age >= HELP_AFTER {
                    self.help(tx)?;
                }
            } else if age >= LITTER_AFTER && !names.contains(&format!("{tx}.json")) {
                self.remove(&format!("{}/{name}", layout::WORK))?;
            }
        }
        Ok(())
    }

    fn help(&self, tx: &str) -> Result<()> {
        match self.read_entry(tx)? {
            Some(entry) => self.carry_out(&entry).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Reads an entry; `None` when it is done and gone, or when it cannot be read, which is left for `check` to report.
    fn read_entry(&self, tx: &str) -> Result<Option<Entry>> {
        let bytes = self.read(&entry_path(tx))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    fn carry_out(&self, entry: &Entry) -> Result<Outcome> {
        if let Some(earlier) = self.apply(entry)? {
            self.clear(entry)?;
            return Ok(Outcome::Lost(earlier));
        }
        if entry.tally.is_some() {
            self.settle(entry)?;
        } else {
            self.clear(entry)?;
        }
        Ok(Outcome::Done)
    }

    /// Tells how a change ended that is committed but could not be carried out in full: it is made, and whoever comes next
    /// finishes it. Only where a key may belong to another change is that not sure.
    fn outcome_despite(&self, entry: &Entry, error: Error) -> Result<Outcome> {
        let Some(key) = &entry.key else { return Ok(Outcome::Done) };
        match self.read_key(&key.path) {
            Ok(Some(first)) if first.tx == entry.tx => Ok(Outcome::Done),
            _ => Err(error),
        }
    }

    /// Takes the steps of an entry; gives the earlier message when another change had its key first.
    fn apply(&self, entry: &Entry) -> Result<Option<MessageId>> {
        if let Some(key) = &entry.key {
            self.link(&entry_path(&entry.tx), &key.path)?;
            self.sync_dir(layout::KEYS)?;
            match self.read_key(&key.path)? {
                Some(first) if first.tx != entry.tx => return first.message_id(&key.path).map(Some),
                _ => {}
            }
        }
        for step in &entry.steps {
            match step {
                Step::Dir { path } => self.create_dir(path)?,
                Step::Link { from, to } => drop(self.link(from, to)?),
                Step::Move { from, to } => self.move_file(from, to)?,
                Step::Remove { path } => self.remove(path)?,
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

    /// Syncs the directories that steps have touched: first those that gained a name, so that none is lost in between.
    fn sync_touched(&self, steps: &[Step]) -> Result<()> {
        let (mut gained, mut lost) = (BTreeSet::new(), BTreeSet::new());
        for step in steps {
            match step {
                Step::Dir { .. } => {}
                Step::Link { to, .. } => drop(gained.insert(parent(to))),
                Step::Move { from, to } => {
                    gained.insert(parent(to));
                    lost.insert(parent(from));
                }
                Step::Remove { path } => drop(lost.insert(parent(path))),
            }
        }
        let lost = lost.difference(&gained).filter(|dir| **dir != layout::WORK);
        gained.iter().chain(lost).try_for_each(|dir| self.sync_dir(dir))
    }

    /// Reads the change that a send key stands for.
    pub(super) fn read_key(&self, path: &str) -> Result<Option<Entry>> {
        let bytes = self.read(path)?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Has the registry note an entry, and every other that waits for it: one rewrite serves all who are in line.
    fn settle(&self, own: &Entry) -> Result<()> {
        let began = self.host.now();
        let mut pause = Span::from_millis(1);
        while self.exists(&entry_path(&own.tx))? {
            match self.try_registry_lease()? {
                Ok(lease) => {
                    let settled = self.settle_all(own, &lease);
                    self.let_go(&lease);
                    match settled {
                        // The lease ran out under us: the work is still in line.
                        Err(Error::Locked { .. }) => {}
                        other => return other,
                    }
                }
                Err(holder) => {
                    let waited = self.host.now().since(began);
                    if waited >= self.patience {
                        return Err(Error::Locked { what: "registry".into(), holder, waited });
                    }
                    pause = self.pause(pause);
                }
            }
        }
        Ok(())
    }

    fn settle_all(&self, own: &Entry, lease: &crate::engine::Lease) -> Result<()> {
        let mut entries = vec![own.clone()];
        for waiting in self.list(layout::WORK)? {
            let Some(tx) = waiting.name.strip_suffix(".json").filter(|tx| *tx != own.tx) else { continue };
            let Some(entry) = self.read_entry(tx)?.filter(|entry| entry.tally.is_some()) else { continue };
            if self.apply(&entry)?.is_none() {
                entries.push(entry);
            }
        }
        // One that was finished while we were waiting is not to be counted again.
        let mut alive = Vec::new();
        for entry in entries {
            if self.exists(&entry_path(&entry.tx))? {
                alive.push(entry);
            }
        }
        self.tally(&alive, lease)?;
        alive.iter().try_for_each(|entry| self.clear(entry))
    }

    /// Removes what an entry needed, then the entry: never the other way round, or contents would be left.
    fn clear(&self, entry: &Entry) -> Result<()> {
        self.remove_contents(entry)?;
        self.remove(&entry_path(&entry.tx))?;
        // A power cut must not bring back an entry whose steps would undo what came after it; links undo nothing.
        let undoes = entry.steps.iter().any(|step| matches!(step, Step::Move { .. } | Step::Remove { .. }));
        if undoes { self.sync_dir(layout::WORK) } else { Ok(()) }
    }

    fn remove_contents(&self, entry: &Entry) -> Result<()> {
        (0..entry.contents).try_for_each(|number| self.remove(&content_path(&entry.tx, number)))
    }

    /// Finds what lies in the work directory and belongs to nobody any more.
    pub(super) fn stuck_work(&self) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for entry in self.list(layout::WORK)? {
            let path = format!("{}/{}", layout::WORK, entry.name);
            let Some(tx) = entry.name.strip_suffix(".json") else { continue };
            if self.read_entry(tx)?.is_none() && self.exists(&path)? {
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

impl Entry {
    pub(super) fn message_id(&self, path: &str) -> Result<MessageId> {
        let id = self.message.clone().unwrap_or_default();
        MessageId::new(id).map_err(|error| Error::Damaged { path: path.to_owned(), fault: error.to_string() })
    }
}

impl Tally {
    pub(super) fn sender(&self) -> Option<AgentName> {
        AgentName::new(self.by.as_str()).ok()
    }
}

fn entry_path(tx: &str) -> String {
    format!("{}/{tx}.json", layout::WORK)
}

fn content_path(tx: &str, number: usize) -> String {
    format!("{}/{tx}.{number}", layout::WORK)
}

/// Reads the time that a name in the work directory carries.
fn written_at(tx: &str) -> Option<Timestamp> {
    let (seconds, nanos) = Uuid::try_parse(tx).ok()?.get_timestamp()?.to_unix();
    Some(Timestamp::from_micros(i64::try_from(seconds).ok()? * 1_000_000 + i64::from(nanos / 1000)))
}
