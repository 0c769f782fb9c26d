//! Bytes of a file, as they arrive, into records and what is none.

mod repair;
mod wanted;

pub use repair::clean;

use crate::accounting::{ByteAccounting, Damage, Recovery};
use crate::fields::Fields;
use crate::json::{scan_object, skip_blanks};
use crate::row_builder::build_row;
use crate::symbols::Symbols;
use crate::table::{Flags, Row};

/// A record that was found.
#[derive(Debug)]
pub struct ScannedRecord<'b> {
    /// The record's bytes without what was wrong with them: JSON.
    pub record: &'b [u8],
    /// Where its fields are.
    pub fields: &'b Fields,
    /// The number of its file.
    pub file: u32,
    /// The line that it is on, counted from one.
    pub line: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub length: u64,
    /// The damage that was repaired.
    pub recovery: Option<Recovery>,
}

impl ScannedRecord<'_> {
    /// Creates the record's row.
    pub fn row(&self, symbols: &mut Symbols) -> Row {
        let mut row = build_row(self.record, self.fields, symbols);
        (row.file, row.offset) = (self.file, self.offset);
        row.length = u32::try_from(self.length).unwrap_or(u32::MAX);
        // Lines of other systems are recovered in name only: nothing was wrong with what they say.
        if self.recovery.is_some_and(|recovery| recovery != Recovery::CrLf) {
            row.flags.insert(Flags::RECOVERED);
        }
        row
    }
}

/// Takes what a reader finds, in the order in which it lies in the file.
pub trait Sink {
    /// Takes a record.
    fn record(&mut self, found: &ScannedRecord<'_>);
    /// Takes bytes that are no record.
    fn damage(&mut self, damage: Damage);
    /// Hears that for now this is all: somebody may look at what it took.
    fn flush(&mut self) {}
}

/// Reads a log, a record a line, from chunks of any size.
#[derive(Debug, Clone, Default)]
pub struct LogReader {
    file: u32,
    /// Where in the file the first byte lies that is not accounted for.
    at: u64,
    line: u64,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    /// How many bytes of that line were dropped, because it is too long.
    dropped: u64,
    /// A line that ended too early: the next one may be its other half.
    torn: Option<Torn>,
    account: ByteAccounting,
    fields: Fields,
}

#[derive(Debug, Clone)]
struct Torn {
    bytes: Vec<u8>,
    line: u64,
    offset: u64,
}

/// The longest line of which a half is kept to be joined: nobody writes longer ones in halves.
const LONGEST_TORN: usize = 1 << 20;

/// The longest line that is read. A longer one counts as damage, and is never held as a whole.
const MAX_LINE: usize = 64 << 20;
const TOO_LONG: &str = "the line is longer than 64 MiB";

impl LogReader {
    /// Begins a file.
    pub fn new(file: u32) -> Self {
        Self { file, ..Self::default() }
    }

    /// Takes the next bytes of the file.
    pub fn feed(&mut self, mut chunk: &[u8], sink: &mut dyn Sink) {
        if self.is_in_line() {
            let Some(end) = memchr::memchr(b'\n', chunk) else {
                self.begin_line(chunk);
                return;
            };
            self.begin_line(&chunk[..end]);
            chunk = &chunk[end + 1..];
            if self.dropped > 0 {
                self.end_dropped(true, sink);
            } else {
                let line = std::mem::take(&mut self.begun);
                self.whole_line(&line, sink);
                // The room is kept for the next one, unless this line was out of the ordinary.
                self.begun = line;
                self.begun.clear();
                self.begun.shrink_to(LONGEST_TORN);
            }
        }
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', chunk) {
            self.whole_line(&chunk[start..end], sink);
            start = end + 1;
        }
        self.begin_line(&chunk[start..]);
        sink.flush();
    }

    /// Returns whether a line was begun whose end has not come.
    fn is_in_line(&self) -> bool {
        !self.begun.is_empty() || self.dropped > 0
    }

    /// Takes bytes of a line whose end has not come; of one that is too long only their number.
    fn begin_line(&mut self, bytes: &[u8]) {
        if self.dropped == 0 && self.begun.len() + bytes.len() <= MAX_LINE {
            self.begun.extend_from_slice(bytes);
        } else {
            self.dropped += (self.begun.len() + bytes.len()) as u64;
            self.begun = Vec::new();
        }
    }

