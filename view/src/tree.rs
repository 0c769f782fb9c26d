//! The files of a directory that may be shown, by the rules of the command: whatever it would not read is not served.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::sources::ListedFile;

/// Directories that the protocols keep their files in. A directory that has one is a project, and only these are shown.
const PROTOCOL_DIRS: [&str; 2] = [".agent-messages", ".claude"];

/// Directories with many files that are never of interest.
const IGNORED_DIRS: [&str; 3] = [".git", "node_modules", "target"];

/// The number of files, and of directories, after which listing stops. One more than the page takes, so that it can tell.
const MAX_LISTED: usize = 200_001;

/// An open directory. The system resolves every path beneath it.
#[derive(Debug)]
pub(crate) struct Tree {
    dir: Dir,
    /// Those of [`PROTOCOL_DIRS`] that it has.
    protocol_dirs: Vec<&'static str>,
}

/// The files of a tree, unsorted.
#[derive(Debug, Default)]
pub(crate) struct TreeListing {
    pub(crate) files: Vec<ListedFile>,
    /// Directories that could not be listed.
    pub(crate) unreadable: Vec<String>,
}

impl Tree {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        // A link to a directory does not count: it could come from somebody else's repository.
        let is_dir = |name: &&str| dir.symlink_metadata(name).is_ok_and(|found| found.is_dir());
        let protocol_dirs = PROTOCOL_DIRS.into_iter().filter(is_dir).collect();
        Ok(Self { dir, protocol_dirs })
    }

    /// Lists all files that may be shown. Files that are removed meanwhile are left out.
    pub(crate) fn list(&self) -> TreeListing {
        let mut listing = TreeListing::default();
        let mut pending: Vec<String> = self.protocol_dirs.iter().map(|&name| name.to_owned()).collect();
        if pending.is_empty() {
            pending.push(String::new());
        }
        let mut listed_dirs = 0;
        while let Some(below) = pending.pop() {
            if listing.files.len() == MAX_LISTED || listed_dirs == MAX_LISTED {
                listing.unreadable.push(below);
                break;
            }
            listed_dirs += 1;
            match self.list_dir(&below, &mut listing.files, &mut pending) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(_) => listing.unreadable.push(below),
                Ok(()) => {}
            }
        }
        listing
    }

    fn list_dir(&self, below: &str, files: &mut Vec<ListedFile>, pending: &mut Vec<String>) -> io::Result<()> {
        for entry in self.dir.read_dir(if below.is_empty() { "." } else { below })? {
            if files.len() == MAX_LISTED || pending.len() == MAX_LISTED {
                break;
            }
            let entry = entry?;
            // Paths are text in addresses and in listings.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !is_name(&name) {
                continue;
            }
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            // What was removed since is no longer there to be shown.
            let Ok(mut metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                if !is_ignored(&name) {
                    pending.push(path);
                }
                continue;
            }
            if metadata.is_symlink() {
                let target = self.resolve(&path).and_then(|target| self.dir.symlink_metadata(target).ok());
                let Some(target) = target else { continue };
                metadata = target;
            }
            if metadata.is_file() {
                files.push(ListedFile::new(path, metadata.len(), metadata.modified().ok().map(|at| at.into_std())));
            }
        }
        Ok(())
    }

    /// Opens a file if it is listed.
    pub(crate) fn open_file(&self, path: &str) -> Option<File> {
        open_regular(&self.dir, &self.resolve(path)?)
    }

    /// Returns the path of a listed file without links.
    ///
    /// Neither may a link lead to a file that is not listed, nor may the path lead through a link to a directory.
    fn resolve(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = parent
            && self.dir.canonicalize(parent).ok()? != parent
        {
            return None;
        }
        let target = self.dir.canonicalize(path).ok()?;
        (self.covers(path) && self.covers(&target)).then_some(target)
    }

    /// Returns whether listing gets to the directory of a path.
    fn covers(&self, path: &Path) -> bool {
        let Some(parent) = path.parent() else { return false };
        let mut dirs = parent.iter().map(|name| name.to_str().unwrap_or_default());
        let is_shown = |first: &str| self.protocol_dirs.contains(&first);
        (self.protocol_dirs.is_empty() || dirs.clone().next().is_some_and(is_shown)) && !dirs.any(is_ignored)
    }
}

impl ListedFile {
    pub(crate) fn new(path: String, size: u64, modified: Option<SystemTime>) -> Self {
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or_default();
        Self { path, size, modified, explicit: false }
    }
}

/// Opens a regular file of a directory, and no link.
pub(crate) fn open_single(dir: &Path, name: &Path) -> Option<File> {
    open_regular(&Dir::open_ambient_dir(dir, ambient_authority()).ok()?, name)
}

/// Opens a regular file without waiting for the other end of a FIFO.
fn open_regular(dir: &Dir, path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    cap_fs_ext::OpenOptionsSyncExt::nonblock(&mut options, true);
    let file = dir.open_with(path, &options).ok()?.into_std();
    file.metadata().ok()?.is_file().then_some(file)
}

