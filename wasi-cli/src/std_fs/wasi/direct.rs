//! Looking at files by the host's own functions: the C library asks it two to four times as often for the same.
//!
//! Each function returns `None` where the C library has to tell what is wrong.

use std::cell::OnceCell;
use std::path::Path;

use huddle_core::engine::fs::{DirEntry, EntryKind};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, DirectoryEntry, ErrorCode, OpenFlags, PathFlags,
};

/// A directory tree below one of the directories that the host opened.
#[derive(Debug, Default)]
pub(super) struct Direct {
    /// The directory, and the way from there to the root of the tree.
    opened: OnceCell<Option<(Descriptor, String)>>,
}

impl Direct {
    /// Reads a regular file of at most `limit` bytes; an absent one is `Some(None)`.
    pub(super) fn read(&self, root: &Path, path: &str, limit: u64) -> Option<Option<Vec<u8>>> {
        let (opened, path) = self.locate(root, path)?;
        // Looked at first: to open a FIFO is to wait for its other end.
        let found = match opened.stat_at(PathFlags::empty(), &path) {
            Err(ErrorCode::NoEntry | ErrorCode::NotDirectory) => return Some(None),
            found => found.ok()?,
        };
        if found.type_ != DescriptorType::RegularFile || found.size > limit {
            return None;
        }
        let file = opened.open_at(PathFlags::empty(), &path, OpenFlags::empty(), DescriptorFlags::READ).ok()?;
        let mut bytes = Vec::new();
        loop {
            // The host gives less than it is asked for when it likes. One byte more than there are tells whether the file
            // has grown meanwhile.
            let done = bytes.len() as u64;
            let (more, _) = file.read(found.size.saturating_sub(done) + 1, done).ok()?;
            let is_end = more.is_empty() || done + more.len() as u64 == found.size;
            match bytes.is_empty() {
                true => bytes = more,
                false => {
                    bytes.try_reserve(more.len()).ok()?;
                    bytes.extend_from_slice(&more);
                }
            }
            if is_end {
                return Some(Some(bytes));
            }
            if bytes.len() as u64 > limit {
                return None;
            }
        }
    }

    /// Returns the size of a regular file; of what is absent, or none, it is `Some(None)`.
    pub(super) fn size(&self, root: &Path, path: &str) -> Option<Option<u64>> {
        let (opened, path) = self.locate(root, path)?;
        match opened.stat_at(PathFlags::empty(), &path) {
            Err(ErrorCode::NoEntry) => Some(None),
            found => found.ok().map(|found| (found.type_ == DescriptorType::RegularFile).then_some(found.size)),
        }
    }

    /// Returns whether a name is there.
    pub(super) fn exists(&self, root: &Path, path: &str) -> Option<bool> {
        let (opened, path) = self.locate(root, path)?;
        match opened.stat_at(PathFlags::empty(), &path) {
            Err(ErrorCode::NoEntry | ErrorCode::NotDirectory) => Some(false),
            found => found.ok().map(|_| true),
        }
    }

    /// Returns whether two names stand for one file.
    pub(super) fn is_same(&self, root: &Path, one: &str, other: &str) -> Option<bool> {
        let hash = |path: &str| {
            let (opened, path) = self.locate(root, path)?;
            let hash = opened.metadata_hash_at(PathFlags::empty(), &path).ok()?;
            Some((hash.lower, hash.upper))
        };
        Some(hash(one)? == hash(other)?)
    }

    /// Lists a directory, in the host's order; an absent one is empty.
    pub(super) fn list(&self, root: &Path, dir: &str) -> Option<Vec<DirEntry>> {
        let (opened, dir) = self.locate(root, dir)?;
        // Looked at first: to open a FIFO is to wait for its other end.
        match opened.stat_at(PathFlags::SYMLINK_FOLLOW, &dir) {
            Err(ErrorCode::NoEntry) => return Some(Vec::new()),
            found => found.ok().filter(|found| found.type_ == DescriptorType::Directory)?,
        };
        let listed = opened.open_at(PathFlags::SYMLINK_FOLLOW, &dir, OpenFlags::DIRECTORY, DescriptorFlags::READ);
        let entries = match listed {
            Err(ErrorCode::NoEntry) => return Some(Vec::new()),
            listed => listed.ok()?.read_directory().ok()?,
        };
        let mut all = Vec::new();
        loop {
            let DirectoryEntry { type_, name } = match entries.read_directory_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                // One whose name is not UTF-8 hides no other; the host does not tell what it is called.
                Err(ErrorCode::IllegalByteSequence) => {
                    all.push(DirEntry::new("\u{fffd}", EntryKind::Other));
                    continue;
                }
                Err(_) => return None,
            };
            let kind = match type_ {
                DescriptorType::RegularFile => EntryKind::File,
                DescriptorType::Directory => EntryKind::Dir,
                _ => EntryKind::Other,
            };
            all.push(DirEntry::new(name, kind));
        }
        Some(all)
    }

    /// Returns the directory that the host opened, and the way from there.
    fn locate(&self, root: &Path, path: &str) -> Option<(&Descriptor, String)> {
        let (opened, base) = self.opened.get_or_init(|| open(root.to_str()?)).as_ref()?;
        let is_plain = !path.starts_with('/') && path.split('/').all(|part| part != "..");
        let way = match (base.is_empty(), path.is_empty()) {
            (true, true) => ".".to_owned(),
            (true, false) => path.to_owned(),
            (false, true) => base.clone(),
            (false, false) => format!("{base}/{path}"),
        };
        is_plain.then_some((opened, way))
    }
}

/// Finds the directory that the host opened nearest above a path.
fn open(path: &str) -> Option<(Descriptor, String)> {
    let path = relative(path);
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let below = |name: &str| {
        let name = relative(name);
        let rest = path.strip_prefix(name)?;
        let is_whole_name = name.is_empty() || rest.is_empty() || rest.starts_with('/');
        is_whole_name.then(|| rest.trim_matches('/').to_owned())
    };
    let opened = get_directories().into_iter().filter_map(|(opened, name)| Some((opened, below(&name)?)));
    opened.min_by_key(|(_, way)| way.len())
}

/// Drops from a path what says that it begins here, or at the root, which is the same to the C library.
fn relative(path: &str) -> &str {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix('/').or_else(|| rest.strip_prefix("./")) {
        rest = shorter;
    }
    if rest == "." { "" } else { rest.trim_end_matches('/') }
}
