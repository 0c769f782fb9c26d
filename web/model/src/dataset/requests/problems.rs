//! What is wrong.

use std::collections::HashMap;

use huddle_core::history::{History, MailboxFolder, Role};
use huddle_core::model::Diagnostic;
use huddle_scan::{Recovery, Table};

use crate::dataset::Dataset;
use crate::protocol::ProblemsView;
use crate::protocol::papers::Problem;

/// How much of a file is shown for a problem that does not say how much it is about.
const PART: u32 = 2_000;

/// Where rows and damage lie, so that very many problems find their places soon.
struct Map {
    /// All rows, by file and offset.
    rows: Vec<u32>,
    /// The damage of each file, by offset, with its length.
    damages: HashMap<(u32, u64), u64>,
    /// The position of the entry that a row is, or is a copy of.
    positions: Vec<Option<u32>>,
}

impl Map {
    fn of(history: &History) -> Self {
        let table = &history.table;
        let mut rows: Vec<u32> = (0..table.len() as u32).collect();
        rows.sort_by_key(|row| (table.file()[*row as usize], table.offset()[*row as usize]));
        let damages = table.damages.iter().map(|damage| ((damage.file, damage.offset), damage.length)).collect();
        let mut positions = vec![None; table.len()];
        for (row, position) in history.entries.iter().zip(0..) {
            positions[*row as usize] = Some(position);
        }
        for copy in &history.mailbox_rows {
            positions[copy.row as usize] = positions[copy.entry as usize];
        }
        Self { rows, damages, positions }
    }

    /// Finds the last row of a file that begins at an offset or before it, or else the file's first.
    fn row_near(&self, table: &Table, file: u32, offset: u64) -> Option<u32> {
        let at = |row: u32| (table.file()[row as usize], table.offset()[row as usize]);
        let after = self.rows.partition_point(|row| at(*row) <= (file, offset));
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|place| self.rows.get(place));
        near.copied().find(|row| at(*row).0 == file)
    }
}

impl Dataset {
    /// Gives all that the checks found, each with the place that it leads to.
    pub(super) fn problems(&self) -> ProblemsView {
        let account = self.history.account();
        let recoveries = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
        // Where there is nothing to be found, all rows need not be put in order.
        let map = (!self.findings.is_empty()).then(|| Map::of(&self.history));
        let found = map.iter().flat_map(|map| self.findings.iter().map(|finding| self.problem(finding, map)));
        ProblemsView {
            problems: found.collect(),
            bytes: [account.parsed, account.recovered, account.quarantined, account.separators, account.being_written],
            recoveries: recoveries.map(|(kind, count)| (kind.as_str().to_owned(), count)).collect(),
        }
    }

    fn problem(&self, finding: &Diagnostic, map: &Map) -> Problem {
        let at = self.history.locate(&finding.place).or_else(|| Some((self.file_about(&finding.place)?, None)));
        let near =
            |(file, offset): (u32, Option<u64>)| map.row_near(&self.history.table, file, offset.unwrap_or_default());
        let row = at.and_then(near);
        let said = finding.place.strip_prefix("message ").and_then(|id| self.position(&format!("id:{id}")));
        let position = said.or_else(|| row.and_then(|row| map.positions[row as usize]));
        Problem {
            severity: finding.severity.to_string(),
            code: finding.code.to_owned(),
            place: finding.place.clone(),
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            key: position.map(|position| self.key(position)),
            hit: position.is_some_and(|position| self.is_hit(position)),
            part: at
                .map(|(file, offset)| self.part_of(file, offset, map))
                .or_else(|| said.map(|said| self.record_of(said))),
        }
    }

    /// Finds the file that tells of what a place names in words: `inbox of ann`, `handoff h-1`, `agent ann`,
    /// `subscription to Built`.
    fn file_about(&self, place: &str) -> Option<u32> {
        let papers = &self.history.state_files;
        if let Some(id) = place.strip_prefix("handoff ") {
            return papers.handoffs.iter().find(|paper| paper.value.id.as_str() == id).map(|paper| paper.file);
        }
        if let Some(owner) = place.strip_prefix("inbox of ") {
            let inbox = Role::Mail(MailboxFolder::Inbox(owner.to_owned()));
            let first = self.history.files.iter().position(|file| file.role == inbox);
            return first.map(|file| file as u32);
        }
        let registered = place.starts_with("agent ") || place.starts_with("subscription to ");
        papers.registries.first().filter(|_| registered).map(|paper| paper.file)
    }

    /// Gives where a message lies.
    fn record_of(&self, position: u32) -> (String, u64, u32) {
        let row = self.history.table.row(self.history.entries[position as usize]);
        (self.history.files[row.file as usize].path.clone(), row.offset, row.length)
    }

    fn part_of(&self, file: u32, offset: Option<u64>, map: &Map) -> (String, u64, u32) {
        let offset = offset.unwrap_or_default();
        let length = map.damages.get(&(file, offset)).and_then(|length| u32::try_from(*length).ok()).unwrap_or(PART);
        (self.history.files[file as usize].path.clone(), offset, length)
    }
}
