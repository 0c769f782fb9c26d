//! Searching: of a history that was loaded, or of a log as its bytes go by.

mod facts;
mod log_search;

pub use log_search::LogSearch;

use std::cell::{OnceCell, RefCell};
use std::io;

use huddle_scan::{Damage, Flags, Needles, Row, Symbols, clean};

use super::query::{Query, State};
use super::record::ByteSource;
use super::{Derived, History};
use crate::wire::json;
use facts::{RowFacts, ShowJson};

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
        // What a transcript's columns say does not stand in its rows.
        let has_turns = !self.transcript.turns.is_empty();
        let needles = if has_turns { query.text_needles() } else { query.needles() };
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
            deliveries: derived.deliveries_of(position),
            turn: self.transcript.turn(row).map(|turn| (&self.transcript, turn)),
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
    let facts = RowFacts {
        make: &|| row,
        row: OnceCell::new(),
        symbols: &symbols,
        file,
        look: &look,
        states: &|_| false,
        deliveries: None,
        turn: None,
    };
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
