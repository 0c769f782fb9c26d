//! A directory tree that many processes change at once: leases, and changes that are whole or absent.
//!
//! What uses a disk keeps its own files below the same root; the disk keeps its work in `.huddle/` there.

mod entry;
mod lease;
mod origin;
pub(crate) mod rules;
mod work;

use std::cell::{Cell, RefCell};
use std::io;

pub(crate) use entry::{Entry, EntryKey, Rules, Step};
pub(crate) use lease::TTL;
pub(crate) use work::{Draft, Loaded};

use super::fs::{FileSystem, parent};
use super::{Error, Lease, Result};
use crate::Host;
use crate::model::{Finding, Severity, Span};

/// What is being written, and changes that are committed and not yet carried out.
pub(crate) const WORK: &str = ".huddle/work";
/// The leases, one directory each.
pub(crate) const LEASES: &str = ".huddle/leases";
/// Entries that no transaction wrote, kept for whoever wants to know what they were.
pub(crate) const QUARANTINE: &str = ".huddle/quarantine";
/// The keys that were used to make repeated changes harmless.
pub(crate) const KEYS: &str = ".huddle/keys";

/// Writes the methods by which whatever stands on a disk is told who acts and how patiently.
macro_rules! acting {
    () => {
        /// Names who acts from now on, for those who have to wait.
        pub fn act_for(&self, owner: &str) {
            self.disk.owner.replace(owner.to_owned());
        }

        /// Sets how long to wait for what another holds.
        #[must_use]
        pub fn with_patience(mut self, patience: $crate::model::Span) -> Self {
            self.disk.patience = patience;
            self
        }
    };
}

pub(crate) use acting;

/// An error that can mean that a change was fenced off, and may be begun anew.
pub(crate) trait IsFenced {
    /// Returns whether nothing was changed because others went on meanwhile.
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

/// A file system with a clock, and somebody who acts on it.
pub(crate) struct Disk<F, H> {
    pub(crate) fs: F,
    pub(crate) host: H,
    /// What the root is called when people are told of a path.
    root: &'static str,
    /// What a journal entry may ask for.
    rules: Rules,
    /// Who acts, for those who have to wait.
    pub(crate) owner: RefCell<String>,
    /// How long to wait for what another holds.
    pub(crate) patience: Span,
    /// The lease that was given back last: nobody has to look whether its number is free.
    freed: RefCell<Option<Lease>>,
    /// Whether the journal is known to have been written here.
    is_stamped: Cell<bool>,
}

impl<F: FileSystem, H: Host> Disk<F, H> {
    pub(crate) fn new(fs: F, host: H, root: &'static str, rules: Rules) -> Self {
        let owner = RefCell::new("an unnamed agent".into());
        Self {
            fs,
            host,
            root,
            rules,
            owner,
            patience: Span::from_seconds(30),
            freed: RefCell::default(),
            is_stamped: Cell::new(false),
        }
    }

    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read_up_to(path, super::fs::MAX_FILE)
    }

    /// Reads a file that is parsed as a whole, and therefore has a lower limit.
    pub(crate) fn read_document(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read_up_to(path, super::fs::MAX_DOCUMENT)
    }

    fn read_up_to(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.fs.read(path, limit).map_err(|source| self.failed("reading", path, source))
    }

    pub(crate) fn list(&self, dir: &str) -> Result<Vec<super::fs::DirEntry>> {
        self.fs.list(dir).map_err(|source| self.failed("listing", dir, source))
    }

    /// Reads a document among many: one that cannot be read is a diagnostic, and the others are read all the same.
    pub(crate) fn read_or_report(&self, path: &str, findings: &mut Vec<Finding>) -> Option<Vec<u8>> {
        self.read_document(path).unwrap_or_else(|error| {
            findings.push(unreadable(path, &error));
            None
        })
    }

    /// Lists a directory among many, as [`Disk::read_or_report`] reads a file.
    pub(crate) fn list_or_report(&self, dir: &str, findings: &mut Vec<Finding>) -> Vec<super::fs::DirEntry> {
        self.list(dir).unwrap_or_else(|error| {
            findings.push(unreadable(dir, &error));
            Vec::new()
        })
    }

    pub(crate) fn modified(&self, path: &str) -> Result<Option<u128>> {
        self.fs.modified(path).map_err(|source| self.failed("looking at", path, source))
    }

    /// Says whether two names are known to stand for one file.
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

    /// Links a file; `false` when the name is taken, or when the file is gone because another has done this already.
    pub(crate) fn link(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.link(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Ok(false),
            Err(source) => Err(self.failed("publishing", to, source)),
        }
    }

    /// Moves a file over whatever is there; `false` when it is gone because another has done this already.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<bool> {
        match self.in_dir_of(to, || self.fs.rename(from, to)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(self.failed("moving", to, source)),
        }
    }

    /// Writes a file under a name that nobody has, for good; `false` when somebody has.
    pub(crate) fn publish_new(&self, path: &str, bytes: &[u8]) -> Result<bool> {
        self.retry_fenced(|| self.publish_new_once(path, bytes))
    }

    fn publish_new_once(&self, path: &str, bytes: &[u8]) -> Result<bool> {
        if self.exists(path)? {
            return Ok(false);
        }
        let scratch = self.scratch_path("new");
        self.write_new(&scratch, bytes)?;
        let won = self.link(&scratch, path)?;
        self.remove(&scratch)?;
        if !won && !self.exists(path)? {
            // Not the name was taken: others took the file for abandoned while this process was suspended.
            return Err(Error::Fenced { what: path.to_owned() }.into());
        }
        self.sync_dir(parent(path))?;
        Ok(won)
    }

    /// Puts a text in place of whatever is there, for now: it need not survive a power cut.
    pub(crate) fn put_scratch(&self, path: &str, text: &str) -> Result<()> {
        self.retry_fenced(|| {
            let scratch = self.scratch_path("new");
            self.write_scratch(&scratch, text.as_bytes())?;
            self.rename_own(&scratch, path)
        })
    }

    /// Moves a file that this process has written; fails when others took it away, because it was abandoned or because
    /// the lease that it was written under is lost.
    pub(crate) fn rename_own(&self, from: &str, to: &str) -> Result<()> {
        if self.rename(from, to)? { Ok(()) } else { Err(Error::Fenced { what: to.to_owned() }.into()) }
    }

    /// Repeats a change that was fenced off, because this process was suspended for longer than its lease, from its
    /// beginning: reading, deciding and writing.
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

    /// Tries, and tries again after making the directory when that may be what is missing.
    fn in_dir_of(&self, path: &str, action: impl Fn() -> io::Result<()>) -> io::Result<()> {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.fs.exists(parent(path))? => {
                self.fs.create_dir(parent(path))?;
                action()
            }
            other => other,
        }
    }

    fn failed(&self, doing: &'static str, path: &str, source: io::Error) -> Box<Error> {
        Error::Io { doing, path: format!("{}/{path}", self.root), source }.into()
    }
}

pub(crate) fn unreadable(path: &str, error: &Error) -> Finding {
    Finding {
        severity: Severity::Error,
        code: "unreadable-file",
        place: path.to_owned(),
        message: format!("it was passed over: {error}"),
        hint: "look at it and move it away; nothing else is affected".into(),
    }
}
