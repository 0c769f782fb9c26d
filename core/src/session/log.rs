//! The log: records of any size, from many writers at once.

use std::collections::BTreeMap;

use super::Sessions;
use super::error::{Error, Result};
use super::glob;
use crate::engine::fs::FileSystem;
use crate::host::{self, Host};
use crate::model::{Event, NewEvent, SessionId, Timestamp, WithDiagnostics};
use crate::wire::session::event::{self, LogReader};
use crate::wire::session::layout;

/// Selects records of the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// From whom: a name, or a pattern for names.
    pub from: Option<String>,
    /// Of which type.
    pub kind: Option<String>,
    /// Of which severity.
    pub severity: Option<String>,
    /// Logged at this time or later.
    pub since: Option<Timestamp>,
}

/// The position of a reader in a log.
#[derive(Debug, Clone, Default)]
pub struct LogCursor {
    reader: LogReader,
}

impl EventFilter {
    /// Returns whether a record is wanted.
    pub fn matches(&self, event: &Event) -> bool {
        let is = |field: &str, wanted: &Option<String>| wanted.is_none() || event.text(field) == wanted.as_deref();
        let from = self.from.as_deref().is_none_or(|from| glob::matches(from, event.text("from").unwrap_or_default()));
        let late = self.since.is_none_or(|since| event.at().is_some_and(|at| at >= since));
        from && late && is("type", &self.kind) && is("severity", &self.severity)
    }
}

impl<F: FileSystem, H: Host> Sessions<F, H> {
    /// Logs a record. One too long for a line goes to a file of its own, to which its line refers.
    pub fn log(&self, id: &SessionId, new: &NewEvent) -> Result<Event> {
        let is_word = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_control() || c.is_whitespace());
        if let Some(word) = [Some(&new.kind), new.severity.as_ref()].into_iter().flatten().find(|word| !is_word(word)) {
            let message = format!("a type or severity is one word, not {word:?}");
            return Err(Error::Invalid { message, hint: "types are status, finding, error, data, completed" }.into());
        }
        self.open(id)?;
        let record =
            event::encode(new, self.journal.host.now(), &host::new_uuid(&self.journal.host).simple().to_string());
        if record.overflow.is_none() {
            self.journal.append(&layout::within(id, layout::LOG), &record.line)?;
            return Ok(record.event);
        }
        let mut logged = self.change(id, &mut |edit| {
            edit.events.push(new.clone());
            Ok(())
        })?;
        Ok(logged.logged.pop().unwrap_or_default())
    }

    /// Reads the records that are wanted, in the order of the log.
    pub fn events(&self, id: &SessionId, filter: &EventFilter) -> Result<WithDiagnostics<Vec<Event>>> {
        self.open(id)?;
        let mut found = self.read_log(id)?;
        found.value.retain(|event| filter.matches(event));
        Ok(found)
    }

    /// Reads the wanted records that came since the last time.
    pub fn poll_new(
        &self,
        id: &SessionId,
        filter: &EventFilter,
        cursor: &mut LogCursor,
    ) -> Result<WithDiagnostics<Vec<Event>>> {
        self.open(id)?;
        let log = self.journal.read(&layout::within(id, layout::LOG))?.unwrap_or_default();
        let mut found = cursor.reader.read(id, &log, false);
        found.value.retain(|event| filter.matches(event));
        Ok(found)
    }

    /// Reads the whole log.
    pub(super) fn read_log(&self, id: &SessionId) -> Result<WithDiagnostics<Vec<Event>>> {
        let log = self.journal.read(&layout::within(id, layout::LOG))?.unwrap_or_default();
        Ok(LogReader::default().read(id, &log, true))
    }
}

/// Counts records by what they have in a field, sorted; those without it come first.
pub fn count_by(events: &[Event], field: &str) -> Vec<(Option<String>, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut without = 0;
    for event in events {
        match event.text(field) {
            Some(value) => *counts.entry(value.to_owned()).or_default() += 1,
            None => without += 1,
        }
    }
    let without = (without > 0).then_some((None, without));
    without.into_iter().chain(counts.into_iter().map(|(value, count)| (Some(value), count))).collect()
}
