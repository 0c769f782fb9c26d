//! What is shown: a directory with all that the command would read of it, or a single file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::listing::{self, Listing};
use super::paths;

/// A directory or a file that is shown.
#[derive(Debug)]
pub struct Session {
    /// The directory, or the one that the file lies in.
    dir: PathBuf,
    /// The file's name, when it is one.
    only: Option<PathBuf>,
}

impl Session {
    /// Takes a directory or a file that is there.
    pub fn open(path: &Path) -> Result<Self> {
        let advice =
            || format!("looking for what to show: give a project, a session's directory or a log: {}", path.display());
        let real = path.canonicalize().with_context(advice)?;
        if real.is_dir() {
            return Ok(Self { dir: real, only: None });
        }
        let (Some(dir), Some(name), true) = (real.parent(), real.file_name(), real.is_file()) else {
            bail!("this is neither a directory nor a file; {}", advice());
        };
        Ok(Self { dir: dir.to_owned(), only: Some(name.into()) })
    }

    /// Lists all files: `{"name", "files": [{"path", "size", "modified"}], "unreadable": [path]}`.
    pub(super) fn listing(&self) -> Value {
        let Listing { files, unreadable } = match &self.only {
            Some(name) => listing::single(&self.dir, name),
            None => listing::directory(&self.dir),
        };
        let files: Vec<Value> = files
            .into_iter()
            .map(|file| json!({"path": file.path, "size": file.size, "modified": file.modified}))
            .collect();
        let name = self.only.as_deref().or(self.dir.file_name().map(Path::new)).unwrap_or(Path::new("/"));
        json!({"name": name.to_string_lossy(), "files": files, "unreadable": unreadable})
    }

    /// Finds a file that may be shown: one that is listed.
    pub(super) fn file(&self, path: &Path) -> Option<PathBuf> {
        match &self.only {
            Some(name) if name != path => None,
            None if !listing::lists(&self.dir, path) => None,
            _ => paths::file_below(&self.dir, path),
        }
    }
}
