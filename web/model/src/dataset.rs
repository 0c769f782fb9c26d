//! A book: what was opened, read whole, with all that follows from it.

pub mod file_store;
mod requests;
mod row_order;

use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use huddle_core::history::query::{Query, State};
use huddle_core::history::timeline::Timeline;
use huddle_core::history::{Derived, History, NO_POSITION, Overview};
use huddle_core::model::{Diagnostic, Timestamp};
use huddle_scan::{NO_TIME, Symbol};

use crate::protocol::{self, Key, List, QueryError, RequestError};
use file_store::FileStore;
use row_order::Order;

/// What was opened.
pub struct Dataset {
    pub(crate) history: History,
    pub(crate) derived: Derived,
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) texts: FileStore,
    /// What every path begins with.
    base: String,
    /// The first entry with each id.
    by_id: Vec<u32>,
    timeline: Option<Rc<Timeline>>,
    /// How many messages there are in each part of the whole timeline; made when it is asked for.
    pub(crate) minimap: Vec<u32>,
    pub(crate) found: Found,
    orders: HashMap<List, Rc<Order>>,
}

/// What the query finds.
#[derive(Default)]
pub(crate) struct Found {
    /// Whether anything is searched for.
    pub(crate) searching: bool,
    /// The positions, in order.
    pub(crate) positions: Vec<u32>,
    /// Of each lane of the timeline, where on the line they are; made when it is asked for.
    pub(crate) on_lanes: Option<Rc<Vec<Vec<i64>>>>,
}

impl Dataset {
    /// Opens a history, and finds out all that follows from it, as of `now`.
    ///
    /// # Errors
    /// When a file cannot be read any more.
    pub fn new(history: History, texts: FileStore, now: Timestamp) -> io::Result<Self> {
        let mut book = Self::bare(history, texts);
        book.derive(now)?;
        book.list();
        Ok(book)
    }

    /// Opens a history of which nothing was found out yet: it can be summed up, and has to be listed before more is asked.
    pub fn bare(history: History, texts: FileStore) -> Self {
        let first = history.files.first().map_or("", |file| file.path.as_str());
        let base = first.get(..history.base()).unwrap_or_default().to_owned();
        Self {
            history,
            derived: Derived::default(),
            findings: Vec::new(),
            texts,
            base,
            by_id: Vec::new(),
            timeline: None,
            minimap: Vec::new(),
            found: Found::default(),
            orders: HashMap::new(),
        }
    }

    /// Makes it possible to list its messages, and to find them by their ids, whether or not more was found out.
    pub fn list(&mut self) {
        if self.by_id.is_empty() {
            self.by_id = self.history.positions_by_id();
        }
        if !self.derived.is_computed() {
            self.derived = Derived::empty(self.history.entries.len());
        }
    }

    /// Finds out all that follows, as of `now`.
    ///
    /// # Errors
    /// When a file cannot be read any more.
    pub fn derive(&mut self, now: Timestamp) -> io::Result<()> {
        self.derived = Derived::of(&self.history, now, &mut self.texts)?;
        self.findings = self.history.check(&self.derived, now, &mut self.texts)?;
        self.orders.clear();
        Ok(())
    }

    /// Closes it, and gives the bytes back.
    pub fn into_texts(self) -> FileStore {
        self.texts
    }

    /// Tells how many bytes of a file were read.
    pub fn size_of(&self, path: &str) -> u64 {
        let file = self.history.file_by_path.get(path).map(|file| &self.history.files[*file as usize]);
        file.filter(|file| file.role.is_read()).map_or(0, |file| file.size)
    }

    /// Looks at a part of a file.
    pub fn peek(&self, path: &str, offset: u64, length: u64) -> Vec<u8> {
        self.texts.peek(path, offset, length)
    }

    /// Returns what the loader reported of one kind: the places, and what is wrong there.
    pub fn reported(&self, code: &str) -> Vec<(String, String)> {
        let reported = self.history.findings.iter().filter(|finding| finding.code == code);
        reported.map(|finding| (finding.place.clone(), finding.message.clone())).collect()
    }

    /// Sums it up.
    pub fn overview(&self) -> protocol::Overview {
        let overview = Overview::of(&self.history, &self.derived, &self.findings);
        let table = &self.history.table;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let agents = overview.agents.list.iter().map(|agent| (table.text(agent.name).to_owned(), agent.sent));
        let states = overview.states.iter().map(|(state, number)| (state.name().to_owned(), count(*number)));
        let formats = overview.formats.iter().map(|(name, (files, rows))| ((*name).to_owned(), count(*files), *rows));
        let passed = overview.ignored_files.iter();
        let passed = passed.map(|(why, (files, one))| ((*why).to_owned(), count(*files), one.clone()));
        protocol::Overview {
            threads: count(self.derived.threads.threads.len()),
            span: overview.span.map(|(first, last)| (first.micros(), last.micros())),
            agents: agents.collect(),
            states: states.collect(),
            problems: overview.findings.map(count),
            formats: formats.collect(),
            passed_over: passed.collect(),
            ..self.counted()
        }
    }

