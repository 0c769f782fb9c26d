//! Removing a file only if it is the one that was meant.
//!
//! No system removes a name on the condition that it stands for a certain file, and a process can be suspended for any time
//! between looking and removing. So the file is moved to a path that nobody else uses, and looked at there: the one that was
//! meant is removed, any other is moved back. That path holds the old one and what was meant, so whoever finds it can end
//! what a suspended or killed process began. It is moved back by a rename: once, whoever does it, and over whatever has
//! got its name meanwhile, because it was there first.

use super::Journal;
use super::entry::Operation;
use crate::Host;
use crate::bus::ids;
use crate::engine::Result;
use crate::engine::fs::{DirEntry, EntryKind, FileSystem, parent};
use crate::model::Span;

/// Files that are being removed, each below the directory that it was in.
pub(crate) const TAKEN: &str = ".huddle/taken";

impl<F: FileSystem, H: Host> Journal<F, H> {
    /// Removes a file if its content has this fingerprint.
    ///
    /// Whoever has removed all that it wanted from a directory calls [`Journal::tidy_removals`].
    pub(crate) fn remove_if_unchanged(&self, path: &str, meant: &str) -> Result<()> {
        const TRIES: usize = 4;
        let is_unchanged =
            || -> Result<bool> { Ok(self.read(path)?.is_some_and(|bytes| ids::fingerprint(&[bytes]) == meant)) };
        for _ in 0..TRIES {
            if !is_unchanged()? {
                break;
            }
            let taken = format!("{TAKEN}/{}/{}.{meant}.{}", parent(path), self.new_tx(), file_name(path));
            if self.rename(path, &taken)? {
                self.end_removal(&taken, path, meant)?;
                break;
            }
        }
        Ok(())
    }

    /// Removes the directories that removals from a directory needed, unless another process needs them.
    pub(crate) fn tidy_removals(&self, dir: &str) {
        for dir in [dir, parent(dir)].into_iter().filter(|dir| !dir.is_empty()) {
            drop(self.remove_dir(&format!("{TAKEN}/{dir}")));
        }
        drop(self.remove_dir(TAKEN));
    }

    /// Moves back what was taken from a path by mistake, and returns whether there was anything.
    ///
    /// Whoever has found the path free, and has just given it to a file, was not the first then.
    pub(crate) fn restore_taken(&self, path: &str) -> bool {
        let mut is_restored = false;
        for file in self.taken_from(parent(path)).iter().filter(|file| file.name == file_name(path)) {
            // What cannot be read or moved back was planted, or is left to others.
            is_restored |= self.end_removal(&file.taken, path, &file.meant).unwrap_or_default();
        }
        is_restored
    }

    /// Ends the removals of others that began so long ago, as far as possible.
    pub(crate) fn end_removals(&self, min_age: Span) {
        for above in self.dirs_in(TAKEN) {
            for below in self.dirs_in(&format!("{TAKEN}/{above}")) {
                let dir = format!("{above}/{below}");
                for file in self.taken_from(&dir).iter().filter(|file| self.age(&file.tx) >= min_age) {
                    let path = format!("{dir}/{}", file.name);
                    if (self.rules)(Operation::Remove(&path)) || (self.rules)(Operation::Claim(&path)) {
                        drop(self.end_removal(&file.taken, &path, &file.meant));
                    }
                }
                self.tidy_removals(&dir);
            }
        }
    }

    /// Removes what was taken, or moves it back if it is not what was meant; returns whether it is not.
    fn end_removal(&self, taken: &str, path: &str, meant: &str) -> Result<bool> {
        match self.read_document(taken)? {
            None => Ok(false),
            Some(bytes) if ids::fingerprint(&[&bytes]) == meant => self.remove(taken).map(|()| false),
            Some(_) => self.rename(taken, path).map(|_| true),
        }
    }

    fn dirs_in(&self, dir: &str) -> Vec<String> {
        let dirs = self.list(dir).unwrap_or_default().into_iter().filter(DirEntry::is_dir);
        dirs.map(|entry| entry.name).collect()
    }

    /// Lists what was taken from a directory. What is not of the form that we write counts for nothing.
    fn taken_from(&self, dir: &str) -> Vec<Taken> {
        let from = format!("{TAKEN}/{dir}");
        let files = self.list(&from).unwrap_or_default().into_iter().filter(|file| file.kind == EntryKind::File);
        files.filter_map(|file| Taken::parse(&from, &file.name)).collect()
    }
}

/// A file that is being removed.
struct Taken {
    taken: String,
    tx: String,
    meant: String,
    /// Its name in the directory that it was in.
    name: String,
}

impl Taken {
    fn parse(dir: &str, file: &str) -> Option<Self> {
        let (tx, rest) = file.split_once('.')?;
        let (meant, name) = rest.split_once('.')?;
        uuid::Uuid::try_parse(tx).ok()?;
        let [tx, meant, name] = [tx, meant, name].map(str::to_owned);
        Some(Self { taken: format!("{dir}/{file}"), tx, meant, name })
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
