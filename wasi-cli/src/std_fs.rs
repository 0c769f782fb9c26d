//! A directory of the real file system, native or WASI, as the files engine needs it.

#[cfg(not(target_os = "wasi"))]
mod native;
#[cfg(target_os = "wasi")]
mod wasi;
mod whole_file;

#[cfg(not(target_os = "wasi"))]
pub use native::StdFs;
#[cfg(target_os = "wasi")]
pub use wasi::StdFs;

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use huddle_core::engine::fs::{DirEntry, EntryKind, irregular, too_large};

/// Begins a listing anew when a file went away meanwhile.
///
/// A WASI host looks at each file of a directory, and when one goes away in between, the listing fails and ends there.
/// Sixteen writers at once make that happen every few times.
fn retry_listing(list: impl Fn() -> io::Result<Vec<DirEntry>>) -> io::Result<Vec<DirEntry>> {
    const TRIES: usize = 1000;
    for _ in 0..TRIES {
        match list() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            listed => return listed,
        }
    }
    list()
}

/// Returns the size of a regular file that is no larger than the limit.
fn regular(found: &Metadata, limit: u64) -> io::Result<u64> {
    if !found.is_file() {
        return Err(irregular(kind_name(found.is_symlink(), found.is_dir())));
    }
    if found.len() > limit { Err(too_large(found.len(), limit)) } else { Ok(found.len()) }
}

/// Names what is no regular file.
fn kind_name(is_symlink: bool, is_dir: bool) -> &'static str {
    match (is_symlink, is_dir) {
        (true, _) => "a symbolic link",
        (_, true) => "a directory",
        _ => "a FIFO, a socket or a device",
    }
}

/// Returns the error of following a path out of the directory that it has to stay in.
fn leads_out() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, "a symbolic link leads out of the directory that it has to stay in")
}

/// Returns the path of a root: an empty one is the working directory.
fn or_dot(root: PathBuf) -> PathBuf {
    if root.as_os_str().is_empty() { PathBuf::from(".") } else { root }
}

fn kind_of(is_file: bool, is_dir: bool) -> EntryKind {
    match (is_file, is_dir) {
        (true, _) => EntryKind::File,
        (_, true) => EntryKind::Dir,
        _ => EntryKind::Other,
    }
}

/// Returns the entry of a listing.
fn listed(name: OsString, is_file: bool, is_dir: bool) -> DirEntry {
    match name.into_string() {
        Ok(name) => DirEntry::new(name, kind_of(is_file, is_dir)),
        // It cannot be opened by what is shown of it.
        Err(name) => DirEntry::new(name.to_string_lossy(), EntryKind::Other),
    }
}

/// Returns a time in nanoseconds since the epoch; one before it counts as the epoch.
fn nanos(time: SystemTime) -> u128 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// Turns "not found" into nothing.
fn absent<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

const WASI_NOT_A_DIRECTORY: i32 = 54;
const WASI_NOT_EMPTY: i32 = 55;

/// Returns whether an error is of a kind. The standard library has no kind for some errors of WASI.
fn is_kind(error: &io::Error, kind: ErrorKind, on_wasi: i32) -> bool {
    error.kind() == kind || (cfg!(target_os = "wasi") && error.raw_os_error() == Some(on_wasi))
}

/// Turns into nothing that a directory was not removed because it is gone, or not empty.
fn if_empty(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if is_kind(&error, ErrorKind::DirectoryNotEmpty, WASI_NOT_EMPTY) => Ok(()),
        removed => removed,
    }
}

/// Turns "not found" into nothing, and so what would lie below something that is no directory.
fn absent_file<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if is_kind(&error, ErrorKind::NotADirectory, WASI_NOT_A_DIRECTORY) => Ok(None),
        result => absent(result),
    }
}

/// Creates a directory and those above it, and syncs whatever had to be changed for it.
fn create_dir_synced(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let above = dir.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if above == dir {
        // A host that opens no directory has no working directory either.
        return Err(ErrorKind::NotFound.into());
    }
    create_dir_synced(above)?;
    match fs::create_dir(dir) {
        // Another agent was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
        other => other?,
    }
    sync(above)
}

/// Makes the names in a directory survive a power cut.
fn sync(dir: &Path) -> io::Result<()> {
    // Elsewhere there is no such thing as a directory to sync: WASI 0.1 answers "bad file descriptor", and Windows does
    // not open directories.
    const CAN: bool = cfg!(any(unix, all(target_os = "wasi", not(target_env = "p1"))));
    match File::open(dir).and_then(|dir| dir.sync_all()) {
        Err(error) if !CAN && error.kind() != ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}
