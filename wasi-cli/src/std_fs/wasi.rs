//! The directory tree under a root, by path: a WASI host lets nobody out of the directories that it opened.
//!
//! Where the host opened more than the root, symbolic links are resolved here to keep them below it.

#[cfg(target_env = "p2")]
mod direct;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use huddle_core::engine::fs::{DirEntry, EntryKind, FileSystem, MAX_APPEND};

use super::{
    absent, absent_file, create_dir_synced, if_empty, kind_of, leads_out, listed, nanos, or_dot, regular,
    retry_listing, sync, whole_file,
};

/// How many symbolic links are followed on the way to one file.
const MAX_LINKS: usize = 32;

/// The directory tree under a root, which need not exist yet and may be a symbolic link itself.
///
/// The last name of a path that is read or written is not followed when it is a symbolic link.
#[derive(Debug)]
pub struct StdFs {
    root: PathBuf,
    /// The root's path below the directory that it must not lead out of.
    within: Option<(PathBuf, String)>,
    /// The root as the beginning of a path.
    prefix: OsString,
    #[cfg(target_env = "p2")]
    direct: direct::Direct,
}

impl StdFs {
    /// Uses a directory as root.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = or_dot(root.into());
        Self {
            prefix: root.join("").into(),
            root,
            within: None,
            #[cfg(target_env = "p2")]
            direct: direct::Direct::default(),
        }
    }

    /// Uses a directory below another one as root. For what is opened or looked at by path, it may be a symbolic link only
    /// to what also lies below the other one; for the rest, the host decides.
    pub fn beneath(dir: impl Into<PathBuf>, below: &str) -> Self {
        let dir = or_dot(dir.into());
        Self { within: Some((dir.clone(), below.to_owned())), ..Self::new(dir.join(below)) }
    }

    /// Opens a regular file for reading. Symbolic links are followed to what lies below the root, and nowhere else.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        let full = self.resolved(path)?;
        // Looked at first: to open a FIFO is to wait for its other end.
        regular(&fs::symlink_metadata(&full)?, u64::MAX)?;
        File::open(full)
    }

    /// Opens a regular file that a listing has named: the directories on the way are no links then.
    pub fn open_listed(&self, path: &str) -> io::Result<File> {
        let full = self.at(path)?;
        let found = fs::symlink_metadata(&full)?;
        if found.is_symlink() {
            return self.open_file(path);
        }
        regular(&found, u64::MAX)?;
        File::open(full)
    }

    /// Returns what a path stands for. Symbolic links are followed to what lies below the root, and nowhere else.
    pub fn kind(&self, path: &str) -> io::Result<EntryKind> {
        let found = fs::symlink_metadata(self.resolved(path)?)?;
        Ok(kind_of(found.is_file(), found.is_dir()))
    }

    /// Returns the path of what a name leads to, no part of which is a symbolic link.
    fn resolved(&self, path: &str) -> io::Result<PathBuf> {
        let root = match &self.within {
            None => self.root.clone(),
            Some((dir, below)) => resolve(dir, below)?,
        };
        resolve(&root, path)
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
        let written = whole_file::fill(&mut file, bytes).and_then(|()| if synced { file.sync_all() } else { Ok(()) });
        if written.is_err() {
            // On a full disk, half a file is only in the way. The error that matters is the first.
            drop(fs::remove_file(&full));
        }
        written
    }

    /// Lists a directory; one that is not there is empty, and "not found" means that a file went away meanwhile.
    fn list_once(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        #[cfg(target_env = "p2")]
        if let Some(mut entries) = self.direct.list(&self.root, dir) {
            entries.sort();
            return Ok(entries);
        }
        let full = self.at(dir)?;
        // Looked at first: to open a FIFO is to wait for its other end.
        if absent(fs::metadata(&full))?.is_some_and(|found| !found.is_dir()) {
            return Err(ErrorKind::NotADirectory.into());
        }
        let Some(listing) = absent(fs::read_dir(full))? else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry?;
            let kind = entry.file_type()?;
            entries.push(listed(entry.file_name(), kind.is_file(), kind.is_dir()));
        }
        entries.sort();
        // WASI 0.1 lists a long directory in parts, and what has moved from one part to the next comes twice.
        entries.dedup();
        Ok(entries)
    }
}

/// Follows a path and the symbolic links in it, as long as they stay below a directory.
fn resolve(dir: &Path, path: &str) -> io::Result<PathBuf> {
    let mut rest: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    let (mut below, mut links) = (PathBuf::new(), 0);
    while let Some(name) = rest.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." if below.pop() => continue,
            ".." => return Err(leads_out()),
            name => below.push(name),
        }
        let full = dir.join(&below);
        if !fs::symlink_metadata(&full)?.is_symlink() {
            continue;
        }
        links += 1;
        let target = fs::read_link(&full)?;
        let target = target.to_str().filter(|target| !target.starts_with('/')).ok_or_else(leads_out)?;
        if links > MAX_LINKS {
            return Err(io::Error::new(ErrorKind::InvalidData, "symbolic links lead to each other"));
        }
        below.pop();
        rest.extend(target.split('/').rev().map(str::to_owned));
    }
    Ok(dir.join(below))
}

impl FileSystem for StdFs {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        #[cfg(target_env = "p2")]
        if let Some(found) = self.direct.read(&self.root, path, limit) {
            return Ok(found);
        }
        absent_file(self.at(path).and_then(|full| {
            // Looked at first: to open a FIFO is to wait for its other end.
            let size = regular(&fs::symlink_metadata(&full)?, limit)?;
            whole_file::read(full, size, limit)
        }))
    }

    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        let found = absent(self.at(path).and_then(fs::symlink_metadata))?;
        found.map(|found| Ok(nanos(found.modified()?))).transpose()
    }

    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        retry_listing(|| self.list_once(dir))
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        #[cfg(target_env = "p2")]
        if let Some(found) = self.direct.exists(&self.root, path) {
            return Ok(found);
        }
        Ok(absent_file(self.at(path).and_then(fs::symlink_metadata))?.is_some())
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        #[cfg(target_env = "p2")]
        if let Some(found) = self.direct.size(&self.root, path) {
            return Ok(found);
        }
        let found = absent(self.at(path).and_then(fs::symlink_metadata))?;
        Ok(found.filter(fs::Metadata::is_file).map(|found| found.len()))
    }

    #[cfg(target_env = "p2")]
    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        Ok(self.direct.is_same(&self.root, one, other).unwrap_or_default())
    }

    #[cfg(not(target_env = "p2"))]
    fn is_same(&self, _: &str, _: &str) -> io::Result<bool> {
        Ok(false)
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

    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        if_empty(self.at(dir).and_then(fs::remove_dir))
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
