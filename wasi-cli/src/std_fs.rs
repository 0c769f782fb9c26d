//! A directory of the real file system, native or WASI, as the files engine needs it.

mod whole;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use huddle_core::engine::fs::{Entry, FileSystem, MAX_APPEND, parent};
use huddle_core::order;
use huddle_core::order::SortedSet;

/// How often a listing is begun anew: a WASI host looks at each file of a directory, and when one goes away in between,
/// the listing fails and ends there. Sixteen writers at once make that happen every few times.
const LISTING_TRIES: usize = 1000;

/// The directory tree under a root, which need not exist yet and may be a symbolic link itself.
///
/// A symbolic link below the root is followed only to what also lies below it.
#[derive(Debug)]
pub struct StdFs {
    root: PathBuf,
    /// The root as the beginning of a path.
    prefix: OsString,
    /// Directories that were seen to lie below the root, so that each is looked at once.
    inside: Mutex<SortedSet<String>>,
}

impl StdFs {
    /// Takes a directory as root.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { prefix: root.join("").into(), root, inside: Mutex::default() }
    }

    /// Gives the full path of a name whose directory lies below the root. WASI hosts see to that themselves.
    fn at(&self, path: &str) -> io::Result<PathBuf> {
        if cfg!(target_os = "wasi") {
            return Ok(self.join(path));
        }
        let dir = parent(path);
        if !dir.is_empty() {
            let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
            if !inside.contains(dir) && self.lies_inside(dir)? {
                inside.insert(dir.to_owned());
            }
        }
        Ok(self.join(path))
    }

    /// Gives the full path of something to look into, which must not be a symbolic link out of the root either.
    fn target(&self, path: &str) -> io::Result<PathBuf> {
        let full = self.at(path)?;
        if !cfg!(target_os = "wasi") && full.is_symlink() {
            self.lies_inside(path)?;
        }
        Ok(full)
    }

    /// Says whether something exists and lies below the root; when it exists and does not, that is an error.
    fn lies_inside(&self, path: &str) -> io::Result<bool> {
        match self.join(path).canonicalize() {
            Ok(real) if real.starts_with(self.root.canonicalize()?) => Ok(true),
            Ok(_) => Err(io::Error::new(ErrorKind::PermissionDenied, "a symbolic link leads out of the message bus")),
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_empty() => {
                self.lies_inside(parent(path)).map(|_| false)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn join(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            return self.root.clone();
        }
        // `Path::join` takes its time over looking at what it joins.
        let mut full = OsString::with_capacity(self.prefix.len() + path.len());
        full.push(&self.prefix);
        full.push(path);
        full.into()
    }

    fn create(&self, path: &str, bytes: &[u8], synced: bool) -> io::Result<()> {
        let full = self.at(path)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(&full)?;
        let written = whole::fill(&mut file, bytes).and_then(|()| if synced { file.sync_all() } else { Ok(()) });
        if written.is_err() {
            // On a full disk, half a file is only in the way. The error that matters is the first.
            drop(fs::remove_file(&full));
        }
        written
    }
}

impl StdFs {
    /// Lists a directory; one that is not there is empty, and "not found" means that a file went away meanwhile.
    fn list_once(&self, dir: &str) -> io::Result<Vec<Entry>> {
        let Some(listing) = absent(self.target(dir).and_then(fs::read_dir))? else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry?;
            let kind = entry.file_type()?;
            let is_dir = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
            entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), is_dir });
        }
        order::sort(&mut entries);
        // WASI 0.1 lists a long directory in parts, and what has moved from one part to the next comes twice.
        entries.dedup();
        Ok(entries)
    }
}

impl FileSystem for StdFs {
    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        absent(self.target(path).and_then(whole::read))
    }

    fn list(&self, dir: &str) -> io::Result<Vec<Entry>> {
        let mut tries = 0;
        loop {
            match self.list_once(dir) {
                Err(error) if error.kind() == ErrorKind::NotFound && tries < LISTING_TRIES => tries += 1,
                listed => return listed,
            }
        }
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        Ok(absent(self.at(path).and_then(fs::symlink_metadata))?.is_some())
    }

    fn create_dir(&self, dir: &str) -> io::Result<()> {
        create_dir_synced(&self.at(dir)?)
    }

    fn write_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes, true)
    }

    fn write_scratch(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.create(path, bytes, false)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > MAX_APPEND {
            return Err(io::Error::new(ErrorKind::InvalidInput, "an append this long could be torn"));
        }
        OpenOptions::new().append(true).create(true).open(self.target(path)?)?.write_all(bytes)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.at(from)?, self.at(to)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from)?, self.at(to)?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        absent(self.at(path).and_then(fs::remove_file)).map(drop)
    }

    fn sync(&self, paths: &[String]) -> io::Result<()> {
        let files = paths.iter().map(|path| self.target(path)).collect::<io::Result<Vec<PathBuf>>>()?;
        sync_all(&files)
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        sync(&self.at(dir)?)
    }
}

/// Turns "not found" into nothing.
fn absent<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes a directory and those above it, and syncs whatever had to be changed for it.
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

/// Makes files and directories survive a power cut. Those who ask at the same time wait for the disk together.
#[cfg(not(target_family = "wasm"))]
fn sync_all(files: &[PathBuf]) -> io::Result<()> {
    const AT_ONCE: usize = 16;
    let share = files.len().div_ceil(AT_ONCE).max(1);
    std::thread::scope(|scope| {
        let started: Vec<_> = files.chunks(share).map(|some| scope.spawn(|| sync_each(some))).collect();
        let ended = started.into_iter().map(|one| one.join().unwrap_or_else(|_| Err(ErrorKind::Other.into())));
        ended.collect()
    })
}

#[cfg(target_family = "wasm")]
fn sync_all(files: &[PathBuf]) -> io::Result<()> {
    sync_each(files)
}

fn sync_each(files: &[PathBuf]) -> io::Result<()> {
    files.iter().try_for_each(|path| match path.is_dir() {
        true => sync(path),
        // Opened for writing, because Windows and WASI hosts sync nothing else.
        false => OpenOptions::new().write(true).open(path)?.sync_all(),
    })
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