/// Returns whether a path from an address consists of plain names, and so leads down.
pub(crate) fn leads_down(path: &str) -> bool {
    path.split('/').all(is_name)
}

/// Returns whether a name is nothing but a name, on every system.
fn is_name(name: &str) -> bool {
    let is_special = matches!(name, "" | "." | "..") || name.contains(['/', '\\', '\0']);
    // On Windows a colon separates a file from one of its streams.
    !is_special && (cfg!(not(windows)) || !name.contains(':'))
}

fn is_ignored(name: &str) -> bool {
    let ignores_case = cfg!(any(windows, target_vendor = "apple"));
    IGNORED_DIRS.iter().any(|ignored| *ignored == name || ignores_case && ignored.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use huddle_core::history::source;
    use std::fs;

    fn files(paths: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for path in paths {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "12345").unwrap();
        }
        dir
    }

    fn listed(dir: &Path) -> Vec<String> {
        let mut paths: Vec<_> = Tree::open(dir).unwrap().list().files.into_iter().map(|file| file.path).collect();
        paths.sort();
        paths
    }

    fn opens(dir: &Path, path: &str) -> bool {
        Tree::open(dir).unwrap().open_file(path).is_some()
    }

    #[test]
    fn rules_are_those_of_the_command() {
        assert_eq!((PROTOCOL_DIRS, IGNORED_DIRS), (source::PROTOCOL_DIRS, source::IGNORED_DIRS));
    }

    #[test]
    fn listing_leaves_ignored_directories_out() {
        let dir = files(&["b/c.jsonl", "b.json", "a/.git/x", "target/x", "node_modules/m/x", "a/z", ".hidden/y"]);
        assert_eq!(listed(dir.path()), [".hidden/y", "a/z", "b.json", "b/c.jsonl"]);
        let found = Tree::open(dir.path()).unwrap().list();
        assert!(found.files.iter().all(|file| file.size == 5 && file.modified > 1_700_000_000_000), "{found:?}");
        assert!(found.unreadable.is_empty());
    }

    #[test]
    fn listing_of_a_project_has_protocol_files_only() {
        let dir = files(&["src/main.rs", ".agent-messages/inbox/bob/m.json", ".claude/state/s.json"]);
        assert_eq!(listed(dir.path()), [".agent-messages/inbox/bob/m.json", ".claude/state/s.json"]);
    }

    #[test]
    fn file_is_opened_exactly_if_it_is_listed() {
        let everything = [
            "src/main.rs",
            ".env",
            ".git/config",
            "node_modules/m/x",
            ".agent-messages/inbox/bob/m.json",
            ".agent-messages/.git/x",
            ".claude/state/s.json",
        ];
        let plain = ["src/main.rs", "a/target/x", ".git/config", "b"];
        for paths in [&everything[..], &plain] {
            let dir = files(paths);
            let all = listed(dir.path());
            assert!(!all.is_empty() && all.len() < paths.len());
            for path in paths {
                assert_eq!(opens(dir.path(), path), all.iter().any(|one| one == path), "{path}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_listed_files_or_nowhere() {
        let (dir, other) = (files(&["d/a", ".git/config", "target/x"]), files(&["secret"]));
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        link(Path::new("d/a"), "in");
        link(Path::new("d"), "directory");
        link(Path::new("."), "circle");
        link(Path::new("nowhere"), "dangling");
        link(Path::new("loop"), "loop");
        link(other.path(), "up");
        link(&other.path().join("secret"), "out");
        link(Path::new(".git/config"), "config");
        link(Path::new("../target/x"), "d/built");
        assert_eq!(listed(dir.path()), ["d/a", "in"]);
        assert!(opens(dir.path(), "d/a") && opens(dir.path(), "in"));
        for path in ["directory/a", "circle/d/a", "dangling", "loop", "out", "up/secret", "config", "d/built", "d"] {
            assert!(!opens(dir.path(), path), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_of_a_project_stay_in_the_protocol_directories() {
        let dir = files(&[".env", ".agent-messages/a", ".claude/b"]);
        std::os::unix::fs::symlink("../.env", dir.path().join(".agent-messages/leak")).unwrap();
        std::os::unix::fs::symlink("../.claude/b", dir.path().join(".agent-messages/b")).unwrap();
        assert_eq!(listed(dir.path()), [".agent-messages/a", ".agent-messages/b", ".claude/b"]);
        assert!(!opens(dir.path(), ".agent-messages/leak"));
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_neither_listed_nor_opened() {
        let dir = files(&["a"]);
        let _listener = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("fifo")).status().unwrap();
        assert!(made.success());
        assert_eq!(listed(dir.path()), ["a"]);
        assert!(!opens(dir.path(), "socket") && !opens(dir.path(), "fifo"));
    }

    #[test]
    fn paths_of_plain_names_lead_down() {
        for path in ["a", ".agent-messages/inbox/b.json", "with space/ü#?", "...", "%2e%2e"] {
            assert!(leads_down(path), "{path}");
        }
        for path in ["", "/", "/etc/passwd", "//a", "a//b", "a/", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "a\0"] {
            assert!(!leads_down(path), "{path}");
        }
    }
}
