//! Leases and atomic transactions on a directory tree that many processes change concurrently.
//!
//! The journal stores its own files in `.huddle/`, below the same root as the files that it protects.

mod entry;
mod lease;
mod origin;
mod redo;
mod removal;
pub(crate) mod rules;

use std::cell::{Cell, RefCell};
use std::io;

pub(crate) use entry::{EntryKey, JournalEntry, RedoOp, Rules};
pub(crate) use lease::TTL;
pub(crate) use redo::{LoadedEntry, ORPHAN_AFTER, PendingTransaction};
#[cfg(test)]
pub(crate) use removal::TAKEN;

use super::fs::{FileSystem, parent};
use super::{Error, Lease, LockSettings, Result};
use crate::Host;
use crate::model::{Diagnostic, Severity};

/// Entries that are committed and not yet executed, and files that are being written.
pub(crate) const WORK: &str = ".huddle/work";
/// The leases, one directory each.
pub(crate) const LEASES: &str = ".huddle/leases";
/// Invalid entries, kept for inspection.
pub(crate) const QUARANTINE: &str = ".huddle/quarantine";
/// The send keys that were used.
pub(crate) const KEYS: &str = ".huddle/keys";

/// An error that can mean that a lease was lost, so that the operation can be retried.
pub(crate) trait IsFenced {
    /// Returns whether nothing was changed because another process took over the lease.
    fn is_fenced(&self) -> bool;
}

impl IsFenced for Box<Error> {
    fn is_fenced(&self) -> bool {
        matches!(**self, Error::Fenced { .. })
    }
}

impl IsFenced for Box<crate::session::Error> {
    fn is_fenced(&self) -> bool {
        matches!(**self, crate::session::Error::Engine(Error::Fenced { .. }))
    }
}

impl IsFenced for Box<crate::bus::Error> {
    fn is_fenced(&self) -> bool {
        matches!(**self, crate::bus::Error::Engine(Error::Fenced { .. }))
    }
}

/// A redo log and leases on a file system.
pub(crate) struct Journal<F, H> {
    pub(crate) fs: F,
    pub(crate) host: H,
    /// The name of the root in error messages.
    root: &'static str,
    /// The operations that an entry may contain.
    rules: Rules,
    pub(crate) locks: LockSettings,
    /// The lease released last. Its number is known to be free, which saves a listing.
    last_released: RefCell<Option<Lease>>,
    /// Whether the origin stamp is known to be valid.
    is_stamped: Cell<bool>,
}

