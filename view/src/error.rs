//! Why a server cannot start.

use std::io;
use std::path::PathBuf;

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("cannot open what is to be shown: {source}: {}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("only a directory or a regular file can be shown: {}", path.display())]
    Irregular { path: PathBuf },
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen { port: u16, source: io::Error },
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}
