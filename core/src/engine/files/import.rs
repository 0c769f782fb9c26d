//! Imports the mail of another bus.
//!
//! All contents are written first and synced together; then they get their names, a message after what lies beside it.
//! So one who is killed in between leaves no message without its receipt, and whoever begins anew finds what is done.

use std::collections::{BTreeMap, BTreeSet};

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::{FileSystem, MAX_APPEND, parent};
use crate::engine::{Error, MailSnapshot, Result};
use crate::history::export;
use crate::model::{Delivery, Message, MessageId, Timestamp, WithDiagnostics};
use crate::wire::mailbox::stored::{self, ArchiveExtent, StoredCopy};
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
    sidecars: Vec<(String, String)>,
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
    pub(super) fn import_mail(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>> {
        let mut new = 0;
        for part in snapshot.batches(BATCH) {
            new += self.import_batch(&part, ArchiveExtent::of(snapshot))?;
        }
        Ok(WithDiagnostics { value: new, findings: export::losses(snapshot) })
    }

    fn import_batch(&self, part: &MailSnapshot, away: ArchiveExtent) -> Result<usize> {
        let mut batch = Batch::default();
        for copy in &part.deliveries {
            self.add_copy(&mut batch, copy)?;
        }
        for record in &part.records {
            let path = stored::record_path(record);
            self.add_record(&mut batch, record, path, || message::encode(record, None), away)?;
        }
        for (sent, to) in &part.sent {
            let path = layout::outbox(&sent.id, to);
            self.add_record(&mut batch, sent, path, || stored::text_for(sent, to), away)?;
        }
        self.journal.sync(&batch.written)?;
        self.name_sidecars(&batch)?;
        let new = self.name_messages(&batch)?;
        batch.written.iter().try_for_each(|path| self.journal.remove(path))?;
        Ok(new)
    }

    fn add_copy(&self, batch: &mut Batch, copy: &Delivery) -> Result<()> {
        let Delivery { recipient, message, receipt, .. } = copy;
        let StoredCopy { path, text, sidecars, log } = stored::copy(copy);
        let inbox = layout::inbox_message(recipient, &message.id);
        let dead = layout::dead_letter(recipient, &message.id);
        if self.is_kept(batch, inbox.clone(), Some(parent(&dead)))? {
            return Ok(());
        }
        let folders = batch.folders.get(parent(&inbox));
        let is_new_folder = folders.is_none_or(|folders| !folders.iter().any(|folder| folder == parent(&path)));
        for ending in layout::SIDECARS {
            let to = format!("{path}{ending}");
            match sidecars.iter().find(|(name, _)| *name == ending) {
                Some((_, text)) => batch.sidecars.push((self.write_content(&mut batch.written, text)?, to)),
                None if !is_new_folder && self.journal.exists(&to)? => batch.stale.push(to),
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
        away: ArchiveExtent,
    ) -> Result<()> {
        if self.is_kept(batch, path.clone(), None)? {
            return Ok(());
        }
        self.add_message(batch, away.path_of(message, path), text(), false)
    }

    fn add_message(&self, batch: &mut Batch, path: String, text: String, counts: bool) -> Result<()> {
        let from = match batch.contents.get(&text) {
            Some(from) => from.clone(),
            None => {
                let from = self.write_content(&mut batch.written, &text)?;
                batch.contents.insert(text, from.clone());
                from
            }
        };
        batch.names.insert(path, Named { from, counts });
        Ok(())
    }

    fn write_content(&self, written: &mut Vec<String>, text: &str) -> Result<String> {
        let path = self.journal.scratch_path("adopted");
        self.journal.write_scratch(&path, text.as_bytes())?;
        written.push(path.clone());
        Ok(path)
    }

    /// Returns whether a file is where it would be, or in any day of the archive, or in another folder, or is to be.
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
            if self.journal.exists(&format!("{folder}{name}"))? {
                return Ok(true);
            }
        }
        batch.met.insert(path);
        Ok(false)
    }

    /// Lists the directories there are among a folder, the same in each day of the archive, and another.
    fn folders_like(&self, folder: &str, other: Option<&str>) -> Result<Vec<String>> {
        let mut folders = vec![folder.to_owned()];
        folders.extend(self.journal.list(layout::ARCHIVE)?.iter().map(|day| layout::archived(&day.name, folder)));
        folders.extend(other.map(str::to_owned));
        let mut there = Vec::new();
        for folder in folders {
            if self.journal.exists(&folder)? {
                there.push(folder);
            }
        }
        Ok(there)
    }

    /// Names what lies beside messages, so that it is there when they come.
    fn name_sidecars(&self, batch: &Batch) -> Result<()> {
        let mut touched: BTreeSet<&str> = BTreeSet::new();
        for (log, listed) in &batch.offered {
            if self.note_listed(log, listed)? {
                touched.insert(log);
                touched.insert(parent(log));
            }
        }
        for path in &batch.stale {
            self.journal.remove(path)?;
            touched.insert(parent(path));
        }
        for (from, to) in &batch.sidecars {
            if !self.journal.rename(from, to)? {
                return Err(swept_away(to));
            }
            touched.insert(parent(to));
        }
        self.sync_touched(&touched)
    }

    fn sync_touched(&self, touched: &BTreeSet<&str>) -> Result<()> {
        self.journal.sync(&touched.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    /// Records when messages were listed, where the log does not say so already; returns whether there was anything to note.
    fn note_listed(&self, log: &str, listed: &[(MessageId, Option<Timestamp>)]) -> Result<bool> {
        let so_far = self.journal.read(log)?.unwrap_or_default();
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
                self.journal.append(log, &lines)?;
                lines.clear();
            }
            lines.push_str(&line);
        }
        let is_new = !lines.trim().is_empty();
        if is_new {
            self.journal.append(log, &lines)?;
        }
        Ok(is_new)
    }

    /// Names the messages: from here on they are there. Gives how many copies are new.
    fn name_messages(&self, batch: &Batch) -> Result<usize> {
        let mut new = 0;
        let mut touched: BTreeSet<&str> = BTreeSet::new();
        for (to, Named { from, counts }) in &batch.names {
            let won = self.journal.link(from, to)?;
            if !won && !self.journal.exists(to)? {
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
