//! Files that history is made of: found, brought in chunks, and read again in parts.

mod held;
mod origins;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use huddle_core::bus::ErrorKind;
use huddle_core::engine::fs::{EntryKind, FileSystem, MAX_DOCUMENT, irregular, too_large};
use huddle_core::history::query::Query;
use huddle_core::history::record::ByteSource;
use huddle_core::history::search::Hits;
use huddle_core::history::source::{IGNORED_DIRS, PROTOCOL_DIRS};
use huddle_core::history::{Derived, EntryView, History, Loader, Role, Thread};
use huddle_core::migrate::BusSnapshot;
use huddle_core::model::{Diagnostic, Severity, Timestamp};
use huddle_core::wire::answer;

use crate::args::{Args, Take, any};
use crate::call::Call;
use crate::failure::Failure;
use crate::files::{Files, Located, unreadable};
use crate::project::reach;
use crate::sources::held::Held;
use crate::sources::origins::Origins;
use crate::std_fs::StdFs;

/// What history can be read from.
pub(crate) const PATHS: Take = any(
    "PATH",
    "a project, a mailbox, a session, a state directory, a log or a JSON file; this project if there is none",
);

/// The code of findings about files that were found and could not be read.
pub(crate) const UNREADABLE_FILE: &str = "unreadable-file";

/// How many bytes are brought at once.
const CHUNK: usize = 1 << 20;

/// The files below some paths.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Each path with `/`, and whether it was asked for by name.
    pub(crate) files: Vec<(String, bool)>,
    /// What could not be looked into.
    pub(crate) findings: Vec<Diagnostic>,
    /// Where they are opened.
    origins: Origins,
    /// Those of the files that lie on no disk, because they stand for a bus on a server.
    held: Held,
}

impl Sources {
    /// Finds the files of a command's `PATH…`; without any, a bus that is on a server stands in.
    pub(crate) fn given(args: &Args, call: &Call<'_>) -> Result<Self, Failure> {
        let paths = args.all("PATH");
        if paths.is_empty() && call.global.bus.is_some() {
            return Self::of_bus(call);
        }
        Self::find(&paths.iter().map(String::as_str).collect::<Vec<_>>(), call.input.files())
    }

