//! Searching a log as its bytes go by.

use std::cell::OnceCell;
use std::io;

use huddle_scan::{Damage, Field, LogReader, Needles, RawJson, ScannedRecord, Sink, Symbols};

use super::facts::RowFacts;
use super::{Hit, Hits, note_damage};
use crate::history::formats;
use crate::history::query::Query;
use crate::history::record::ByteSource;

/// Searches a log while its bytes go by: nothing is kept but what is listed.
///
/// For queries that need no states, on logs: what they say of a row stands in the row.
pub struct LogSearch<'q> {
    query: &'q Query,
    needles: Needles,
    limit: usize,
    file: String,
    symbols: Symbols,
    hits: Hits,
    damages: Vec<(String, Damage)>,
    must_load: bool,
    /// What the file begins with, where that matters.
    head: Vec<u8>,
    /// Whether the needles know what is seldom met in the file.
    is_ranked: bool,
}

impl<'q> LogSearch<'q> {
    /// Begins a search that lists at most `limit` rows.
    pub fn new(query: &'q Query, limit: usize) -> Self {
        let needles = query.needles();
        let needles = Needles::new(needles.iter().map(|needle| needle.text.as_str()));
        let (file, symbols, hits, damages) = (String::new(), Symbols::default(), Hits::default(), Vec::new());
        Self {
            query,
            needles,
            limit,
            file,
            symbols,
            hits,
            damages,
            must_load: false,
            head: Vec::new(),
            is_ranked: false,
        }
    }

    /// Begins a file.
    pub fn begin(&mut self, number: u32, file: &str) -> LogReader {
        file.clone_into(&mut self.file);
        self.is_ranked = false;
        self.must_load = self.must_load();
        self.head.clear();
        LogReader::new(number)
    }

    /// Takes the next bytes of the file that was begun last.
    pub fn feed(&mut self, reader: &mut LogReader, chunk: &[u8]) {
        if self.query.asks_for_damage() {
            reader.feed(chunk, self);
            return;
        }
        if !std::mem::replace(&mut self.is_ranked, true) {
            self.needles.rank_by_rarity(chunk);
        }
        if self.query.asks_for_columns() && self.head.len() < HEAD {
            self.head.extend_from_slice(&chunk[..chunk.len().min(HEAD)]);
        }
        let needles = self.needles.clone();
        reader.feed_wanted(chunk, &needles, self);
    }

    /// Returns whether the log has to be loaded: it carries files along that may be wanted, or it is a transcript, of which
    /// something is asked that only all of it tells.
    pub fn must_load(&self) -> bool {
        self.must_load || begins_with_turns(&self.head)
    }

    /// Ends the search; damage is looked at for queries that ask for it.
    pub fn end(mut self, from: &mut dyn ByteSource) -> io::Result<Hits> {
        for (file, damage) in &self.damages {
            note_damage(&mut self.hits, self.query, self.limit, file, damage, from)?;
        }
        Ok(self.hits)
    }
}

impl Sink for LogSearch<'_> {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        if !self.needles.may_be_in(found.record) {
            return;
        }
        self.must_load |= found.fields.has(Field::Sidechain) && self.query.asks_for_columns();
        self.must_load |= found.fields.has(Field::File);
        let row = found.row(&mut self.symbols);
        let look = |text: &mut dyn FnMut(&[u8]) -> bool| text(found.record);
        let facts = RowFacts {
            make: &|| row,
            row: OnceCell::new(),
            symbols: &self.symbols,
            file: &self.file,
            look: &look,
            states: &|_| false,
            deliveries: None,
            turn: None,
        };
        if self.query.matches(&facts) {
            self.hits.add(self.limit, || Hit::of(row, &self.symbols, &self.file, found.record));
        }
    }

    fn damage(&mut self, damage: Damage) {
        // Nobody is told of it unless the query asks for it.
        if self.query.asks_for_damage() {
            self.damages.push((self.file.clone(), damage));
        }
    }
}

/// Returns whether one of the first lines of a file is a turn of a transcript.
fn begins_with_turns(chunk: &[u8]) -> bool {
    let mut lines = chunk.split(|byte| *byte == b'\n').map(RawJson::new);
    lines.any(|record| formats::recognize(record).is_some())
}

/// How much of a file is asked whether it is turns.
const HEAD: usize = 1 << 17;