    /// Accounts for a line that was too long; `ended` says whether an end of line follows it.
    fn end_dropped(&mut self, ended: bool, sink: &mut dyn Sink) {
        let length = std::mem::take(&mut self.dropped);
        self.line += 1;
        self.drop_torn(sink);
        self.damage(self.line, self.at, length, TOO_LONG, sink);
        self.account.separators += u64::from(ended);
        self.at += length + u64::from(ended);
    }

    /// Ends the file: what has no end of line is read if it is a record, and counts as being written if it may become one.
    pub fn end(&mut self, sink: &mut dyn Sink) -> ByteAccounting {
        let last = std::mem::take(&mut self.begun);
        if self.dropped > 0 {
            self.end_dropped(false, sink);
        } else if !last.is_empty() {
            self.line += 1;
            self.read_line(&last, false, sink);
        }
        self.drop_torn(sink);
        sink.flush();
        self.account
    }

    /// Returns where every byte went so far; what has no end of line yet is being written.
    pub fn account(&self) -> ByteAccounting {
        let torn = self.torn.as_ref().map_or(0, |torn| torn.bytes.len() as u64);
        let begun = self.begun.len() as u64 + self.dropped;
        ByteAccounting { being_written: self.account.being_written + begun + torn, ..self.account }
    }

    /// Returns how many lines were begun.
    pub fn line(&self) -> u64 {
        self.line
    }

    #[inline]
    fn whole_line(&mut self, line: &[u8], sink: &mut dyn Sink) {
        if line.len() > MAX_LINE {
            self.dropped = line.len() as u64;
            self.end_dropped(true, sink);
            return;
        }
        self.line += 1;
        // Nearly every line is one record and nothing else.
        if self.torn.is_none()
            && let Ok(length) = scan_object(line, &mut self.fields)
            && length == line.len()
        {
            self.one_record(line, sink);
        } else {
            self.read_line(line, true, sink);
            self.account.separators += 1;
            self.at += line.len() as u64 + 1;
        }
    }

    /// Takes a line that is one record, whose fields are at hand.
    #[inline]
    fn one_record(&mut self, line: &[u8], sink: &mut dyn Sink) {
        self.account.records += 1;
        self.account.parsed += line.len() as u64;
        self.account.separators += 1;
        self.emit(line, 0, line.len(), None, sink);
        self.at += line.len() as u64 + 1;
    }

    /// Reads a line that is not just one record.
    fn read_line(&mut self, line: &[u8], ended: bool, sink: &mut dyn Sink) {
        if self.torn.is_some() && self.join_torn(line, sink) {
            return;
        }
        self.drop_torn(sink);
        let mut records = 0;
        let mut at = 0;
        loop {
            let start = skip_blanks(line, at);
            self.account.separators += (start - at) as u64;
            if start == line.len() {
                return;
            }
            at = start;
            match repair::record(&line[at..], &mut self.fields) {
                Ok(found) => {
                    let glued = records > 0 || line[at + found.length..].trim_ascii_start().first() == Some(&b'{');
                    let crlf = ended && at + found.length + 1 == line.len() && line.ends_with(b"\r");
                    let or = |so: bool, what| so.then_some(what);
                    let recovery = found.recovery.or(or(glued, Recovery::Glued)).or(or(crlf, Recovery::CrLf));
                    records += 1;
                    self.recovered(found.length as u64, recovery);
                    let record = found.cleaned.as_deref().unwrap_or(&line[at..at + found.length]);
                    self.emit(record, at, found.length, recovery, sink);
                    at += found.length;
                }
                Err(fault) => {
                    let next = repair::next_record(line, at + 1, &mut self.fields);
                    if next == line.len() && fault.incomplete && !ended {
                        self.account.being_written += (next - at) as u64;
                    } else if next == line.len() && fault.incomplete && records == 0 && line.len() <= LONGEST_TORN {
                        let bytes = line[at..].to_vec();
                        self.torn = Some(Torn { bytes, line: self.line, offset: self.at + at as u64 });
                    } else {
                        let offset = self.at + at as u64;
                        self.damage(self.line, offset, (next - at) as u64, fault.what, sink);
                    }
                    at = next;
                }
            }
        }
    }

