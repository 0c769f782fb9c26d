//! A directory for a test, on every target that tests run on.

use std::fs;
use std::path::{Path, PathBuf};

use huddle_core::Host;

use crate::system_host::SystemHost;

/// A new directory, removed when dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    pub(crate) fn new() -> Self {
        let temp = std::env::var_os("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let dir = temp.join(format!("huddle-unit-{:032x}", SystemHost.random()));
        fs::create_dir(&dir).expect("a new directory can be made");
        Self(dir)
    }

    /// Gives its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is in the way of nobody.
        drop(fs::remove_dir_all(&self.0));
    }
}
