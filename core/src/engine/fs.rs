//! The file system as the files engine needs it: small enough to stand on WASI, where there are no file locks and no
//! rename that refuses to replace.

pub mod memory;

use std::io;

/// A directory tree. Paths are relative to its root, use `/`, and are built from validated names only.
pub trait FileSystem {
    /// Reads a whole file.
    ///
    /// # Behavior
    /// - `None` when there is no such file.
    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>>;

    /// Lists a directory.
    ///
    /// # Behavior
    /// - Sorted by name. A directory that is absent is empty.
    fn list(&self, dir: &str) -> io::Result<Vec<Entry>>;

    /// Says whether a file or directory is there.
    fn exists(&self, path: &str) -> io::Result<bool>;

    /// Makes a directory and those above it.
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
    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        (**self).read(path)
    }
    fn list(&self, dir: &str) -> io::Result<Vec<Entry>> {
        (**self).list(dir)
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        (**self).exists(path)
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
    fn sync(&self, paths: &[String]) -> io::Result<()> {
        (**self).sync(paths)
    }
    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        (**self).sync_dir(dir)
    }
}

/// The largest append that stays in one piece: WASI hosts split longer writes.
pub const MAX_APPEND: usize = 64 * 1024;

/// A name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, without its directory.
    pub name: String,
    /// Whether it is a directory.
    pub is_dir: bool,
}

/// Gives the directory part of a path; the root is empty.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}
