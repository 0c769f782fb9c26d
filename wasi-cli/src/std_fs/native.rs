//! The directory tree under a root, held open: the system resolves every path beneath it.
//!
//! Names are resolved anew with each operation, so that a directory that is swapped for a symbolic link meanwhile leads
//! nowhere.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use huddle_core::engine::fs::{DirEntry, EntryKind, FileSystem, MAX_APPEND, irregular, parent};

use super::whole_file::{fill, read_open};
use super::{
    absent, absent_file, create_dir_synced, if_empty, kind_name, kind_of, leads_out, listed, nanos, or_dot, regular,
    retry_listing,
};

/// The directory tree under a root, which need not exist yet and may be a symbolic link itself.
///
/// A symbolic link below the root is followed only as a directory on the way, and only to what also lies below the
/// root. The last name of a path is never followed.
#[derive(Debug)]
pub struct StdFs {
    root: PathBuf,
    /// The directory that the root must not lead out of, and the root's path below it.
    within: Option<(PathBuf, String)>,
    #[cfg(unix)]
    open_root: Mutex<Option<OpenRoot>>,
}

/// The root, open.
#[cfg(unix)]
#[derive(Debug)]
struct OpenRoot {
    dir: Arc<Dir>,
    /// Its device and inode: whoever removes the root and makes it anew means the new one.
    id: (u64, u64),
}

impl StdFs {
    /// Uses a directory as root.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: or_dot(root.into()),
            within: None,
            #[cfg(unix)]
            open_root: Mutex::default(),
        }
    }

    /// Uses a directory below another one as root. It may be a symbolic link only to what also lies below the other one.
    pub fn beneath(dir: impl Into<PathBuf>, below: &str) -> Self {
        let dir = or_dot(dir.into());
        Self { within: Some((dir.clone(), below.to_owned())), ..Self::new(dir.join(below)) }
    }

    fn open_root(&self) -> io::Result<Dir> {
        match &self.within {
            None => Dir::open_ambient_dir(&self.root, ambient_authority()),
            Some((dir, below)) => {
                Dir::open_ambient_dir(dir, ambient_authority())?.open_dir(or_here(below)).map_err(led_out)
            }
        }
    }

    /// Creates the root and the directories above it.
    fn create_root(&self) -> io::Result<()> {
        match &self.within {
            None => create_dir_synced(&self.root),
            Some((dir, below)) => {
                create_dir_synced(dir)?;
                create_below(&Dir::open_ambient_dir(dir, ambient_authority())?, below).map_err(led_out)
            }
        }
    }

    /// Opens a regular file for reading. Symbolic links are followed to what lies below the root, and nowhere else.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        let dir = self.dir()?;
        let file = open(&dir, path, OpenOptions::new().read(true), FollowSymlinks::Yes).map_err(led_out)?;
        regular(&file.metadata()?, u64::MAX)?;
        Ok(file)
    }

    /// Opens a regular file that a listing has named, as [`StdFs::open_file`] does.
    pub fn open_listed(&self, path: &str) -> io::Result<File> {
        self.open_file(path)
    }

    /// Returns what a path stands for. Symbolic links are followed to what lies below the root, and nowhere else.
    pub fn kind(&self, path: &str) -> io::Result<EntryKind> {
        let found = self.dir()?.metadata(or_here(path)).map_err(led_out)?;
        Ok(kind_of(found.is_file(), found.is_dir()))
    }

    /// Returns the root, open; `NotFound` when there is none.
    #[cfg(unix)]
    fn dir(&self) -> io::Result<Arc<Dir>> {
        use std::os::unix::fs::MetadataExt;

        let found = fs::metadata(&self.root)?;
        let id = (found.dev(), found.ino());
        let mut open_root = self.open_root.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open_root) = open_root.as_ref().filter(|open_root| open_root.id == id) {
            return Ok(open_root.dir.clone());
        }
        let dir = Arc::new(self.open_root()?);
        *open_root = Some(OpenRoot { dir: dir.clone(), id });
        Ok(dir)
    }

    /// Returns the root, open; `NotFound` when there is none.
    #[cfg(not(unix))]
    fn dir(&self) -> io::Result<Arc<Dir>> {
        self.open_root().map(Arc::new)
    }

    fn create(&self, path: &str, bytes: &[u8], synced: bool) -> io::Result<()> {
        let dir = self.dir()?;
        let mut file = dir.open_with(path, OpenOptions::new().write(true).create_new(true))?.into_std();
        let written = fill(&mut file, bytes).and_then(|()| if synced { file.sync_all() } else { Ok(()) });
        if written.is_err() {
            // On a full disk, half a file is only in the way. The error that matters is the first.
            drop(dir.remove_file(path));
        }
        written
    }

    /// Lists a directory; one that is not there is empty, and "not found" means that a file went away meanwhile.
    fn list_once(&self, path: &str) -> io::Result<Vec<DirEntry>> {
        let listing = self.dir().and_then(|dir| if path.is_empty() { dir.entries() } else { dir.read_dir(path) });
        let Some(listing) = absent(listing)? else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for entry in listing {
            let entry = entry?;
            let mut kind = entry.file_type()?;
            // Some file systems do not tell in listings.
            if !kind.is_file() && !kind.is_dir() && !kind.is_symlink() {
                kind = entry.metadata()?.file_type();
            }
            entries.push(listed(entry.file_name(), kind.is_file(), kind.is_dir()));
        }
        entries.sort();
        Ok(entries)
    }
}

