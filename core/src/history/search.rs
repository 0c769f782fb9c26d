//! Searching: of a history that was loaded, or of a log as its bytes go by.

use std::cell::{OnceCell, RefCell};
use std::io;

use huddle_scan::{
    Damage, Field, Flags, LogReader, Needles, Row, ScannedRecord, Sink, Symbol, Symbols, Value, clean, texts_in,
    unescape,
};

use super::query::{Facts, Query, State};
use super::record::ByteSource;
use super::snapshot::time;
use super::{Derived, History};
use crate::model::Timestamp;
use crate::wire::json;

/// The result of a search: a count, and the first hits.
#[derive(Debug, Default)]
pub struct Hits {
    /// How many rows match, however many are listed.
    pub count: u64,
    /// The rows that are listed.
    pub listed: Vec<Hit>,
}

impl Hits {
    /// Counts a row that matches, and lists it while there is room.
    fn add(&mut self, limit: usize, hit: impl FnOnce() -> Hit) {
        self.count += 1;
        if self.listed.len() < limit {
            self.listed.push(hit());
        }
    }
}

/// A row that matches.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The row; what is no record has an empty one.
    pub row: Row,
    /// Who made it, who it is for, and so on, in the order of [`Hit::TEXTS`].
    pub texts: [String; 7],
    /// The path of its file.
    pub file: String,
    /// Its bytes, without what was wrong with them.
    pub record: Vec<u8>,
}

impl Hit {
    /// What [`Hit::texts`] are.
    pub const TEXTS: [&'static str; 7] = ["from", "to", "type", "severity", "priority", "threadId", "id"];

    fn of(row: Row, symbols: &Symbols, file: &str, record: &[u8]) -> Self {
        let texts = [row.from, row.to, row.kind, row.severity, row.priority, row.thread, row.id];
        let texts = texts.map(|symbol| symbols.text(symbol).to_owned());
        Self { row, texts, file: file.to_owned(), record: record.to_vec() }
    }
}

/// Shows a row's JSON, and says what came of that.
type ShowJson<'a> = dyn Fn(&mut dyn FnMut(&[u8]) -> bool) -> bool + 'a;

/// What is known of a row when a query asks.
struct RowFacts<'a> {
    /// The row, which is put together when something but its texts is asked for.
    make: &'a dyn Fn() -> Row,
    row: OnceCell<Row>,
    symbols: &'a Symbols,
    file: &'a str,
    /// Shows the row's JSON.
    look: &'a ShowJson<'a>,
    states: &'a dyn Fn(State) -> bool,
}

impl RowFacts<'_> {
    fn row(&self) -> &Row {
        self.row.get_or_init(self.make)
    }

    fn text(&self, column: fn(&Row) -> Symbol) -> &str {
        self.symbols.text(column(self.row()))
    }
}

impl Facts for RowFacts<'_> {
    fn from(&self) -> &str {
        self.text(|row| row.from)
    }
    fn to(&self) -> &str {
        self.text(|row| row.to)
    }
    fn kind(&self) -> &str {
        self.text(|row| row.kind)
    }
    fn severity(&self) -> &str {
        self.text(|row| row.severity)
    }
    fn thread(&self) -> &str {
        self.text(|row| row.thread)
    }
    fn priority(&self) -> &str {
        self.text(|row| row.priority)
    }
    fn file(&self) -> &str {
        self.file
    }
    fn time(&self) -> Option<Timestamp> {
        time(self.row().time)
    }
    fn is(&self, state: State) -> bool {
        match state {
            State::Damaged => self.row().flags.contains(Flags::RECOVERED),
            state => (self.states)(state),
        }
    }
    fn has_artifact(&self) -> bool {
        !self.row().artifact.is_none()
    }
    fn any_text(&self, look: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        (self.look)(&mut |record| {
            texts_in(record, &mut |text| match text {
                Value::Plain(plain) => look(plain),
                Value::Escaped(escaped) => look(unescape(escaped).as_bytes()),
                Value::Word(_) | Value::Nested(_) => false,
            })
        })
    }
}

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
    has_bundled_files: bool,
    /// Whether the needles know what is seldom met in the file.
    is_ranked: bool,
}

