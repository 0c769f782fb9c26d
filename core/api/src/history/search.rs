//! Searching a history.

use huddle_core::history::query::Query;
use huddle_core::history::record::headline;
use huddle_core::history::search::{Hit, Hits, LogSearch, shown};
use huddle_core::history::source::{Role, role_of, roots_of};
use huddle_core::history::transcript::headline_of;
use huddle_core::model::{ErrorKind, Json};
use huddle_core::wire;
use serde::{Deserialize, Serialize};

use super::HistoryFiles;
use super::entries::moment;
use super::loaded::{LoadedHistory, UNREADABLE_FILE, changed};
use crate::{Context, Error, Operation};

/// How many matches are listed by default.
const LISTED: usize = 20;
/// How many characters of a record stand for it.
const WIDTH: usize = 100;

/// Searches a history by words, and by who, when, what kind and how far it came.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchHistory {
    /// The query.
    pub query: String,
    /// How many matches are listed; by default 20.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Where the history is; the project, if there is no path.
    #[serde(default)]
    pub paths: Vec<String>,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResult {
    /// How many rows match.
    pub count: u64,
    /// How many of them are listed.
    pub listed: usize,
    /// Those that are listed, in order of time.
    pub hits: Vec<SearchHit>,
}

/// A row that matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// Its sender.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// Its recipients.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// Its type.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its severity.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub severity: String,
    /// How urgent it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub priority: String,
    /// The thread it belongs to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thread_id: String,
    /// Its id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// When it was made.
    pub created_at: Option<String>,
    /// Its file.
    pub file: String,
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u32,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Json>,
    /// The text, if it is no record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The record in a line; not a part of the document.
    #[serde(skip)]
    pub headline: String,
}

impl From<Hits> for SearchResult {
    fn from(Hits { count, listed }: Hits) -> Self {
        Self { count, listed: listed.len(), hits: listed.into_iter().map(SearchHit::from).collect() }
    }
}

impl From<Hit> for SearchHit {
    fn from(Hit { row, texts, file, record: bytes }: Hit) -> Self {
        let [from, to, kind, severity, priority, thread_id, id] = texts;
        let record = wire::parse(&bytes).ok();
        let raw = record.is_none().then(|| shown(&bytes));
        let headline = match (headline_of(&bytes, WIDTH), wire::parse_map(&bytes)) {
            (Some(line), _) => line,
            (None, Some(record)) => headline(&record, WIDTH),
            (None, None) => shown(&bytes).chars().take(WIDTH).collect(),
        };
        let (created_at, offset, length) = (moment(row.time), row.offset, row.length);
        Self {
            from,
            to,
            kind,
            severity,
            priority,
            thread_id,
            id,
            created_at,
            file,
            offset,
            length,
            record,
            raw,
            headline,
        }
    }
}

impl Operation for SearchHistory {
    type Response = SearchResult;

    const READS_DIRECTORY: bool = false;

    fn run(self, context: &mut Context<'_>) -> Result<SearchResult, Error> {
        let query = parse_query(&self.query)?;
        let limit = self.limit.unwrap_or(LISTED);
        let files = context.open_history(&self.paths)?;
        context.note(files.diagnostics().iter().cloned());
        let streamed = if can_stream(&query, &*files) { stream(&query, &*files, limit)? } else { None };
        if let Some(hits) = streamed {
            return Ok(hits.into());
        }
        let mut history = LoadedHistory::load(&*files, context.now())?;
        let skipped = history.diagnostics().iter().filter(|diagnostic| diagnostic.code == UNREADABLE_FILE);
        context.note(skipped.cloned());
        history.search(&query, limit)
    }
}

/// Reads a query.
pub fn parse_query(text: &str) -> Result<Query, Error> {
    Query::parse(text).map_err(|error| {
        let message = format!("the query cannot be understood: {}\n{}", error.message, error.caret(text));
        Error::new(ErrorKind::Usage, message, error.hint)
    })
}

/// Returns whether rows contain all that the query asks for, and all files are logs.
fn can_stream(query: &Query, files: &dyn HistoryFiles) -> bool {
    let roots = roots_of(files.files().iter().map(|(path, _)| path.as_str()));
    let is_log = |(path, named): &(String, bool)| match role_of(path, &roots, *named).0 {
        Role::Log => true,
        role => !role.is_read(),
    };
    !query.needs_states() && files.files().iter().all(is_log)
}

/// Searches logs as their bytes go by; returns none when they turn out to contain files, which have to be loaded.
fn stream(query: &Query, files: &dyn HistoryFiles, limit: usize) -> Result<Option<Hits>, Error> {
    let mut search = LogSearch::new(query, limit);
    let mut buffer = Vec::new();
    let roots = roots_of(files.files().iter().map(|(path, _)| path.as_str()));
    let is_read = |(path, named): &(String, bool)| role_of(path, &roots, *named).0.is_read();
    for (number, (path, _)) in files.files().iter().enumerate().filter(|(_, file)| is_read(file)) {
        let mut reader = search.begin(number as u32, path);
        files
            .feed(path, u64::MAX, &mut buffer, &mut |chunk| search.feed(&mut reader, chunk))
            .map_err(|error| files.unreadable(path, &error))?;
        reader.end(&mut search);
        if search.must_load() {
            return Ok(None);
        }
    }
    search.end(&mut *files.parts()).map(Some).map_err(|error| changed(&error))
}
