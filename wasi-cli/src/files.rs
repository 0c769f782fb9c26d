//! Files that a command opens by path, each confined to a directory.
//!
//! A path that a user gives on the command line may lie anywhere. Links below the project and below the working directory
//! may come from somebody else's repository, so they are followed only within these, as a WASI host does it. A path that a
//! model gives to a tool lies in the project, or in a directory that whoever started the server has allowed.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use huddle_core::bus::ErrorKind;
use huddle_core::engine::fs::{FileSystem, too_large};

use crate::args::Global;
use crate::failure::Failure;
use crate::std_fs::StdFs;

/// The largest file that is taken as a text, a report or an artifact: the bus reads none that is larger.
pub(crate) const MAX_FILE: u64 = huddle_core::engine::fs::MAX_FILE;

/// Where the paths that a command is given may lead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Anywhere: a user names them.
    #[default]
    Anywhere,
    /// Into the project and these directories: a model names them.
    Project(Vec<PathBuf>),
}

/// Opens what a caller names by path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Files {
    root: PathBuf,
    reach: Reach,
}

/// A path that may be opened: a directory, and the path below it, with `/`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) dir: PathBuf,
    pub(crate) below: String,
}

impl Files {
    /// Takes the project and the reach that a call has.
    pub(crate) fn of(global: &Global) -> Self {
        Self { root: global.root.clone(), reach: global.reach.clone() }
    }

    /// Returns the project's directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a regular file of at most so many bytes.
    pub(crate) fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Failure> {
        let Located { dir, below } = self.locate(path)?;
        let opened = StdFs::new(dir).open_file(&below);
        opened.and_then(|file| read_up_to(file, limit)).map_err(|error| unreadable(path, &error))
    }

    /// Writes a file that is not there yet.
    pub(crate) fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let Located { dir, below } = self.locate_new(path.parent().unwrap_or(Path::new(".")));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        StdFs::beneath(dir, &below).write_scratch(name, bytes).map_err(|error| unwritten(path, &error))
    }

    /// Finds the directory that confines a path, by the path's words first: a link below a directory is not followed to
    /// find out where it leads.
    pub(crate) fn locate(&self, path: &str) -> Result<Located, Failure> {
        let wanted = self.seen_from(path);
        let bases = self.bases();
        let plain = lexical(&wanted);
        if let Some(located) = bases.iter().find_map(|base| Located::new(base, &lexical(base), &plain)) {
            return Ok(located);
        }
        // It may be another name of such a directory, which a link above it has.
        let real = real(&wanted);
        let aliased = real.as_ref().ok().and_then(|real| {
            bases.iter().find_map(|base| self::real(base).ok().and_then(|base| Located::new(&base, &base, real)))
        });
        match (aliased, &self.reach, real) {
            (Some(located), ..) => Ok(located),
            (None, Reach::Project(_), _) => Err(outside(path)),
            (None, Reach::Anywhere, Ok(real)) => Ok(Located::by_itself(&real)),
            (None, Reach::Anywhere, Err(error)) => Err(unreadable(path, &error)),
        }
    }

    /// Finds the directory that confines a path at which nothing need be yet; elsewhere, it is the path itself.
    pub(crate) fn locate_new(&self, path: &Path) -> Located {
        let plain = lexical(path);
        let located = self.bases().iter().find_map(|base| Located::new(base, &lexical(base), &plain));
        located.unwrap_or_else(|| Located { dir: path.to_owned(), below: String::new() })
    }

    /// Lists the directories that confine paths.
    fn bases(&self) -> Vec<PathBuf> {
        let mut bases = vec![self.root.clone()];
        match &self.reach {
            Reach::Project(allowed) => bases.extend(allowed.iter().cloned()),
            // At the root of the file system, everything would be below it.
            Reach::Anywhere if lexical(Path::new(".")).parent().is_none() && cfg!(not(target_os = "wasi")) => {}
            Reach::Anywhere => bases.push(PathBuf::from(".")),
        }
        bases
    }

    /// Returns a path from where its giver sees it: models see the project, users their working directory.
    fn seen_from(&self, path: &str) -> PathBuf {
        match &self.reach {
            Reach::Project(_) => self.root.join(path),
            Reach::Anywhere if path.is_empty() => PathBuf::from("."),
            Reach::Anywhere => PathBuf::from(path),
        }
    }
}

impl Located {
    /// Locates a path below a directory, both of them in a form that can be compared.
    fn new(dir: &Path, comparable: &Path, path: &Path) -> Option<Self> {
        let below = path.strip_prefix(comparable).ok()?;
        let names = below.components().map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let below = names.collect::<Option<Vec<_>>>()?.join("/");
        Some(Self { dir: dir.to_owned(), below })
    }

    /// Locates a path that nothing but its own directory confines.
    fn by_itself(path: &Path) -> Self {
        let parent = path.parent().and_then(|dir| Self::new(dir, dir, path));
        parent.unwrap_or_else(|| Self { dir: path.to_owned(), below: String::new() })
    }
}

/// Reads an open file or stream of at most so many bytes.
pub(crate) fn read_up_to(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64;
    if read > limit { Err(too_large(read, limit)) } else { Ok(bytes) }
}

