//! Files that histories are made of: found, brought in chunks, and read again in parts.

mod held;
mod origins;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use huddle_api::{Error, HistoryFiles, HistorySource, Project};
use huddle_core::engine::fs::{EntryKind, FileSystem, irregular, too_large};
use huddle_core::history::record::ByteSource;
use huddle_core::history::source::{IGNORED_DIRS, kept_dirs};
use huddle_core::migrate::BusSnapshot;
use huddle_core::model::{Diagnostic, Severity};

use crate::failure::Failure;
use crate::files::{Files, Located, unreadable};
use crate::global::Global;
use crate::project::reach;
use crate::sources::held::Held;
use crate::sources::origins::Origins;
use crate::std_fs::StdFs;

/// How many bytes are brought at once.
const CHUNK: usize = 1 << 20;

/// Opens histories for the operations on a project.
pub(crate) struct ProjectHistories<'a> {
    project: &'a Project<'a>,
    files: Files,
    /// Whether the bus is on a server, and stands in for the project's own files.
    is_on_server: bool,
}

impl<'a> ProjectHistories<'a> {
    pub(crate) fn new(project: &'a Project<'a>, global: &Global) -> Self {
        Self { project, files: Files::of(global), is_on_server: global.bus.is_some() }
    }
}

impl HistorySource for ProjectHistories<'_> {
    fn open(&self, paths: &[String]) -> Result<Box<dyn HistoryFiles>, Error> {
        let sources = match paths.is_empty() && self.is_on_server {
            true => Sources::of_bus(self.project)?,
            false => Sources::find(paths, &self.files)?,
        };
        Ok(Box::new(sources))
    }
}

/// The files below some paths.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Each path with `/`, and whether it was asked for by name.
    files: Vec<(String, bool)>,
    /// What could not be looked into.
    findings: Vec<Diagnostic>,
    /// Where they are opened.
    origins: Origins,
    /// Those of the files that lie on no disk, because they stand for a bus on a server.
    held: Held,
}

impl Sources {
    /// Finds all files below the paths that the caller gave; without any, the project's own.
    pub(crate) fn find(paths: &[String], files: &Files) -> Result<Self, Failure> {
        let mut sources = Self::default();
        if paths.is_empty() {
            let project = files.root();
            sources.project(&shown(project), StdFs::new(project), false);
            if sources.files.is_empty() {
                reach(project)?;
            }
        }
        for path in paths {
            let plain = path.trim_end_matches('/');
            let path = if plain.is_empty() && path.starts_with('/') { "/" } else { plain };
            sources.named(path, files.locate(path)?)?;
        }
        Ok(sources)
    }

    /// Takes a path that the caller gave: a directory with all that is in it, or a file.
    fn named(&mut self, path: &str, Located { dir, below }: Located) -> Result<(), Failure> {
        let base = self.origins.base(&dir);
        match base.kind(&below) {
            Ok(EntryKind::Dir) => self.project(path, StdFs::beneath(dir, &below), true),
            Ok(EntryKind::File) => {
                self.origins.add_file(path, base, below);
                self.files.push((path.to_owned(), true));
            }
            Ok(EntryKind::Other) => return Err(unreadable(path, &irregular("a FIFO, a socket or a device"))),
            Err(error) => return Err(unreadable(path, &error)),
        }
        Ok(())
    }

    /// Takes what the bus has as the files of a mailbox, which are named after where it is.
    fn of_bus(project: &Project<'_>) -> Result<Self, Failure> {
        let whole = BusSnapshot::of(project.engine())?;
        // What a mailbox has no room for is nothing that anybody asked to keep.
        let (sources, _) = Self::of_whole(&whole.value, project.bus_place());
        Ok(Self { findings: whole.findings, ..sources })
    }

    /// Takes a bus as the files of a mailbox in a directory; tells what a mailbox has no room for.
    pub(crate) fn of_whole(whole: &BusSnapshot, dir: &str) -> (Self, Vec<Diagnostic>) {
        let (held, losses) = Held::of(whole, dir);
        let files = held.paths().map(|path| (path.clone(), false)).collect();
        (Self { files, held, ..Self::default() }, losses)
    }

    /// Takes a directory: of a project, only what protocols keep there, unless it was named and has settings beside its contents.
    fn project(&mut self, dir: &str, fs: StdFs, is_named: bool) {
        let fs = Rc::new(fs);
        self.origins.add_tree(dir, fs.clone());
        let kept = kept_dirs(|name| matches!(fs.kind(name), Ok(EntryKind::Dir)), is_named);
        if kept.is_empty() {
            self.walk(&fs, dir, "");
        } else {
            kept.into_iter().for_each(|name| self.walk(&fs, dir, name));
        }
    }

