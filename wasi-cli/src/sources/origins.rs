//! Where each file of a history is opened: beneath the directory that it was found in.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::joined;
use crate::std_fs::StdFs;

/// The directories that files are opened beneath, by the paths that the files are shown with.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins {
    /// Directories that were searched, each with what the paths of its files begin with.
    trees: Vec<(String, Rc<StdFs>)>,
    /// Files that the caller named.
    files: BTreeMap<String, (Rc<StdFs>, String)>,
    /// The directories of those, each once: an open one costs a descriptor.
    bases: Vec<(PathBuf, Rc<StdFs>)>,
}

impl Origins {
    /// Returns the file system that confines what is below a directory.
    pub(super) fn base(&mut self, dir: &Path) -> Rc<StdFs> {
        if let Some((_, base)) = self.bases.iter().find(|(path, _)| path == dir) {
            return base.clone();
        }
        let base = Rc::new(StdFs::new(dir));
        self.bases.push((dir.to_owned(), base.clone()));
        base
    }

    /// Notes where a named file is opened.
    pub(super) fn add_file(&mut self, path: &str, base: Rc<StdFs>, below: String) {
        self.files.insert(path.to_owned(), (base, below));
    }

    /// Notes where all files are opened whose paths begin with a directory.
    pub(super) fn add_tree(&mut self, dir: &str, fs: Rc<StdFs>) {
        self.trees.push((joined(dir, "x").trim_end_matches('x').to_owned(), fs));
    }

    /// Opens a file by the path that it is shown with.
    pub(super) fn open(&self, path: &str) -> io::Result<File> {
        if let Some((base, below)) = self.files.get(path) {
            return base.open_file(below);
        }
        let found = self.trees.iter().find_map(|(prefix, fs)| Some((path.strip_prefix(prefix.as_str())?, fs)));
        found.map_or_else(|| Err(ErrorKind::NotFound.into()), |(below, fs)| fs.open_listed(below))
    }
}
