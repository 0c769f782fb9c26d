//! Files that a caller names by path.

use crate::Error;

/// Reads the files that a caller names. The interface decides which paths are permitted.
pub trait FileReader {
    /// Reads a whole file.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, Error>;
}

/// Refuses every path: for interfaces without files.
pub(crate) struct NoFiles;

impl FileReader for NoFiles {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, Error> {
        Err(Error::usage(format!("reading {path} failed: files cannot be read here"), "leave the file out"))
    }
}
