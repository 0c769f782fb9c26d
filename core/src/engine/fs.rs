//! The file system as the files engine needs it: small enough to stand on WASI, where there are no file locks and no
//! rename that refuses to replace.

pub mod memory;

use std::io;

/// A directory tree. Paths are relative to its root, use `/`, and are built from validated names only.
pub trait FileSystem {
    /// Reads a whole regular file of at most `limit` bytes.
    ///
    /// # Behavior
    /// - `None` when there is no such file, also because what should be its directory is none.
    /// - `InvalidData` when the name is a symbolic link, a directory or a special file: none is followed, opened for
    ///   good or waited for.
    /// - `FileTooLarge` when it holds more than `limit` bytes, before any memory is taken for them.
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>>;

    /// Returns when a file or directory was modified, in nanoseconds since the epoch.
    ///
    /// # Behavior
    /// - `None` when it is absent. A symbolic link is not followed.
    fn modified(&self, path: &str) -> io::Result<Option<u128>>;

    /// Lists a directory.
    ///
    /// # Behavior
    /// - Sorted by name. A directory that is absent is empty.
    /// - No entry makes it fail: one that is neither a file nor a directory, or whose name is not UTF-8, is
    ///   [`EntryKind::Other`].
    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>>;

    /// Returns whether a file or directory is there; nothing is below what is no directory.
    fn exists(&self, path: &str) -> io::Result<bool>;

    /// Returns how many bytes a regular file has.
    ///
    /// # Behavior
    /// - `None` when there is no such file, or when it is no regular one.
    fn size(&self, path: &str) -> io::Result<Option<u64>>;

    /// Returns whether two names are known to stand for one file, so that what is in the one is in the other.
    ///
    /// # Behavior
    /// - `false` when one is absent, and where the platform cannot tell.
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool>;

    /// Creates a directory and those above it.
    ///
    /// # Behavior
    /// - One that is there already is fine. Survives a power cut once it returned.
    fn create_dir(&self, dir: &str) -> io::Result<()>;

    /// Writes a new file, its content synced to the disk.
    ///
    /// # Behavior
    /// - `AlreadyExists` when the name is taken. Its directory must exist.
    /// - The *name* survives a power cut only after [`FileSystem::sync_dir`].
    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes a new file that need not survive a power cut.
    ///
    /// # Behavior
    /// - As [`FileSystem::write_new`], without the sync.
    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Adds to the end of a file, which is made when absent.
    ///
    /// # Behavior
    /// - Up to [`MAX_APPEND`] bytes arrive in one piece, whoever else appends. Not synced.
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Gives a file a second name.
    ///
    /// # Behavior
    /// - `AlreadyExists` when `to` is taken; `NotFound` when `from` is absent or `to`'s directory is.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;

    /// Moves a file, replacing what is at `to`.
    ///
    /// # Behavior
    /// - At any instant `to` is the old file or the new one. `NotFound` when `from` is absent.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Behavior
    /// - One that is absent is fine.
    fn remove(&self, path: &str) -> io::Result<()>;

    /// Removes a directory that is empty.
    ///
    /// # Behavior
    /// - One that is absent, or not empty, is fine and stays as it is.
    fn remove_dir(&self, dir: &str) -> io::Result<()>;

    /// Makes the bytes of files survive a power cut, and the names in directories, where the platform can: of many at
    /// once, which takes far less time than one by one.
    ///
    /// # Behavior
    /// - In any order. `NotFound` when one of them is absent.
    fn sync(&self, paths: &[String]) -> io::Result<()>;

    /// Makes the names in a directory survive a power cut, where the platform can.
    fn sync_dir(&self, dir: &str) -> io::Result<()>;
}

impl<F: FileSystem + ?Sized> FileSystem for &F {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        (**self).read(path, limit)
    }
    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        (**self).modified(path)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        (**self).list(dir)
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        (**self).exists(path)
    }
    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        (**self).size(path)
    }
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        (**self).is_same(one, other)
    }
    fn create_dir(&self, dir: &str) -> io::Result<()> {
        (**self).create_dir(dir)
    }
    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        (**self).write_new(path, bytes)
    }
    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        (**self).write_scratch(path, bytes)
    }
    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        (**self).append(path, bytes)
    }
    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        (**self).link(from, to)
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        (**self).rename(from, to)
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        (**self).remove(path)
    }
    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        (**self).remove_dir(dir)
    }
    fn sync(&self, paths: &[String]) -> io::Result<()> {
        (**self).sync(paths)
    }
    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        (**self).sync_dir(dir)
    }
}

/// The largest append that stays in one piece: WASI hosts split longer writes.
pub const MAX_APPEND: usize = 64 * 1024;

/// The largest file that the engine reads: no log or artifact of a bus comes near it.
pub const MAX_FILE: u64 = 64 * 1024 * 1024;

/// The largest JSON document that the engine reads. In memory it takes up to fifty times that.
pub const MAX_DOCUMENT: u64 = 8 * 1024 * 1024;

/// A name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirEntry {
    /// The name, without its directory; what is not UTF-8 in it is replaced.
    pub name: String,
    /// What the name itself stands for.
    pub kind: EntryKind,
}

/// What a name in a directory stands for, no link followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, a special file, or anything whose name is not UTF-8 and that therefore cannot be opened by it.
    Other,
}

impl DirEntry {
    /// Creates an entry.
    pub fn new(name: impl Into<String>, kind: EntryKind) -> Self {
        Self { name: name.into(), kind }
    }

    /// Returns whether it is a directory; a symbolic link to one is not.
    pub fn is_dir(&self) -> bool {
        self.kind == EntryKind::Dir
    }
}

/// Returns the error of reading what is no regular file; `what` is its kind, such as "a symbolic link".
pub fn irregular(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it is {what}, not a regular file"))
}

/// Returns the error of reading a file of `size` bytes where `limit` are allowed.
pub fn too_large(size: u64, limit: u64) -> io::Error {
    let message = format!("it is too large: {size} bytes, and the limit is {limit}");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Returns the directory part of a path; the root is empty.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}