/// Tells that a file or directory cannot be read.
pub(crate) fn unreadable(path: &str, error: &io::Error) -> Failure {
    let (kind, hint) = match error.kind() {
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            (ErrorKind::Failed, "links are followed only within the project: give the path that it leads to")
        }
        io::ErrorKind::InvalidData => {
            (ErrorKind::Failed, "give a regular file; what comes from a pipe goes to standard input")
        }
        io::ErrorKind::NotFound => (ErrorKind::NotFound, FROM_HERE),
        _ => (ErrorKind::Failed, FROM_HERE),
    };
    Failure::new(kind, format!("reading failed: {error}: {path}"), hint)
}

/// Tells that a file or directory cannot be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let (kind, hint) = match error.kind() {
        io::ErrorKind::AlreadyExists => (ErrorKind::Conflict, "nothing is written over: give another path"),
        _ => (ErrorKind::Failed, "look at the directory, and at what WASI has opened (--dir .)"),
    };
    Failure::new(kind, format!("writing failed: {error}: {}", path.display()), hint)
}

const FROM_HERE: &str = "paths are seen from the working directory, which WASI must have opened (--dir .)";

/// Refuses a path that a model has no business with.
fn outside(path: &str) -> Failure {
    let hint = "give a path below the project's directory; whoever starts the server can allow it other directories";
    Failure::new(ErrorKind::Usage, format!("{path:?} is outside of the project"), hint)
}

/// Returns a path without `.` and `..`, by its words alone, and from the root of the file system on where there is one.
fn lexical(path: &Path) -> PathBuf {
    #[cfg(not(target_os = "wasi"))]
    let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(plain.pop()),
            (part, _) => plain.push(part),
        }
    }
    plain
}

/// Returns a path with all links resolved. WASI hosts do not tell, and let no link lead out.
fn real(path: &Path) -> io::Result<PathBuf> {
    if cfg!(target_os = "wasi") { Ok(lexical(path)) } else { path.canonicalize() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn files(root: &Path, reach: Reach) -> Files {
        Files { root: root.to_owned(), reach }
    }

    #[test]
    fn a_path_is_located_by_its_words() {
        let files = files(Path::new("/srv/project"), Reach::Project(vec![PathBuf::from("/data/logs")]));
        let check = |path: &str, dir: &str, below: &str| {
            let located = files.locate(path).unwrap_or_else(|failure| panic!("{path}: {}", failure.message));
            assert_eq!(located, Located { dir: dir.into(), below: below.to_owned() }, "{path}");
        };
        check("a/b", "/srv/project", "a/b");
        check("", "/srv/project", "");
        check("./a/../b", "/srv/project", "b");
        check("/srv/project/a", "/srv/project", "a");
        check("/data/logs/x/y.jsonl", "/data/logs", "x/y.jsonl");
        check("../../data/logs/x", "/data/logs", "x");
        for path in ["..", "../other", "/etc/passwd", "/srv/project/../other", "/data", "a/../../x", "/srv/projects"] {
            let failure = files.locate(path).unwrap_err();
            assert_eq!(failure.message, format!("{path:?} is outside of the project"));
        }
    }

    #[test]
    fn a_user_may_name_any_regular_file_within_the_limit() {
        let (project, other) = (Scratch::new(), Scratch::new());
        let files = files(project.path(), Reach::Anywhere);
        std::fs::write(other.path().join("x"), "four").unwrap();
        let path = other.path().join("x").display().to_string();
        assert_eq!(files.read(&path, 4).unwrap(), b"four");
        assert!(files.read(&path, 3).unwrap_err().message.contains("too large"));
        let failure = files.read(&other.path().display().to_string(), 4).unwrap_err();
        assert!(failure.message.contains("it is a directory"), "{}", failure.message);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_project_leads_nowhere_else() {
        use std::os::unix::fs::symlink;

        let (project, other) = (Scratch::new(), Scratch::new());
        std::fs::write(other.path().join("secret"), "x").unwrap();
        std::fs::create_dir(project.path().join("docs")).unwrap();
        std::fs::write(project.path().join("notes"), "inside").unwrap();
        symlink(other.path().join("secret"), project.path().join("out")).unwrap();
        symlink(other.path(), project.path().join("dir")).unwrap();
        symlink("../notes", project.path().join("docs/in")).unwrap();
        for reach in [Reach::Anywhere, Reach::Project(Vec::new())] {
            let files = files(project.path(), reach);
            for name in ["out", "dir/secret", "docs/../out"] {
                let path = project.path().join(name).display().to_string();
                let failure = files.read(&path, 9).unwrap_err();
                assert!(failure.message.contains("leads out of the directory"), "{name}: {}", failure.message);
            }
            let path = project.path().join("docs/in").display().to_string();
            assert_eq!(files.read(&path, 9).unwrap(), b"inside");
        }
    }

    #[cfg(unix)]
    #[test]
    fn another_name_of_the_project_is_the_project() {
        let (project, other) = (Scratch::new(), Scratch::new());
        std::fs::write(project.path().join("notes"), "inside").unwrap();
        std::os::unix::fs::symlink(project.path(), other.path().join("alias")).unwrap();
        let files = files(project.path(), Reach::Project(Vec::new()));
        let path = other.path().join("alias/notes").display().to_string();
        assert_eq!(files.read(&path, 9).unwrap(), b"inside");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let project = Scratch::new();
        let path = project.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let failure = files(project.path(), Reach::Anywhere).read(&path.display().to_string(), 9).unwrap_err();
        assert!(failure.message.contains("a FIFO"), "{}", failure.message);
    }
}
