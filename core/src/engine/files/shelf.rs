//! Moving messages between inbox, dead letters and archive. Every move is a committed change: a message is never lost
//! between two places, nor parted from its receipt.

use super::tally::Tally;
use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::Result;
use crate::engine::disk::{self, Step};
use crate::engine::fs::{FileSystem, parent};
use crate::model::{AgentName, Delivery, MessageId, Place, Timestamp};
use crate::order;
use crate::order::SortedMap;
use crate::wire::mailbox::{message, receipt};

/// How many messages are moved in one change: enough to be quick, few enough to be finished soon by others.
const BATCH: usize = 200;

/// A file that is to be put away, and the day it belongs to.
struct Due {
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
        if !self.disk.exists(&from)? {
            return Ok(false);
        }
        let note = receipt::dead(reason, at);
        let mut draft = self.disk.draft();
        draft.replace(format!("{to}{}", layout::DEAD), note.as_bytes())?;
        draft.entry.steps.extend(self.move_steps(&from, &to)?);
        draft.commit_and_finish(&[])?;
        Ok(true)
    }

    pub(super) fn move_back_to_inbox(&self, agent: &AgentName, id: &MessageId) -> Result<bool> {
        let (from, to) = (layout::dead_letter(agent, id), layout::inbox_message(agent, id));
        if !self.disk.exists(&from)? {
            return Ok(false);
        }
        let mut draft = self.disk.draft();
        draft.entry.steps.push(Step::Move { from: from.clone(), to });
        let sidecars = layout::SIDECARS.map(|ending| Step::Remove { path: format!("{from}{ending}") });
        draft.entry.steps.extend(sidecars);
        draft.commit_and_finish(&[])?;
        self.log_offered(agent, std::slice::from_ref(id), None)?;
        Ok(true)
    }

    /// Moves a message with all that belongs to it, the message last: until then it is where it was.
    fn move_steps(&self, from: &str, to: &str) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for ending in layout::SIDECARS {
            if self.disk.exists(&format!("{from}{ending}"))? {
                steps.push(Step::Move { from: format!("{from}{ending}"), to: format!("{to}{ending}") });
            }
        }
        steps.push(Step::Move { from: from.to_owned(), to: to.to_owned() });
        Ok(steps)
    }

    pub(super) fn put_away(&self, before: Timestamp, unread_too: bool) -> Result<usize> {
        let mut moved = 0;
        for entry in self.disk.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir) {
            let folder = self.open_folder(&format!("{}/{}", layout::INBOX, entry.name))?;
            let ready = folder.ids.iter().filter(|id| unread_too || folder.has(id, layout::READ));
            let due = self.due(ready.map(|id| folder.path(id)), before);
            let agent = AgentName::new(entry.name).ok();
            if let Some(agent) = &agent {
                self.archive_offered(agent, &due)?;
            }
            self.move_to_archive(&due)?;
            if let Some(agent) = &agent {
                self.trim_offered(agent)?;
            }
            moved += due.len();
        }
        self.put_away_records(before)?;
        self.forget_keys(before)?;
        Ok(moved)
    }

    /// Puts away the bus's own records: what was sent, broadcast and published.
    fn put_away_records(&self, before: Timestamp) -> Result<()> {
        let mut dirs = vec![layout::OUTBOX.to_owned(), layout::BROADCASTS.to_owned()];
        let events = self.disk.list(layout::EVENTS)?.into_iter().filter(|entry| entry.is_dir);
        dirs.extend(events.map(|entry| format!("{}/{}", layout::EVENTS, entry.name)));
        for dir in dirs {
            let names =
                self.disk.list(&dir)?.into_iter().filter(|entry| !entry.is_dir && entry.name.ends_with(".json"));
            let due = self.due(names.map(|entry| format!("{dir}/{}", entry.name)), before);
            self.move_to_archive(&due)?;
        }
        Ok(())
    }

    /// Picks the files that were sent before a time, each with the day it was sent.
    fn due(&self, paths: impl Iterator<Item = String>, before: Timestamp) -> Vec<Due> {
        let mut due = Vec::new();
        for path in paths {
            if let Some(sent_at) = self.sent_at(&path).filter(|at| *at < before) {
                due.push(Due { path, date: sent_at.date() });
            }
        }
        due
    }

    fn move_to_archive(&self, due: &[Due]) -> Result<()> {
        for batch in due.chunks(BATCH) {
            let mut draft = self.disk.draft();
            for Due { path, date } in batch {
                draft.entry.steps.extend(self.move_steps(path, &layout::archived(date, path))?);
            }
            draft.commit_and_finish(&[])?;
        }
        Ok(())
    }

    /// Copies to the archive's logs when the messages that are about to move were listed.
    fn archive_offered(&self, agent: &AgentName, due: &[Due]) -> Result<()> {
        let offered = if due.is_empty() { SortedMap::new() } else { self.read_offered(&layout::offered(agent), None) };
        for Due { path, date } in due {
            let id = path.rsplit('/').next().and_then(|name| name.strip_suffix(".json"));
            let id = id.and_then(|id| MessageId::new(id).ok());
            if let Some((id, at)) = id.as_ref().and_then(|id| Some((id, offered.get(id)?))) {
                self.disk.append(&layout::archived(date, &layout::offered(agent)), &receipt::offered(Some(*at), id))?;
            }
        }
        Ok(())
    }

    /// Tells when a message was sent, by its name if possible; one that cannot be read stays where it is.
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
        let offered = self.read_offered(&path, None);
        let mut lines = String::new();
        let mut kept = 0;
        for (id, at) in &offered {
            if self.disk.exists(&layout::inbox_message(agent, id))?
                || self.disk.exists(&layout::dead_letter(agent, id))?
            {
                lines.push_str(&receipt::offered(Some(*at), id));
                kept += 1;
            }
        }
        if kept < offered.len() {
            self.disk.put_scratch(&path, &lines)?;
        }
        Ok(())
    }

    fn forget_keys(&self, before: Timestamp) -> Result<()> {
        for entry in self.disk.list(disk::KEYS)? {
            let path = format!("{}/{}", disk::KEYS, entry.name);
            let first = self.disk.read_entry(&path);
            let used_at = first.as_ref().and_then(Tally::in_entry).and_then(|tally| Timestamp::parse(&tally.at));
            if used_at.is_some_and(|at| at < before) {
                self.disk.remove(&path)?;
            }
        }
        Ok(())
    }

    pub(super) fn find_delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>> {
        let inbox = layout::inbox_message(agent, id);
        let mut paths = vec![(inbox.clone(), Place::Inbox)];
        for date in self.archive_dates(id)? {
            paths.push((layout::archived(&date, &inbox), Place::Archive));
        }
        paths.push((layout::dead_letter(agent, id), self.dead_place(agent, id)));
        for (path, place) in paths {
            if self.disk.exists(&path)? {
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
            (None, Some(finding)) => {
                Err(crate::engine::Error::Damaged { path: finding.place, fault: finding.message }.into())
            }
            (delivery, _) => Ok(delivery),
        }
    }

    /// Lists the days of the archive, the one the id carries first.
    fn archive_dates(&self, id: &MessageId) -> Result<Vec<String>> {
        let guess = ids::time_in(id.as_str()).map(Timestamp::date);
        let mut dates: Vec<String> = self.disk.list(layout::ARCHIVE)?.into_iter().map(|entry| entry.name).collect();
        order::sort_by_key(&mut dates, |date| Some(date) != guess.as_ref());
        Ok(dates)
    }

    pub(super) fn dead_place(&self, agent: &AgentName, id: &MessageId) -> Place {
        let (reason, at) =
            receipt::decode_dead(&self.read_note(&format!("{}{}", layout::dead_letter(agent, id), layout::DEAD)));
        Place::DeadLetters { reason, at }
    }
}
