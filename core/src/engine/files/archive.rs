//! Moving messages between inbox, dead letters and archive. Every move is a committed change: a message is never lost
//! between two places, nor parted from its receipt.

use std::collections::{BTreeMap, BTreeSet};

use super::registry_update::RegistryDelta;
use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::{FileSystem, parent};
use crate::engine::journal::{self, JournalEntry, LoadedEntry, PendingTransaction, RedoOp};
use crate::engine::{Error, Lease, Result};
use crate::model::{AgentName, Delivery, LeaseName, MessageId, Place, Span, Timestamp};
use crate::wire::mailbox::{message, receipt};

/// The number of messages moved in one transaction.
const BATCH: usize = 200;

/// A file to archive, and the day it belongs to.
struct ArchiveCandidate {
    path: String,
    date: String,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn move_to_dead_letters(
        &self,
        agent: &AgentName,
        id: &MessageId,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool> {
        let (from, to) = (layout::inbox_message(agent, id), layout::dead_letter(agent, id));
        self.with_mail_lease(|lease, busy| {
            if !self.journal.exists(&from)? || busy.contains(&from) || self.is_read_since(&from, at) {
                return Ok(false);
            }
            let mut pending = self.journal.begin();
            // The note comes first: it says where the message belongs.
            pending.replace(format!("{to}{}", layout::DEAD), receipt::dead(reason, at).as_bytes())?;
            pending.entry.steps.extend(self.move_steps(&from, &to)?);
            self.commit_move(pending, lease)?;
            Ok(true)
        })
    }

    pub(super) fn move_back_to_inbox(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        let (from, to) = (layout::dead_letter(agent, id), layout::inbox_message(agent, id));
        let requeued = self.with_mail_lease(|lease, busy| {
            if !self.journal.exists(&from)? || busy.contains(&to) {
                return Ok(false);
            }
            let mut pending = self.journal.begin();
            let sidecars = layout::SIDECARS.iter().filter_map(|ending| self.journal.removal(format!("{from}{ending}")));
            pending.entry.steps.extend(sidecars);
            pending.entry.steps.push(RedoOp::Move { from: from.clone(), to: to.clone() });
            self.commit_move(pending, lease)?;
            Ok(true)
        })?;
        if requeued {
            self.log_offered(agent, std::slice::from_ref(id), None)?;
        }
        Ok(requeued)
    }

    /// Decides on messages and moves them, alone, and begins anew when others had to go on.
    ///
    /// What is committed is carried out first. The paths are those of messages that an entry which fails may yet deliver or
    /// move: these must stay where they are.
    pub(super) fn with_mail_lease<T>(&self, mut act: impl FnMut(&Lease, &BTreeSet<String>) -> Result<T>) -> Result<T> {
        self.journal.retry_fenced(|| {
            let lease = self.journal.acquire(&LeaseName::new("mail").expect("a fixed name is valid"))?;
            let ended = self.execute_pending().and_then(|busy| act(&lease, &busy));
            self.journal.release_quietly(&lease);
            ended
        })
    }

    /// Carries out what is committed, however young, and returns the paths of messages for which that failed.
    fn execute_pending(&self) -> Result<BTreeSet<String>> {
        let mut busy = BTreeSet::new();
        self.journal.end_removals(Span::default());
        for entry in self.journal.pending_entries(None)? {
            if self.execute(&entry).is_err() || self.journal.is_pending(&entry)? {
                for step in &entry.steps {
                    match step {
                        RedoOp::Link { to, .. } => drop(busy.insert(to.clone())),
                        RedoOp::Move { from, to } => busy.extend([from.clone(), to.clone()]),
                        RedoOp::Dir { .. } | RedoOp::Remove { .. } | RedoOp::Append { .. } => {}
                    }
                }
            }
        }
        Ok(busy)
    }

    fn commit_move(&self, pending: PendingTransaction<'_, F, H>, lease: &Lease) -> Result<()> {
        let entry = pending.commit(std::slice::from_ref(lease))?;
        self.journal.redo(&entry)?;
        self.restore_placement(&entry)?;
        drop(self.journal.remove_entry(&entry));
        Ok(())
    }

    /// Puts the messages that an entry moved between inbox and dead letters where they belong.
    ///
    /// A process that was suspended while it carried out the entry may go on when others have moved a message back and
    /// forth since. The note beside a dead letter is replaced and removed by what it says, so it tells who was last.
    pub(super) fn restore_placement(&self, entry: &JournalEntry) -> Result<()> {
        for step in &entry.steps {
            let RedoOp::Move { from, to } = step else { continue };
            let is_message = |path: &str| path.ends_with(".json");
            let dead = [from, to].into_iter().find(|path| path.starts_with(layout::DEAD_LETTERS) && is_message(path));
            let alive = [from, to].into_iter().find(|path| path.starts_with(layout::INBOX) && is_message(path));
            let (Some(dead), Some(alive)) = (dead, alive) else { continue };
            while self.move_to_noted_folder(dead, alive)? {}
        }
        Ok(())
    }

    /// Moves a message to where its note says that it belongs; returns whether anything was moved.
    fn move_to_noted_folder(&self, dead: &str, alive: &str) -> Result<bool> {
        let is_dead = self.journal.exists(&format!("{dead}{}", layout::DEAD))?;
        let (from, to) = if is_dead { (alive, dead) } else { (dead, alive) };
        let mut moved = false;
        for ending in [layout::READ, layout::REDELIVERED, ""] {
            let from = format!("{from}{ending}");
            moved |= self.journal.exists(&from)? && self.journal.rename(&from, &format!("{to}{ending}"))?;
        }
        Ok(moved)
    }

    /// Moves a message with all that belongs to it, the message last: until then it is where it was. Who reads it in that
    /// moment is told so when the message is still there, so the marker is looked for once more.
    fn move_steps(&self, from: &str, to: &str) -> Result<Vec<RedoOp>> {
        let mut steps = Vec::new();
        for ending in layout::SIDECARS {
            if self.journal.exists(&format!("{from}{ending}"))? {
                steps.push(RedoOp::Move { from: format!("{from}{ending}"), to: format!("{to}{ending}") });
            }
        }
        for ending in ["", layout::READ] {
            steps.push(RedoOp::Move { from: format!("{from}{ending}"), to: format!("{to}{ending}") });
        }
        Ok(steps)
    }

    pub(super) fn archive_before(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        let mut moved = 0;
        for entry in self.journal.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir()) {
            // One that cannot be listed stays as it is, and `check` reports it.
            let Ok(folder) = self.open_folder(&format!("{}/{}", layout::INBOX, entry.name)) else { continue };
            let ready = folder.ids.iter().filter(|id| unread_too || folder.has(id, layout::READ));
            let candidates = self.archive_candidates(ready.map(|id| folder.path(id)), before);
            let agent = AgentName::new(entry.name).ok();
            if let Some(agent) = &agent {
                self.archive_notes(agent, &candidates);
            }
            moved += self.move_to_archive(&candidates, |path| {
                Ok(unread_too || self.journal.exists(&format!("{path}{}", layout::READ))?)
            })?;
            if let Some(agent) = &agent {
                self.trim_offered(agent)?;
                self.trim_archived(agent)?;
            }
        }
        self.archive_records(before)?;
        self.forget_keys(before)?;
        Ok(moved)
    }

