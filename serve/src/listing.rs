//! Lists the files of a session: those that the command would read, by the same rule.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::paths;

/// Directories of a project that protocols keep their files in. A project that has one is read as those only.
const KEPT: [&str; 2] = [".agent-messages", ".claude"];

/// Directories that are full of files and never hold what agents said.
const PASSED_OVER: [&str; 3] = [".git", "node_modules", "target"];

/// All files of a session.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listing {
    /// The files, sorted by path.
    pub(super) files: Vec<Listed>,
    /// Directories that could not be looked into, sorted.
    pub(super) unreadable: Vec<String>,
}

/// A file of a session.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listed {
    /// The path from the session's directory, with `/`.
    pub(super) path: String,
    /// How many bytes it has.
    pub(super) size: u64,
    /// When it was changed last, in milliseconds since 1970.
    pub(super) modified: u64,
}

/// Lists a directory: of a project, only what protocols keep there.
pub(super) fn directory(dir: &Path) -> Listing {
    let mut listing = Listing::default();
    let kept = kept_in(dir);
    if kept.is_empty() {
        listing.walk(dir, "");
    }
    kept.into_iter().for_each(|name| listing.walk(dir, name));
    listing.files.sort();
    listing.unreadable.sort();
    listing
}

/// Returns whether [`directory`] lists a file: who asks for one need not wait for a look at all.
pub(super) fn lists(dir: &Path, path: &Path) -> bool {
    let names: Option<Vec<&str>> = path.iter().map(OsStr::to_str).collect();
    let Some([above @ .., _]) = names.as_deref() else { return false };
    let kept = kept_in(dir);
    let mut way = dir.to_owned();
    let is_walked = |name: &&str| {
        way.push(name);
        !PASSED_OVER.contains(name) && is_plain_dir(&way)
    };
    (kept.is_empty() || above.first().is_some_and(|first| kept.contains(first))) && above.iter().all(is_walked)
}

/// Lists the directories of a project that protocols keep their files in.
fn kept_in(dir: &Path) -> Vec<&'static str> {
    KEPT.into_iter().filter(|name| is_plain_dir(&dir.join(name))).collect()
}

/// Lists a single file of a directory.
pub(super) fn single(dir: &Path, name: &Path) -> Listing {
    let mut listing = Listing::default();
    if let Ok(metadata) = fs::metadata(dir.join(name)) {
        listing.files.push(Listed::new(name.to_string_lossy().into_owned(), &metadata));
    }
    listing
}

impl Listing {
    /// Takes the files of a directory and those below it. What goes away meanwhile was not there.
    fn walk(&mut self, root: &Path, below: &str) {
        let entries = match fs::read_dir(root.join(below)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(_) => return self.unreadable.push(below.to_owned()),
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !PASSED_OVER.contains(&name.as_str()) {
                self.walk(root, &path);
            } else if !kind.is_dir()
                && let Some(file) = paths::file_below(root, Path::new(&path))
                && let Ok(metadata) = file.metadata()
            {
                self.files.push(Listed::new(path, &metadata));
            }
        }
    }
}

impl Listed {
    fn new(path: String, metadata: &Metadata) -> Self {
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or_default();
        Self { path, size: metadata.len(), modified }
    }
}

/// Says whether something is a directory, and no link to one, which could lead anywhere.
fn is_plain_dir(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use huddle_core::history::source;

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
        directory(dir).files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn the_command_passes_over_the_same() {
        assert_eq!((KEPT, PASSED_OVER), (source::KEPT, source::PASSED_OVER));
    }

    #[test]
    fn a_directory_is_listed_sorted_without_what_is_passed_over() {
        let dir = files(&["b/c.jsonl", "b.json", "a/.git/x", "target/x", "node_modules/m/x", "a/z", ".hidden/y"]);
        assert_eq!(listed(dir.path()), [".hidden/y", "a/z", "b.json", "b/c.jsonl"]);
        let listing = directory(dir.path());
        assert_eq!(listing.files[0].size, 5);
        assert!(listing.files[0].modified > 1_700_000_000_000, "{listing:?}");
        assert!(listing.unreadable.is_empty());
    }

    #[test]
    fn of_a_project_only_what_protocols_keep_is_listed() {
        let dir = files(&["src/main.rs", ".agent-messages/inbox/bob/m.json", ".claude/state/s.json"]);
        assert_eq!(listed(dir.path()), [".agent-messages/inbox/bob/m.json", ".claude/state/s.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_listed_only_when_they_lead_to_a_file_that_may_be_shown() {
        let (dir, other) = (files(&["d/a"]), files(&["secret"]));
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        link(Path::new("d/a"), "in");
        link(Path::new("d"), "directory");
        link(Path::new("."), "circle");
        link(Path::new("nowhere"), "dangling");
        link(&other.path().join("secret"), "out");
        assert_eq!(listed(dir.path()), ["d/a", "in"]);
    }

    #[test]
    fn a_file_may_be_shown_when_it_is_listed() {
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
                assert_eq!(lists(dir.path(), Path::new(path)), all.iter().any(|one| one == path), "{path}");
            }
        }
    }

    #[test]
    fn a_single_file_is_all_there_is() {
        let dir = files(&["log.jsonl", "other"]);
        let listing = single(dir.path(), Path::new("log.jsonl"));
        assert_eq!(listing.files.len(), 1);
        assert_eq!(listing.files[0].path, "log.jsonl");
    }
}
