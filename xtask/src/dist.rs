//! Where everything that is shipped comes to lie.

use std::path::PathBuf;

use crate::cargo;

/// Returns the path of something in dist/.
pub(crate) fn path(name: &str) -> PathBuf {
    dir().join(name)
}

/// Returns the path of dist/ itself.
pub(crate) fn dir() -> PathBuf {
    cargo::root().join("dist")
}