impl<F: FileSystem, H: Host> Journal<F, H> {
    pub(crate) fn new(fs: F, host: H, root: &'static str, rules: Rules) -> Self {
        Self {
            fs,
            host,
            root,
            rules,
            locks: LockSettings::default(),
            last_released: RefCell::default(),
            is_stamped: Cell::new(false),
        }
    }

    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read_up_to(path, super::fs::MAX_FILE)
    }

    /// Reads a file that is parsed in memory, with a lower size limit.
    pub(crate) fn read_document(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read_up_to(path, super::fs::MAX_DOCUMENT)
    }

    fn read_up_to(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.fs.read(path, limit).map_err(|source| self.failed("reading", path, source))
    }

    pub(crate) fn list(&self, dir: &str) -> Result<Vec<super::fs::DirEntry>> {
        self.fs.list(dir).map_err(|source| self.failed("listing", dir, source))
    }

    /// Reads one of many documents. A failure becomes a diagnostic.
    pub(crate) fn read_or_report(&self, path: &str, findings: &mut Vec<Diagnostic>) -> Option<Vec<u8>> {
        self.read_document(path).unwrap_or_else(|error| {
            findings.push(unreadable(path, &error));
            None
        })
    }

    /// Lists a directory among many, as [`Journal::read_or_report`] reads a file.
    pub(crate) fn list_or_report(&self, dir: &str, findings: &mut Vec<Diagnostic>) -> Vec<super::fs::DirEntry> {
        self.list(dir).unwrap_or_else(|error| {
            findings.push(unreadable(dir, &error));
            Vec::new()
        })
    }

    pub(crate) fn modified(&self, path: &str) -> Result<Option<u128>> {
        self.fs.modified(path).map_err(|source| self.failed("looking at", path, source))
    }

    /// Returns whether two names are known to stand for one file.
    pub(crate) fn is_same(&self, one: &str, other: &str) -> bool {
        self.fs.is_same(one, other).unwrap_or_default()
    }

    pub(crate) fn size(&self, path: &str) -> Result<Option<u64>> {
        self.fs.size(path).map_err(|source| self.failed("looking at", path, source))
    }

    pub(crate) fn remove_dir(&self, dir: &str) -> Result<()> {
        self.fs.remove_dir(dir).map_err(|source| self.failed("removing", dir, source))
    }

    pub(crate) fn exists(&self, path: &str) -> Result<bool> {
        self.fs.exists(path).map_err(|source| self.failed("looking for", path, source))
    }

    pub(crate) fn create_dir(&self, dir: &str) -> Result<()> {
        self.fs.create_dir(dir).map_err(|source| self.failed("making the directory", dir, source))
    }

    pub(crate) fn write_new(&self, path: &str, bytes: &[u8]) -> Result<()> {
        self.in_dir_of(path, || self.fs.write_new(path, bytes)).map_err(|source| self.failed("writing", path, source))
    }

    pub(crate) fn write_scratch(&self, path: &str, bytes: &[u8]) -> Result<()> {
        self.in_dir_of(path, || self.fs.write_scratch(path, bytes))
            .map_err(|source| self.failed("writing", path, source))
    }

    pub(crate) fn append(&self, path: &str, text: &str) -> Result<()> {
        self.in_dir_of(path, || self.fs.append(path, text.as_bytes()))
            .map_err(|source| self.failed("writing", path, source))
    }

    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        self.fs.remove(path).map_err(|source| self.failed("removing", path, source))
    }

    pub(crate) fn sync(&self, paths: &[String]) -> Result<()> {
        self.fs.sync(paths).map_err(|source| self.failed("syncing", WORK, source))
    }

    pub(crate) fn sync_dir(&self, dir: &str) -> Result<()> {
        self.fs.sync_dir(dir).map_err(|source| self.failed("syncing", dir, source))
    }

    /// Links a file; `false` if the name is taken, or if another process has moved the file already.
    pub(crate) fn link(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.link(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists || self.is_gone(from, &error) => Ok(false),
            Err(source) => Err(self.failed("publishing", to, source)),
        }
    }

    /// Moves a file, replacing the target; `false` if another process has moved the file already.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.rename(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if self.is_gone(from, &error) => Ok(false),
            Err(source) => Err(self.failed("moving", to, source)),
        }
    }

    /// Returns whether an action failed because its file is gone. A directory that is not there yet fails in the same way, and
    /// taking that for "done" would remove a file that has yet to be moved.
    fn is_gone(&self, from: &str, error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::NotFound && matches!(self.fs.exists(from), Ok(false))
    }

    /// Writes a new file durably; `false` if the name is taken.
    pub(crate) fn publish_new(&self, path: &str, bytes: &[u8]) -> Result<bool> {
        self.retry_fenced(|| self.publish_new_once(path, bytes, |_| Ok(true)))
    }

    /// Does the same under a name that others remove: `false` also when somebody had it, and lost it to a removal that
    /// meant another file and puts it back.
    pub(crate) fn publish_first(&self, path: &str, bytes: &[u8]) -> Result<bool> {
        self.retry_fenced(|| self.publish_new_once(path, bytes, |own| Ok(!self.is_replaced(own, path, bytes)?)))
    }

    /// Says whether a file that was there first was put back in place of one that has just been linked.
    fn is_replaced(&self, own: &str, path: &str, bytes: &[u8]) -> Result<bool> {
        if self.restore_taken(path) {
            return Ok(true);
        }
        if self.is_same(own, path) || !self.exists(path)? {
            return Ok(false);
        }
        // Where the platform cannot tell files apart, their contents have to.
        Ok(self.is_same(own, own) || self.read(path)?.is_some_and(|found| found != bytes))
    }

    fn publish_new_once(&self, path: &str, bytes: &[u8], is_first: impl Fn(&str) -> Result<bool>) -> Result<bool> {
        if self.exists(path)? {
            return Ok(false);
        }
        let scratch = self.scratch_path("new");
        self.write_new(&scratch, bytes)?;
        let won = self.link(&scratch, path)?;
        let is_ours = won && is_first(&scratch)?;
        self.remove(&scratch)?;
        if !won && !self.exists(path)? {
            // The name was free: another process removed the scratch file as stale while this one was suspended.
            return Err(Error::Fenced { what: path.to_owned() }.into());
        }
        self.sync_dir(parent(path))?;
        Ok(is_ours)
    }

    /// Replaces a file without syncing it.
    pub(crate) fn put_scratch(&self, path: &str, text: &str) -> Result<()> {
        self.retry_fenced(|| {
            let scratch = self.scratch_path("new");
            self.write_scratch(&scratch, text.as_bytes())?;
            self.rename_own(&scratch, path)
        })
    }

    /// Moves a file that this process wrote.
    ///
    /// Fails with [`Error::Fenced`] if another process removed it as stale, or because its lease was lost.
    pub(crate) fn rename_own(&self, from: &str, to: &str) -> Result<()> {
        if self.rename(from, to)? { Ok(()) } else { Err(Error::Fenced { what: to.to_owned() }.into()) }
    }

    /// Retries an operation that was fenced off, because this process was suspended for longer than its lease.
    ///
    /// The operation starts over: it reads, decides and writes again.
    pub(crate) fn retry_fenced<T, E: IsFenced>(&self, mut change: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        const TRIES: usize = 4;
        for _ in 1..TRIES {
            match change() {
                Err(error) if error.is_fenced() => {}
                ended => return ended,
            }
        }
        change()
    }

    /// Runs `action`, and once more after creating the parent directory if that was missing.
    fn in_dir_of(&self, path: &str, action: impl Fn() -> io::Result<()>) -> io::Result<()> {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Another may have made it since: then there is only to try again.
                if !self.fs.exists(parent(path))? {
                    self.fs.create_dir(parent(path))?;
                }
                action()
            }
            other => other,
        }
    }

    fn failed(&self, doing: &'static str, path: &str, source: io::Error) -> Box<Error> {
        Error::Io { doing, path: format!("{}/{path}", self.root), source }.into()
    }
}

pub(crate) fn unreadable(path: &str, error: &Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "unreadable-file",
        place: path.to_owned(),
        message: format!("it was passed over: {error}"),
        hint: "look at it and move it away; nothing else is affected".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fs::memory::MemoryFs;
    use crate::engine::fs::memory::stalling::StallingFs;
    use crate::host::FixedHost;

    #[test]
    fn a_directory_that_another_makes_meanwhile_loses_nothing() {
        for call in 0..20 {
            let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
            let stalling = StallingFs::new(&fs, call, || fs.create_dir("state").expect("it can be made"));
            let journal = Journal::new(&stalling, &host, "test", |_| true);
            let mut pending = journal.begin();
            pending.replace("state/x.json".to_owned(), b"{}").expect("it can be written");
            pending.commit_and_redo(&[]).expect("it can be moved");
            assert_eq!(fs.read("state/x.json", 10).expect("it can be read"), Some(b"{}".to_vec()), "call {call}");
        }
    }
}
