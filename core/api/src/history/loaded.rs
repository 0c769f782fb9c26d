//! A history in memory.

use std::fmt;
use std::io;

use huddle_core::engine::fs::MAX_DOCUMENT;
use huddle_core::history::export::{Exported, to_files};
use huddle_core::history::query::Query;
use huddle_core::history::record::ByteSource;
use huddle_core::history::search::Hits;
use huddle_core::history::timeline::{Options, Timeline, draw};
use huddle_core::history::{Derived, History, Loader, Overview, Role, Thread};
use huddle_core::model::{Diagnostic, ErrorKind, Remedy, Severity, Timestamp};
use huddle_core::wire::session::layout;

use super::check::HistoryCheck;
use super::entries::{HistoryEntry, HistoryThread, thread_entry};
use super::overview::HistoryOverview;
use super::search::SearchResult;
use super::timeline::{TimelineView, TimelineWindow};
use super::{HistoryFiles, ThreadList};
use crate::Error;

/// The code of diagnostics about files that cannot be read.
pub(super) const UNREADABLE_FILE: &str = "unreadable-file";

/// A history that was loaded, what follows from it, and its files to read from.
pub struct LoadedHistory {
    history: History,
    parts: Box<dyn ByteSource>,
    /// When it was loaded: what is overdue depends on it.
    now: Timestamp,
    /// Computed for the first operation that needs it.
    derived: Option<Derived>,
    /// Built for the first operation that needs it.
    timeline: Option<Timeline>,
}

impl fmt::Debug for LoadedHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedHistory").field("now", &self.now).finish_non_exhaustive()
    }
}

/// A format that a history is exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// All of it in one log.
    Jsonl,
    /// Threads, to read.
    Markdown,
    /// Messages as documents of the documents protocol.
    Documents,
    /// Messages as files of the mailbox protocol.
    Mailbox,
    /// The files that a log contains.
    Session,
}

impl ExportFormat {
    /// Reads the name of a format.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "jsonl" => Self::Jsonl,
            "markdown" => Self::Markdown,
            "documents" => Self::Documents,
            "mailbox" => Self::Mailbox,
            "session" => Self::Session,
            _ => return None,
        })
    }

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Markdown => "markdown",
            Self::Documents => "documents",
            Self::Mailbox => "mailbox",
            Self::Session => "session",
        }
    }
}

impl LoadedHistory {
    /// Reads all files. One that was found and cannot be read is a diagnostic, one that the caller named an error.
    pub fn load(files: &dyn HistoryFiles, now: Timestamp) -> Result<Self, Error> {
        let list = files.files().iter().map(|(path, named)| (path.clone(), 0, *named)).collect();
        let mut loader = Loader::new(list);
        let (mut buffer, mut diagnostics) = (Vec::new(), files.diagnostics().to_vec());
        for (number, (_, named)) in files.files().iter().enumerate() {
            let file = &loader.files()[number];
            if !file.role.is_read() {
                continue;
            }
            let path = file.path.clone();
            // Logs have any size and are read as they go by; all else is a document, which memory has to hold.
            let is_log = matches!(file.role, Role::Log | Role::Records | Role::Unsure);
            let limit = if is_log { u64::MAX } else { MAX_DOCUMENT };
            match files.feed(&path, limit, &mut buffer, &mut |chunk| loader.feed(number as u32, chunk)) {
                // One that went away since it was found is no longer part of the history.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if *named => return Err(files.unreadable(&path, &error)),
                Err(error) => diagnostics.push(skipped(path, &error)),
                Ok(()) => {}
            }
            loader.end();
        }
        let mut history = loader.finish();
        history.findings.extend(diagnostics);
        Ok(Self { history, parts: files.parts(), now, derived: None, timeline: None })
    }