    /// Tries whether a line is the other half of the one before it.
    fn join_torn(&mut self, line: &[u8], sink: &mut dyn Sink) -> bool {
        if scan_object(line, &mut self.fields).is_ok() {
            return false;
        }
        let Some(torn) = self.torn.take() else { return false };
        let mut whole = torn.bytes.clone();
        whole.extend_from_slice(line);
        match scan_object(&whole, &mut self.fields) {
            Ok(length) if length > torn.bytes.len() && whole[length..].trim_ascii().is_empty() => {
                // The end of line that stands in it was counted as one between records.
                let taken = length as u64 + 1;
                self.account.separators -= 1;
                self.account.separators += (whole.len() - length) as u64;
                self.recovered(taken, Some(Recovery::Torn));
                sink.record(&ScannedRecord {
                    record: &whole[..length],
                    fields: &self.fields,
                    file: self.file,
                    line: torn.line,
                    offset: torn.offset,
                    length: taken,
                    recovery: Some(Recovery::Torn),
                });
                true
            }
            _ => {
                self.torn = Some(torn);
                false
            }
        }
    }

    fn drop_torn(&mut self, sink: &mut dyn Sink) {
        if let Some(torn) = self.torn.take() {
            self.damage(torn.line, torn.offset, torn.bytes.len() as u64, "it ends too early", sink);
        }
    }

    fn recovered(&mut self, length: u64, recovery: Option<Recovery>) {
        self.account.records += 1;
        match recovery {
            None => self.account.parsed += length,
            Some(recovery) => {
                self.account.recovered += length;
                self.account.recoveries[recovery as usize] += 1;
            }
        }
    }

    fn damage(&mut self, line: u64, offset: u64, length: u64, fault: &'static str, sink: &mut dyn Sink) {
        self.account.damages += 1;
        self.account.quarantined += length;
        sink.damage(Damage { file: self.file, line, offset, length, fault });
    }

    /// Reports a record in the line at hand.
    #[inline]
    fn emit(&self, record: &[u8], start: usize, length: usize, recovery: Option<Recovery>, sink: &mut dyn Sink) {
        sink.record(&ScannedRecord {
            record,
            fields: &self.fields,
            file: self.file,
            line: self.line,
            offset: self.at + start as u64,
            length: length as u64,
            recovery,
        });
    }
}

/// Reads a whole file that is one JSON document: a record, a list of records, or several of either.
pub fn document(file: u32, bytes: &[u8], sink: &mut dyn Sink) -> ByteAccounting {
    let mut reader = LogReader::new(file);
    reader.line = 1;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if is_separator(byte) {
            reader.line += u64::from(byte == b'\n');
            reader.account.separators += 1;
            at += 1;
            continue;
        }
        // A mark that no record follows stands before a list, or before an end of line.
        if let Some(rest) = bytes[at..].strip_prefix(repair::BOM)
            && rest.first().is_none_or(|byte| is_separator(*byte))
        {
            reader.account.separators += repair::BOM.len() as u64;
            at += repair::BOM.len();
            continue;
        }
        at += reader.piece(&bytes[at..], at, sink);
    }
    sink.flush();
    reader.account
}

/// Returns whether a byte holds records of a document together, and is no part of one.
const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b'[' | b']')
}

impl LogReader {
    /// Reads what a document goes on with, and tells how long it is.
    fn piece(&mut self, rest: &[u8], at: usize, sink: &mut dyn Sink) -> usize {
        let length = match repair::record(rest, &mut self.fields) {
            Ok(found) => {
                self.recovered(found.length as u64, found.recovery);
                let record = found.cleaned.as_deref().unwrap_or(&rest[..found.length]);
                self.at = at as u64;
                self.emit(record, 0, found.length, found.recovery, sink);
                found.length
            }
            Err(fault) => {
                let next = repair::next_record(rest, 1, &mut self.fields);
                self.damage(self.line, at as u64, next as u64, fault.what, sink);
                next
            }
        };
        self.line += memchr::memchr_iter(b'\n', &rest[..length]).count() as u64;
        length
    }
}

#[cfg(test)]
mod tests;