    /// Sums up what can be told without anything that follows.
    pub fn bare_overview(&self) -> protocol::Overview {
        let table = &self.history.table;
        let mut agents = self.tally(table.from());
        agents.sort_by(|a, b| a.0.cmp(&b.0));
        let mut times = self.history.entries.iter().map(|row| table.time()[*row as usize]).filter(|at| *at != NO_TIME);
        let first = times.next();
        protocol::Overview {
            span: first.map(|first| (first, times.next_back().unwrap_or(first))),
            agents,
            ..self.counted()
        }
    }

    /// Counts what there is.
    fn counted(&self) -> protocol::Overview {
        protocol::Overview {
            entries: self.history.entries.len() as u32,
            files: self.history.files.iter().filter(|file| file.role.is_read()).count() as u32,
            bytes: self.history.account().total(),
            kinds: self.kinds(),
            ..protocol::Overview::default()
        }
    }

    /// Counts the kinds of message, most frequent first.
    fn kinds(&self) -> Vec<(String, u32)> {
        let mut kinds = self.tally(self.history.table.kind());
        kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        kinds
    }

    /// Counts how often each text stands in a column of the entries.
    fn tally(&self, column: &[Symbol]) -> Vec<(String, u32)> {
        let table = &self.history.table;
        let counts = table.symbol_counts(column, &self.history.entries);
        let said = table.symbols.all().zip(counts).filter(|(symbol, count)| *count > 0 && !symbol.is_none());
        said.map(|(symbol, count)| (table.text(symbol).to_owned(), count)).collect()
    }

    /// Names the entry at a position: by its id, unless another has the same, or by where it lies.
    pub(crate) fn key(&self, position: u32) -> Key {
        let row = self.history.entries[position as usize];
        let id = self.history.table.id()[row as usize];
        if !id.is_none() && self.by_id[id.index()] == position {
            return format!("id:{}", self.history.table.text(id));
        }
        let row = self.history.table.row(row);
        // Where all of it lies is not the same in another's copy.
        let path = &self.history.files[row.file as usize].path[self.base.len()..];
        format!("at:{path}@{}", row.offset)
    }

    /// Finds the entry that a key names.
    pub(crate) fn position(&self, key: &str) -> Option<u32> {
        if let Some(id) = key.strip_prefix("id:") {
            let symbol = self.history.table.symbols.find(id)?;
            return self.by_id.get(symbol.index()).copied().filter(|position| *position != NO_POSITION);
        }
        let (path, offset) = key.strip_prefix("at:")?.rsplit_once('@')?;
        let path = format!("{}{path}", self.base);
        let (file, offset) = (*self.history.file_by_path.get(&path)?, offset.parse().ok()?);
        self.history.position_of(self.history.row_at(file, offset)?)
    }

    /// Takes a query as the one that hits are marked by, and counts them.
    pub(crate) fn search(&mut self, text: &str) -> Result<u64, RequestError> {
        self.find_nothing();
        let query = Query::parse(text).map_err(|error| {
            let at = u32::try_from(error.at).unwrap_or(u32::MAX);
            RequestError::Query(QueryError { at, message: error.message, hint: error.hint })
        })?;
        if query.is_empty() {
            return Ok(0);
        }
        let failed = |error| RequestError::Failed(format!("searching failed: {error}"));
        let positions = self.history.find(&query, &self.derived, &mut self.texts).map_err(failed)?;
        let count = positions.len() as u64;
        self.found = Found { searching: true, positions, on_lanes: None };
        Ok(count)
    }

    fn find_nothing(&mut self) {
        self.found = Found::default();
        self.orders.retain(|list, _| !list.found);
    }

    /// Says whether the query finds the entry at a position.
    pub(crate) fn is_hit(&self, position: u32) -> bool {
        self.found.positions.binary_search(&position).is_ok()
    }

    /// Gives a list, which is made when it is first asked for.
    pub(crate) fn order(&mut self, list: List) -> Rc<Order> {
        let order = self.orders.get(&list).cloned();
        order.unwrap_or_else(|| {
            let made =
                Rc::new(Order::of(list, &self.derived.threads, &self.found.positions, self.history.entries.len()));
            self.orders.insert(list, Rc::clone(&made));
            made
        })
    }

    /// Gives the timeline, which is made when it is first asked for.
    pub(crate) fn timeline(&mut self) -> Rc<Timeline> {
        let History { table, entries, work_intervals: works, .. } = &self.history;
        Rc::clone(self.timeline.get_or_insert_with(|| Rc::new(Timeline::build(table, entries, works))))
    }

    /// Says whether the entry at a position is in a state.
    pub(crate) fn is(&self, position: u32, state: State) -> bool {
        self.derived.is(position, state)
    }
}
