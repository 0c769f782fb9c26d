//! Files as bytes describe them.

use std::collections::BTreeMap;

use crate::engine::fs::memory::MemoryFs;
use crate::engine::fs::{FileSystem, parent};

/// Separates two planted files.
pub const SEPARATOR: [u8; 3] = [0xff, 0xfe, 0xfd];

/// The most files that one input plants.
const MAX_PLANTS: usize = 12;
/// The deepest directory that one input plants.
const MAX_DEPTH: usize = 8;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Dir,
    Fifo,
}

/// Something that somebody left in a directory tree.
#[derive(Debug)]
pub(crate) struct Plant<'d> {
    pub(crate) path: String,
    pub(crate) kind: Kind,
    pub(crate) bytes: &'d [u8],
}

/// Reads what is to be planted: for each file a line with its path, then its content. A path that ends in `/` is a
/// directory, one that ends in `|` a FIFO. What cannot be the path of a file is left out.
pub(crate) fn plants(data: &[u8]) -> Vec<Plant<'_>> {
    let mut plants = Vec::new();
    let mut rest = Some(data);
    while let Some(bytes) = rest.filter(|_| plants.len() < MAX_PLANTS) {
        let end = bytes.windows(SEPARATOR.len()).position(|part| part == SEPARATOR);
        plants.extend(plant(&bytes[..end.unwrap_or(bytes.len())]));
        rest = end.map(|end| &bytes[end + SEPARATOR.len()..]);
    }
    plants
}

fn plant(section: &[u8]) -> Option<Plant<'_>> {
    let end = section.iter().position(|byte| *byte == b'\n');
    let (path, bytes) = section.split_at(end.unwrap_or(section.len()));
    let path = std::str::from_utf8(path).ok()?;
    let (path, kind) = match (path.strip_suffix('/'), path.strip_suffix('|')) {
        (Some(path), _) => (path, Kind::Dir),
        (None, Some(path)) => (path, Kind::Fifo),
        (None, None) => (path, Kind::File),
    };
    let bytes = bytes.get(1..).unwrap_or_default();
    is_path(path).then(|| Plant { path: path.to_owned(), kind, bytes })
}

/// Returns whether a path leads to a file below the root, as file systems name files.
pub(crate) fn is_path(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && part.len() < 256 && !part.contains(['\\', '\0']);
    path.split('/').all(is_name) && path.split('/').count() <= MAX_DEPTH
}

/// Returns whether a path is `dir` or lies below it.
pub(crate) fn is_in(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Plant<'_> {
    /// Puts the file in place of one that is there. What a directory stands in the way of is left out.
    pub(crate) fn put(&self, fs: &MemoryFs) {
        let Self { path, kind, bytes } = self;
        if fs.create_dir(parent(path)).is_err() {
            return;
        }
        let put = match kind {
            Kind::Dir => fs.create_dir(path),
            Kind::File => fs.remove(path).and_then(|()| fs.write_new(path, bytes)),
            Kind::Fifo => fs.remove(path).and_then(|()| fs.plant(path, "a FIFO")),
        };
        // What could not be put there is not there; what was put there has been there for long.
        drop(put.and_then(|()| fs.sync_dir(parent(path))));
    }
}

/// Returns the content of every regular file.
pub(crate) fn contents(fs: &MemoryFs) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| {
        let bytes = fs.read(&path, u64::MAX).ok().flatten();
        bytes.map(|bytes| (path, bytes))
    };
    fs.files().into_iter().filter_map(read).collect()
}