    /// Takes all regular files of a directory, sorted by name, and those below it; a link to a file counts as that file
    /// when it stays within the tree.
    fn walk(&mut self, fs: &StdFs, tree: &str, below: &str) {
        let entries = match fs.list(below) {
            Ok(entries) => entries,
            Err(error) => {
                self.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "unreadable-directory",
                    place: joined(tree, below),
                    message: format!("what is in it is missing here: {error}"),
                    remedy: "look at its permissions".into(),
                });
                return;
            }
        };
        for entry in entries {
            let inner = if below.is_empty() { entry.name.clone() } else { format!("{below}/{}", entry.name) };
            let path = joined(tree, &inner);
            match entry.kind {
                // It is listed with a slash at its end, which makes it something that is passed over.
                EntryKind::Dir if IGNORED_DIRS.contains(&entry.name.as_str()) => {
                    self.files.push((format!("{path}/"), false));
                }
                EntryKind::Dir => self.walk(fs, tree, &inner),
                EntryKind::File => self.files.push((path, false)),
                EntryKind::Other if matches!(fs.kind(&inner), Ok(EntryKind::File)) => self.files.push((path, false)),
                EntryKind::Other => self.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "not-a-regular-file",
                    place: path,
                    message: "it is skipped: a link that leads to no file in the given directory, or a special file"
                        .to_owned(),
                    remedy: "name it as a PATH of its own if it is meant to be read".into(),
                }),
            }
        }
    }
}

impl HistoryFiles for Sources {
    fn files(&self) -> &[(String, bool)] {
        &self.files
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.findings
    }

    fn feed(&self, path: &str, limit: u64, buffer: &mut Vec<u8>, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        if let Some(bytes) = self.held.get(path) {
            take(bytes);
            return Ok(());
        }
        let file = self.origins.open(path)?;
        let size = file.metadata()?.len();
        if size > limit { Err(too_large(size, limit)) } else { in_chunks(file, buffer, take) }
    }

    fn parts(&self) -> Box<dyn ByteSource> {
        Box::new(Parts { origins: self.origins.clone(), held: self.held.clone(), ..Parts::default() })
    }

    fn unreadable(&self, path: &str, error: &io::Error) -> Error {
        unreadable(path, error).into()
    }
}

/// Brings a file in chunks; an empty file is one empty chunk.
fn in_chunks(mut file: File, buffer: &mut Vec<u8>, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    buffer.resize(CHUNK, 0);
    let mut empty = true;
    loop {
        match file.read(buffer) {
            Ok(0) if empty => {
                take(&[]);
                return Ok(());
            }
            Ok(0) => return Ok(()),
            Ok(length) => take(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        empty = false;
    }
}

/// Reads parts of files, with what lies behind them: rows are mostly asked for one after the other.
#[derive(Debug, Default)]
struct Parts {
    path: String,
    file: Option<File>,
    /// Bytes that were read ahead, and where they begin.
    ahead: Vec<u8>,
    start: u64,
    origins: Origins,
    /// Those of the files that lie on no disk.
    held: Held,
}

/// How many bytes are read ahead.
const AHEAD: u64 = 1 << 18;

impl Parts {
    fn read_ahead(&self, offset: u64, length: u64) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.ahead.get(start..start.checked_add(usize::try_from(length).ok()?)?)
    }
}

impl ByteSource for Parts {
    fn read(&mut self, path: &str, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        if let Some(part) = self.held.part(path, offset, length) {
            return Ok(part.to_vec());
        }
        if self.path != path || self.file.is_none() {
            self.file = Some(self.origins.open(path)?);
            path.clone_into(&mut self.path);
            self.ahead.clear();
        }
        if self.read_ahead(offset, length).is_none()
            && let Some(file) = &mut self.file
        {
            file.seek(SeekFrom::Start(offset))?;
            self.ahead.clear();
            self.start = offset;
            file.take(length.max(AHEAD)).read_to_end(&mut self.ahead)?;
        }
        Ok(self.read_ahead(offset, length).unwrap_or(&self.ahead).to_vec())
    }
}

fn joined(dir: &str, name: &str) -> String {
    match dir {
        "" | "." => name.to_owned(),
        dir if name.is_empty() => dir.to_owned(),
        dir if dir.ends_with('/') => format!("{dir}{name}"),
        dir => format!("{dir}/{name}"),
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}