    /// Puts away the bus's own records: what was sent, broadcast and published.
    fn archive_records(&self, before: Timestamp) -> Result<()> {
        let mut dirs = vec![layout::OUTBOX.to_owned(), layout::BROADCASTS.to_owned()];
        // One that cannot be listed is passed over here, and reported by `check`.
        let events = self.journal.list(layout::EVENTS).unwrap_or_default().into_iter().filter(|entry| entry.is_dir());
        dirs.extend(events.map(|entry| format!("{}/{}", layout::EVENTS, entry.name)));
        for dir in dirs {
            let names = self.journal.list(&dir).unwrap_or_default().into_iter();
            let names = names.filter(|entry| !entry.is_dir() && entry.name.ends_with(".json"));
            let candidates = self.archive_candidates(names.map(|entry| format!("{dir}/{}", entry.name)), before);
            self.move_to_archive(&candidates, |_| Ok(true))?;
        }
        Ok(())
    }

    /// Picks the files that were sent before a time, each with the day it was sent.
    fn archive_candidates(&self, paths: impl Iterator<Item = String>, before: Timestamp) -> Vec<ArchiveCandidate> {
        let mut candidates = Vec::new();
        for path in paths {
            if let Some(sent_at) = self.sent_at(&path).filter(|at| *at < before) {
                candidates.push(ArchiveCandidate { path, date: sent_at.date() });
            }
        }
        candidates
    }

    /// Moves files to the archive, except those that are not to be moved any more; returns how many were moved.
    fn move_to_archive(
        &self,
        candidates: &[ArchiveCandidate],
        is_ready: impl Fn(&str) -> Result<bool>,
    ) -> Result<usize> {
        let mut moved = 0;
        for batch in candidates.chunks(BATCH) {
            moved += self.with_mail_lease(|lease, busy| {
                let mut pending = self.journal.begin();
                let mut count = 0;
                for ArchiveCandidate { path, date } in batch {
                    if self.journal.exists(path)? && !busy.contains(path) && is_ready(path)? {
                        pending.entry.steps.extend(self.move_steps(path, &layout::archived(date, path))?);
                        count += 1;
                    }
                }
                if count == 0 {
                    return Ok(0);
                }
                match pending.commit_and_redo(std::slice::from_ref(lease)) {
                    // Something stands in the way of one of them: it stays, and `check` reports it.
                    Err(error) if matches!(*error, Error::Incomplete { .. }) => Ok(count),
                    ended => ended.map(|()| count),
                }
            })?;
        }
        Ok(moved)
    }

