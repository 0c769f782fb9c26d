//! Taking over what another bus has kept.
//!
//! All contents are written first and synced together; then they get their names, a message after what lies beside it.
//! So one who is killed in between leaves no message without its receipt, and whoever begins anew finds what is done.

use std::collections::{BTreeMap, BTreeSet};

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::{FileSystem, MAX_APPEND, parent};
use crate::engine::{Error, Result, Survey};
use crate::history::export;
use crate::model::{Delivery, Found, Message, MessageId, Timestamp};
use crate::wire::mailbox::kept::{self, Away, KeptCopy};
use crate::wire::mailbox::{message, receipt};

/// How many messages are written before they get their names: enough to sync them together, few enough to be done
/// before anybody takes them for litter.
const BATCH: usize = 500;

/// What one batch consists of, its contents written and not yet named.
#[derive(Default)]
struct Batch {
    /// Every file that was written.
    written: Vec<String>,
    /// The contents of messages: a copy and the record of it share one file, as they do when they are sent.
    contents: BTreeMap<String, String>,
    /// Names for what lies beside messages, which replace what a killed predecessor left.
    beside: Vec<(String, String)>,
    /// What lies beside messages that are yet to come, and does not belong to them.
    stale: Vec<String>,
    /// Where each copy and record would lie had it not been moved: of two that are the same, the first counts.
    met: BTreeSet<String>,
    /// Names for messages and records; copies are those that count.
    names: BTreeMap<String, Named>,
    /// When messages were listed, by log.
    offered: BTreeMap<String, Vec<(MessageId, Option<Timestamp>)>>,
    /// Which directories there are that may have what lies in a folder, or did.
    folders: BTreeMap<String, Vec<String>>,
}

struct Named {
    from: String,
    counts: bool,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn take_over(&self, survey: &Survey) -> Result<Found<usize>> {
        let mut new = 0;
        for part in survey.parts(BATCH) {
            new += self.take_over_part(&part, Away::of(survey))?;
        }
        Ok(Found { value: new, findings: export::losses(survey) })
    }

    fn take_over_part(&self, part: &Survey, away: Away) -> Result<usize> {
        let mut batch = Batch::default();
        for copy in &part.deliveries {
            self.add_copy(&mut batch, copy)?;
        }
        for record in &part.records {
            let path = kept::record_path(record);
            self.add_record(&mut batch, record, path, || message::encode(record, None), away)?;
        }
        for (sent, to) in &part.sent {
            let path = layout::outbox(&sent.id, to);
            self.add_record(&mut batch, sent, path, || kept::text_for(sent, to), away)?;
        }
        self.disk.sync(&batch.written)?;
        self.name_beside(&batch)?;
        let new = self.name_messages(&batch)?;
        batch.written.iter().try_for_each(|path| self.disk.remove(path))?;
        Ok(new)
    }

    fn add_copy(&self, batch: &mut Batch, copy: &Delivery) -> Result<()> {
        let Delivery { recipient, message, receipt, .. } = copy;
        let KeptCopy { path, text, beside, log } = kept::copy(copy);
        let inbox = layout::inbox_message(recipient, &message.id);
        let dead = layout::dead_letter(recipient, &message.id);
        if self.is_kept(batch, inbox.clone(), Some(parent(&dead)))? {
            return Ok(());
        }
        let folders = batch.folders.get(parent(&inbox));
        let is_new_folder = folders.is_none_or(|folders| !folders.iter().any(|folder| folder == parent(&path)));
        for ending in layout::SIDECARS {
            let to = format!("{path}{ending}");
            match beside.iter().find(|(name, _)| *name == ending) {
                Some((_, text)) => batch.beside.push((self.write_apart(&mut batch.written, text)?, to)),
                None if !is_new_folder && self.disk.exists(&to)? => batch.stale.push(to),
                None => {}
            }
        }
        batch.offered.entry(log).or_default().push((message.id.clone(), receipt.offered_at));
        self.add_message(batch, path, text, true)
    }

    fn add_record(
        &self,
        batch: &mut Batch,
        message: &Message,
        path: String,
        text: impl FnOnce() -> String,
        away: Away,
    ) -> Result<()> {
        if self.is_kept(batch, path.clone(), None)? {
            return Ok(());
        }
        self.add_message(batch, away.placed(message, path), text(), false)
    }

    fn add_message(&self, batch: &mut Batch, path: String, text: String, counts: bool) -> Result<()> {
        let from = match batch.contents.get(&text) {
            Some(from) => from.clone(),
            None => {
                let from = self.write_apart(&mut batch.written, &text)?;
                batch.contents.insert(text, from.clone());
                from
            }
        };
        batch.names.insert(path, Named { from, counts });
        Ok(())
    }

