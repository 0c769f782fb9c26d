//! Directories of names, names of files, and what of them is on the disk.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use crate::engine::fs::{DirEntry, EntryKind, irregular, parent, too_large};

/// The whole tree. Directories are kept by path: they are never moved, and survive power cuts.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    dirs: BTreeMap<String, Dir>,
    files: Vec<File>,
    /// The time of the next modification.
    clock: u128,
}

/// The files of one directory: each name stands for an index into [`Tree::files`], and two may share one.
#[derive(Debug, Clone, Default)]
struct Dir {
    names: BTreeMap<String, usize>,
    on_disk: BTreeMap<String, usize>,
    modified: u128,
}

#[derive(Debug, Clone)]
struct File {
    bytes: Vec<u8>,
    /// How many of the bytes are on the disk: files only grow, so those are the first ones.
    on_disk: usize,
    modified: u128,
    /// What it is, when it is no regular file.
    irregular: Option<&'static str>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { dirs: BTreeMap::from([(String::new(), Dir::default())]), files: Vec::new(), clock: 1 }
    }
}

impl Tree {
    pub(super) fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        if self.dirs.contains_key(path) {
            return Err(irregular("a directory"));
        }
        let Some(file) = self.find(path) else { return Ok(None) };
        let file = &self.files[file];
        file.refuse_irregular()?;
        let size = file.bytes.len() as u64;
        if size > limit { Err(too_large(size, limit)) } else { Ok(Some(file.bytes.clone())) }
    }

    pub(super) fn modified(&self, path: &str) -> Option<u128> {
        match self.dirs.get(path) {
            Some(dir) => Some(dir.modified),
            None => self.find(path).map(|file| self.files[file].modified),
        }
    }

    pub(super) fn plant(&mut self, path: &str, what: &'static str) -> io::Result<()> {
        self.write_new(path, &[], true)?;
        if let Some(file) = self.files.last_mut() {
            file.irregular = Some(what);
        }
        Ok(())
    }

    pub(super) fn set_clock(&mut self, nanos: u128) {
        self.clock = nanos;
    }

    pub(super) fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        let Some(files) = self.dirs.get(dir) else {
            return if self.find(dir).is_some() { Err(ErrorKind::NotADirectory.into()) } else { Ok(Vec::new()) };
        };
        let dirs = self.dirs.keys().filter(|path| !path.is_empty() && parent(path) == dir);
        let dirs = dirs.map(|path| DirEntry::new(name(path), EntryKind::Dir));
        let files = files.names.iter().map(|(name, file)| {
            let kind = if self.files[*file].irregular.is_some() { EntryKind::Other } else { EntryKind::File };
            DirEntry::new(name, kind)
        });
        let mut entries: Vec<DirEntry> = dirs.chain(files).collect();
        entries.sort();
        Ok(entries)
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.dirs.contains_key(path) || self.find(path).is_some()
    }

    pub(super) fn size(&self, path: &str) -> Option<u64> {
        let file = &self.files[self.find(path)?];
        file.irregular.is_none().then_some(file.bytes.len() as u64)
    }

    pub(super) fn is_same(&self, one: &str, other: &str) -> bool {
        self.find(one).is_some_and(|file| self.find(other) == Some(file))
    }

    /// Removes a directory unless something is in it, or would be again after a power cut.
    pub(super) fn remove_dir(&mut self, dir: &str) {
        let is_empty = |found: &Dir| found.names.is_empty() && found.on_disk.is_empty();
        let has_dirs = self.dirs.keys().any(|path| !path.is_empty() && parent(path) == dir);
        if !dir.is_empty() && !has_dirs && self.dirs.get(dir).is_some_and(is_empty) {
            self.dirs.remove(dir);
        }
    }

    pub(super) fn create_dir(&mut self, dir: &str) -> io::Result<()> {
        if dir.is_empty() {
            return Ok(());
        }
        check(dir);
        if self.find(dir).is_some() {
            return Err(ErrorKind::NotADirectory.into());
        }
        self.create_dir(parent(dir))?;
        if !self.dirs.contains_key(dir) {
            let modified = self.tick();
            self.dirs.insert(dir.to_owned(), Dir { modified, ..Dir::default() });
            self.dir_of(dir)?.modified = modified;
        }
        Ok(())
    }

    pub(super) fn write_new(&mut self, path: &str, bytes: &[u8], synced: bool) -> io::Result<()> {
        self.refuse_taken(path)?;
        let on_disk = if synced { bytes.len() } else { 0 };
        let modified = self.tick();
        let file = self.add(File { bytes: bytes.to_vec(), on_disk, modified, irregular: None });
        self.name(path, file)
    }

    pub(super) fn append(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.refuse_dir(path)?;
        let Some(file) = self.find(path) else { return self.write_new(path, bytes, false) };
        let modified = self.tick();
        let file = &mut self.files[file];
        file.refuse_irregular()?;
        file.bytes.extend_from_slice(bytes);
        file.modified = modified;
        Ok(())
    }

    pub(super) fn link(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.refuse_dir(from)?;
        let file = self.find(from).ok_or(ErrorKind::NotFound)?;
        self.refuse_taken(to)?;
        self.name(to, file)
    }

    pub(super) fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.refuse_dir(from)?;
        self.refuse_dir(to)?;
        let file = self.find(from).ok_or(ErrorKind::NotFound)?;
        self.dir_of(to)?;
        // POSIX: a rename between two names of one file does nothing, and both names stay.
        if self.find(to) == Some(file) {
            return Ok(());
        }
        self.unname(from);
        self.name(to, file)
    }

    pub(super) fn remove(&mut self, path: &str) -> io::Result<()> {
        self.refuse_dir(path)?;
        self.unname(path);
        Ok(())
    }

    pub(super) fn sync(&mut self, path: &str) -> io::Result<()> {
        if self.dirs.contains_key(path) {
            return self.sync_dir(path);
        }
        let file = self.find(path).ok_or(ErrorKind::NotFound)?;
        self.files[file].on_disk = self.files[file].bytes.len();
        Ok(())
    }

    pub(super) fn sync_dir(&mut self, dir: &str) -> io::Result<()> {
        let dir = self.dirs.get_mut(dir).ok_or(ErrorKind::NotFound)?;
        dir.on_disk = dir.names.clone();
        Ok(())
    }

    /// Puts every directory back to the names it had when it was last synced.
    pub(super) fn forget_names(&mut self) {
        for dir in self.dirs.values_mut() {
            dir.names = dir.on_disk.clone();
        }
    }

    /// Cuts every file to the bytes that were synced; the names that are there now count as being on the disk.
    pub(super) fn forget_bytes(&mut self) {
        for dir in self.dirs.values_mut() {
            dir.on_disk = dir.names.clone();
        }
        for file in &mut self.files {
            file.bytes.truncate(file.on_disk);
        }
    }

    pub(super) fn files(&self) -> Vec<String> {
        let path = |dir: &str, name: &String| if dir.is_empty() { name.clone() } else { format!("{dir}/{name}") };
        let all = self.dirs.iter().flat_map(|(dir, files)| files.names.keys().map(move |name| path(dir, name)));
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    }

    fn add(&mut self, file: File) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// Adds a name to its directory, or replaces what it stands for.
    fn name(&mut self, path: &str, file: usize) -> io::Result<()> {
        let modified = self.tick();
        let dir = self.dir_of(path)?;
        dir.names.insert(name(path).to_owned(), file);
        dir.modified = modified;
        Ok(())
    }

    /// Removes a name from its directory, if it is there.
    fn unname(&mut self, path: &str) {
        let modified = self.tick();
        if let Some(dir) = self.dirs.get_mut(parent(path))
            && dir.names.remove(name(path)).is_some()
        {
            dir.modified = modified;
        }
    }

    fn tick(&mut self) -> u128 {
        self.clock += 1;
        self.clock - 1
    }

    fn find(&self, path: &str) -> Option<usize> {
        check(path);
        self.dirs.get(parent(path))?.names.get(name(path)).copied()
    }

    fn dir_of(&mut self, path: &str) -> io::Result<&mut Dir> {
        self.dirs.get_mut(parent(path)).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn refuse_dir(&self, path: &str) -> io::Result<()> {
        if self.dirs.contains_key(path) { Err(ErrorKind::IsADirectory.into()) } else { Ok(()) }
    }

    fn refuse_taken(&self, path: &str) -> io::Result<()> {
        if self.exists(path) { Err(ErrorKind::AlreadyExists.into()) } else { Ok(()) }
    }
}

impl File {
    fn refuse_irregular(&self) -> io::Result<()> {
        self.irregular.map_or(Ok(()), |what| Err(irregular(what)))
    }
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Panics over a path that validated names cannot make.
fn check(path: &str) {
    let fine = path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']));
    debug_assert!(fine || path.is_empty(), "not a path inside the tree: {path:?}");
}
