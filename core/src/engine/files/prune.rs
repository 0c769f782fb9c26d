//! Removing what the archive has kept long enough, and counting what lies in inboxes.
//!
//! Nothing here is a transaction: a file that is gone is gone, and whoever is killed leaves the rest to the next.

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::Result;
use crate::engine::fs::{DirEntry, EntryKind, FileSystem};
use crate::engine::journal::rules;
use crate::model::{Timestamp, Usage};

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn prune_archive(&self, before: Timestamp) -> Result<usize> {
        let mut removed = 0;
        let first_kept = before.date();
        // What cannot be listed stays, and `check` reports it.
        for day in self.journal.list(layout::ARCHIVE).unwrap_or_default().into_iter().filter(DirEntry::is_dir) {
            if rules::is_date(&day.name) && day.name < first_kept {
                removed += self.prune_day(&format!("{}/{}", layout::ARCHIVE, day.name))?;
            }
        }
        Ok(removed)
    }

    /// Removes one day of the archive; what is not of the layout stays, and keeps its directory.
    fn prune_day(&self, day: &str) -> Result<usize> {
        let mut copies = 0;
        let inboxes = format!("{day}/{}", layout::INBOX);
        for dir in self.dirs_in(&inboxes) {
            copies += self.remove_files(&dir, is_of_message)?;
        }
        let events = format!("{day}/{}", layout::EVENTS);
        for dir in self.dirs_in(&events) {
            self.remove_files(&dir, is_of_message)?;
        }
        for dir in [layout::OUTBOX, layout::BROADCASTS] {
            self.remove_files(&format!("{day}/{dir}"), is_of_message)?;
        }
        for dir in [layout::OFFERED, layout::INDEX] {
            self.remove_files(&format!("{day}/{dir}"), |name| name.ends_with(".log") || name.ends_with(".stamp"))?;
        }
        for dir in [inboxes, events, format!("{day}/.huddle"), day.to_owned()] {
            self.journal.remove_dir(&dir)?;
        }
        Ok(copies)
    }

    fn dirs_in(&self, dir: &str) -> Vec<String> {
        let dirs = self.journal.list(dir).unwrap_or_default().into_iter().filter(DirEntry::is_dir);
        dirs.map(|entry| format!("{dir}/{}", entry.name)).collect()
    }

    /// Removes the files of a directory that are ours, then the directory; returns how many of them were messages.
    fn remove_files(&self, dir: &str, is_ours: impl Fn(&str) -> bool) -> Result<usize> {
        let mut messages = 0;
        let files =
            self.journal.list(dir).unwrap_or_default().into_iter().filter(|entry| entry.kind == EntryKind::File);
        // A message comes before what belongs to it, so that none is left without its receipt.
        for name in files.map(|entry| entry.name).filter(|name| is_ours(name)) {
            self.journal.remove(&format!("{dir}/{name}"))?;
            messages += usize::from(name.ends_with(".json"));
        }
        if self.journal.exists(dir).unwrap_or(false) {
            self.journal.sync_dir(dir)?;
            self.journal.remove_dir(dir)?;
        }
        Ok(messages)
    }

    pub(super) fn count_usage(&self) -> Result<Usage> {
        let mut usage = Usage::default();
        for dir in self.dirs_in(layout::INBOX) {
            // An inbox that cannot be listed counts for nothing, and `check` reports it.
            for id in self.open_folder(&dir).map(|folder| folder.ids).unwrap_or_default() {
                usage.messages += 1;
                usage.bytes += self.journal.size(&format!("{dir}/{id}.json")).ok().flatten().unwrap_or_default();
            }
        }
        Ok(usage)
    }
}

/// Recognizes a message, or what belongs to one.
fn is_of_message(name: &str) -> bool {
    let message = layout::SIDECARS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    message.ends_with(".json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::fs::memory::MemoryFs;
    use crate::host::FixedHost;

    #[test]
    fn whole_days_go_and_strange_files_stay() {
        let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
        let engine = FilesEngine::new(&fs, &host);
        engine.init().unwrap();
        let bus = fs.files();
        let plant = |path: &str| {
            fs.create_dir(crate::engine::fs::parent(path)).unwrap();
            fs.write_new(path, b"{}").unwrap();
        };
        let old = [
            "archive/2025-11-01/inbox/bob/m.json",
            "archive/2025-11-01/inbox/bob/m.json.read",
            "archive/2025-11-01/outbox/m_to_bob.json",
            "archive/2025-11-01/broadcasts/b.json",
            "archive/2025-11-01/events/Done/e.json",
            "archive/2025-11-01/.huddle/offered/bob.log",
            "archive/2025-11-01/.huddle/index/bob.log",
            "archive/2025-11-02/inbox/bob/n.json",
        ];
        let kept = [
            "archive/2025-11-02/inbox/bob/notes.txt",
            "archive/2025-11-20/inbox/bob/o.json",
            "archive/notes/inbox/bob/p.json",
        ];
        old.iter().chain(&kept).for_each(|path| plant(path));
        assert_eq!(engine.prune(Timestamp::parse("2025-11-20T23:59:59Z").unwrap()).unwrap(), 2);
        let left: Vec<String> = fs.files().into_iter().filter(|path| !bus.contains(path)).collect();
        assert_eq!(left, kept);
        assert!(!fs.exists("archive/2025-11-01").unwrap());
        assert_eq!(engine.prune(Timestamp::parse("2025-11-21T00:00:00Z").unwrap()).unwrap(), 1);
    }
}