    fn write_apart(&self, written: &mut Vec<String>, text: &str) -> Result<String> {
        let path = self.disk.scratch_path("adopted");
        self.disk.write_scratch(&path, text.as_bytes())?;
        written.push(path.clone());
        Ok(path)
    }

    /// Says whether a file is where it would be, or in any day of the archive, or in another folder, or is to be.
    fn is_kept(&self, batch: &mut Batch, path: String, other: Option<&str>) -> Result<bool> {
        if batch.met.contains(&path) {
            return Ok(true);
        }
        let folder = parent(&path);
        if !batch.folders.contains_key(folder) {
            let there = self.folders_like(folder, other)?;
            batch.folders.insert(folder.to_owned(), there);
        }
        let name = &path[folder.len()..];
        for folder in batch.folders.get(folder).into_iter().flatten() {
            if self.disk.exists(&format!("{folder}{name}"))? {
                return Ok(true);
            }
        }
        batch.met.insert(path);
        Ok(false)
    }

    /// Lists the directories there are among a folder, the same in each day of the archive, and another.
    fn folders_like(&self, folder: &str, other: Option<&str>) -> Result<Vec<String>> {
        let mut folders = vec![folder.to_owned()];
        folders.extend(self.disk.list(layout::ARCHIVE)?.iter().map(|day| layout::archived(&day.name, folder)));
        folders.extend(other.map(str::to_owned));
        let mut there = Vec::new();
        for folder in folders {
            if self.disk.exists(&folder)? {
                there.push(folder);
            }
        }
        Ok(there)
    }

    /// Names what lies beside messages, so that it is there when they come.
    fn name_beside(&self, batch: &Batch) -> Result<()> {
        let mut touched: BTreeSet<&str> = BTreeSet::new();
        for (log, listed) in &batch.offered {
            if self.note_listed(log, listed)? {
                touched.insert(log);
                touched.insert(parent(log));
            }
        }
        for path in &batch.stale {
            self.disk.remove(path)?;
            touched.insert(parent(path));
        }
        for (from, to) in &batch.beside {
            if !self.disk.rename(from, to)? {
                return Err(swept_away(to));
            }
            touched.insert(parent(to));
        }
        self.sync_touched(&touched)
    }

    fn sync_touched(&self, touched: &BTreeSet<&str>) -> Result<()> {
        self.disk.sync(&touched.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    /// Notes when messages were listed, where the log does not say so already; gives whether there was anything to note.
    fn note_listed(&self, log: &str, listed: &[(MessageId, Option<Timestamp>)]) -> Result<bool> {
        let so_far = self.disk.read(log)?.unwrap_or_default();
        let noted = receipt::decode_offered(&so_far, None);
        // A predecessor that was killed while it wrote may have left half a line.
        let is_torn = so_far.last().is_some_and(|last| *last != b'\n');
        let mut lines = if is_torn { "\n".to_owned() } else { String::new() };
        for (id, at) in listed {
            let at = at.map(Timestamp::floor);
            let before = noted.get(id).copied();
            if before == at {
                continue;
            }
            // What a log says of a message that was not there is from a time when it was elsewhere.
            let mut line = if before.is_some() { receipt::offered(None, id) } else { String::new() };
            line.extend(at.map(|at| receipt::offered(Some(at), id)));
            if lines.len() + line.len() > MAX_APPEND {
                self.disk.append(log, &lines)?;
                lines.clear();
            }
            lines.push_str(&line);
        }
        let is_new = !lines.trim().is_empty();
        if is_new {
            self.disk.append(log, &lines)?;
        }
        Ok(is_new)
    }

    /// Names the messages: from here on they are there. Gives how many copies are new.
    fn name_messages(&self, batch: &Batch) -> Result<usize> {
        let mut new = 0;
        let mut touched: BTreeSet<&str> = BTreeSet::new();
        for (to, Named { from, counts }) in &batch.names {
            let won = self.disk.link(from, to)?;
            if !won && !self.disk.exists(to)? {
                return Err(swept_away(to));
            }
            new += usize::from(won && *counts);
            touched.insert(parent(to));
        }
        self.sync_touched(&touched)?;
        Ok(new)
    }
}

/// Tells that contents were gone before they had a name: another process took them for litter.
fn swept_away(path: &str) -> Box<Error> {
    let source = std::io::Error::other("it took so long that another agent swept it away; begin again, it goes on");
    Error::Io { doing: "publishing", path: format!("{}/{path}", layout::ROOT), source }.into()
}
