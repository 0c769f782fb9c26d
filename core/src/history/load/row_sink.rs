//! Where records become rows.

use huddle_scan::{Damage, Field, Fields, RawJson, Recovery, ScannedRecord, Sink, Table, scan_object};

use super::bundle;
use super::detect::{RECORDS, format_of};
use crate::history::transcript::TranscriptLoader;

/// Collects records as rows, and the files bundled in a log.
#[derive(Debug, Default)]
pub(super) struct RowSink {
    pub(super) table: Table,
    /// Whether the file at hand is taken as a whole: only logs carry others.
    pub(super) is_document: bool,
    pub(super) bundled: Vec<bundle::BundledFile>,
    pub(super) format: &'static str,
    /// How many records of the file were asked for its format.
    pub(super) sampled: usize,
    pub(super) transcripts: TranscriptLoader,
    /// How many records lay inside others, more than those were.
    pub(super) nested: u64,
}

/// Records that are sampled to detect a file's format.
const FORMAT_SAMPLE: usize = 16;

impl Sink for RowSink {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        if !self.is_document
            && found.fields.has(Field::File)
            && let Some(bundled) = bundle::bundled_file(found)
        {
            self.bundled.push(bundled);
            return;
        }
        if (self.format.is_empty() || self.format == RECORDS) && self.sampled < FORMAT_SAMPLE {
            self.format = format_of(found);
            self.sampled += 1;
        }
        if !self.transcripts.is_wanted() {
            self.table.record(found);
            return;
        }
        // What was repaired does not lie in the file as it is here; what only stood beside another does.
        let is_whole = matches!(found.recovery, None | Some(Recovery::CrLf | Recovery::Glued));
        if !(is_whole && self.unpack(found)) {
            self.turn(found, None);
        }
    }

    fn damage(&mut self, damage: Damage) {
        self.table.damage(damage);
    }

    fn flush(&mut self) {
        self.table.flush();
    }
}

impl RowSink {
    /// Takes a record that may be a turn of a transcript.
    fn turn(&mut self, found: &ScannedRecord<'_>, session: Option<&str>) {
        let mut row = found.row(&mut self.table.symbols);
        let number = self.table.next_number();
        self.transcripts.read(found, number, &mut row, session, &mut self.table.symbols);
        self.table.stage(row);
    }

    /// Takes the records inside a record, where a format knows of them; returns whether there are any.
    fn unpack(&mut self, found: &ScannedRecord<'_>) -> bool {
        let records = self.transcripts.records_in(RawJson::new(found.record));
        let (mut fields, mut lines) = (Fields::default(), LineCounter::default());
        let mut count = 0;
        for nested in &records {
            let record = nested.record.bytes();
            if scan_object(record, &mut fields) != Ok(record.len()) {
                continue;
            }
            let start = record.as_ptr().addr() - found.record.as_ptr().addr();
            let (offset, length) = (found.offset + start as u64, record.len() as u64);
            let line = found.line + lines.before(found.record, start);
            let inner = ScannedRecord { record, fields: &fields, line, offset, length, ..*found };
            self.turn(&inner, nested.session.as_deref());
            count += 1;
        }
        self.nested += u64::saturating_sub(count, 1);
        count > 0
    }
}

/// Counts the lines of a document, up to places that only grow.
#[derive(Default)]
struct LineCounter {
    offset: usize,
    lines: u64,
}

impl LineCounter {
    fn before(&mut self, bytes: &[u8], offset: usize) -> u64 {
        self.lines += memchr::memchr_iter(b'\n', &bytes[self.offset..offset]).count() as u64;
        self.offset = offset;
        self.lines
    }
}