    /// Copies to the archive what the logs say of messages that are about to move: when they were listed, and what the
    /// index knows. A log that cannot be written keeps no message where it is.
    fn archive_notes(&self, agent: &AgentName, candidates: &[ArchiveCandidate]) {
        let id_of = |path: &str| MessageId::new(path.rsplit('/').next()?.strip_suffix(".json")?).ok();
        let moving: Vec<(String, MessageId)> = candidates
            .iter()
            .filter_map(|ArchiveCandidate { path, date }| Some((date.clone(), id_of(path)?)))
            .collect();
        self.archive_index(agent, &moving);
        let offered =
            if candidates.is_empty() { BTreeMap::new() } else { self.read_offered(&layout::offered(agent), None) };
        let mut by_date: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (date, id) in &moving {
            if let Some(at) = offered.get(id) {
                by_date.entry(date).or_default().push(receipt::offered(Some(*at), id));
            }
        }
        for (date, lines) in by_date {
            drop(self.append_lines(&layout::archived(date, &layout::offered(agent)), lines.into_iter()));
        }
    }

    /// Returns when a message was sent, by its name if possible; one that cannot be read stays where it is.
    fn sent_at(&self, path: &str) -> Option<Timestamp> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(at) = ids::time_in(name) {
            return Some(at);
        }
        message::decode(&self.read_note(path)).ok().map(|message| message.sent_at)
    }

    /// Drops from the log of listed messages those that were put away.
    fn trim_offered(&self, agent: &AgentName) -> Result<()> {
        let path = layout::offered(agent);
        let log = self.read_note(&path);
        let offered = receipt::decode_offered(&log, None);
        let mut lines = String::new();
        let mut kept = 0;
        for (id, at) in &offered {
            let may_exist = |path: &str| self.journal.exists(path).unwrap_or(true);
            if may_exist(&layout::inbox_message(agent, id)) || may_exist(&layout::dead_letter(agent, id)) {
                lines.push_str(&receipt::offered(Some(*at), id));
                kept += 1;
            }
        }
        // What was added meanwhile stays, and so does the rest, until the next time.
        if kept < offered.len() && self.read_note(&path) == log {
            self.journal.put_scratch(&path, &lines)?;
        }
        Ok(())
    }

    fn forget_keys(&self, before: Timestamp) -> Result<()> {
        for entry in self.journal.list(journal::KEYS).unwrap_or_default() {
            let path = format!("{}/{}", journal::KEYS, entry.name);
            let Ok(Some(bytes)) = self.journal.read_document(&path) else { continue };
            let LoadedEntry::Valid(first) = self.journal.parse_entry(&path, &bytes) else { continue };
            let used_at = RegistryDelta::from_entry(&first).and_then(|delta| Timestamp::parse(&delta.at));
            if used_at.is_some_and(|at| at < before) {
                // The key may be free by now, and used again.
                self.journal.remove_if_unchanged(&path, &ids::fingerprint(&[&bytes]))?;
            }
        }
        self.journal.tidy_removals(journal::KEYS);
        Ok(())
    }

    pub(super) fn find_delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        let inbox = layout::inbox_message(agent, id);
        let mut paths = vec![(inbox.clone(), Place::Inbox)];
        for date in self.archive_dates(id).unwrap_or_default() {
            paths.push((layout::archived(&date, &inbox), Place::Archive));
        }
        paths.push((layout::dead_letter(agent, id), self.dead_place(agent, id)));
        for (path, place) in paths {
            // A place that cannot be looked into holds no message that could be read.
            if self.journal.exists(&path).unwrap_or(false) {
                return self.read_one(agent, id, &path, &place);
            }
        }
        Ok(None)
    }

    /// Reads one message where it was found; damage is an error here, because it was asked for by name.
    fn read_one(&self, agent: &AgentName, id: &MessageId, path: &str, place: &Place) -> Result<Option<Delivery>> {
        let folder = self.folder_of_one(parent(path), id)?;
        let mut found = self.read_folder(agent, &folder, place)?;
        match (found.value.pop(), found.findings.pop()) {
            (None, Some(finding)) => Err(Error::Damaged { path: finding.place, fault: finding.message }.into()),
            (delivery, _) => Ok(delivery),
        }
    }

    /// Lists the days of the archive, the one the id carries first.
    pub(super) fn archive_dates(&self, id: &MessageId) -> Result<Vec<String>> {
        let guess = ids::time_in(id.as_str()).map(Timestamp::date);
        let mut dates: Vec<String> = self.journal.list(layout::ARCHIVE)?.into_iter().map(|entry| entry.name).collect();
        dates.sort_by_key(|date| Some(date) != guess.as_ref());
        Ok(dates)
    }

    pub(super) fn dead_place(&self, agent: &AgentName, id: &MessageId) -> Place {
        let (reason, at) =
            receipt::decode_dead(&self.read_note(&format!("{}{}", layout::dead_letter(agent, id), layout::DEAD)));
        Place::DeadLetters { reason, at }
    }
}