impl<'q> LogSearch<'q> {
    /// Begins a search that lists at most `limit` rows.
    pub fn new(query: &'q Query, limit: usize) -> Self {
        let needles = query.needles();
        let needles = Needles::new(needles.iter().map(|needle| needle.text.as_str()));
        let (file, symbols, hits, damages) = (String::new(), Symbols::default(), Hits::default(), Vec::new());
        Self { query, needles, limit, file, symbols, hits, damages, has_bundled_files: false, is_ranked: false }
    }

    /// Begins a file.
    pub fn begin(&mut self, number: u32, file: &str) -> LogReader {
        file.clone_into(&mut self.file);
        self.is_ranked = false;
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
        let needles = self.needles.clone();
        reader.feed_wanted(chunk, &needles, self);
    }

    /// Returns whether files were met that the log carries along, and that may be wanted: then it has to be loaded.
    pub fn carries_files(&self) -> bool {
        self.has_bundled_files
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
        self.has_bundled_files |= found.fields.has(Field::File);
        let row = found.row(&mut self.symbols);
        let look = |text: &mut dyn FnMut(&[u8]) -> bool| text(found.record);
        let facts = RowFacts {
            make: &|| row,
            row: OnceCell::new(),
            symbols: &self.symbols,
            file: &self.file,
            look: &look,
            states: &|_| false,
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

impl History {
    /// Searches all entries, in order of time; then, if the query asks for it, what is damaged.
    pub fn search(
        &self,
        query: &Query,
        derived: &Derived,
        limit: usize,
        from: &mut dyn ByteSource,
    ) -> io::Result<Hits> {
        let found = self.find(query, derived, from)?;
        let mut hits = Hits { count: found.len() as u64, listed: Vec::new() };
        for position in found.into_iter().take(limit) {
            let row = self.table.row(self.entries[position as usize]);
            let bytes = self.bytes(self.entries[position as usize], from)?;
            let file = &self.files[row.file as usize].path;
            hits.listed.push(Hit::of(row, &self.table.symbols, file, &clean(&bytes)));
        }
        if query.asks_for_damage() {
            for damage in &self.table.damages {
                let file = &self.files[damage.file as usize];
                // What a log carries lies in the log.
                let file = file.container.map_or(file, |log| &self.files[log as usize]);
                note_damage(&mut hits, query, limit, &file.path, damage, from)?;
            }
        }
        Ok(hits)
    }

    /// Finds the positions of all entries that a query wants, in order.
    pub fn find(&self, query: &Query, derived: &Derived, from: &mut dyn ByteSource) -> io::Result<Vec<u32>> {
        // Marked by position, so that they come in order.
        let mut found = vec![false; self.entries.len()];
        let rest = if query.needs_text() {
            self.find_by_chunks(query, derived, from, &mut found)?
        } else {
            (0..self.entries.len() as u32).collect()
        };
        let (from, failed) = (RefCell::new(from), RefCell::new(None));
        for position in rest {
            let look = |text: &mut dyn FnMut(&[u8]) -> bool| {
                let read = self.bytes(self.entries[position as usize], &mut **from.borrow_mut());
                let read = read.unwrap_or_else(|error| {
                    failed.borrow_mut().get_or_insert(error);
                    Vec::new()
                });
                text(&clean(&read))
            };
            found[position as usize] = self.is_wanted(query, derived, position, &look);
        }
        let positions = (0..).zip(found).filter_map(|(position, found)| found.then_some(position));
        failed.into_inner().map_or_else(|| Ok(positions.collect()), Err)
    }

    /// Finds what there is in files that are gone over as a whole; gives the positions of entries that have to be read.
    fn find_by_chunks(
        &self,
        query: &Query,
        derived: &Derived,
        from: &mut dyn ByteSource,
        found: &mut [bool],
    ) -> io::Result<Vec<u32>> {
        let needles = query.needles();
        let mut needles = Needles::new(needles.iter().map(|needle| needle.text.as_str()));
        let (is_word, mut rest) = (query.is_word(), Vec::new());
        for (file, positions) in self.files.iter().zip(self.positions_by_file()) {
            let mut left = positions.into_iter().peekable();
            from.for_each_chunk(&file.path, &mut |start, piece| {
                if start == 0 {
                    needles.rank_by_rarity(&piece[..piece.len().min(SAMPLE)]);
                }
                let end = start + piece.len() as u64;
                while let Some(position) = left.next_if(|position| self.offset_of(*position) < end) {
                    // Where pieces are cut, rows may be.
                    let Some(bytes) = self.part(position, start, piece) else {
                        rest.push(position);
                        continue;
                    };
                    let is_damaged = self.is_damaged(position);
                    // Most can be told without reading them.
                    let told = if is_word && !is_damaged { needles.occurs_in_string_value(bytes) } else { None };
                    found[position as usize] = told.unwrap_or_else(|| {
                        let record = if is_damaged { clean(bytes) } else { bytes.into() };
                        needles.may_be_in(bytes) && self.is_wanted(query, derived, position, &|text| text(&record))
                    });
                }
            })?;
            rest.extend(left);
        }
        Ok(rest)
    }

    /// Returns the positions of each file's entries, in the order in which they lie there.
    fn positions_by_file(&self) -> Vec<Vec<u32>> {
        let mut files = vec![Vec::new(); self.files.len()];
        for (position, row) in (0..).zip(&self.entries) {
            files[self.table.file()[*row as usize] as usize].push(position);
        }
        for positions in &mut files {
            if !positions.is_sorted_by_key(|position| self.offset_of(*position)) {
                positions.sort_by_key(|position| self.offset_of(*position));
            }
        }
        files
    }

    /// Returns whether an entry's bytes are not just its record.
    fn is_damaged(&self, position: u32) -> bool {
        self.table.flags()[self.entries[position as usize] as usize].contains(Flags::RECOVERED)
    }

    fn offset_of(&self, position: u32) -> u64 {
        self.table.offset()[self.entries[position as usize] as usize]
    }

    /// Returns an entry's bytes out of a piece of its file, if they are all there.
    fn part<'p>(&self, position: u32, start: u64, piece: &'p [u8]) -> Option<&'p [u8]> {
        let length = self.table.length()[self.entries[position as usize] as usize];
        let start = usize::try_from(self.offset_of(position).checked_sub(start)?).ok()?;
        piece.get(start..start.checked_add(length as usize)?)
    }

    fn is_wanted(&self, query: &Query, derived: &Derived, position: u32, look: &ShowJson<'_>) -> bool {
        let row = self.entries[position as usize];
        let states = |state: State| derived.is(position, state);
        query.matches(&RowFacts {
            make: &|| self.table.row(row),
            row: OnceCell::new(),
            symbols: &self.table.symbols,
            file: &self.files[self.table.file()[row as usize] as usize].path,
            look,
            states: &states,
        })
    }
}

/// How much of a file is looked at to learn what is seldom met in it.
const SAMPLE: usize = 1 << 16;

/// Counts a piece of damage that is wanted, and lists it while there is room.
fn note_damage(
    hits: &mut Hits,
    query: &Query,
    limit: usize,
    file: &str,
    damage: &Damage,
    from: &mut dyn ByteSource,
) -> io::Result<()> {
    let bytes = from.read(file, damage.offset, damage.length)?;
    let (offset, length) = (damage.offset, damage.length as u32);
    let mut row = Row { file: damage.file, offset, length, ..Row::default() };
    row.flags.insert(Flags::RECOVERED);
    // One text, as JSON has it: what is asked of texts is then asked of this one.
    let look = |text: &mut dyn FnMut(&[u8]) -> bool| text(json(&shown(&bytes)).to_string().as_bytes());
    let symbols = Symbols::default();
    let facts =
        RowFacts { make: &|| row, row: OnceCell::new(), symbols: &symbols, file, look: &look, states: &|_| false };
    if query.matches(&facts) {
        hits.add(limit, || Hit::of(row, &symbols, file, &bytes));
    }
    Ok(())
}

/// Shows bytes that may be no text: what is not is escaped.
pub fn shown(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\t' | '\n' => shown.push(letter),
                control if control.is_control() => shown.extend(control.escape_default()),
                letter => shown.push(letter),
            }
        }
        for byte in chunk.invalid() {
            shown += &format!("\\x{byte:02x}");
        }
    }
    shown
}