    /// Returns the diagnostics of loading it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.history.findings
    }

    /// Returns who left what, when, and what stands out.
    pub fn overview(&mut self) -> Result<HistoryOverview, Error> {
        let findings = self.find_problems()?;
        let (history, derived, _) = self.derived()?;
        Ok(HistoryOverview::new(history, derived, Overview::of(history, derived, &findings)))
    }

    /// Checks it.
    pub fn check(&mut self) -> Result<HistoryCheck, Error> {
        let findings = self.find_problems()?;
        Ok(HistoryCheck::new(&self.history, findings))
    }

    /// Lists its threads, the one with the newest message first.
    pub fn threads(&mut self, limit: usize) -> Result<ThreadList, Error> {
        let (history, derived, parts) = self.derived()?;
        let derived = &*derived;
        let entry = |thread: &Thread| {
            let subject = history.thread_subject(derived, thread, parts).map_err(|error| changed(&error))?;
            Ok(thread_entry(history, derived, thread, subject))
        };
        let threads: Vec<_> = derived.threads.threads.iter().take(limit).map(entry).collect::<Result<_, Error>>()?;
        Ok(ThreadList { count: derived.threads.threads.len(), threads })
    }

    /// Returns the thread of that id, or the one that has a message of that id.
    pub fn thread(&mut self, wanted: &str) -> Result<HistoryThread, Error> {
        let (history, derived, parts) = self.derived()?;
        let thread = history.find_thread(derived, wanted).ok_or_else(|| {
            let message = format!("there is no conversation {wanted:?} in what was given");
            Error::new(ErrorKind::NotFound, message, Remedy::ListHistoryThreads)
        })?;
        let derived = &*derived;
        let members = derived.threads.members(&thread).iter();
        let views =
            members.map(|position| history.load_entry(derived, *position, parts)).collect::<io::Result<Vec<_>>>();
        let views = views.map_err(|error| changed(&error))?;
        let title = history.thread_subject(derived, &thread, parts).map_err(|error| changed(&error))?;
        let subject = views.first().map(|view| view.subject.clone()).unwrap_or_default();
        Ok(HistoryThread {
            entry: thread_entry(history, derived, &thread, subject),
            messages: views.into_iter().map(|view| HistoryEntry::new(history, view)).collect(),
            title,
        })
    }

    /// Searches it; the count is that of all matches, of which at most `limit` are listed.
    pub fn search(&mut self, query: &Query, limit: usize) -> Result<SearchResult, Error> {
        Ok(self.hits(query, limit)?.into())
    }

    pub(super) fn hits(&mut self, query: &Query, limit: usize) -> Result<Hits, Error> {
        let (history, derived, parts) = self.derived()?;
        history.search(query, derived, limit, parts).map_err(|error| changed(&error))
    }

    /// Returns its timeline, divided into columns.
    pub fn timeline(&mut self, window: &TimelineWindow) -> TimelineView {
        let options = window.options();
        let columns = window.columns();
        let (history, timeline) = self.built();
        TimelineView::new(history, timeline, columns, &options)
    }

    /// Draws its timeline, a column a character.
    pub fn draw_timeline(&mut self, window: &TimelineWindow) -> String {
        let (options, columns): (Options, usize) = (window.options(), window.columns());
        let (history, timeline) = self.built();
        draw(timeline, &history.table, columns, &options)
    }

    /// Exports it; `None` if a format needs a log and there is none.
    pub fn export(&mut self, format: ExportFormat) -> Result<Option<Exported>, Error> {
        if format == ExportFormat::Session {
            let mut logs = self.history.files.iter().filter(|file| matches!(file.role, Role::Log | Role::Unsure));
            let Some(log) = logs.next() else { return Ok(None) };
            let bytes = self.parts.read(&log.path, 0, u64::MAX).map_err(|error| changed(&error))?;
            return Ok(Some(to_files(&bytes, layout::LOG)));
        }
        let (history, derived, parts) = self.derived()?;
        let exported = match format {
            ExportFormat::Markdown => history.to_markdown(derived, parts),
            ExportFormat::Documents => history.to_documents(parts),
            ExportFormat::Mailbox => history.to_mailbox(parts),
            ExportFormat::Jsonl | ExportFormat::Session => history.to_jsonl(parts),
        };
        exported.map(Some).map_err(|error| changed(&error))
    }

    fn find_problems(&mut self) -> Result<Vec<Diagnostic>, Error> {
        let now = self.now;
        let (history, derived, parts) = self.derived()?;
        history.check(derived, now, parts).map_err(|error| changed(&error))
    }

    /// Returns the history with all that follows from it, and what reads its files.
    fn derived(&mut self) -> Result<(&History, &mut Derived, &mut dyn ByteSource), Error> {
        let Self { history, parts, now, derived, .. } = self;
        let parts: &mut dyn ByteSource = &mut **parts;
        let derived = match derived {
            Some(derived) => derived,
            None => derived.insert(Derived::of(history, *now, parts).map_err(|error| changed(&error))?),
        };
        Ok((history, derived, parts))
    }

    fn built(&mut self) -> (&History, &Timeline) {
        let Self { history, timeline, .. } = self;
        let build = || Timeline::of(history);
        let timeline = timeline.get_or_insert_with(build);
        (history, timeline)
    }
}

/// Creates the error of a file that went away, or can no longer be read, since it was loaded.
pub(super) fn changed(error: &io::Error) -> Error {
    let hint = "somebody moved or removed a file meanwhile: try again";
    Error::new(ErrorKind::Failed, format!("reading a file again failed: {error}"), hint)
}

/// Reports a file that was found and cannot be read.
fn skipped(path: String, error: &io::Error) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: UNREADABLE_FILE,
        place: path,
        message: format!("it is skipped: {error}"),
        remedy: "look at its permissions and its size".into(),
    }
}