impl FileSystem for StdFs {
    fn read(&self, path: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        absent_file(self.dir().and_then(|dir| {
            let file = open(&dir, path, OpenOptions::new().read(true), FollowSymlinks::No)?;
            let size = regular(&file.metadata()?, limit)?;
            read_open(&file, size, limit)
        }))
    }

    fn modified(&self, path: &str) -> io::Result<Option<u128>> {
        let found = self.dir().and_then(|dir| dir.symlink_metadata(or_here(path)));
        absent(found)?.map(|found| Ok(nanos(found.modified()?.into_std()))).transpose()
    }

    fn list(&self, dir: &str) -> io::Result<Vec<DirEntry>> {
        retry_listing(|| self.list_once(dir))
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        Ok(absent_file(self.dir().and_then(|dir| dir.symlink_metadata(or_here(path))))?.is_some())
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        let found = absent(self.dir().and_then(|dir| dir.symlink_metadata(or_here(path))))?;
        Ok(found.filter(cap_std::fs::Metadata::is_file).map(|found| found.len()))
    }

    fn is_same(&self, one: &str, other: &str) -> io::Result<bool> {
        let dir = self.dir()?;
        let id = |path: &str| Ok::<_, io::Error>(absent(dir.symlink_metadata(path))?.and_then(|found| file_id(&found)));
        let id_of_one = id(one)?;
        Ok(id_of_one.is_some() && id_of_one == id(other)?)
    }

    fn create_dir(&self, dir: &str) -> io::Result<()> {
        let root = match self.dir() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.create_root()?;
                self.dir()?
            }
            root => root?,
        };
        create_below(&root, dir)
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
        let mut file = open(&*self.dir()?, path, OpenOptions::new().append(true).create(true), FollowSymlinks::No)?;
        regular(&file.metadata()?, u64::MAX)?;
        file.write_all(bytes)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let dir = self.dir()?;
        dir.hard_link(from, &dir, to)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let dir = self.dir()?;
        dir.rename(from, &dir, to)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        absent(self.dir().and_then(|dir| dir.remove_file(path))).map(drop)
    }

    fn remove_dir(&self, dir: &str) -> io::Result<()> {
        if_empty(self.dir().and_then(|root| root.remove_dir(dir)))
    }

    /// Those who ask the disk at the same time wait for it together.
    fn sync(&self, paths: &[String]) -> io::Result<()> {
        const AT_ONCE: usize = 16;
        let dir = &*self.dir()?;
        let share = paths.len().div_ceil(AT_ONCE).max(1);
        let sync_each = |some: &[String]| some.iter().try_for_each(|path| sync(dir, path));
        std::thread::scope(|scope| {
            let started: Vec<_> = paths.chunks(share).map(|some| scope.spawn(move || sync_each(some))).collect();
            let ended = started.into_iter().map(|one| one.join().unwrap_or_else(|_| Err(ErrorKind::Other.into())));
            ended.collect()
        })
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        sync(&*self.dir()?, dir)
    }
}

/// Opens a file below a directory without waiting for anybody at its other end.
fn open(dir: &Dir, path: &str, options: &mut OpenOptions, follow: FollowSymlinks) -> io::Result<File> {
    options.follow(follow);
    #[cfg(unix)]
    cap_fs_ext::OpenOptionsSyncExt::nonblock(options, true);
    let error = match dir.open_with(path, options) {
        Ok(file) => return Ok(file.into_std()),
        Err(error) => error,
    };
    // Links and sockets are not opened at all, and each system has another error for that.
    let found = if follow == FollowSymlinks::No { dir.symlink_metadata(path) } else { dir.metadata(path) };
    if error.kind() != ErrorKind::NotFound
        && let Ok(found) = found
        && !found.is_file()
    {
        return Err(irregular(kind_name(found.is_symlink(), found.is_dir())));
    }
    Err(error)
}

/// Returns the device and the inode of a file: no two files have the same.
#[cfg(unix)]
fn file_id(found: &cap_std::fs::Metadata) -> Option<(u64, u64)> {
    use cap_std::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn file_id(_: &cap_std::fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Creates a directory and those above it, and syncs whatever had to be changed for it.
fn create_below(root: &Dir, dir: &str) -> io::Result<()> {
    if dir.is_empty() {
        return Ok(());
    }
    match root.metadata(dir) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Err(_) => create_below(root, parent(dir))?,
    }
    match root.create_dir(dir) {
        // Another agent was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && root.is_dir(dir) => {}
        other => other?,
    }
    sync(root, parent(dir))
}

/// Syncs a file, or the names in a directory.
#[cfg(unix)]
fn sync(dir: &Dir, path: &str) -> io::Result<()> {
    open(dir, or_here(path), OpenOptions::new().read(true), FollowSymlinks::No)?.sync_all()
}

/// Syncs a file: Windows syncs only files open for writing, and no directories.
#[cfg(not(unix))]
fn sync(dir: &Dir, path: &str) -> io::Result<()> {
    if dir.metadata(or_here(path))?.is_dir() {
        return Ok(());
    }
    open(dir, path, OpenOptions::new().write(true), FollowSymlinks::No)?.sync_all()
}

/// Returns the path that the system knows: the root is `.` to it.
fn or_here(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// Names the cause when a path was not followed because it led out of the root.
fn led_out(error: io::Error) -> io::Error {
    let is_ours = error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none();
    if is_ours { leads_out() } else { error }
}
