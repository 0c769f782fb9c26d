//! Logs of a record a line, whatever others have done to them: for what needs whole records, not columns.

use huddle_scan::{Damage, LogReader, Recovery, ScannedRecord, Sink};

use crate::model::JsonMap;
use crate::wire::parse_map;

/// A record of a log.
#[derive(Debug)]
pub(crate) struct Line {
    /// What it says.
    pub(crate) fields: JsonMap,
    /// The line that it is on.
    pub(crate) number: u64,
    /// Where in the file it begins.
    pub(crate) offset: u64,
    /// What was wrong with it.
    pub(crate) recovery: Option<Recovery>,
}

/// The records of a log, and what is none.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The records.
    pub(crate) records: Vec<Line>,
    /// What is none.
    pub(crate) damages: Vec<Damage>,
}

impl Sink for Lines {
    fn record(&mut self, found: &ScannedRecord<'_>) {
        // What the reader takes for a record, serde_json reads: a test holds one against the other.
        let fields = parse_map(found.record).unwrap_or_default();
        self.records.push(Line { fields, number: found.line, offset: found.offset, recovery: found.recovery });
    }

    fn damage(&mut self, damage: Damage) {
        self.damages.push(damage);
    }
}

/// Reads a whole log; what is being written at its end is left out.
pub(crate) fn read(bytes: &[u8]) -> Lines {
    let mut lines = Lines::default();
    let mut reader = LogReader::new(0);
    reader.feed(bytes, &mut lines);
    reader.end(&mut lines);
    lines
}
