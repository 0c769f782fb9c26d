//! The directory tree under a root, by path: a WASI host lets nobody out of the directories that it opened.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use huddle_core::engine::fs::{DirEntry, FileSystem, MAX_APPEND};
use huddle_core::order;

use super::{LISTING_TRIES, absent, create_dir_synced, listed, nanos, regular, sync, whole};

/// The directory tree under a root, which need not exist yet and may be a symbolic link itself.
///
/// The last name of a path that is read or written is not followed when it is a symbolic link.
#[derive(Debug)]
pub struct StdFs {
    root: PathBuf,
    /// The root as the beginning of a path.
    prefix: OsString,
}

impl StdFs {
    /// Takes a directory as root.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { prefix: root.join("").into(), root }
    }

    /// Returns the full path of a name, which must not lead out of the root by itself.
    fn at(&self, path: &str) -> io::Result<PathBuf> {
        if path.is_empty() {
            return Ok(self.root.clone());
        }
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "a path led outside of the message bus"));
        }
        // `Path::join` takes its time over looking at what it joins.
        let mut full = OsString::with_capacity(self.prefix.len() + path.len());
        full.push(&self.prefix);
        full.push(path);
        Ok(full.into())
    }

    fn create(&self, path: &str, bytes: &[u8], synced: bool) -> io::Result<()> {
        let full = self.at(path)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(&full)?;
        let written = whole::fill(&mut file, bytes).and_then(|()| if synced { file.sync_all() } else { Ok(()) });
        if written.is_err() {
            // On a full disk, half a file is only in the way. The error that matters is the first.
            drop(fs::remove_file(&full));
        }
        written
    }

    /// Lists a directory; one that is not there is empty, and "not found" means that a file went away meanwhile.
    fn list_once(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        let Some(listing) = absent(self.at(dir).and_then(fs::read_dir))? else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry?;
            let kind = entry.file_type()?;
            entries.push(listed(entry.file_name(), kind.is_file(), kind.is_dir()));
        }
        order::sort(&mut entries);
        // WASI 0.1 lists a long directory in parts, and what has moved from one part to the next comes twice.
        entries.dedup();
        Ok(entries)
    }
}

impl FileSystem for StdFs {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        absent(self.at(path).and_then(|full| {
            // Looked at first: to open a FIFO is to wait for its other end.
            let size = regular(&fs::symlink_metadata(&full)?, limit)?;
            whole::read(full, size, limit)
        }))
    }

    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        let found = absent(self.at(path).and_then(fs::symlink_metadata))?;
        found.map(|found| Ok(nanos(found.modified()?))).transpose()
    }

    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        let mut tries = 0;
        loop {
            match self.list_once(dir) {
                Err(error) if error.kind() == ErrorKind::NotFound && tries < LISTING_TRIES => tries += 1,
                listed => return listed,
            }
        }
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        Ok(absent(self.at(path).and_then(fs::symlink_metadata))?.is_some())
    }

    fn create_dir(&self, dir: &str) -> io::Result<()> {
        create_dir_synced(&self.at(dir)?)
    }

    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes, true)
    }

    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes, false)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > MAX_APPEND {
            return Err(io::Error::new(ErrorKind::InvalidInput, "an append this long could be torn"));
        }
        let full = self.at(path)?;
        if let Some(found) = absent(fs::symlink_metadata(&full))? {
            regular(&found, u64::MAX)?;
        }
        OpenOptions::new().append(true).create(true).open(full)?.write_all(bytes)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.at(from)?, self.at(to)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from)?, self.at(to)?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        absent(self.at(path).and_then(fs::remove_file)).map(drop)
    }

    fn sync(&self, paths: &[String]) -> io::Result<()> {
        paths.iter().try_for_each(|path| {
            let full = self.at(path)?;
            match full.is_dir() {
                true => sync(&full),
                // Opened for writing, because hosts sync nothing else.
                false => OpenOptions::new().write(true).open(full)?.sync_all(),
            }
        })
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        sync(&self.at(dir)?)
    }
}