    /// Finds all files below the paths that the caller gave; without any, the project's own.
    pub(crate) fn find(paths: &[&str], files: &Files) -> Result<Self, Failure> {
        let mut sources = Self::default();
        if paths.is_empty() {
            let project = files.root();
            sources.project(&shown(project), StdFs::new(project));
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
            Ok(EntryKind::Dir) => self.project(path, StdFs::beneath(dir, &below)),
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
    fn of_bus(call: &Call<'_>) -> Result<Self, Failure> {
        let whole = BusSnapshot::of(call.project.engine())?;
        // What a mailbox has no room for is nothing that anybody asked to keep.
        let (sources, _) = Self::of_whole(&whole.value, call.project.bus_place);
        Ok(Self { findings: whole.findings, ..sources })
    }

    /// Takes a bus as the files of a mailbox in a directory; tells what a mailbox has no room for.
    pub(crate) fn of_whole(whole: &BusSnapshot, dir: &str) -> (Self, Vec<Diagnostic>) {
        let (held, losses) = Held::of(whole, dir);
        let files = held.paths().map(|path| (path.clone(), false)).collect();
        (Self { files, held, ..Self::default() }, losses)
    }

    /// Gives what reads the files again.
    pub(crate) fn parts(&self) -> Parts {
        Parts { origins: self.origins.clone(), held: self.held.clone(), ..Parts::default() }
    }

    /// Brings a file of at most so many bytes in chunks.
    pub(crate) fn bring(
        &self,
        path: &str,
        limit: u64,
        buffer: &mut Vec<u8>,
        take: &mut dyn FnMut(&[u8]),
    ) -> io::Result<()> {
        if let Some(bytes) = self.held.get(path) {
            take(bytes);
            return Ok(());
        }
        let file = self.origins.open(path)?;
        let size = file.metadata()?.len();
        if size > limit { Err(too_large(size, limit)) } else { in_chunks(file, buffer, take) }
    }

    /// Takes a directory: of a project, only what protocols keep there.
    fn project(&mut self, dir: &str, fs: StdFs) {
        let fs = Rc::new(fs);
        self.origins.add_tree(dir, fs.clone());
        let kept: Vec<&str> =
            PROTOCOL_DIRS.into_iter().filter(|name| matches!(fs.kind(name), Ok(EntryKind::Dir))).collect();
        if kept.is_empty() {
            self.walk(&fs, dir, "");
        }
        kept.into_iter().for_each(|name| self.walk(&fs, dir, name));
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
                    hint: "look at its permissions".to_owned(),
                });
                return;
            }
        };
        for entry in entries {
            let inner = if below.is_empty() { entry.name.clone() } else { format!("{below}/{}", entry.name) };
            let path = joined(tree, &inner);
            match entry.kind {
                EntryKind::Dir if IGNORED_DIRS.contains(&entry.name.as_str()) => {}
                EntryKind::Dir => self.walk(fs, tree, &inner),
                EntryKind::File => self.files.push((path, false)),
                EntryKind::Other if matches!(fs.kind(&inner), Ok(EntryKind::File)) => self.files.push((path, false)),
                EntryKind::Other => self.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "not-a-regular-file",
                    place: path,
                    message: "it is skipped: a link that leads to no file in the given directory, or a special file"
                        .to_owned(),
                    hint: "name it as a PATH of its own if it is meant to be read".to_owned(),
                }),
            }
        }
    }

    /// Reads everything and makes a history of it. A file that was found and cannot be read is a finding.
    pub(crate) fn load(&self) -> Result<History, Failure> {
        let list = self.files.iter().map(|(path, named)| (path.clone(), 0, *named)).collect();
        let mut loader = Loader::new(list);
        let (mut buffer, mut findings) = (Vec::new(), Vec::new());
        for (number, (_, named)) in self.files.iter().enumerate() {
            let file = &loader.files()[number];
            if !file.role.is_read() {
                continue;
            }
            let path = file.path.clone();
            // Logs have any size and are read as they go by; all else is a document, which memory has to hold.
            let is_log = matches!(file.role, Role::Log | Role::Records | Role::Unsure);
            let limit = if is_log { u64::MAX } else { MAX_DOCUMENT };
            let fed = self.bring(&path, limit, &mut buffer, &mut |chunk| loader.feed(number as u32, chunk));
            match fed {
                // One that went away since it was found is no longer part of what there is.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if *named => return Err(unreadable(&path, &error)),
                Err(error) => findings.push(skipped(path, &error)),
                Ok(()) => {}
            }
            loader.end();
        }
        let mut history = loader.finish();
        history.findings.extend(self.findings.iter().cloned().chain(findings));
        Ok(history)
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
pub(crate) struct Parts {
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

/// A history that was loaded, what follows from it, and its files to read from.
pub(crate) struct Past {
    pub(crate) history: History,
    pub(crate) derived: Derived,
    pub(crate) parts: Parts,
    /// When it was loaded: what is overdue depends on it.
    now: Timestamp,
}

impl Past {
    /// Loads what lies at the paths that a command was given, or the project's own.
    pub(crate) fn load(args: &Args, call: &Call<'_>) -> Result<Self, Failure> {
        Self::of(&Sources::given(args, call)?, call.now())
    }

    /// Loads the files that were found.
    pub(crate) fn of(sources: &Sources, now: Timestamp) -> Result<Self, Failure> {
        let history = sources.load()?;
        let mut parts = sources.parts();
        let derived = Derived::of(&history, now, &mut parts).map_err(|error| changed(&error))?;
        Ok(Self { history, derived, parts, now })
    }

    /// Finds what is wrong.
    pub(crate) fn check(&mut self) -> Result<Vec<Diagnostic>, Failure> {
        self.history.check(&self.derived, self.now, &mut self.parts).map_err(|error| changed(&error))
    }

    /// Lists the conversations, the one with the newest message first, each with what it is about.
    pub(crate) fn threads(&mut self, limit: usize) -> Result<Vec<(Thread, String)>, Failure> {
        let listed: Vec<Thread> = self.derived.threads.threads.iter().take(limit).copied().collect();
        listed.into_iter().map(|thread| Ok((thread, self.said(thread.first)?.subject))).collect()
    }

    /// Finds a conversation, by its id or by that of a message in it, and reads what was said in it; `hint` says where
    /// to look for others.
    pub(crate) fn thread(&mut self, wanted: &str, hint: &str) -> Result<(Thread, Vec<EntryView>), Failure> {
        let thread = self.history.find_thread(&mut self.derived, wanted).ok_or_else(|| {
            Failure::new(ErrorKind::NotFound, format!("there is no conversation {wanted:?} in what was given"), hint)
        })?;
        let members = self.derived.threads.members(&thread).to_vec();
        let messages = members.into_iter().map(|position| self.said(position)).collect::<Result<_, _>>()?;
        Ok((thread, messages))
    }

    /// Finds what fits a query.
    pub(crate) fn search(&mut self, query: &Query, limit: usize) -> Result<Hits, Failure> {
        self.history.search(query, &self.derived, limit, &mut self.parts).map_err(|error| changed(&error))
    }

    /// Reads an entry.
    pub(crate) fn said(&mut self, position: u32) -> Result<EntryView, Failure> {
        self.history.load_entry(&self.derived, position, &mut self.parts).map_err(|error| changed(&error))
    }
}

/// Reads a query, or says where it stops making sense.
pub(crate) fn query(text: &str) -> Result<Query, Failure> {
    Query::parse(text).map_err(|error| Failure::new(ErrorKind::Usage, answer::syntax_error(text, &error), error.hint))
}

/// Tells that a file went away, or can no longer be read, since it was loaded.
pub(crate) fn changed(error: &io::Error) -> Failure {
    let hint = "somebody moved or removed a file meanwhile: try again";
    Failure::new(ErrorKind::Failed, format!("reading a file again failed: {error}"), hint)
}

/// Tells that a file was found and could not be read.
fn skipped(path: String, error: &io::Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: UNREADABLE_FILE,
        place: path,
        message: format!("it is skipped: {error}"),
        hint: "look at its permissions and its size".to_owned(),
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
